package java.util.concurrent;

/** A task that runs once, and holds what came of it. */
public class FutureTask<V> implements RunnableFuture<V> {
    private final Callable<V> task;
    private final CompletableFuture<V> outcome = new CompletableFuture<>();

    public FutureTask(Callable<V> task) {
        this.task = task;
    }

    public FutureTask(Runnable task, V result) {
        this.task = () -> {
            task.run();
            return result;
        };
    }

    public void run() {
        if (outcome.isDone()) return;
        try {
            outcome.complete(task.call());
        } catch (Throwable error) {
            outcome.completeExceptionally(error);
        }
    }

    public V get() throws ExecutionException {
        run(); // whoever waits sees it done
        return outcome.get();
    }

    public V get(long timeout, TimeUnit unit) throws ExecutionException {
        return get();
    }

    public boolean isDone() {
        return outcome.isDone();
    }

    public boolean cancel(boolean interrupts) {
        return outcome.cancel(interrupts);
    }

    public boolean isCancelled() {
        return outcome.isCancelled();
    }
}
