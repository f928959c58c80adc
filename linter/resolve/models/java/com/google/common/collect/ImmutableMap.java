package com.google.common.collect;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Those of some pairs, and copies, are made by a peer. */
public abstract class ImmutableMap<K, V> implements Map<K, V> {
    public static <K, V> Builder<K, V> builder() {
        return new Builder<>();
    }

    public static class Builder<K, V> {
        private final Map<K, V> all = new LinkedHashMap<>();
        private K twice;

        public Builder<K, V> put(K key, V value) {
            if (all.containsKey(Objects.requireNonNull(key))) twice = key;
            all.put(key, Objects.requireNonNull(value));
            return this;
        }

        public Builder<K, V> put(Map.Entry<? extends K, ? extends V> entry) {
            return put(entry.getKey(), entry.getValue());
        }

        public Builder<K, V> putAll(Map<? extends K, ? extends V> given) {
            for (Map.Entry<? extends K, ? extends V> entry : given.entrySet()) put(entry);
            return this;
        }

        public ImmutableMap<K, V> build() {
            if (twice != null) throw new IllegalArgumentException("Multiple entries with same key: " + twice);
            return ImmutableMap.copyOf(all);
        }

        public ImmutableMap<K, V> buildOrThrow() {
            return build();
        }

        public ImmutableMap<K, V> buildKeepingLast() {
            return ImmutableMap.copyOf(all);
        }
    }
}
