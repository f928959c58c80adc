package com.google.common.collect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

public final class LinkedListMultimap<K, V> extends HeldMultimap<K, V> {
    private LinkedListMultimap() {
        super(new LinkedHashMap<>());
    }

    public static <K, V> LinkedListMultimap<K, V> create() {
        return new LinkedListMultimap<>();
    }

    List<V> fresh() {
        return new ArrayList<>();
    }

    public List<V> get(K key) {
        return (List<V>) found(key);
    }

    public List<V> removeAll(Object key) {
        return (List<V>) removed(key);
    }
}
