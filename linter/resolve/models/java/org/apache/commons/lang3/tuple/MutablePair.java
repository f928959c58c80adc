package org.apache.commons.lang3.tuple;

public class MutablePair<L, R> extends Pair<L, R> {
    public L left;
    public R right;

    public MutablePair() {}

    public MutablePair(L left, R right) {
        this.left = left;
        this.right = right;
    }

    public static <L, R> MutablePair<L, R> of(L left, R right) {
        return new MutablePair<>(left, right);
    }

    public L getLeft() {
        return left;
    }

    public R getRight() {
        return right;
    }

    public void setLeft(L value) {
        left = value;
    }

    public void setRight(R value) {
        right = value;
    }

    public R setValue(R value) {
        R before = right;
        right = value;
        return before;
    }
}
