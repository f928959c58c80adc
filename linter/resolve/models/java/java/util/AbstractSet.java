package java.util;

public abstract class AbstractSet<E> extends AbstractCollection<E> implements Set<E> {
    public boolean equals(Object other) {
        return other instanceof Set && ((Set<?>) other).size() == size() && containsAll((Set<?>) other);
    }
}
