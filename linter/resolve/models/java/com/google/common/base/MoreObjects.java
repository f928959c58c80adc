package com.google.common.base;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

public final class MoreObjects {
    public static <T> T firstNonNull(T first, T second) {
        return first != null ? first : Objects.requireNonNull(second);
    }

    public static ToStringHelper toStringHelper(String name) {
        return new ToStringHelper(name);
    }

    public static ToStringHelper toStringHelper(Class<?> type) {
        return new ToStringHelper(type.getSimpleName());
    }

    public static ToStringHelper toStringHelper(Object self) {
        return new ToStringHelper(self.getClass().getSimpleName());
    }

    public static final class ToStringHelper {
        private final String name;
        private final List<String> names = new ArrayList<>();
        private final List<Object> values = new ArrayList<>();
        private boolean omits;

        private ToStringHelper(String name) {
            this.name = name;
        }

        public ToStringHelper add(String name, Object value) {
            names.add(name + "=");
            values.add(value);
            return this;
        }

        public ToStringHelper addValue(Object value) {
            names.add("");
            values.add(value);
            return this;
        }

        public ToStringHelper omitNullValues() {
            omits = true;
            return this;
        }

        public String toString() {
            List<String> parts = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                if (!omits || values.get(i) != null) parts.add(names.get(i) + values.get(i));
            }
            return name + "{" + String.join(", ", parts) + "}";
        }
    }
}
