package java.util.concurrent;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** What is started here has come to its end before anybody asks for it. */
public class CompletableFuture<T> implements Future<T>, CompletionStage<T> {
    private T value;
    private Throwable failed;

    public static <U> CompletableFuture<U> supplyAsync(Supplier<U> task) {
        try {
            return completedFuture(task.get());
        } catch (Throwable error) {
            return failedFuture(error);
        }
    }

    public static <U> CompletableFuture<U> supplyAsync(Supplier<U> task, Executor executor) {
        return supplyAsync(task);
    }

    public static CompletableFuture<Void> runAsync(Runnable task) {
        try {
            task.run();
            return completedFuture(null);
        } catch (Throwable error) {
            return failedFuture(error);
        }
    }

    public static CompletableFuture<Void> runAsync(Runnable task, Executor executor) {
        return runAsync(task);
    }

    public static <U> CompletableFuture<U> completedFuture(U value) {
        CompletableFuture<U> made = new CompletableFuture<>();
        made.value = value;
        return made;
    }

    public static <U> CompletableFuture<U> completedStage(U value) {
        return completedFuture(value);
    }

    public static <U> CompletableFuture<U> failedFuture(Throwable error) {
        CompletableFuture<U> made = new CompletableFuture<>();
        made.failed = error;
        return made;
    }

    public static CompletableFuture<Void> allOf(CompletableFuture<?>... all) {
        for (CompletableFuture<?> one : all) {
            if (one.failed != null) return failedFuture(one.failed);
        }
        return completedFuture(null);
    }

    public T get() throws ExecutionException {
        if (failed != null) throw new ExecutionException(failed);
        return value;
    }

    public T get(long timeout, TimeUnit unit) throws ExecutionException {
        return get();
    }

    public T join() {
        if (failed != null) throw new CompletionException(failed);
        return value;
    }

    public T getNow(T other) {
        return join();
    }

    public boolean complete(T result) {
        value = result;
        return true;
    }

    public boolean completeExceptionally(Throwable error) {
        failed = error;
        return true;
    }

    public boolean isDone() {
        return true;
    }

    public boolean isCancelled() {
        return false;
    }

    public boolean isCompletedExceptionally() {
        return failed != null;
    }

    public boolean cancel(boolean interrupts) {
        return false;
    }

    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        return this;
    }

    public CompletableFuture<T> toCompletableFuture() {
        return this;
    }

    public <U> CompletableFuture<U> thenApply(Function<T, U> next) {
        if (failed != null) return failedFuture(failed);
        try {
            return completedFuture(next.apply(value));
        } catch (Throwable error) {
            return failedFuture(error);
        }
    }

    public <U> CompletableFuture<U> thenApplyAsync(Function<T, U> next) {
        return thenApply(next);
    }

    public CompletableFuture<Void> thenAccept(Consumer<T> next) {
        if (failed != null) return failedFuture(failed);
        try {
            next.accept(value);
            return completedFuture(null);
        } catch (Throwable error) {
            return failedFuture(error);
        }
    }

    public CompletableFuture<Void> thenAcceptAsync(Consumer<T> next) {
        return thenAccept(next);
    }

    public CompletableFuture<Void> thenRun(Runnable next) {
        return failed != null ? failedFuture(failed) : runAsync(next);
    }

    public CompletableFuture<Void> thenRunAsync(Runnable next) {
        return thenRun(next);
    }

    public <U> CompletableFuture<U> thenCompose(Function<T, CompletableFuture<U>> next) {
        if (failed != null) return failedFuture(failed);
        try {
            return next.apply(value);
        } catch (Throwable error) {
            return failedFuture(error);
        }
    }

    public <U, V> CompletableFuture<V> thenCombine(CompletableFuture<U> other, BiFunction<T, U, V> next) {
        if (failed != null) return failedFuture(failed);
        if (other.failed != null) return failedFuture(other.failed);
        try {
            return completedFuture(next.apply(value, other.value));
        } catch (Throwable error) {
            return failedFuture(error);
        }
    }

    public <U> CompletableFuture<U> handle(BiFunction<T, Throwable, U> next) {
        try {
            return completedFuture(next.apply(value, failed));
        } catch (Throwable error) {
            return failedFuture(error);
        }
    }

    public CompletableFuture<T> whenComplete(BiConsumer<T, Throwable> next) {
        try {
            next.accept(value, failed);
            return this;
        } catch (Throwable error) {
            return failed != null ? this : failedFuture(error);
        }
    }

    public CompletableFuture<T> exceptionally(Function<Throwable, T> next) {
        return failed == null ? this : completedFuture(next.apply(failed));
    }
}
