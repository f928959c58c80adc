package java.lang;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** A value for each thread. */
public class ThreadLocal<T> {
    final Map<Integer, T> values = new HashMap<>();
    private Supplier<T> initial;

    public static <S> ThreadLocal<S> withInitial(Supplier<S> initial) {
        ThreadLocal<S> made = new ThreadLocal<>();
        made.initial = initial;
        return made;
    }

    protected T initialValue() {
        return initial == null ? null : initial.get();
    }

    public T get() {
        int thread = OtherThreads.current();
        if (!values.containsKey(thread)) values.put(thread, initialValue());
        return values.get(thread);
    }

    public void set(T next) {
        values.put(OtherThreads.current(), next);
    }

    public void remove() {
        values.remove(OtherThreads.current());
    }
}
