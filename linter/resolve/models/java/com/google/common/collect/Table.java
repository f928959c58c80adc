package com.google.common.collect;

import java.util.Map;
import java.util.Set;

public interface Table<R, C, V> {
    V put(R row, C column, V value);

    V get(Object row, Object column);

    boolean contains(Object row, Object column);

    boolean containsRow(Object row);

    Map<C, V> row(R row);

    Set<R> rowKeySet();

    Map<R, Map<C, V>> rowMap();

    int size();

    boolean isEmpty();
}
