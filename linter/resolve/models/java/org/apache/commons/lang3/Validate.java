package org.apache.commons.lang3;

public class Validate {
    public static void isTrue(boolean holds) {
        if (!holds) throw new IllegalArgumentException("The validated expression is false");
    }

    public static void isTrue(boolean holds, String message, Object... values) {
        if (!holds) throw new IllegalArgumentException(String.format(message, values));
    }

    public static <T> T notNull(T value) {
        return notNull(value, "The validated object is null");
    }

    public static <T> T notNull(T value, String message, Object... values) {
        if (value == null) throw new NullPointerException(String.format(message, values));
        return value;
    }

    public static <T extends CharSequence> T notBlank(T text) {
        return notBlank(text, "The validated character sequence is blank");
    }

    public static <T extends CharSequence> T notBlank(T text, String message, Object... values) {
        if (text == null) throw new NullPointerException(String.format(message, values));
        if (StringUtils.isBlank(text)) throw new IllegalArgumentException(String.format(message, values));
        return text;
    }

    public static void validState(boolean holds) {
        if (!holds) throw new IllegalStateException("The validated state is false");
    }

    public static void validState(boolean holds, String message, Object... values) {
        if (!holds) throw new IllegalStateException(String.format(message, values));
    }
}
