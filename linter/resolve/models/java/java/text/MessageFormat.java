package java.text;

import java.util.Locale;

/** `Messages` is the peer that fills a pattern in. */
public class MessageFormat {
    private String pattern;

    public MessageFormat(String pattern) {
        this.pattern = pattern;
    }

    public MessageFormat(String pattern, Locale locale) {
        this(pattern);
    }

    public static String format(String pattern, Object... values) {
        return Messages.filled(pattern, values);
    }

    public String format(Object values) {
        return Messages.filled(pattern, values);
    }

    public void applyPattern(String pattern) {
        this.pattern = pattern;
    }

    public String toPattern() {
        return pattern;
    }
}
