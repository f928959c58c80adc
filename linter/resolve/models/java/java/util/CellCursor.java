package java.util;

/** The iterator over what a collection shows, in its order. `Cells` are the peers that read and change it by place. */
final class CellCursor<E> implements ListIterator<E>, Enumeration<E> {
    private final Collection<E> cells;
    private final boolean live;
    private int next;
    private int last = -1;
    private int end;
    private int changes;

    /** `live`: a list, which tells its end anew each time; others go as far as they did when this was made. */
    CellCursor(Collection<E> cells, int next, boolean live) {
        this.cells = cells;
        this.next = next;
        this.live = live;
        end = Cells.count(cells);
        changes = Cells.changes(cells);
    }

    public Iterator<E> iterator() {
        return this;
    }

    public boolean hasNext() {
        return next < (live ? Cells.count(cells) : end);
    }

    public E next() {
        Cells.check(cells, changes);
        if (!hasNext()) throw new NoSuchElementException();
        E found = Cells.at(cells, next);
        last = next;
        next = next + 1;
        return found;
    }

    public boolean hasPrevious() {
        return next > 0;
    }

    public E previous() {
        Cells.check(cells, changes);
        if (next <= 0) throw new NoSuchElementException();
        next = next - 1;
        last = next;
        return Cells.at(cells, next);
    }

    public int nextIndex() {
        return next;
    }

    public int previousIndex() {
        return next - 1;
    }

    public void remove() {
        if (last < 0) throw new IllegalStateException();
        Cells.check(cells, changes);
        Cells.remove(cells, last);
        if (last < next) next = next - 1;
        settle();
    }

    public void set(E element) {
        if (last < 0) throw new IllegalStateException();
        Cells.check(cells, changes);
        Cells.set(cells, last, element);
    }

    public void add(E element) {
        Cells.check(cells, changes);
        Cells.add(cells, next, element);
        next = next + 1;
        settle();
    }

    private void settle() {
        last = -1;
        end = Cells.count(cells);
        changes = Cells.changes(cells);
    }

    public void forEachRemaining(java.util.function.Consumer<E> action) {
        while (hasNext()) action.accept(next());
    }

    public boolean hasMoreElements() {
        return hasNext();
    }

    public E nextElement() {
        return next();
    }

    public Iterator<E> asIterator() {
        return this;
    }
}
