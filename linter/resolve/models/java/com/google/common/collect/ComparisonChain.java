package com.google.common.collect;

import java.util.Comparator;

/** The first difference of some pairs. */
public class ComparisonChain {
    private final int found;

    private ComparisonChain(int found) {
        this.found = found;
    }

    public static ComparisonChain start() {
        return new ComparisonChain(0);
    }

    public ComparisonChain compare(Comparable<?> one, Comparable<?> other) {
        return found == 0 ? new ComparisonChain(one.compareTo(other)) : this;
    }

    public <T> ComparisonChain compare(T one, T other, Comparator<T> order) {
        return found == 0 ? new ComparisonChain(order.compare(one, other)) : this;
    }

    public ComparisonChain compareTrueFirst(boolean one, boolean other) {
        return found == 0 ? new ComparisonChain(Boolean.compare(other, one)) : this;
    }

    public ComparisonChain compareFalseFirst(boolean one, boolean other) {
        return found == 0 ? new ComparisonChain(Boolean.compare(one, other)) : this;
    }

    public int result() {
        return found;
    }
}
