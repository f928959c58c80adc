package com.google.common.base;

/** `checkNotNull` is told by a peer. */
public final class Preconditions {
    private static String message(String template, Object... values) {
        StringBuilder made = new StringBuilder();
        String rest = template;
        String more = "";
        for (Object each : values) {
            int at = rest.indexOf("%s");
            if (at < 0) {
                more += (more.isEmpty() ? " [" : ", ") + each;
                continue;
            }
            made.append(rest.substring(0, at)).append(each);
            rest = rest.substring(at + 2);
        }
        return made + rest + (more.isEmpty() ? "" : more + "]");
    }

    public static void checkArgument(boolean holds) {
        if (!holds) throw new IllegalArgumentException();
    }

    public static void checkArgument(boolean holds, Object message) {
        if (!holds) throw new IllegalArgumentException(String.valueOf(message));
    }

    public static void checkArgument(boolean holds, String template, Object... values) {
        if (!holds) throw new IllegalArgumentException(message(template, values));
    }

    public static void checkState(boolean holds) {
        if (!holds) throw new IllegalStateException();
    }

    public static void checkState(boolean holds, Object message) {
        if (!holds) throw new IllegalStateException(String.valueOf(message));
    }

    public static void checkState(boolean holds, String template, Object... values) {
        if (!holds) throw new IllegalStateException(message(template, values));
    }
}
