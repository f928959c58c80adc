package com.google.common.collect;

import java.util.TreeSet;
import java.util.TreeMap;
import java.util.SortedSet;

public final class TreeMultimap<K, V> extends HeldMultimap<K, V> {
    private TreeMultimap() {
        super(new TreeMap<>());
    }

    public static <K, V> TreeMultimap<K, V> create() {
        return new TreeMultimap<>();
    }

    SortedSet<V> fresh() {
        return new TreeSet<>();
    }

    public SortedSet<V> get(K key) {
        return (SortedSet<V>) found(key);
    }

    public SortedSet<V> removeAll(Object key) {
        return (SortedSet<V>) removed(key);
    }
}
