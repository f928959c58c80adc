package java.util.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** What is started here has come to its end before anybody asks for it; what waits for `complete` runs then, the last first. */
public class CompletableFuture<T> implements Future<T>, CompletionStage<T> {
    private T value;
    private Throwable failed;
    private boolean settled;
    private final List<Runnable> waiting = new ArrayList<>();

    private boolean settle(T result, Throwable error) {
        if (settled) return false;
        value = result;
        failed = error;
        settled = true;
        for (int i = waiting.size() - 1; i >= 0; i--) waiting.get(i).run();
        waiting.clear();
        return true;
    }

    private void afterwards(Runnable next) {
        if (settled) next.run();
        else waiting.add(next);
    }

    private static Throwable wrapped(Throwable error) {
        return error instanceof CompletionException ? error : new CompletionException(error);
    }

    /** What comes of a task: its result, or its error in a `CompletionException`. */
    private static <U> void run(CompletableFuture<U> made, Supplier<U> task) {
        U result = null;
        Throwable error = null;
        try {
            result = task.get();
        } catch (Throwable thrown) {
            error = wrapped(thrown);
        }
        made.settle(result, error);
    }

    private <U> CompletableFuture<U> next(Supplier<U> task) {
        CompletableFuture<U> made = new CompletableFuture<>();
        afterwards(() -> {
            if (failed != null) made.settle(null, wrapped(failed));
            else run(made, task);
        });
        return made;
    }

    public static <U> CompletableFuture<U> supplyAsync(Supplier<U> task) {
        CompletableFuture<U> made = new CompletableFuture<>();
        run(made, task);
        return made;
    }

    public static <U> CompletableFuture<U> supplyAsync(Supplier<U> task, Executor executor) {
        return supplyAsync(task);
    }

    public static CompletableFuture<Void> runAsync(Runnable task) {
        CompletableFuture<Void> made = new CompletableFuture<>();
        run(made, () -> {
            task.run();
            return null;
        });
        return made;
    }

    public static CompletableFuture<Void> runAsync(Runnable task, Executor executor) {
        return runAsync(task);
    }

    public static <U> CompletableFuture<U> completedFuture(U value) {
        CompletableFuture<U> made = new CompletableFuture<>();
        made.settle(value, null);
        return made;
    }

    public static <U> CompletableFuture<U> completedStage(U value) {
        return completedFuture(value);
    }

    public static <U> CompletableFuture<U> failedFuture(Throwable error) {
        CompletableFuture<U> made = new CompletableFuture<>();
        made.settle(null, error);
        return made;
    }

    public static CompletableFuture<Void> allOf(CompletableFuture<?>... all) {
        CompletableFuture<Void> made = completedFuture(null);
        for (CompletableFuture<?> one : all) made = made.thenCombine(one, (before, last) -> null);
        return made;
    }

    public T get() throws ExecutionException {
        if (!settled) new Thread().join();  // what has been started goes on
        if (!settled) return OtherThreads.settle(this);  // nobody knows what it comes to
        if (isCancelled()) throw failed;
        if (failed instanceof CompletionException && failed.getCause() != null) throw new ExecutionException(failed.getCause());
        if (failed != null) throw new ExecutionException(failed);
        return value;
    }

    public T get(long timeout, TimeUnit unit) throws ExecutionException {
        return get();
    }

    public T join() {
        if (!settled) new Thread().join();
        if (!settled) return OtherThreads.settle(this);
        if (isCancelled()) throw failed;
        if (failed != null) throw wrapped(failed);
        return value;
    }

    public T getNow(T other) {
        return settled ? join() : other;
    }

    public boolean complete(T result) {
        return settle(result, null);
    }

    public boolean completeExceptionally(Throwable error) {
        return settle(null, error);
    }

    public boolean isDone() {
        return settled;
    }

    public boolean cancel(boolean interrupts) {
        settle(null, new CancellationException());
        return isCancelled();
    }

    public boolean isCancelled() {
        return failed instanceof CancellationException;
    }

    public boolean isCompletedExceptionally() {
        return failed != null;
    }

    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        return this;
    }

    public CompletableFuture<T> toCompletableFuture() {
        return this;
    }

    public <U> CompletableFuture<U> thenApply(Function<T, U> next) {
        return next(() -> next.apply(value));
    }

    public <U> CompletableFuture<U> thenApplyAsync(Function<T, U> next) {
        return thenApply(next);
    }

    public CompletableFuture<Void> thenAccept(Consumer<T> next) {
        return next(() -> {
            next.accept(value);
            return null;
        });
    }

    public CompletableFuture<Void> thenAcceptAsync(Consumer<T> next) {
        return thenAccept(next);
    }

    public CompletableFuture<Void> thenRun(Runnable next) {
        return next(() -> {
            next.run();
            return null;
        });
    }

    public CompletableFuture<Void> thenRunAsync(Runnable next) {
        return thenRun(next);
    }

    public <U> CompletableFuture<U> thenCompose(Function<T, CompletableFuture<U>> next) {
        CompletableFuture<U> made = new CompletableFuture<>();
        next(() -> next.apply(value)).whenComplete((inner, error) -> {
            if (error != null) made.settle(null, wrapped(error));
            else inner.whenComplete((result, thrown) -> made.settle(result, thrown == null ? null : wrapped(thrown)));
        });
        return made;
    }

    public <U, V> CompletableFuture<V> thenCombine(CompletableFuture<U> other, BiFunction<T, U, V> next) {
        return thenCompose(mine -> other.thenApply(its -> next.apply(mine, its)));
    }

    public <U> CompletableFuture<U> handle(BiFunction<T, Throwable, U> next) {
        CompletableFuture<U> made = new CompletableFuture<>();
        afterwards(() -> run(made, () -> next.apply(value, failed)));
        return made;
    }

    public CompletableFuture<T> whenComplete(BiConsumer<T, Throwable> next) {
        CompletableFuture<T> made = new CompletableFuture<>();
        afterwards(() -> {
            Throwable error = failed == null ? null : wrapped(failed);
            try {
                next.accept(value, failed);
            } catch (Throwable thrown) {
                error = error == null ? wrapped(thrown) : error;
            }
            made.settle(value, error);
        });
        return made;
    }

    public <U> CompletableFuture<U> handleAsync(BiFunction<T, Throwable, U> next) {
        return handle(next);
    }

    public CompletableFuture<T> whenCompleteAsync(BiConsumer<T, Throwable> next) {
        return whenComplete(next);
    }

    public <U> CompletableFuture<U> thenComposeAsync(Function<T, CompletableFuture<U>> next) {
        return thenCompose(next);
    }

    public <U, V> CompletableFuture<V> thenCombineAsync(CompletableFuture<U> other, BiFunction<T, U, V> next) {
        return thenCombine(other, next);
    }

    public <U> CompletableFuture<U> thenApplyAsync(Function<T, U> next, Executor executor) {
        return thenApply(next);
    }

    public CompletableFuture<Void> thenAcceptAsync(Consumer<T> next, Executor executor) {
        return thenAccept(next);
    }

    public CompletableFuture<Void> thenRunAsync(Runnable next, Executor executor) {
        return thenRun(next);
    }

    public <U> CompletableFuture<U> thenComposeAsync(Function<T, CompletableFuture<U>> next, Executor executor) {
        return thenCompose(next);
    }

    public <U> CompletableFuture<Void> thenAcceptBoth(CompletableFuture<U> other, BiConsumer<T, U> next) {
        return thenCombine(other, (mine, its) -> {
            next.accept(mine, its);
            return null;
        });
    }

    public CompletableFuture<Void> runAfterBoth(CompletableFuture<?> other, Runnable next) {
        return thenCombine(other, (mine, its) -> {
            next.run();
            return null;
        });
    }

    public CompletableFuture<T> exceptionally(Function<Throwable, T> next) {
        return handle((result, error) -> error == null ? result : next.apply(error));
    }
}
