package java.util;

import java.util.function.IntFunction;

/** What native code does not have of arrays. */
public final class Arrays {
    public static <T> void setAll(T[] array, IntFunction<? extends T> generator) {
        for (int i = 0; i < array.length; i++) array[i] = generator.apply(i);
    }

    public static boolean equals(Object[] left, Object[] right) {
        if (left == right) return true;
        if (left == null || right == null || left.length != right.length) return false;
        for (int i = 0; i < left.length; i++) {
            if (!Objects.equals(left[i], right[i])) return false;
        }
        return true;
    }

    public static int hashCode(Object[] array) {
        if (array == null) return 0;
        int result = 1;
        for (Object each : array) result = 31 * result + Objects.hashCode(each);
        return result;
    }

    public static int binarySearch(Object[] array, Object wanted) {
        return Collections.binarySearch(Arrays.asList(array), wanted);
    }

    public static <T> Stream<T> stream(T[] array, int from, int to) {
        return Arrays.stream(Arrays.copyOfRange(array, from, to));
    }
}
