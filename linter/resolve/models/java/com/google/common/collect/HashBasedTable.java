package com.google.common.collect;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

public final class HashBasedTable<R, C, V> implements Table<R, C, V> {
    private final Map<R, Map<C, V>> rows = new LinkedHashMap<>();

    public static <R, C, V> HashBasedTable<R, C, V> create() {
        return new HashBasedTable<>();
    }

    public V put(R row, C column, V value) {
        return row(row).put(column, value);
    }

    public V get(Object row, Object column) {
        Map<C, V> cells = rows.get(row);
        return cells == null ? null : cells.get(column);
    }

    public boolean contains(Object row, Object column) {
        return get(row, column) != null;
    }

    public boolean containsRow(Object row) {
        return rows.containsKey(row) && !rows.get(row).isEmpty();
    }

    public Map<C, V> row(R row) {
        Map<C, V> cells = rows.get(row);
        if (cells == null) {
            cells = new LinkedHashMap<>();
            rows.put(row, cells);
        }
        return cells;
    }

    public Set<R> rowKeySet() {
        return rowMap().keySet();
    }

    public Map<R, Map<C, V>> rowMap() {
        Map<R, Map<C, V>> made = new LinkedHashMap<>();
        for (Map.Entry<R, Map<C, V>> each : rows.entrySet()) {
            if (!each.getValue().isEmpty()) made.put(each.getKey(), each.getValue());
        }
        return made;
    }

    public int size() {
        int size = 0;
        for (Map<C, V> each : rows.values()) size += each.size();
        return size;
    }

    public boolean isEmpty() {
        return size() == 0;
    }
}
