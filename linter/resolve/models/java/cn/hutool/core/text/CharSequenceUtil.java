package cn.hutool.core.text;

public class CharSequenceUtil {
    public static final String NULL = "null";
    public static final String EMPTY = "";
    public static final String SPACE = " ";

    public static StringBuilder builder() {
        return new StringBuilder();
    }

    public static StringBuilder builder(int capacity) {
        return new StringBuilder();
    }

    public static String format(CharSequence template, Object... values) {
        if (template == null) return NULL;
        String rest = template.toString();
        if (values == null || rest.isBlank()) return rest;
        String made = "";
        int next = 0;
        while (next < values.length && rest.contains("{}")) {
            int at = rest.indexOf("{}");
            boolean escaped = at > 0 && rest.charAt(at - 1) == '\\';
            boolean twice = escaped && at > 1 && rest.charAt(at - 2) == '\\';
            made += rest.substring(0, escaped ? at - 1 : at);
            if (escaped && !twice) {
                made += "{";
                rest = rest.substring(at + 1);
            } else {
                made += values[next];
                next++;
                rest = rest.substring(at + 2);
            }
        }
        return made + rest;
    }

    public static String blankToDefault(CharSequence text, String other) {
        return text == null || text.toString().isBlank() ? other : text.toString();
    }

    public static String emptyToDefault(CharSequence text, String other) {
        return text == null || text.toString().isEmpty() ? other : text.toString();
    }

    public static String nullToDefault(CharSequence text, String other) {
        return text == null ? other : text.toString();
    }

    public static String nullToEmpty(CharSequence text) {
        return nullToDefault(text, EMPTY);
    }

    public static String addPrefixIfNot(CharSequence text, CharSequence prefix) {
        String all = text.toString();
        return all.startsWith(prefix.toString()) ? all : prefix.toString() + all;
    }

    public static String addSuffixIfNot(CharSequence text, CharSequence suffix) {
        String all = text.toString();
        return all.endsWith(suffix.toString()) ? all : all + suffix;
    }

    public static String join(CharSequence separator, Object... values) {
        return join(separator, java.util.Arrays.asList(values));
    }

    public static <T> String join(CharSequence separator, Iterable<T> values) {
        String made = null;
        for (T value : values) {
            made = made == null ? "" + value : made + separator + value;
        }
        return made == null ? EMPTY : made;
    }

    public static String trim(CharSequence text) {
        return text == null ? null : text.toString().strip();
    }
}
