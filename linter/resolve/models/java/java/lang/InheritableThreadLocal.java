package java.lang;

/** A thread has what the one that started it had, until it has a value of its own. */
public class InheritableThreadLocal<T> extends ThreadLocal<T> {
    protected T childValue(T parent) {
        return parent;
    }

    protected T initialValue() {
        return values.containsKey(0) ? childValue(values.get(0)) : super.initialValue();
    }
}
