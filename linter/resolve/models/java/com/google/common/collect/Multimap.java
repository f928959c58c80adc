package com.google.common.collect;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

public interface Multimap<K, V> {
    boolean put(K key, V value);

    boolean putAll(K key, Iterable<? extends V> values);

    Collection<V> get(K key);

    Collection<V> removeAll(Object key);

    boolean remove(Object key, Object value);

    boolean containsKey(Object key);

    boolean containsEntry(Object key, Object value);

    boolean isEmpty();

    int size();

    void clear();

    Set<K> keySet();

    Collection<V> values();

    Collection<Map.Entry<K, V>> entries();

    Map<K, Collection<V>> asMap();
}
