package cn.hutool.core.text;

import cn.hutool.core.util.StrUtil;
import java.util.ArrayList;
import java.util.List;

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

    public static StringBuilder builder(CharSequence... parts) {
        StringBuilder made = new StringBuilder();
        for (CharSequence each : parts) made.append(each);
        return made;
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

    public static List<String> split(CharSequence text, CharSequence separator) {
        return split(text, separator, false, false);
    }

    public static List<String> splitTrim(CharSequence text, CharSequence separator) {
        return split(text, separator, true, true);
    }

    /** A separator that is a character is a text of one. */
    public static List<String> split(CharSequence text, Object separator, boolean trims, boolean skips) {
        List<String> found = new ArrayList<>();
        if (StrUtil.isEmpty(text)) return found;
        String rest = text.toString();
        String mark = String.valueOf(separator);
        while (rest != null) {
            int at = rest.indexOf(mark);
            String part = at < 0 ? rest : rest.substring(0, at);
            rest = at < 0 ? null : rest.substring(at + mark.length());
            String one = trims ? part.trim() : part;
            if (!skips || !one.isEmpty()) found.add(one);
        }
        return found;
    }

    public static String[] splitToArray(CharSequence text, CharSequence separator) {
        return split(text, separator).toArray(new String[0]);
    }

    public static String sub(CharSequence text, int from, int to) {
        if (StrUtil.isEmpty(text)) return text == null ? null : EMPTY;
        int length = text.length();
        int start = Math.max(0, Math.min(length, from < 0 ? from + length : from));
        int end = to < 0 ? to + length : to;
        int stop = Math.min(length, end < 0 ? length : end);
        return text.toString().substring(Math.min(start, stop), Math.max(start, stop));
    }

    public static String subBefore(CharSequence text, CharSequence separator, boolean last) {
        if (text == null) return null;
        String all = text.toString();
        String mark = String.valueOf(separator);
        int at = last ? all.lastIndexOf(mark) : all.indexOf(mark);
        return at < 0 ? all : mark.isEmpty() ? EMPTY : all.substring(0, at);
    }

    public static String subAfter(CharSequence text, CharSequence separator, boolean last) {
        if (text == null) return null;
        String all = text.toString();
        String mark = String.valueOf(separator);
        int at = last ? all.lastIndexOf(mark) : all.indexOf(mark);
        return at < 0 ? EMPTY : all.substring(at + mark.length());
    }

    public static String removePrefix(CharSequence text, CharSequence prefix) {
        if (text == null) return null;
        String all = text.toString();
        return all.startsWith(prefix.toString()) ? all.substring(prefix.length()) : all;
    }

    public static String removeSuffix(CharSequence text, CharSequence suffix) {
        if (text == null) return null;
        String all = text.toString();
        return all.endsWith(suffix.toString()) ? all.substring(0, all.length() - suffix.length()) : all;
    }

    public static String upperFirst(CharSequence text) {
        if (StrUtil.isEmpty(text)) return text == null ? null : EMPTY;
        return text.toString().substring(0, 1).toUpperCase() + text.toString().substring(1);
    }

    public static String lowerFirst(CharSequence text) {
        if (StrUtil.isEmpty(text)) return text == null ? null : EMPTY;
        return text.toString().substring(0, 1).toLowerCase() + text.toString().substring(1);
    }

    public static String repeat(char text, int count) {
        return String.valueOf(text).repeat(Math.max(count, 0));
    }

    public static String repeat(CharSequence text, int count) {
        return text == null ? null : String.valueOf(text).repeat(count);
    }

    public static boolean startWith(CharSequence text, CharSequence prefix) {
        return text == null || prefix == null ? text == prefix : text.toString().startsWith(String.valueOf(prefix));
    }

    public static boolean endWith(CharSequence text, CharSequence suffix) {
        return text == null || suffix == null ? text == suffix : text.toString().endsWith(String.valueOf(suffix));
    }

    public static boolean contains(CharSequence text, CharSequence part) {
        return text != null && part != null && text.toString().contains(String.valueOf(part));
    }

    public static boolean hasBlank(CharSequence... texts) {
        for (CharSequence each : texts) if (StrUtil.isBlank(each)) return true;
        return texts.length == 0;
    }

    public static boolean isAllNotBlank(CharSequence... texts) {
        return !hasBlank(texts);
    }
}
