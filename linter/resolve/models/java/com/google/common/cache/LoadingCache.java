package com.google.common.cache;

public interface LoadingCache<K, V> extends Cache<K, V> {
    V get(K key);

    V getUnchecked(K key);

    void refresh(K key);
}
