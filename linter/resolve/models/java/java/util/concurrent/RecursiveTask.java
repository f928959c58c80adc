package java.util.concurrent;

public abstract class RecursiveTask<V> extends ForkJoinTask<V> {
    protected abstract V compute();

    V done() { return compute(); }
}
