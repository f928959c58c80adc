package cn.hutool.core.util;

import java.util.Objects;

public class ArrayUtil {
    public static boolean isEmpty(Object[] values) {
        return values == null || values.length == 0;
    }

    public static boolean isNotEmpty(Object[] values) {
        return values != null && values.length > 0;
    }

    public static boolean contains(Object[] values, Object one) {
        for (int index = 0; values != null && index < values.length; index++) if (Objects.equals(values[index], one)) return true;
        return false;
    }

    public static String join(Object values, CharSequence between) {
        if (values != null && !values.getClass().isArray()) throw new IllegalArgumentException("not an array");
        return values == null ? null : join((Object[]) values, between);
    }

    public static String join(Object[] values, CharSequence between) {
        if (values == null) return null;
        String made = "";
        for (int index = 0; index < values.length; index++) made += (index == 0 ? "" : between) + "" + values[index];
        return made;
    }
}
