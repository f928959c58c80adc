package org.apache.commons.lang3;

import java.util.Comparator;

public class Range<T> {
    private final Comparator<T> comparator;
    private final T minimum;
    private final T maximum;

    private Range(T one, T other, Comparator<T> comparator) {
        if (one == null || other == null) throw new IllegalArgumentException("Elements in a range must not be null");
        this.comparator = comparator == null ? (a, b) -> ((Comparable<T>) a).compareTo(b) : comparator;
        boolean ordered = this.comparator.compare(one, other) < 1;
        this.minimum = ordered ? one : other;
        this.maximum = ordered ? other : one;
    }

    public static <T> Range<T> between(T from, T to) { return new Range<>(from, to, null); }
    public static <T> Range<T> between(T from, T to, Comparator<T> comparator) { return new Range<>(from, to, comparator); }
    public static <T> Range<T> of(T from, T to) { return new Range<>(from, to, null); }
    public static <T> Range<T> of(T from, T to, Comparator<T> comparator) { return new Range<>(from, to, comparator); }
    public static <T> Range<T> is(T element) { return new Range<>(element, element, null); }

    public T getMinimum() { return minimum; }
    public T getMaximum() { return maximum; }
    public boolean contains(T element) {
        return element != null && comparator.compare(element, minimum) > -1 && comparator.compare(element, maximum) < 1;
    }
    public boolean containsRange(Range<T> other) { return other != null && contains(other.minimum) && contains(other.maximum); }
    public boolean isAfter(T element) { return element != null && comparator.compare(element, minimum) < 0; }
    public boolean isBefore(T element) { return element != null && comparator.compare(element, maximum) > 0; }
    public boolean isAfterRange(Range<T> other) { return other != null && isAfter(other.maximum); }
    public boolean isBeforeRange(Range<T> other) { return other != null && isBefore(other.minimum); }
    public boolean isStartedBy(T element) { return element != null && comparator.compare(element, minimum) == 0; }
    public boolean isEndedBy(T element) { return element != null && comparator.compare(element, maximum) == 0; }
    public boolean isOverlappedBy(Range<T> other) {
        return other != null && (other.contains(minimum) || other.contains(maximum) || contains(other.minimum));
    }
    public Range<T> intersectionWith(Range<T> other) {
        if (!isOverlappedBy(other)) throw new IllegalArgumentException("Cannot calculate intersection with non-overlapping range " + other);
        if (equals(other)) return this;
        T from = comparator.compare(minimum, other.minimum) < 0 ? other.minimum : minimum;
        T to = comparator.compare(maximum, other.maximum) < 0 ? maximum : other.maximum;
        return between(from, to, comparator);
    }
    public int elementCompareTo(T element) {
        if (element == null) throw new NullPointerException("element");
        return isAfter(element) ? -1 : isBefore(element) ? 1 : 0;
    }
    public T fit(T element) {
        if (element == null) throw new NullPointerException("element");
        return isAfter(element) ? minimum : isBefore(element) ? maximum : element;
    }
    public boolean equals(Object other) {
        return other instanceof Range && minimum.equals(((Range<T>) other).minimum) && maximum.equals(((Range<T>) other).maximum);
    }
    public String toString() { return "[" + minimum + ".." + maximum + "]"; }
}
