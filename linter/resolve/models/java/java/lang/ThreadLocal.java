package java.lang;

import java.util.function.Supplier;

/** One value, whichever thread asks for it. */
public class ThreadLocal<T> {
    private T value;
    private boolean isSet;
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
        if (!isSet) {
            value = initialValue();
            isSet = true;
        }
        return value;
    }

    public void set(T next) {
        value = next;
        isSet = true;
    }

    public void remove() {
        value = null;
        isSet = false;
    }
}
