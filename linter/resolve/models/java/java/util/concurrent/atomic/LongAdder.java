package java.util.concurrent.atomic;

public class LongAdder {
    private long value;

    public void add(long more) { value = value + more; }
    public void increment() { value = value + 1; }
    public void decrement() { value = value - 1; }
    public long sum() { return value; }
    public long longValue() { return value; }
    public int intValue() { return (int) value; }
    public void reset() { value = 0; }

    public long sumThenReset() {
        long before = value;
        value = 0;
        return before;
    }

    public String toString() {
        return "" + value;
    }
}
