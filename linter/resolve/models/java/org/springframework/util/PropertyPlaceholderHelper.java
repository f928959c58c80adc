package org.springframework.util;

import java.util.Properties;
import java.util.function.Function;

/** A placeholder within a placeholder is put together first; a default stands behind the separator. */
public class PropertyPlaceholderHelper {
    private final String prefix;
    private final String suffix;
    private final String separator;
    private final boolean lenient;

    public PropertyPlaceholderHelper(String prefix, String suffix) {
        this(prefix, suffix, null, true);
    }

    public PropertyPlaceholderHelper(String prefix, String suffix, String separator, boolean lenient) {
        this.prefix = prefix;
        this.suffix = suffix;
        this.separator = separator;
        this.lenient = lenient;
    }

    public String replacePlaceholders(String text, Properties properties) {
        return filled(text, name -> properties.getProperty(name));
    }

    public String replacePlaceholders(String text, PlaceholderResolver resolver) {
        return filled(text, name -> resolver.resolvePlaceholder(name));
    }

    private String filled(String text, Function<String, String> values) {
        String made = text;
        int from = made.indexOf(prefix);
        while (from >= 0) {
            int end = closing(made, from + prefix.length());
            if (end < 0) return made;
            String name = filled(made.substring(from + prefix.length(), end), values);
            String value = values.apply(name);
            int at = separator == null ? -1 : name.indexOf(separator);
            if (value == null && at >= 0) {
                value = values.apply(name.substring(0, at));
                if (value == null) value = name.substring(at + separator.length());
            }
            if (value == null) {
                if (!lenient) throw new IllegalArgumentException(name);
                from = made.indexOf(prefix, end + suffix.length());
                continue;
            }
            value = filled(value, values);
            made = made.substring(0, from) + value + made.substring(end + suffix.length());
            from = made.indexOf(prefix, from + value.length());
        }
        return made;
    }

    private int closing(String text, int from) {
        int at = from;
        int open = 0;
        while (at < text.length()) {
            if (text.startsWith(suffix, at)) {
                if (open == 0) return at;
                open--;
                at += suffix.length();
            } else if (text.startsWith("{", at)) {
                open++;
                at++;
            } else {
                at++;
            }
        }
        return -1;
    }

    public interface PlaceholderResolver {
        String resolvePlaceholder(String name);
    }
}
