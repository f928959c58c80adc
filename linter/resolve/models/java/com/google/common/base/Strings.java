package com.google.common.base;

/** Whether a text is null or empty is told by a peer. */
public final class Strings {
    public static String nullToEmpty(String text) {
        return text == null ? "" : text;
    }

    public static String emptyToNull(String text) {
        return Strings.isNullOrEmpty(text) ? null : text;
    }

    public static String padStart(String text, int length, char pad) {
        return String.valueOf(pad).repeat(Math.max(length - text.length(), 0)) + text;
    }

    public static String padEnd(String text, int length, char pad) {
        return text + String.valueOf(pad).repeat(Math.max(length - text.length(), 0));
    }

    public static String repeat(String text, int count) {
        return text.repeat(count);
    }

    public static String commonPrefix(CharSequence one, CharSequence other) {
        String a = one.toString();
        String b = other.toString();
        int length = 0;
        while (length < a.length() && length < b.length() && a.charAt(length) == b.charAt(length)) length++;
        return a.substring(0, length);
    }

    public static String commonSuffix(CharSequence one, CharSequence other) {
        String a = one.toString();
        String b = other.toString();
        int length = 0;
        while (length < a.length() && length < b.length() && a.charAt(a.length() - 1 - length) == b.charAt(b.length() - 1 - length)) length++;
        return a.substring(a.length() - length);
    }
}
