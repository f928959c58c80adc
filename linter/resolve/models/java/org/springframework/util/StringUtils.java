package org.springframework.util;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Whether a text is empty or blank is told by a peer. */
public abstract class StringUtils {
    public static String trimWhitespace(String text) {
        return text == null ? null : text.strip();
    }

    public static String trimAllWhitespace(String text) {
        return text == null ? null : text.replaceAll("\\s+", "");
    }

    public static boolean startsWithIgnoreCase(String text, String prefix) {
        return text != null && prefix != null && text.toLowerCase().startsWith(prefix.toLowerCase());
    }

    public static boolean endsWithIgnoreCase(String text, String suffix) {
        return text != null && suffix != null && text.toLowerCase().endsWith(suffix.toLowerCase());
    }

    public static String replace(String text, String old, String other) {
        if (text == null || old == null || old.isEmpty() || other == null) return text;
        return text.replace(old, other);
    }

    public static String delete(String text, String part) {
        return replace(text, part, "");
    }

    public static String quote(String text) {
        return text == null ? null : "'" + text + "'";
    }

    public static String unqualify(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    public static String capitalize(String text) {
        return text != null && !text.isEmpty() ? text.substring(0, 1).toUpperCase() + text.substring(1) : text;
    }

    public static String uncapitalize(String text) {
        return text != null && !text.isEmpty() ? text.substring(0, 1).toLowerCase() + text.substring(1) : text;
    }

    public static String getFilename(String path) {
        return path == null ? null : path.substring(path.lastIndexOf("/") + 1);
    }

    public static String getFilenameExtension(String path) {
        if (path == null) return null;
        int dot = path.lastIndexOf(".");
        return dot < 0 || path.lastIndexOf("/") > dot ? null : path.substring(dot + 1);
    }

    public static String stripFilenameExtension(String path) {
        String extension = getFilenameExtension(path);
        return extension == null ? path : path.substring(0, path.length() - extension.length() - 1);
    }

    public static String[] split(String text, String delimiter) {
        if (text == null || delimiter == null || delimiter.isEmpty() || !text.contains(delimiter)) return null;
        int at = text.indexOf(delimiter);
        return new String[] {text.substring(0, at), text.substring(at + delimiter.length())};
    }

    public static String[] tokenizeToStringArray(String text, String delimiters) {
        return tokenizeToStringArray(text, delimiters, true, true);
    }

    public static String[] tokenizeToStringArray(String text, String delimiters, boolean trims, boolean skips) {
        List<String> found = new ArrayList<>();
        if (text != null) {
            java.util.StringTokenizer tokens = new java.util.StringTokenizer(text, delimiters);
            while (tokens.hasMoreTokens()) {
                String token = trims ? tokens.nextToken().trim() : tokens.nextToken();
                if (!skips || !token.isEmpty()) found.add(token);
            }
        }
        return found.toArray(new String[0]);
    }

    public static String[] commaDelimitedListToStringArray(String text) {
        return delimitedListToStringArray(text, ",");
    }

    public static String[] delimitedListToStringArray(String text, String delimiter) {
        List<String> found = new ArrayList<>();
        if (text == null) return found.toArray(new String[0]);
        if (delimiter == null) return new String[] {text};
        String rest = text;
        while (rest.contains(delimiter)) {
            found.add(rest.substring(0, rest.indexOf(delimiter)));
            rest = rest.substring(rest.indexOf(delimiter) + delimiter.length());
        }
        if (text.length() > 0) found.add(rest);
        return found.toArray(new String[0]);
    }

    public static Set<String> commaDelimitedListToSet(String text) {
        Set<String> found = new LinkedHashSet<>();
        for (String each : commaDelimitedListToStringArray(text)) found.add(each);
        return found;
    }

    public static String collectionToDelimitedString(Collection<?> values, String delimiter) {
        return collectionToDelimitedString(values, delimiter, "", "");
    }

    public static String collectionToDelimitedString(Collection<?> values, String delimiter, String before, String behind) {
        String made = "";
        boolean first = true;
        if (values != null) {
            for (Object each : values) {
                made += (first ? "" : delimiter) + before + each + behind;
                first = false;
            }
        }
        return made;
    }

    public static String collectionToCommaDelimitedString(Collection<?> values) {
        return collectionToDelimitedString(values, ",");
    }

    public static String arrayToDelimitedString(Object[] values, String delimiter) {
        return values == null ? "" : collectionToDelimitedString(java.util.Arrays.asList(values), delimiter);
    }

    public static String arrayToCommaDelimitedString(Object[] values) {
        return arrayToDelimitedString(values, ",");
    }

    public static String[] toStringArray(Collection<String> values) {
        return values == null ? new String[0] : values.toArray(new String[0]);
    }

    public static String[] addStringToArray(String[] values, String one) {
        List<String> found = new ArrayList<>();
        if (values != null) for (String each : values) found.add(each);
        found.add(one);
        return found.toArray(new String[0]);
    }
}
