package com.google.common.collect;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

public abstract class ImmutableSortedMap<K, V> implements SortedMap<K, V> {
    public static <K, V> SortedMap<K, V> of() {
        return new Builder<K, V>(null).build();
    }

    public static <K, V> SortedMap<K, V> of(K key, V value) {
        return new Builder<K, V>(null).put(key, value).build();
    }

    public static <K, V> SortedMap<K, V> of(K key, V value, K second, V other) {
        return new Builder<K, V>(null).put(key, value).put(second, other).build();
    }

    public static <K, V> SortedMap<K, V> of(K key, V value, K second, V other, K third, V last) {
        return new Builder<K, V>(null).put(key, value).put(second, other).put(third, last).build();
    }

    public static <K, V> SortedMap<K, V> copyOf(Map<? extends K, ? extends V> given) {
        return new Builder<K, V>(null).putAll(given).build();
    }

    public static <K, V> Builder<K, V> naturalOrder() {
        return new Builder<>(null);
    }

    public static <K, V> Builder<K, V> reverseOrder() {
        return new Builder<>(Collections.reverseOrder());
    }

    public static <K, V> Builder<K, V> orderedBy(Comparator<K> order) {
        return new Builder<>(order);
    }

    public static class Builder<K, V> {
        private final TreeMap<K, V> all;
        private K twice;

        Builder(Comparator<? super K> order) {
            all = order == null ? new TreeMap<>() : new TreeMap<>(order);
        }

        public Builder<K, V> put(K key, V value) {
            if (all.containsKey(java.util.Objects.requireNonNull(key))) twice = key;
            all.put(key, java.util.Objects.requireNonNull(value));
            return this;
        }

        public Builder<K, V> putAll(Map<? extends K, ? extends V> given) {
            for (Map.Entry<? extends K, ? extends V> entry : given.entrySet()) put(entry.getKey(), entry.getValue());
            return this;
        }

        public SortedMap<K, V> build() {
            if (twice != null) throw new IllegalArgumentException("Multiple entries with same key: " + twice);
            return Collections.unmodifiableSortedMap(all);
        }
    }
}
