package cn.hutool.json;

import cn.hutool.core.convert.Convert;

/** What an object and an array of a document give by a key. */
interface Getters<K> {
    Object at(K key);

    default String getStr(K key) {
        return Convert.toStr(JSONUtil.given(at(key)));
    }

    default String getStr(K key, String other) {
        return Convert.toStr(JSONUtil.given(at(key)), other);
    }

    default Integer getInt(K key) {
        return Convert.toInt(JSONUtil.given(at(key)));
    }

    default Integer getInt(K key, Integer other) {
        return Convert.toInt(JSONUtil.given(at(key)), other);
    }

    default Long getLong(K key) {
        return Convert.toLong(JSONUtil.given(at(key)));
    }

    default Long getLong(K key, Long other) {
        return Convert.toLong(JSONUtil.given(at(key)), other);
    }

    default Boolean getBool(K key) {
        return Convert.toBool(JSONUtil.given(at(key)));
    }

    default Boolean getBool(K key, Boolean other) {
        return Convert.toBool(JSONUtil.given(at(key)), other);
    }
}
