package java.util.concurrent.locks;

/** Whoever waits for a lock gets it in the end; whether it is free at once is not said here. */
public class ReentrantLock implements Lock {
    private int held;
    private final boolean fair;

    public ReentrantLock() {
        this(false);
    }

    public ReentrantLock(boolean fair) {
        this.fair = fair;
    }

    public void lock() {
        held++;
    }

    public void lockInterruptibly() {
        held++;
    }

    public void unlock() {
        if (held > 0) held--;
    }

    public int getHoldCount() {
        return held;
    }

    public boolean isHeldByCurrentThread() {
        return held > 0;
    }

    public boolean isFair() {
        return fair;
    }
}
