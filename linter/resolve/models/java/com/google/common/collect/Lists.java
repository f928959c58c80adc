package com.google.common.collect;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** New lists are made by a peer. */
public final class Lists {
    public static <E> List<E> newArrayListWithCapacity(int size) {
        return new ArrayList<>();
    }

    public static <E> List<E> newArrayListWithExpectedSize(int size) {
        return new ArrayList<>();
    }

    public static <F, T> List<T> transform(List<F> values, Function<? super F, ? extends T> function) {
        return new AbstractList<T>() {
            public T get(int index) {
                return function.apply(values.get(index));
            }

            public int size() {
                return values.size();
            }
        };
    }

    public static <T> List<List<T>> partition(List<T> values, int size) {
        if (size <= 0) throw new IllegalArgumentException();
        return new AbstractList<List<T>>() {
            public List<T> get(int index) {
                return values.subList(index * size, Math.min(index * size + size, values.size()));
            }

            public int size() {
                return (values.size() + size - 1) / size;
            }
        };
    }

    public static <T> List<T> reverse(List<T> values) {
        return new AbstractList<T>() {
            public T get(int index) {
                return values.get(values.size() - 1 - index);
            }

            public int size() {
                return values.size();
            }
        };
    }
}
