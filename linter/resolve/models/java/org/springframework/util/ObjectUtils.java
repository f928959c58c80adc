package org.springframework.util;

import java.util.Objects;

/** Whether something is empty is told by a peer. */
public abstract class ObjectUtils {
    public static boolean nullSafeEquals(Object one, Object other) {
        return Objects.equals(one, other);
    }

    public static String nullSafeToString(Object value) {
        if (value == null) return "null";
        if (!value.getClass().isArray()) return value.toString();
        return "{" + StringUtils.arrayToDelimitedString((Object[]) value, ", ") + "}";
    }

    public static String getDisplayString(Object value) {
        return value == null ? "" : value.toString();
    }
}
