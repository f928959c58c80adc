package java.util.concurrent.atomic;

import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

public class AtomicReference<V> {
    private V value;

    public AtomicReference() {}

    public AtomicReference(V initial) {
        this.value = initial;
    }

    public V get() { return value; }
    public V getPlain() { return value; }
    public V getAcquire() { return value; }
    public V getOpaque() { return value; }
    public void set(V next) { value = next; }
    public void lazySet(V next) { value = next; }
    public void setPlain(V next) { value = next; }
    public void setRelease(V next) { value = next; }

    public V getAndSet(V next) {
        V before = value;
        value = next;
        return before;
    }

    public V updateAndGet(UnaryOperator<V> update) {
        value = update.apply(value);
        return value;
    }

    public V getAndUpdate(UnaryOperator<V> update) {
        V before = value;
        value = update.apply(before);
        return before;
    }

    public V accumulateAndGet(V given, BinaryOperator<V> update) {
        value = update.apply(value, given);
        return value;
    }

    public V getAndAccumulate(V given, BinaryOperator<V> update) {
        V before = value;
        value = update.apply(before, given);
        return before;
    }

    public boolean compareAndSet(V expected, V next) {
        if (value != expected) return false;
        value = next;
        return true;
    }

    public boolean weakCompareAndSet(V expected, V next) {
        return compareAndSet(expected, next);
    }

    public String toString() {
        return "" + value;
    }
}
