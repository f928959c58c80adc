package java.time.format;

import java.time.LocalDate;
import java.time.LocalTime;

/** The numbers of a date or a time; what a locale names is not modelled. */
public final class DateTimeFormatter {
    public static final DateTimeFormatter BASIC_ISO_DATE = new DateTimeFormatter("yyyyMMdd");
    public static final DateTimeFormatter ISO_LOCAL_DATE = new DateTimeFormatter("yyyy-MM-dd");
    public static final DateTimeFormatter ISO_DATE = ISO_LOCAL_DATE;

    private final String pattern;

    private DateTimeFormatter(String pattern) {
        this.pattern = pattern;
    }

    public static DateTimeFormatter ofPattern(String pattern) {
        return new DateTimeFormatter(pattern);
    }

    public String format(LocalDate date) {
        return filled(date, null);
    }

    public String format(LocalTime time) {
        return filled(null, time);
    }

    private String filled(LocalDate date, LocalTime time) {
        StringBuilder text = new StringBuilder();
        boolean quoted = false;
        for (int at = 0; at < pattern.length(); ) {
            char letter = pattern.charAt(at);
            int to = at + 1;
            while (to < pattern.length() && pattern.charAt(to) == letter) to++;
            if (letter == '\'') {
                if (to - at > 1) text.append('\'');
                if ((to - at) % 2 == 1) quoted = !quoted;
            } else if (!quoted && "[]{}#".indexOf(letter) >= 0) {
                text.append(unknown(letter));
            } else if (quoted || !Character.isLetter(letter)) {
                text.append(pattern, at, to);
            } else {
                text.append(date == null ? part(time, letter, to - at) : part(date, letter, to - at));
            }
            at = to;
        }
        return text.toString();
    }

    private static String part(LocalDate date, char letter, int count) {
        if (date.getYear() < 1 || date.getYear() > 9999) return unknown(letter);
        if ((letter == 'y' || letter == 'u') && count == 2) return String.format("%02d", date.getYear() % 100);
        if (letter == 'y' || letter == 'u') return String.format("%0" + count + "d", date.getYear());
        if (letter == 'M' && count < 3) return String.format("%0" + count + "d", date.getMonthValue());
        if (letter == 'd') return String.format("%0" + count + "d", date.getDayOfMonth());
        if (letter == 'D') return String.format("%0" + count + "d", date.getDayOfYear());
        return unknown(letter);
    }

    private static String part(LocalTime time, char letter, int count) {
        String format = "%0" + count + "d";
        if (letter == 'H' && count < 3) return String.format(format, time.getHour());
        if (letter == 'h' && count < 3) return String.format(format, (time.getHour() + 11) % 12 + 1);
        if (letter == 'm' && count < 3) return String.format(format, time.getMinute());
        if (letter == 's' && count < 3) return String.format(format, time.getSecond());
        if (letter == 'S') return String.format("%09d", time.getNano()).substring(0, count);
        return unknown(letter);
    }

    private static native String unknown(char letter);
}
