package org.apache.commons.lang3;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Whether a text is empty or blank is told by a peer. */
public class StringUtils {
    public static final String SPACE = " ";
    public static final String EMPTY = "";
    public static final int INDEX_NOT_FOUND = -1;

    public static String defaultString(String text) {
        return text == null ? "" : text;
    }

    public static String defaultString(String text, String otherwise) {
        return text == null ? otherwise : text;
    }

    public static <T extends CharSequence> T defaultIfBlank(T text, T otherwise) {
        return StringUtils.isBlank(text) ? otherwise : text;
    }

    public static <T extends CharSequence> T defaultIfEmpty(T text, T otherwise) {
        return StringUtils.isEmpty(text) ? otherwise : text;
    }

    public static <T extends CharSequence> T firstNonBlank(T... texts) {
        for (T each : texts) if (StringUtils.isNotBlank(each)) return each;
        return null;
    }

    public static <T extends CharSequence> T firstNonEmpty(T... texts) {
        for (T each : texts) if (StringUtils.isNotEmpty(each)) return each;
        return null;
    }

    public static boolean isAnyBlank(CharSequence... texts) {
        for (CharSequence each : texts) if (StringUtils.isBlank(each)) return true;
        return false;
    }

    public static boolean isNoneBlank(CharSequence... texts) {
        return !isAnyBlank(texts);
    }

    public static boolean isAllBlank(CharSequence... texts) {
        for (CharSequence each : texts) if (StringUtils.isNotBlank(each)) return false;
        return true;
    }

    public static boolean isAnyEmpty(CharSequence... texts) {
        for (CharSequence each : texts) if (StringUtils.isEmpty(each)) return true;
        return false;
    }

    public static boolean isNoneEmpty(CharSequence... texts) {
        return !isAnyEmpty(texts);
    }

    public static boolean isAllEmpty(CharSequence... texts) {
        for (CharSequence each : texts) if (StringUtils.isNotEmpty(each)) return false;
        return true;
    }

    public static String trim(String text) {
        return text == null ? null : text.trim();
    }

    public static String trimToEmpty(String text) {
        return text == null ? "" : text.trim();
    }

    public static String trimToNull(String text) {
        String trimmed = trim(text);
        return StringUtils.isEmpty(trimmed) ? null : trimmed;
    }

    public static String strip(String text) {
        return text == null ? null : text.strip();
    }

    public static String stripToEmpty(String text) {
        return text == null ? "" : text.strip();
    }

    public static String stripToNull(String text) {
        String stripped = strip(text);
        return StringUtils.isEmpty(stripped) ? null : stripped;
    }

    public static String stripStart(String text, String chars) {
        if (text == null) return null;
        if (chars == null) return text.stripLeading();
        int from = 0;
        while (from < text.length() && chars.indexOf(text.charAt(from)) >= 0) from++;
        return text.substring(from);
    }

    public static String stripEnd(String text, String chars) {
        if (text == null) return null;
        if (chars == null) return text.stripTrailing();
        int until = text.length();
        while (until > 0 && chars.indexOf(text.charAt(until - 1)) >= 0) until--;
        return text.substring(0, until);
    }

    public static String strip(String text, String chars) {
        return stripEnd(stripStart(text, chars), chars);
    }

    public static boolean equalsAny(CharSequence text, CharSequence... others) {
        for (CharSequence each : others) if (java.util.Objects.equals(text, each)) return true;
        return false;
    }

    public static boolean equalsAnyIgnoreCase(CharSequence text, CharSequence... others) {
        for (CharSequence each : others) if (StringUtils.equalsIgnoreCase(text, each)) return true;
        return false;
    }

    public static boolean contains(CharSequence text, CharSequence part) {
        return text != null && part != null && text.toString().contains(part);
    }

    public static boolean contains(CharSequence text, int part) {
        return text != null && text.toString().indexOf(part) >= 0;
    }

    public static boolean containsIgnoreCase(CharSequence text, CharSequence part) {
        return text != null && part != null && text.toString().toLowerCase().contains(part.toString().toLowerCase());
    }

    /** Any of some characters. */
    public static boolean containsAny(CharSequence text, CharSequence characters) {
        if (isEmpty(text) || isEmpty(characters)) return false;
        for (int index = 0; index < characters.length(); index++) if (text.toString().indexOf(characters.charAt(index)) >= 0) return true;
        return false;
    }

    public static boolean containsAny(CharSequence text, CharSequence... parts) {
        for (CharSequence each : parts) if (contains(text, each)) return true;
        return false;
    }

    public static boolean startsWith(CharSequence text, CharSequence prefix) {
        if (text == null || prefix == null) return text == prefix;
        return text.toString().startsWith(prefix.toString());
    }

    public static boolean endsWith(CharSequence text, CharSequence suffix) {
        if (text == null || suffix == null) return text == suffix;
        return text.toString().endsWith(suffix.toString());
    }

    public static boolean startsWithIgnoreCase(CharSequence text, CharSequence prefix) {
        if (text == null || prefix == null) return text == prefix;
        return text.toString().toLowerCase().startsWith(prefix.toString().toLowerCase());
    }

    public static boolean endsWithIgnoreCase(CharSequence text, CharSequence suffix) {
        if (text == null || suffix == null) return text == suffix;
        return text.toString().toLowerCase().endsWith(suffix.toString().toLowerCase());
    }

    public static boolean startsWithAny(CharSequence text, CharSequence... prefixes) {
        if (text == null) return false;
        for (CharSequence each : prefixes) if (startsWith(text, each)) return true;
        return false;
    }

    public static boolean endsWithAny(CharSequence text, CharSequence... suffixes) {
        if (text == null) return false;
        for (CharSequence each : suffixes) if (endsWith(text, each)) return true;
        return false;
    }

    public static boolean isNumeric(CharSequence text) {
        return text != null && text.toString().matches("\\p{Nd}+");
    }

    public static int length(CharSequence text) {
        return text == null ? 0 : text.length();
    }

    public static int indexOf(CharSequence text, CharSequence part) {
        return text == null || part == null ? -1 : text.toString().indexOf(part.toString());
    }

    public static int lastIndexOf(CharSequence text, CharSequence part) {
        return text == null || part == null ? -1 : text.toString().lastIndexOf(part.toString());
    }

    public static int countMatches(CharSequence text, CharSequence part) {
        if (StringUtils.isEmpty(text) || StringUtils.isEmpty(part)) return 0;
        int count = 0;
        String rest = text.toString();
        while (rest.contains(part)) {
            rest = rest.substring(rest.indexOf(part.toString()) + part.length());
            count++;
        }
        return count;
    }

    public static String upperCase(String text) {
        return text == null ? null : text.toUpperCase();
    }

    public static String lowerCase(String text) {
        return text == null ? null : text.toLowerCase();
    }

    public static String capitalize(String text) {
        return StringUtils.isEmpty(text) ? text : text.substring(0, 1).toUpperCase() + text.substring(1);
    }

    public static String uncapitalize(String text) {
        return StringUtils.isEmpty(text) ? text : text.substring(0, 1).toLowerCase() + text.substring(1);
    }

    public static String reverse(String text) {
        return text == null ? null : new StringBuilder(text).reverse().toString();
    }

    public static String repeat(String text, int count) {
        return text == null ? null : text.repeat(Math.max(count, 0));
    }

    public static String repeat(char one, int count) {
        return String.valueOf(one).repeat(Math.max(count, 0));
    }

    public static String abbreviate(String text, int width) {
        return abbreviate(text, "...", width);
    }

    public static String abbreviate(String text, String marker, int width) {
        if (text == null || text.isEmpty() || marker == null || marker.isEmpty()) return whole(text, marker, width);
        if (width < marker.length() + 1) {
            throw new IllegalArgumentException(String.format("Minimum abbreviation width is %d", marker.length() + 1));
        }
        return text.length() <= width ? text : text.substring(0, width - marker.length()) + marker;
    }

    private static native String whole(String text, String marker, int width);

    public static String leftPad(String text, int size) {
        return leftPad(text, size, " ");
    }

    public static String leftPad(String text, int size, char pad) {
        return leftPad(text, size, String.valueOf(pad));
    }

    public static String leftPad(String text, int size, String pad) {
        return text == null ? null : padding(size - text.length(), pad) + text;
    }

    public static String rightPad(String text, int size) {
        return rightPad(text, size, " ");
    }

    public static String rightPad(String text, int size, char pad) {
        return rightPad(text, size, String.valueOf(pad));
    }

    public static String rightPad(String text, int size, String pad) {
        return text == null ? null : text + padding(size - text.length(), pad);
    }

    private static String padding(int count, String pad) {
        if (count <= 0) return "";
        String with = StringUtils.isEmpty(pad) ? " " : pad;
        return with.repeat(count / with.length() + 1).substring(0, count);
    }

    public static String left(String text, int count) {
        if (text == null) return null;
        return text.substring(0, Math.min(Math.max(count, 0), text.length()));
    }

    public static String right(String text, int count) {
        if (text == null) return null;
        return text.substring(text.length() - Math.min(Math.max(count, 0), text.length()));
    }

    public static String mid(String text, int from, int count) {
        if (text == null) return null;
        return count < 0 || from > text.length() ? "" : left(text.substring(Math.max(from, 0)), count);
    }

    public static String substring(String text, int from) {
        if (text == null) return null;
        int start = Math.max(from < 0 ? text.length() + from : from, 0);
        return start > text.length() ? "" : text.substring(start);
    }

    public static String substring(String text, int from, int until) {
        if (text == null) return null;
        int end = Math.min(until < 0 ? text.length() + until : until, text.length());
        int start = Math.max(from < 0 ? text.length() + from : from, 0);
        return start > end ? "" : text.substring(start, Math.max(end, 0));
    }

    public static String substringBefore(String text, String separator) {
        if (text == null || separator == null) return text;
        int at = text.indexOf(separator);
        return at < 0 ? text : text.substring(0, at);
    }

    public static String substringAfter(String text, String separator) {
        if (text == null) return null;
        int at = separator == null ? -1 : text.indexOf(separator);
        return at < 0 ? "" : text.substring(at + separator.length());
    }

    public static String substringBeforeLast(String text, String separator) {
        if (text == null || separator == null || separator.isEmpty()) return text;
        int at = text.lastIndexOf(separator);
        return at < 0 ? text : text.substring(0, at);
    }

    public static String substringAfterLast(String text, String separator) {
        if (text == null) return null;
        if (separator == null || separator.isEmpty()) return "";
        int at = text.lastIndexOf(separator);
        return at < 0 ? "" : text.substring(at + separator.length());
    }

    public static String substringBetween(String text, String open) {
        return substringBetween(text, open, open);
    }

    public static String substringBetween(String text, String open, String close) {
        if (text == null || open == null || close == null) return null;
        int from = text.indexOf(open);
        int until = from < 0 ? -1 : text.indexOf(close, from + open.length());
        return until < 0 ? null : text.substring(from + open.length(), until);
    }

    public static String removeStart(String text, String prefix) {
        return text != null && prefix != null && text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    }

    public static String removeStart(String text, char prefix) {
        return removeStart(text, String.valueOf(prefix));
    }

    public static String removeEnd(String text, String suffix) {
        return text != null && suffix != null && text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text;
    }

    public static String remove(String text, String part) {
        return replace(text, part, "");
    }

    public static String remove(String text, char part) {
        return text == null ? null : text.replace(String.valueOf(part), "");
    }

    public static String deleteWhitespace(String text) {
        return text == null ? null : text.replaceAll("\\s+", "");
    }

    public static String replace(String text, String part, String other) {
        return text == null || part == null || part.isEmpty() || other == null ? text : text.replace(part, other);
    }

    public static String replaceOnce(String text, String part, String other) {
        if (text == null || part == null || part.isEmpty() || other == null || !text.contains(part)) return text;
        return substringBefore(text, part) + other + substringAfter(text, part);
    }

    public static String replaceChars(String text, char one, char other) {
        return text == null ? null : text.replace(one, other);
    }

    public static String replaceChars(String text, String chars, String others) {
        if (text == null || text.isEmpty() || chars == null || chars.isEmpty()) return text;
        String with = others == null ? "" : others;
        StringBuilder made = new StringBuilder();
        for (int index = 0; index < text.length(); index++) {
            char one = text.charAt(index);
            int place = chars.indexOf(one);
            if (place < 0) made.append(one);
            else if (place < with.length()) made.append(with.charAt(place));
        }
        return made.toString();
    }

    public static String appendIfMissing(String text, CharSequence suffix, CharSequence... others) {
        if (text == null || StringUtils.isEmpty(suffix) || text.endsWith(suffix.toString()) || endsWithAny(text, others)) return text;
        return text + suffix;
    }

    public static String prependIfMissing(String text, CharSequence prefix, CharSequence... others) {
        if (text == null || StringUtils.isEmpty(prefix) || text.startsWith(prefix.toString()) || startsWithAny(text, others)) return text;
        return prefix + text;
    }

    public static String wrap(String text, String with) {
        return StringUtils.isEmpty(text) || StringUtils.isEmpty(with) ? text : with + text + with;
    }

    public static String[] split(String text) {
        return split(text, " \t\n\f\r");
    }

    public static String[] split(String text, char separator) {
        return split(text, String.valueOf(separator));
    }

    public static String[] split(String text, String separators) {
        if (text == null) return null;
        List<String> made = new ArrayList<>();
        java.util.StringTokenizer all = new java.util.StringTokenizer(text, separators == null ? " \t\n\f\r" : separators);
        while (all.hasMoreTokens()) made.add(all.nextToken());
        return made.toArray(new String[0]);
    }

    public static String[] splitByWholeSeparator(String text, String separator) {
        if (text == null) return null;
        if (separator == null || separator.isEmpty()) return split(text);
        List<String> made = new ArrayList<>();
        String rest = text;
        while (rest.contains(separator)) {
            if (rest.indexOf(separator) > 0) made.add(rest.substring(0, rest.indexOf(separator)));
            rest = rest.substring(rest.indexOf(separator) + separator.length());
        }
        if (!rest.isEmpty()) made.add(rest);
        return made.toArray(new String[0]);
    }

    public static String joinWith(String separator, Object... parts) {
        return joined(Arrays.asList(parts).iterator(), separator);
    }

    public static String join(Iterable<?> parts, String separator) {
        return parts == null ? null : joined(parts.iterator(), separator);
    }

    public static String join(Iterable<?> parts, char separator) {
        return parts == null ? null : joined(parts.iterator(), String.valueOf(separator));
    }

    public static String join(Object[] parts, String separator) {
        return parts == null ? null : joined(Arrays.asList(parts).iterator(), separator);
    }

    public static String join(Object[] parts, char separator) {
        return parts == null ? null : joined(Arrays.asList(parts).iterator(), String.valueOf(separator));
    }

    public static String join(List<?> parts, String separator, int from, int to) {
        return parts == null ? null : to <= from ? "" : joined(parts.subList(from, to).iterator(), separator);
    }

    public static String join(List<?> parts, char separator, int from, int to) {
        return join(parts, String.valueOf(separator), from, to);
    }

    public static String join(Object[] parts, String separator, int from, int to) {
        return parts == null ? null : join(Arrays.asList(parts), separator, from, to);
    }

    public static String join(Object[] parts, char separator, int from, int to) {
        return parts == null ? null : join(Arrays.asList(parts), String.valueOf(separator), from, to);
    }

    public static String join(Iterator<?> parts, String separator) {
        return parts == null ? null : joined(parts, separator);
    }

    public static <T> String join(T... parts) {
        return parts == null ? null : joined(Arrays.asList(parts).iterator(), null);
    }

    private static String joined(Iterator<?> parts, String separator) {
        StringBuilder made = new StringBuilder();
        boolean first = true;
        while (parts.hasNext()) {
            Object part = parts.next();
            if (!first && separator != null) made.append(separator);
            first = false;
            if (part != null) made.append(part);
        }
        return made.toString();
    }
}
