package com.google.common.collect;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Hash maps are made by a peer. */
public final class Maps {
    public static <K, V> Map<K, V> newHashMapWithExpectedSize(int size) {
        return new HashMap<>();
    }

    public static <K, V> TreeMap<K, V> newTreeMap() {
        return new TreeMap<>();
    }

    public static <K, V> EnumMap<K, V> newEnumMap(Class<K> type) {
        return new EnumMap<>(type);
    }

    public static <K, V> Map.Entry<K, V> immutableEntry(K key, V value) {
        return Map.entry(key, value);
    }

    public static <K, V> Map<K, V> uniqueIndex(Iterable<V> values, Function<? super V, K> function) {
        Map<K, V> made = new LinkedHashMap<>();
        for (V each : values) {
            K key = function.apply(each);
            if (made.containsKey(key)) throw new IllegalArgumentException("Multiple entries with same key: " + key);
            made.put(key, each);
        }
        return Collections.unmodifiableMap(made);
    }

    public static <K, V> Map<K, V> toMap(Iterable<K> keys, Function<? super K, V> function) {
        Map<K, V> made = new LinkedHashMap<>();
        for (K key : keys) if (!made.containsKey(key)) made.put(key, function.apply(key));
        return Collections.unmodifiableMap(made);
    }
}
