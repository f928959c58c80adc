package org.springframework.util;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

public abstract class ObjectUtils {
    public static boolean isEmpty(Object[] values) {
        return values == null || values.length == 0;
    }

    public static boolean isEmpty(Object value) {
        if (value == null) return true;
        if (value instanceof Optional) return !((Optional<?>) value).isPresent();
        if (value instanceof CharSequence) return value.toString().isEmpty();
        if (value instanceof Collection) return ((Collection<?>) value).isEmpty();
        if (value instanceof Map) return ((Map<?, ?>) value).isEmpty();
        return value.getClass().isArray() && ((Object[]) value).length == 0;
    }

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
