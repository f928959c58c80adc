package com.google.common.collect;

import java.util.LinkedHashSet;
import java.util.LinkedHashMap;
import java.util.Set;

public final class LinkedHashMultimap<K, V> extends HeldMultimap<K, V> {
    private LinkedHashMultimap() {
        super(new LinkedHashMap<>());
    }

    public static <K, V> LinkedHashMultimap<K, V> create() {
        return new LinkedHashMultimap<>();
    }

    Set<V> fresh() {
        return new LinkedHashSet<>();
    }

    public Set<V> get(K key) {
        return (Set<V>) found(key);
    }

    public Set<V> removeAll(Object key) {
        return (Set<V>) removed(key);
    }
}
