package java.util.concurrent.atomic;

public class AtomicBoolean {
    private boolean value;

    public AtomicBoolean() {}

    public AtomicBoolean(boolean initial) {
        this.value = initial;
    }

    public boolean get() { return value; }
    public boolean getPlain() { return value; }
    public boolean getAcquire() { return value; }
    public void set(boolean next) { value = next; }
    public void lazySet(boolean next) { value = next; }
    public void setPlain(boolean next) { value = next; }
    public void setRelease(boolean next) { value = next; }

    public boolean getAndSet(boolean next) {
        boolean before = value;
        value = next;
        return before;
    }

    public boolean compareAndSet(boolean expected, boolean next) {
        if (value != expected) return false;
        value = next;
        return true;
    }

    public boolean weakCompareAndSet(boolean expected, boolean next) {
        return compareAndSet(expected, next);
    }

    public String toString() {
        return "" + value;
    }
}
