package java.util;

import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

public abstract class AbstractCollection<E> implements Collection<E> {
    public abstract Iterator<E> iterator();

    public abstract int size();

    private List<E> held() {
        List<E> made = new ArrayList<>();
        for (E each : this) made.add(each);
        return made;
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    public boolean contains(Object other) {
        return held().contains(other);
    }

    public boolean containsAll(Collection<?> others) {
        return held().containsAll(others);
    }

    public Object[] toArray() {
        return held().toArray();
    }

    public <T> T[] toArray(T[] given) {
        return held().toArray(given);
    }

    public Stream<E> stream() {
        return held().stream();
    }

    public void forEach(Consumer<? super E> action) {
        for (E each : this) action.accept(each);
    }

    public boolean add(E given) {
        throw new UnsupportedOperationException();
    }

    public boolean addAll(Collection<? extends E> others) {
        boolean changed = false;
        for (E each : others) changed |= add(each);
        return changed;
    }

    public boolean removeIf(Predicate<? super E> test) {
        boolean changed = false;
        Iterator<E> all = iterator();
        while (all.hasNext()) {
            if (test.test(all.next())) {
                all.remove();
                changed = true;
            }
        }
        return changed;
    }

    public boolean remove(Object other) {
        Iterator<E> all = iterator();
        while (all.hasNext()) {
            if (Objects.equals(other, all.next())) {
                all.remove();
                return true;
            }
        }
        return false;
    }

    public void clear() {
        removeIf(each -> true);
    }

    public String toString() {
        return held().toString();
    }
}
