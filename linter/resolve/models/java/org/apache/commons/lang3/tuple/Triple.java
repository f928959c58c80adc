package org.apache.commons.lang3.tuple;

import java.util.Objects;

public abstract class Triple<L, M, R> implements Comparable<Triple<L, M, R>> {
    public static <L, M, R> Triple<L, M, R> of(L left, M middle, R right) {
        return new ImmutableTriple<>(left, middle, right);
    }

    public abstract L getLeft();

    public abstract M getMiddle();

    public abstract R getRight();

    public int compareTo(Triple<L, M, R> other) {
        int order = ((Comparable<L>) getLeft()).compareTo(other.getLeft());
        if (order == 0) order = ((Comparable<M>) getMiddle()).compareTo(other.getMiddle());
        return order != 0 ? order : ((Comparable<R>) getRight()).compareTo(other.getRight());
    }

    public boolean equals(Object other) {
        return other instanceof Triple && Objects.equals(getLeft(), ((Triple<?, ?, ?>) other).getLeft())
            && Objects.equals(getMiddle(), ((Triple<?, ?, ?>) other).getMiddle()) && Objects.equals(getRight(), ((Triple<?, ?, ?>) other).getRight());
    }

    public int hashCode() {
        return Objects.hashCode(getLeft()) ^ Objects.hashCode(getMiddle()) ^ Objects.hashCode(getRight());
    }

    public String toString() {
        return "(" + getLeft() + "," + getMiddle() + "," + getRight() + ")";
    }
}
