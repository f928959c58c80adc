package org.apache.commons.lang3.tuple;

import java.util.Map;
import java.util.Objects;

public abstract class Pair<L, R> implements Map.Entry<L, R>, Comparable<Pair<L, R>> {
    public static <L, R> Pair<L, R> of(L left, R right) {
        return new ImmutablePair<>(left, right);
    }

    public abstract L getLeft();

    public abstract R getRight();

    public L getKey() {
        return getLeft();
    }

    public R getValue() {
        return getRight();
    }

    public int compareTo(Pair<L, R> other) {
        int order = ((Comparable<L>) getLeft()).compareTo(other.getLeft());
        return order != 0 ? order : ((Comparable<R>) getRight()).compareTo(other.getRight());
    }

    public boolean equals(Object other) {
        if (!(other instanceof Map.Entry)) return false;
        Map.Entry<?, ?> entry = (Map.Entry<?, ?>) other;
        return Objects.equals(getKey(), entry.getKey()) && Objects.equals(getValue(), entry.getValue());
    }

    public int hashCode() {
        return Objects.hashCode(getKey()) ^ Objects.hashCode(getValue());
    }

    public String toString() {
        return "(" + getLeft() + "," + getRight() + ")";
    }
}
