package com.google.common.collect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/** A comparator that also sorts and chooses. */
public class Ordering<T> implements Comparator<T> {
    private final Comparator<T> by;

    private Ordering(Comparator<T> by) {
        this.by = by;
    }

    public static <T> Ordering<T> natural() { return new Ordering<>(Comparator.naturalOrder()); }
    public static <T> Ordering<T> from(Comparator<T> by) { return new Ordering<>(by); }
    public static Ordering<Object> usingToString() { return new Ordering<>(Comparator.comparing(each -> each.toString())); }
    public static Ordering<Object> allEqual() { return new Ordering<>((one, other) -> 0); }

    public static <T> Ordering<T> explicit(T first, T... rest) {
        List<T> places = new ArrayList<>();
        places.add(first);
        for (T each : rest) places.add(each);
        return explicit(places);
    }

    public static <T> Ordering<T> explicit(List<T> places) {
        return new Ordering<>((one, other) -> Integer.compare(place(places, one), place(places, other)));
    }

    private static <T> int place(List<T> places, T value) {
        if (!places.contains(value)) throw new ClassCastException("Cannot compare value: " + value);
        return places.indexOf(value);
    }

    public int compare(T one, T other) { return by.compare(one, other); }
    public <S extends T> Ordering<S> reverse() { return new Ordering<>((one, other) -> by.compare(other, one)); }
    public <S extends T> Ordering<S> nullsFirst() { return new Ordering<>(Comparator.nullsFirst(by)); }
    public <S extends T> Ordering<S> nullsLast() { return new Ordering<>(Comparator.nullsLast(by)); }
    public <S extends T> Ordering<S> compound(Comparator<S> next) { return new Ordering<>(by.thenComparing(next)); }

    public <F> Ordering<F> onResultOf(Function<F, T> function) {
        return new Ordering<>((one, other) -> by.compare(function.apply(one), function.apply(other)));
    }

    public <E extends T> List<E> sortedCopy(Iterable<E> values) {
        List<E> made = new ArrayList<>();
        for (E each : values) made.add(each);
        made.sort(by);
        return made;
    }

    public <E extends T> ImmutableList<E> immutableSortedCopy(Iterable<E> values) { return ImmutableList.copyOf(sortedCopy(values)); }
    public <E extends T> List<E> leastOf(Iterable<E> values, int count) { return some(sortedCopy(values), count); }
    public <E extends T> List<E> greatestOf(Iterable<E> values, int count) { return some(reverse().sortedCopy(values), count); }

    private static <E> List<E> some(List<E> sorted, int count) { return sorted.subList(0, Math.min(count, sorted.size())); }

    public <E extends T> E max(E one, E other) { return by.compare(one, other) >= 0 ? one : other; }
    public <E extends T> E min(E one, E other) { return by.compare(one, other) <= 0 ? one : other; }

    public <E extends T> E max(Iterable<E> values) {
        Iterator<E> all = values.iterator();
        E found = all.next();
        while (all.hasNext()) found = max(found, all.next());
        return found;
    }

    public <E extends T> E min(Iterable<E> values) { return reverse().max(values); }
    public boolean isOrdered(Iterable<T> values) { return rises(values, 0); }
    public boolean isStrictlyOrdered(Iterable<T> values) { return rises(values, -1); }

    private boolean rises(Iterable<T> values, int most) {
        List<T> all = new ArrayList<>();
        for (T each : values) all.add(each);
        for (int i = 1; i < all.size(); i++) {
            if (by.compare(all.get(i - 1), all.get(i)) > most) return false;
        }
        return true;
    }
}
