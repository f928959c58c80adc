package com.google.common.cache;

import java.util.function.Function;
import java.util.function.Supplier;

public abstract class CacheLoader<K, V> {
    public abstract V load(K key) throws Exception;

    public static <K, V> CacheLoader<K, V> from(Function<K, V> function) {
        return new CacheLoader<K, V>() {
            public V load(K key) {
                return function.apply(key);
            }
        };
    }
}
