package org.apache.commons.lang3;

public class BooleanUtils {
    public static boolean isTrue(Boolean one) {
        return Boolean.TRUE.equals(one);
    }

    public static boolean isFalse(Boolean one) {
        return Boolean.FALSE.equals(one);
    }

    public static boolean isNotTrue(Boolean one) {
        return !isTrue(one);
    }

    public static boolean isNotFalse(Boolean one) {
        return !isFalse(one);
    }

    public static boolean toBoolean(Boolean one) {
        return one != null && one;
    }

    public static boolean toBoolean(int one) {
        return one != 0;
    }

    public static boolean toBooleanDefaultIfNull(Boolean one, boolean otherwise) {
        return one == null ? otherwise : one;
    }

    public static boolean toBoolean(String text) {
        if (text == null) return false;
        String low = text.toLowerCase();
        return low.equals("true") || low.equals("yes") || low.equals("on") || low.equals("t") || low.equals("y") || low.equals("1");
    }

    public static String toString(Boolean one, String yes, String no, String none) {
        return one == null ? none : one ? yes : no;
    }

    public static String toString(boolean one, String yes, String no) {
        return one ? yes : no;
    }
}
