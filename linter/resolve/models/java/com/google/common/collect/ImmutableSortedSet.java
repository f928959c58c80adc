package com.google.common.collect;

import java.util.Collections;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;

public abstract class ImmutableSortedSet<E> implements SortedSet<E> {
    public static <E> SortedSet<E> of(E... given) {
        return new Builder<E>(null).addAll(java.util.Arrays.asList(given)).build();
    }

    public static <E> SortedSet<E> copyOf(Iterable<? extends E> given) {
        return new Builder<E>(null).addAll(given).build();
    }

    public static <E> SortedSet<E> copyOf(E[] given) {
        return new Builder<E>(null).addAll(java.util.Arrays.asList(given)).build();
    }

    public static <E> SortedSet<E> copyOf(Comparator<? super E> order, Iterable<? extends E> given) {
        return new Builder<E>(order).addAll(given).build();
    }

    public static <E> Builder<E> naturalOrder() {
        return new Builder<>(null);
    }

    public static <E> Builder<E> reverseOrder() {
        return new Builder<>(Collections.reverseOrder());
    }

    public static <E> Builder<E> orderedBy(Comparator<E> order) {
        return new Builder<>(order);
    }

    public static class Builder<E> {
        private final TreeSet<E> all;

        Builder(Comparator<? super E> order) {
            all = order == null ? new TreeSet<>() : new TreeSet<>(order);
        }

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

        public SortedSet<E> build() {
            return Collections.unmodifiableSortedSet(all);
        }
    }
}
