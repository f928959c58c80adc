package com.google.common.cache;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** What is held for a time is held: a program that is read is over sooner. Which one of many goes is not known. */
public class CacheBuilder<K, V> {
    public static CacheBuilder<Object, Object> newBuilder() {
        return new CacheBuilder<>();
    }

    private long most = Long.MAX_VALUE;

    public CacheBuilder<K, V> maximumSize(long most) {
        this.most = most;
        return this;
    }

    public CacheBuilder<K, V> initialCapacity(int size) {
        return this;
    }

    public CacheBuilder<K, V> concurrencyLevel(int level) {
        return this;
    }

    public CacheBuilder<K, V> expireAfterWrite(Object time) {
        return this;
    }

    public CacheBuilder<K, V> expireAfterWrite(long time, TimeUnit unit) {
        return this;
    }

    public CacheBuilder<K, V> expireAfterAccess(Object time) {
        return this;
    }

    public CacheBuilder<K, V> expireAfterAccess(long time, TimeUnit unit) {
        return this;
    }

    public CacheBuilder<K, V> refreshAfterWrite(Object time) {
        return this;
    }

    public CacheBuilder<K, V> refreshAfterWrite(long time, TimeUnit unit) {
        return this;
    }

    public CacheBuilder<K, V> recordStats() {
        return this;
    }

    public Cache<K, V> build() {
        return new Held<>(null, most);
    }

    public LoadingCache<K, V> build(CacheLoader<K, V> loader) {
        return new Held<>(loader, most);
    }

    private static class Held<K, V> implements LoadingCache<K, V> {
        private final Map<K, V> all = new HashMap<>();
        private final CacheLoader<K, V> loader;
        private final long most;

        Held(CacheLoader<K, V> loader, long most) {
            this.loader = loader;
            this.most = most;
        }

        public V getIfPresent(Object key) {
            return all.get(key);
        }

        public V get(K key, Callable<? extends V> loader) {
            V value = all.containsKey(key) ? all.get(key) : loader.call();
            put(key, value);
            return value;
        }

        public V get(K key) {
            return get(key, () -> loader.load(key));
        }

        public V getUnchecked(K key) {
            return get(key);
        }

        public void refresh(K key) {
            put(key, loader.load(key));
        }

        public void put(K key, V value) {
            all.put(key, value);
            if (all.size() > most / 4) Eviction.from(all);
        }

        public void putAll(Map<? extends K, ? extends V> given) {
            for (Map.Entry<? extends K, ? extends V> entry : given.entrySet()) put(entry.getKey(), entry.getValue());
        }

        public void invalidate(Object key) {
            all.remove(key);
        }

        public void invalidateAll() {
            all.clear();
        }

        public long size() {
            return all.size();
        }

        public Map<K, V> asMap() {
            return all;
        }

        public void cleanUp() {}
    }
}
