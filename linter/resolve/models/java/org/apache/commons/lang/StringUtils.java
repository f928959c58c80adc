package org.apache.commons.lang;

/** What version 2 of the library calls the same. */
public class StringUtils extends org.apache.commons.lang3.StringUtils {
    public static boolean isNumeric(String text) {
        return text != null && text.matches("\\p{Nd}*");
    }
}
