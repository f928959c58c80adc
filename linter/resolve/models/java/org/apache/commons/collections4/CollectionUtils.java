package org.apache.commons.collections4;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Whether something is empty is told by a peer. The order of unions and intersections is not followed. */
public class CollectionUtils {
    public static <T> Collection<T> subtract(Collection<T> values, Collection<?> others) {
        List<T> made = new ArrayList<>(values);
        for (Object each : others) made.remove(each);
        return made;
    }

    public static boolean containsAny(Collection<?> values, Collection<?> others) {
        for (Object each : others) if (values.contains(each)) return true;
        return false;
    }

    public static <T> Collection<Object> collect(Collection<T> values, Transformer function) {
        List<Object> made = new ArrayList<>();
        if (values != null) for (T each : values) made.add(function.transform(each));
        return made;
    }

    public static <T> Collection<T> select(Collection<T> values, Predicate wanted) {
        List<T> made = new ArrayList<>();
        if (values != null) for (T each : values) if (wanted.evaluate(each)) made.add(each);
        return made;
    }

    public static <T> T find(Collection<T> values, Predicate wanted) {
        if (values != null) for (T each : values) if (wanted.evaluate(each)) return each;
        return null;
    }

    public static <T> boolean exists(Collection<T> values, Predicate wanted) {
        if (values != null) for (T each : values) if (wanted.evaluate(each)) return true;
        return false;
    }

    public static int size(Object values) {
        if (values instanceof Map) return ((Map<?, ?>) values).size();
        if (values != null && !(values instanceof Collection)) throw new IllegalArgumentException("Unsupported object type");
        return values == null ? 0 : ((Collection<?>) values).size();
    }
}
