package com.google.common.cache;

import java.util.Map;
import java.util.concurrent.Callable;

public interface Cache<K, V> {
    V getIfPresent(Object key);

    V get(K key, Callable<? extends V> loader);

    void put(K key, V value);

    void putAll(Map<? extends K, ? extends V> given);

    void invalidate(Object key);

    void invalidateAll();

    long size();

    Map<K, V> asMap();

    void cleanUp();
}
