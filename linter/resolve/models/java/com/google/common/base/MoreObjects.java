package com.google.common.base;

import java.util.Objects;

public final class MoreObjects {
    public static <T> T firstNonNull(T first, T second) {
        return first != null ? first : Objects.requireNonNull(second);
    }
}
