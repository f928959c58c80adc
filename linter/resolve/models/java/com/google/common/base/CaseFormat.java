package com.google.common.base;

public enum CaseFormat {
    LOWER_HYPHEN("-"), LOWER_UNDERSCORE("_"), LOWER_CAMEL(""), UPPER_CAMEL(""), UPPER_UNDERSCORE("_");

    private final String between;

    CaseFormat(String between) {
        this.between = between;
    }

    public String to(CaseFormat format, String text) {
        if (format == this) return text;
        StringBuilder made = new StringBuilder();
        int from = 0;
        for (int at = 1; at <= text.length(); at++) {
            boolean ends = at == text.length()
                    || (between.isEmpty() ? Character.isUpperCase(text.charAt(at)) : text.charAt(at) == between.charAt(0));
            if (ends && at >= from) {
                made.append(format.word(text.substring(from, at), made.length() == 0));
                from = between.isEmpty() ? at : at + 1;
                if (at < text.length()) made.append(format.between);
            }
        }
        return made.toString();
    }

    private String word(String text, boolean first) {
        if (this == UPPER_UNDERSCORE) return text.toUpperCase();
        if (!between.isEmpty() || (this == LOWER_CAMEL && first)) return text.toLowerCase();
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase() + text.substring(1).toLowerCase();
    }
}
