package java.util;

import java.util.function.BinaryOperator;
import java.util.function.Function;

@FunctionalInterface
public interface Comparator<T> {
    int compare(T left, T right);

    static <T extends Comparable<? super T>> Comparator<T> naturalOrder() {
        return (left, right) -> left.compareTo(right);
    }

    static <T extends Comparable<? super T>> Comparator<T> reverseOrder() {
        return (left, right) -> right.compareTo(left);
    }

    static <T, U extends Comparable<? super U>> Comparator<T> comparing(Function<? super T, ? extends U> key) {
        return (left, right) -> key.apply(left).compareTo(key.apply(right));
    }

    static <T, U> Comparator<T> comparing(Function<? super T, ? extends U> key, Comparator<? super U> order) {
        return (left, right) -> order.compare(key.apply(left), key.apply(right));
    }

    /** Of numbers of any kind, as `comparingLong` and `comparingDouble`. */
    static <T, U extends Comparable<? super U>> Comparator<T> comparingInt(Function<? super T, ? extends U> key) {
        return comparing(key);
    }

    static <T, U extends Comparable<? super U>> Comparator<T> comparingLong(Function<? super T, ? extends U> key) {
        return comparing(key);
    }

    static <T, U extends Comparable<? super U>> Comparator<T> comparingDouble(Function<? super T, ? extends U> key) {
        return comparing(key);
    }

    static <T> Comparator<T> nullsFirst(Comparator<? super T> order) {
        return (left, right) -> {
            if (left == null) return right == null ? 0 : -1;
            return right == null ? 1 : order == null ? 0 : order.compare(left, right);
        };
    }

    static <T> Comparator<T> nullsLast(Comparator<? super T> order) {
        return nullsFirst(order == null ? null : order.reversed()).reversed();
    }

    /** `BinaryOperator.minBy`. */
    static <T> BinaryOperator<T> minBy(Comparator<? super T> order) {
        return (left, right) -> order.compare(left, right) <= 0 ? left : right;
    }

    /** `BinaryOperator.maxBy`. */
    static <T> BinaryOperator<T> maxBy(Comparator<? super T> order) {
        return (left, right) -> order.compare(left, right) >= 0 ? left : right;
    }

    default Comparator<T> reversed() {
        return (left, right) -> compare(right, left);
    }

    default <U extends Comparable<? super U>> Comparator<T> thenComparing(Function<? super T, ? extends U> key) {
        return thenComparing(comparing(key));
    }

    default Comparator<T> thenComparing(Comparator<? super T> other) {
        return (left, right) -> {
            int found = compare(left, right);
            return found != 0 ? found : other.compare(left, right);
        };
    }

    default <U> Comparator<T> thenComparing(Function<? super T, ? extends U> key, Comparator<? super U> order) {
        return thenComparing(comparing(key, order));
    }

    default <U extends Comparable<? super U>> Comparator<T> thenComparingInt(Function<? super T, ? extends U> key) {
        return thenComparing(comparing(key));
    }

    default <U extends Comparable<? super U>> Comparator<T> thenComparingLong(Function<? super T, ? extends U> key) {
        return thenComparing(comparing(key));
    }

    default <U extends Comparable<? super U>> Comparator<T> thenComparingDouble(Function<? super T, ? extends U> key) {
        return thenComparing(comparing(key));
    }
}
