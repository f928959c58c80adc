package com.google.common.collect;

import java.util.AbstractSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Hash sets are made by a peer. */
public final class Sets {
    public static <E> Set<E> newHashSetWithExpectedSize(int size) {
        return new HashSet<>();
    }

    public static <E> TreeSet<E> newTreeSet() {
        return new TreeSet<>();
    }

    public static <E> TreeSet<E> newTreeSet(Iterable<E> values) {
        TreeSet<E> made = new TreeSet<>();
        for (E each : values) made.add(each);
        return made;
    }

    public abstract static class SetView<E> extends AbstractSet<E> {
        abstract Set<E> now();

        public Iterator<E> iterator() {
            return now().iterator();
        }

        public int size() {
            return now().size();
        }

        public ImmutableSet<E> immutableCopy() {
            return ImmutableSet.copyOf(now());
        }
    }

    public static <E> SetView<E> union(Set<? extends E> one, Set<? extends E> other) {
        return new SetView<E>() {
            Set<E> now() {
                Set<E> made = new LinkedHashSet<>(one);
                made.addAll(other);
                return made;
            }
        };
    }

    public static <E> SetView<E> intersection(Set<E> one, Set<?> other) {
        return filter(one, each -> other.contains(each));
    }

    public static <E> SetView<E> difference(Set<E> one, Set<?> other) {
        return filter(one, each -> !other.contains(each));
    }

    public static <E> SetView<E> filter(Set<E> values, Predicate<? super E> test) {
        return new SetView<E>() {
            Set<E> now() {
                Set<E> made = new LinkedHashSet<>();
                for (E each : values) if (test.test(each)) made.add(each);
                return made;
            }
        };
    }
}
