package com.google.common.base;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;

public class Joiner {
    private final String separator;
    private final boolean skips;
    private final String instead;

    private Joiner(String separator, boolean skips, String instead) {
        this.separator = separator;
        this.skips = skips;
        this.instead = instead;
    }

    public static Joiner on(String separator) {
        return new Joiner(separator, false, null);
    }

    public static Joiner on(char separator) {
        return new Joiner(String.valueOf(separator), false, null);
    }

    public Joiner skipNulls() {
        return new Joiner(separator, true, null);
    }

    public Joiner useForNull(String text) {
        return new Joiner(separator, false, text);
    }

    public String join(Iterator<?> parts) {
        StringBuilder made = new StringBuilder();
        boolean first = true;
        while (parts.hasNext()) {
            Object part = parts.next();
            if (part == null && skips) continue;
            if (!first) made.append(separator);
            first = false;
            made.append(part == null ? Objects.requireNonNull(instead) : part.toString());
        }
        return made.toString();
    }

    public String join(Iterable<?> parts) {
        return join(parts.iterator());
    }

    public String join(Object[] parts) {
        return join(Arrays.asList(parts).iterator());
    }

    public String join(Object first, Object second, Object... rest) {
        java.util.List<Object> all = new java.util.ArrayList<>();
        all.add(first);
        all.add(second);
        for (Object each : rest) all.add(each);
        return join(all.iterator());
    }

    public StringBuilder appendTo(StringBuilder builder, Iterable<?> parts) {
        return builder.append(join(parts));
    }

    public MapJoiner withKeyValueSeparator(String between) {
        return new MapJoiner(this, between);
    }

    public MapJoiner withKeyValueSeparator(char between) {
        return new MapJoiner(this, String.valueOf(between));
    }

    public static class MapJoiner {
        private final Joiner joiner;
        private final String between;

        MapJoiner(Joiner joiner, String between) {
            this.joiner = joiner;
            this.between = between;
        }

        public String join(Map<?, ?> map) {
            return join(map.entrySet());
        }

        public String join(Iterable<? extends Map.Entry<?, ?>> entries) {
            StringBuilder made = new StringBuilder();
            boolean first = true;
            for (Map.Entry<?, ?> entry : entries) {
                if (!first) made.append(joiner.separator);
                first = false;
                made.append(part(entry.getKey())).append(between).append(part(entry.getValue()));
            }
            return made.toString();
        }

        private String part(Object part) {
            return part == null ? Objects.requireNonNull(joiner.instead) : part.toString();
        }
    }
}
