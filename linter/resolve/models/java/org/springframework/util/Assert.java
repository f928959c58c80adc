package org.springframework.util;

import java.util.Collection;

public abstract class Assert {
    public static void state(boolean holds, String message) {
        if (!holds) throw new IllegalStateException(message);
    }

    public static void isTrue(boolean holds, String message) {
        if (!holds) throw new IllegalArgumentException(message);
    }

    public static void isNull(Object value, String message) {
        if (value != null) throw new IllegalArgumentException(message);
    }

    public static void notNull(Object value, String message) {
        if (value == null) throw new IllegalArgumentException(message);
    }

    public static void hasLength(String text, String message) {
        if (!StringUtils.hasLength(text)) throw new IllegalArgumentException(message);
    }

    public static void hasText(String text, String message) {
        if (!StringUtils.hasText(text)) throw new IllegalArgumentException(message);
    }

    public static void notEmpty(Collection<?> values, String message) {
        if (CollectionUtils.isEmpty(values)) throw new IllegalArgumentException(message);
    }
}
