package org.springframework.beans.factory;

import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** `one` is the bean that would be injected, null where there is none; `several` that it cannot be told which one is. */
public final class ObjectProvider<T> implements Iterable<T> {
    private final T one;
    private final List<T> every;
    private final boolean several;

    ObjectProvider(T one, List<T> every, boolean several) {
        this.one = one;
        this.every = every;
        this.several = several;
    }

    public T getObject() {
        if (one == null) throw new NoSuchBeanDefinitionException();
        return PrototypeBeans.again(one);
    }

    public T get() {
        return getObject();
    }

    public T getIfAvailable() {
        return one;
    }

    public T getIfAvailable(Supplier<T> other) {
        return one != null ? one : other.get();
    }

    public void ifAvailable(Consumer<T> action) {
        if (one != null) action.accept(one);
    }

    public T getIfUnique() {
        return several ? null : one;
    }

    public T getIfUnique(Supplier<T> other) {
        T found = getIfUnique();
        return found != null ? found : other.get();
    }

    public void ifUnique(Consumer<T> action) {
        T found = getIfUnique();
        if (found != null) action.accept(found);
    }

    public Stream<T> stream() {
        return every.stream();
    }

    public Stream<T> orderedStream() {
        return every.stream();
    }

    public Iterator<T> iterator() {
        return every.iterator();
    }
}
