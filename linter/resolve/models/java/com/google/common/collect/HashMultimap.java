package com.google.common.collect;

import java.util.HashSet;
import java.util.HashMap;
import java.util.Set;

public final class HashMultimap<K, V> extends HeldMultimap<K, V> {
    private HashMultimap() {
        super(new HashMap<>());
    }

    public static <K, V> HashMultimap<K, V> create() {
        return new HashMultimap<>();
    }

    Set<V> fresh() {
        return new HashSet<>();
    }

    public Set<V> get(K key) {
        return (Set<V>) found(key);
    }

    public Set<V> removeAll(Object key) {
        return (Set<V>) removed(key);
    }
}
