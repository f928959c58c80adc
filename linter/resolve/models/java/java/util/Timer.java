package java.util;

/** What it is given runs on its thread. */
public class Timer {
    public Timer() {}

    public Timer(Object nameOrDaemon) {}

    public Timer(String name, boolean daemon) {}

    public void schedule(TimerTask task, Object when) {
        new Thread(task).start();
    }

    public void schedule(TimerTask task, Object when, long period) {
        new Thread(task).start();
        OtherThreads.repeat(task);
    }

    public void scheduleAtFixedRate(TimerTask task, Object when, long period) {
        new Thread(task).start();
        OtherThreads.repeat(task);
    }

    public void cancel() {}

    public int purge() {
        return 0;
    }
}
