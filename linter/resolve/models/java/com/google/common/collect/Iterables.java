package com.google.common.collect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

public final class Iterables {
    private static <T> List<T> held(Iterable<T> values) {
        List<T> made = new ArrayList<>();
        for (T each : values) made.add(each);
        return made;
    }

    public static <T> T getFirst(Iterable<T> values, T otherwise) {
        Iterator<T> all = values.iterator();
        return all.hasNext() ? all.next() : otherwise;
    }

    public static <T> T getLast(Iterable<T> values) {
        List<T> all = held(values);
        if (all.isEmpty()) throw new NoSuchElementException();
        return all.get(all.size() - 1);
    }

    public static <T> T getLast(Iterable<T> values, T otherwise) {
        List<T> all = held(values);
        return all.isEmpty() ? otherwise : all.get(all.size() - 1);
    }

    public static <T> T get(Iterable<T> values, int index) {
        return held(values).get(index);
    }

    public static <T> T getOnlyElement(Iterable<T> values) {
        List<T> all = held(values);
        if (all.isEmpty()) throw new NoSuchElementException();
        if (all.size() > 1) throw new IllegalArgumentException("expected one element");
        return all.get(0);
    }

    public static int size(Iterable<?> values) {
        return held(values).size();
    }

    public static boolean isEmpty(Iterable<?> values) {
        return !values.iterator().hasNext();
    }

    public static boolean contains(Iterable<?> values, Object one) {
        return held(values).contains(one);
    }

    public static <T> boolean any(Iterable<T> values, java.util.function.Predicate<T> test) {
        return held(values).stream().anyMatch(test);
    }

    public static <T> boolean all(Iterable<T> values, java.util.function.Predicate<T> test) {
        return held(values).stream().allMatch(test);
    }

    public static <T> boolean addAll(Collection<T> target, Iterable<? extends T> values) {
        return target.addAll(held(values));
    }

    public static String toString(Iterable<?> values) {
        return held(values).toString();
    }

    public static Object[] toArray(Iterable<?> values, Class<?> type) {
        return held(values).toArray(new Object[0]);
    }
}
