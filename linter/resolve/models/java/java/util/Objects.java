package java.util;

import java.util.function.Supplier;

public final class Objects {
    public static <T> T requireNonNull(T value) {
        if (value == null) throw new NullPointerException();
        return value;
    }

    public static <T> T requireNonNull(T value, String message) {
        if (value == null) throw new NullPointerException(message);
        return value;
    }

    public static <T> T requireNonNull(T value, Supplier<String> message) {
        if (value == null) throw new NullPointerException(message.get());
        return value;
    }

    public static <T> T requireNonNullElse(T value, T other) {
        return value != null ? value : requireNonNull(other, "defaultObj");
    }

    public static <T> T requireNonNullElseGet(T value, Supplier<T> other) {
        return value != null ? value : requireNonNull(other.get(), "supplier.get()");
    }

    public static boolean isNull(Object value) {
        return value == null;
    }

    public static boolean nonNull(Object value) {
        return value != null;
    }

    public static String toString(Object value, String other) {
        return value == null ? other : value.toString();
    }

    public static int hash(Object... values) {
        return Arrays.hashCode(values);
    }

    public static int hashCode(Object value) {
        return value == null ? 0 : value.hashCode();
    }

    public static int checkIndex(int index, int length) {
        if (index < 0 || index >= length) throw new IndexOutOfBoundsException();
        return index;
    }

    public static <T> int compare(T left, T right, Comparator<T> order) {
        return left == right ? 0 : order.compare(left, right);
    }
}
