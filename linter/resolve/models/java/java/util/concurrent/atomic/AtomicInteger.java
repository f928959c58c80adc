package java.util.concurrent.atomic;

import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

public class AtomicInteger {
    private int value;

    public AtomicInteger() {}

    public AtomicInteger(int initial) {
        this.value = initial;
    }

    public int get() { return value; }
    public int getPlain() { return value; }
    public int getAcquire() { return value; }
    public int getOpaque() { return value; }
    public int intValue() { return value; }
    public int longValue() { return value; }
    public void set(int next) { value = next; }
    public void lazySet(int next) { value = next; }
    public void setPlain(int next) { value = next; }
    public void setRelease(int next) { value = next; }
    public void setOpaque(int next) { value = next; }
    public int incrementAndGet() { value = value + 1; return value; }
    public int decrementAndGet() { value = value - 1; return value; }
    public int addAndGet(int more) { value = value + more; return value; }

    public int getAndSet(int next) {
        int before = value;
        value = next;
        return before;
    }

    public int getAndIncrement() {
        int before = value;
        value = before + 1;
        return before;
    }

    public int getAndDecrement() {
        int before = value;
        value = before - 1;
        return before;
    }

    public int getAndAdd(int more) {
        int before = value;
        value = before + more;
        return before;
    }

    public int updateAndGet(IntUnaryOperator update) {
        value = update.applyAsInt(value);
        return value;
    }

    public int getAndUpdate(IntUnaryOperator update) {
        int before = value;
        value = update.applyAsInt(before);
        return before;
    }

    public int accumulateAndGet(int given, IntBinaryOperator update) {
        value = update.applyAsInt(value, given);
        return value;
    }

    public int getAndAccumulate(int given, IntBinaryOperator update) {
        int before = value;
        value = update.applyAsInt(before, given);
        return before;
    }

    public boolean compareAndSet(int expected, int next) {
        if (value != expected) return false;
        value = next;
        return true;
    }

    public boolean weakCompareAndSet(int expected, int next) {
        return compareAndSet(expected, next);
    }

    public String toString() {
        return "" + value;
    }
}
