package org.apache.commons.lang3.math;

public class NumberUtils {
    public static int toInt(String text) {
        return toInt(text, 0);
    }

    public static int toInt(String text, int otherwise) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException problem) {
            return otherwise;
        }
    }

    public static long toLong(String text) {
        return toLong(text, 0L);
    }

    public static long toLong(String text, long otherwise) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException problem) {
            return otherwise;
        }
    }

    public static boolean isDigits(String text) {
        return org.apache.commons.lang3.StringUtils.isNumeric(text);
    }
}
