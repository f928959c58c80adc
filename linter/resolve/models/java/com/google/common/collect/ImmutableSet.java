package com.google.common.collect;

import java.util.ArrayList;
import java.util.Set;

/** Those of some values, and copies, are made by a peer. */
public abstract class ImmutableSet<E> implements Set<E> {
    public static <E> Builder<E> builder() {
        return new Builder<>();
    }

    public static class Builder<E> {
        private final java.util.List<E> all = new ArrayList<>();

        public Builder<E> add(E given) {
            all.add(java.util.Objects.requireNonNull(given));
            return this;
        }

        public Builder<E> add(E... given) {
            for (E each : given) add(each);
            return this;
        }

        public Builder<E> addAll(Iterable<? extends E> given) {
            for (E each : given) add(each);
            return this;
        }

        public ImmutableSet<E> build() {
            return ImmutableSet.copyOf(all);
        }
    }
}
