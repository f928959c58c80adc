package org.apache.commons.lang3;

import java.util.function.Supplier;

/** Whether something is empty is told by a peer. */
public class ObjectUtils {
    public static <T> T defaultIfNull(T one, T otherwise) {
        return one != null ? one : otherwise;
    }

    public static <T> T getIfNull(T one, Supplier<T> otherwise) {
        return one != null ? one : otherwise == null ? null : otherwise.get();
    }

    public static <T> T firstNonNull(T... values) {
        for (T each : values) if (each != null) return each;
        return null;
    }

    public static boolean allNotNull(Object... values) {
        for (Object each : values) if (each == null) return false;
        return true;
    }

    public static boolean anyNotNull(Object... values) {
        return firstNonNull(values) != null;
    }
}
