package org.springframework.util;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Whether something is empty is told by a peer. */
public abstract class CollectionUtils {
    public static List<?> arrayToList(Object values) {
        if (values != null && !values.getClass().isArray()) throw new IllegalArgumentException("not an array");
        return Arrays.asList((Object[]) values);
    }

    public static <T> T firstElement(List<T> values) {
        return values == null || values.isEmpty() ? null : values.get(0);
    }

    public static <T> T lastElement(List<T> values) {
        return values == null || values.isEmpty() ? null : values.get(values.size() - 1);
    }

    public static boolean containsAny(Collection<?> values, Collection<?> others) {
        if (values == null || others == null) return false;
        for (Object each : others) if (values.contains(each)) return true;
        return false;
    }
}
