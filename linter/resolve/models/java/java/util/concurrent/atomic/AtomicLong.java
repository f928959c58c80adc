package java.util.concurrent.atomic;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

public class AtomicLong {
    private long value;

    public AtomicLong() {}

    public AtomicLong(long initial) {
        this.value = initial;
    }

    public long get() { return value; }
    public long getPlain() { return value; }
    public long getAcquire() { return value; }
    public long getOpaque() { return value; }
    public int intValue() { return (int) value; }
    public long longValue() { return value; }
    public void set(long next) { value = next; }
    public void lazySet(long next) { value = next; }
    public void setPlain(long next) { value = next; }
    public void setRelease(long next) { value = next; }
    public void setOpaque(long next) { value = next; }
    public long incrementAndGet() { value = value + 1; return value; }
    public long decrementAndGet() { value = value - 1; return value; }
    public long addAndGet(long more) { value = value + more; return value; }

    public long getAndSet(long next) {
        long before = value;
        value = next;
        return before;
    }

    public long getAndIncrement() {
        long before = value;
        value = before + 1;
        return before;
    }

    public long getAndDecrement() {
        long before = value;
        value = before - 1;
        return before;
    }

    public long getAndAdd(long more) {
        long before = value;
        value = before + more;
        return before;
    }

    public long updateAndGet(LongUnaryOperator update) {
        value = update.applyAsLong(value);
        return value;
    }

    public long getAndUpdate(LongUnaryOperator update) {
        long before = value;
        value = update.applyAsLong(before);
        return before;
    }

    public long accumulateAndGet(long given, LongBinaryOperator update) {
        value = update.applyAsLong(value, given);
        return value;
    }

    public long getAndAccumulate(long given, LongBinaryOperator update) {
        long before = value;
        value = update.applyAsLong(before, given);
        return before;
    }

    public boolean compareAndSet(long expected, long next) {
        if (value != expected) return false;
        value = next;
        return true;
    }

    public boolean weakCompareAndSet(long expected, long next) {
        return compareAndSet(expected, next);
    }

    public String toString() {
        return "" + value;
    }
}
