package org.springframework.util;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;

public abstract class CollectionUtils {
    public static boolean isEmpty(Collection<?> values) {
        return values == null || values.isEmpty();
    }

    public static boolean isEmpty(Map<?, ?> values) {
        return values == null || values.isEmpty();
    }

    public static List<?> arrayToList(Object values) {
        return Arrays.asList((Object[]) values);
    }

    public static <T> T firstElement(List<T> values) {
        return isEmpty(values) ? null : values.get(0);
    }

    public static <T> T lastElement(List<T> values) {
        return isEmpty(values) ? null : values.get(values.size() - 1);
    }

    public static boolean containsAny(Collection<?> values, Collection<?> others) {
        if (isEmpty(values) || isEmpty(others)) return false;
        for (Object each : others) if (values.contains(each)) return true;
        return false;
    }
}
