package java.util;

public abstract class TimerTask implements Runnable {
    protected TimerTask() {}

    public boolean cancel() {
        return true;
    }
}
