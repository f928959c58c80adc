package com.alibaba.fastjson.util;

/** What an object and an array of a document, of either version, give by a key. */
public interface Getters<K> {
    Object at(K key);

    default String getString(K key) {
        return TypeUtils.castToString(at(key));
    }

    default Integer getInteger(K key) {
        return TypeUtils.castToInt(at(key));
    }

    default int getIntValue(K key) {
        Integer found = getInteger(key);
        return found == null ? 0 : found;
    }

    default Long getLong(K key) {
        return TypeUtils.castToLong(at(key));
    }

    default long getLongValue(K key) {
        Long found = getLong(key);
        return found == null ? 0L : found;
    }

    default Boolean getBoolean(K key) {
        return TypeUtils.castToBoolean(at(key));
    }

    default boolean getBooleanValue(K key) {
        Boolean found = getBoolean(key);
        return found == null ? false : found;
    }
}
