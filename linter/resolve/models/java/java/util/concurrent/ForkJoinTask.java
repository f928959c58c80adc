package java.util.concurrent;

import java.util.Collection;

/** What is forked is done there: its parts are joined in any order. */
public abstract class ForkJoinTask<V> {
    private V result;
    private RuntimeException thrown;
    private boolean done;

    abstract V done();

    public ForkJoinTask<V> fork() {
        if (done) return this;
        done = true;
        try {
            result = done();
        } catch (RuntimeException e) {
            thrown = e;
        }
        return this;
    }

    public V join() {
        fork();
        if (thrown != null) throw thrown;
        return result;
    }

    public V invoke() { return join(); }
    public V getRawResult() { return result; }
    public boolean isDone() { return done; }

    public V get() throws ExecutionException {
        fork();
        if (thrown != null) throw new ExecutionException(thrown);
        return result;
    }

    public static void invokeAll(ForkJoinTask<?> one, ForkJoinTask<?> other) {
        one.join();
        other.join();
    }

    public static <T extends ForkJoinTask<?>> Collection<T> invokeAll(Collection<T> tasks) {
        for (T task : tasks) task.join();
        return tasks;
    }
}
