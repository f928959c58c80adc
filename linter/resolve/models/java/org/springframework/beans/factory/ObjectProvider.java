package org.springframework.beans.factory;

import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** `one` is the bean that would be injected, null where there is none. */
public final class ObjectProvider<T> implements Iterable<T> {
    private final T one;
    private final List<T> every;

    ObjectProvider(T one, List<T> every) {
        this.one = one;
        this.every = every;
    }

    public T getObject() {
        if (one == null) throw new NoSuchBeanDefinitionException();
        return one;
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
        return one;
    }

    public T getIfUnique(Supplier<T> other) {
        return getIfAvailable(other);
    }

    public void ifUnique(Consumer<T> action) {
        ifAvailable(action);
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
