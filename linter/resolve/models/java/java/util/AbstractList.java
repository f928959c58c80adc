package java.util;

public abstract class AbstractList<E> extends AbstractCollection<E> implements List<E> {
    public abstract E get(int index);

    private List<E> all() {
        List<E> made = new ArrayList<>();
        for (int index = 0; index < size(); index++) made.add(get(index));
        return made;
    }

    public Iterator<E> iterator() {
        return new Iterator<E>() {
            private int next;

            public boolean hasNext() {
                return next < size();
            }

            public E next() {
                if (!hasNext()) throw new NoSuchElementException();
                return get(next++);
            }

            public void remove() {
                AbstractList.this.remove(--next);
            }
        };
    }

    public int indexOf(Object other) {
        return all().indexOf(other);
    }

    public int lastIndexOf(Object other) {
        return all().lastIndexOf(other);
    }

    public E set(int index, E given) {
        throw new UnsupportedOperationException();
    }

    public boolean add(E given) {
        add(size(), given);
        return true;
    }

    public void add(int index, E given) {
        throw new UnsupportedOperationException();
    }

    public E remove(int index) {
        throw new UnsupportedOperationException();
    }

    public boolean equals(Object other) {
        return all().equals(other);
    }

    public int hashCode() {
        return all().hashCode();
    }
}
