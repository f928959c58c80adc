package com.google.common.collect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

public final class ArrayListMultimap<K, V> extends HeldMultimap<K, V> {
    private ArrayListMultimap() {
        super(new HashMap<>());
    }

    public static <K, V> ArrayListMultimap<K, V> create() {
        return new ArrayListMultimap<>();
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
