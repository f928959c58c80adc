package java.util;

/** What native code does not have of collections. */
public final class Collections {
    public static boolean disjoint(Collection<?> one, Collection<?> other) {
        for (Object each : one) {
            if (other.contains(each)) return false;
        }
        return true;
    }

    public static <T extends Comparable<? super T>> Comparator<T> reverseOrder() {
        return Comparator.reverseOrder();
    }

    public static <T> Comparator<T> reverseOrder(Comparator<T> order) {
        return order == null ? Comparator.reverseOrder() : order.reversed();
    }

    public static <T> int binarySearch(List<? extends Comparable<? super T>> list, T key) {
        return binarySearch(list, key, Comparator.naturalOrder());
    }

    public static <T> int binarySearch(List<? extends T> list, T key, Comparator<? super T> order) {
        int low = 0;
        int high = list.size() - 1;
        while (low <= high) {
            int middle = (low + high) / 2;
            int compared = order.compare(list.get(middle), key);
            if (compared == 0) return middle;
            if (compared < 0) low = middle + 1;
            else high = middle - 1;
        }
        return -(low + 1);
    }
}
