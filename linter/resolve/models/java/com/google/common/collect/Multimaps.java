package com.google.common.collect;

import java.util.function.Function;

public final class Multimaps {
    public static <K, V> Multimap<K, V> index(Iterable<V> values, Function<? super V, K> function) {
        Multimap<K, V> made = LinkedListMultimap.create();
        for (V each : values) made.put(function.apply(each), each);
        return made;
    }
}
