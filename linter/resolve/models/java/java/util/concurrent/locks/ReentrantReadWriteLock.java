package java.util.concurrent.locks;

public class ReentrantReadWriteLock implements ReadWriteLock {
    private final ReentrantLock reading;
    private final ReentrantLock writing;

    public ReentrantReadWriteLock() {
        this(false);
    }

    public ReentrantReadWriteLock(boolean fair) {
        reading = new ReentrantLock(fair);
        writing = new ReentrantLock(fair);
    }

    public ReentrantLock readLock() {
        return reading;
    }

    public ReentrantLock writeLock() {
        return writing;
    }
}
