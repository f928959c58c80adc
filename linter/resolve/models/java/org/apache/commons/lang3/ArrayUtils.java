package org.apache.commons.lang3;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

public class ArrayUtils {
    public static final String[] EMPTY_STRING_ARRAY = new String[0];

    public static boolean isEmpty(Object[] values) {
        return getLength(values) == 0;
    }

    public static boolean isNotEmpty(Object[] values) {
        return getLength(values) > 0;
    }

    public static int getLength(Object values) {
        return values == null ? 0 : ((Object[]) values).length;
    }

    public static int indexOf(Object[] values, Object one) {
        for (int index = 0; index < getLength(values); index++) if (Objects.equals(values[index], one)) return index;
        return -1;
    }

    public static boolean contains(Object[] values, Object one) {
        return indexOf(values, one) >= 0;
    }

    public static <T> T get(T[] values, int index) {
        return get(values, index, null);
    }

    public static <T> T get(T[] values, int index, T otherwise) {
        return index >= 0 && index < getLength(values) ? values[index] : otherwise;
    }

    private static List<Object> held(Object[] values) {
        return values == null ? new ArrayList<>() : new ArrayList<>(Arrays.asList(values));
    }

    public static <T> T[] add(T[] values, T one) {
        List<Object> made = held(values);
        made.add(one);
        return (T[]) made.toArray();
    }

    public static <T> T[] addAll(T[] values, T... others) {
        List<Object> made = held(values);
        if (others != null) for (T each : others) made.add(each);
        return (T[]) made.toArray();
    }

    public static <T> T[] removeElement(T[] values, Object one) {
        if (values == null) return null;
        List<Object> made = held(values);
        made.remove(one);
        return (T[]) made.toArray();
    }

    public static <T> T[] subarray(T[] values, int from, int until) {
        if (values == null) return null;
        int start = Math.max(from, 0);
        int end = Math.min(until, values.length);
        return (T[]) (start >= end ? new ArrayList<>() : held(values).subList(start, end)).toArray();
    }

    public static <T> T[] toArray(T... values) {
        return values;
    }

    public static String[] nullToEmpty(String[] values) {
        return values == null ? new String[0] : values;
    }

    public static String toString(Object values) {
        if (values != null && !values.getClass().isArray()) return values.toString();
        return values == null ? "{}" : "{" + StringUtils.join((Object[]) values, ",") + "}";
    }
}
