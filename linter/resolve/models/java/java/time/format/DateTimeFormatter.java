package java.time.format;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Locale;

/** The numbers of a date or a time, and the names that English has for its parts; those of other locales are not modelled. */
public final class DateTimeFormatter {
    public static final DateTimeFormatter BASIC_ISO_DATE = new DateTimeFormatter("yyyyMMdd");
    public static final DateTimeFormatter ISO_LOCAL_DATE = new DateTimeFormatter("yyyy-MM-dd");
    public static final DateTimeFormatter ISO_DATE = ISO_LOCAL_DATE;

    public static final DateTimeFormatter ISO_LOCAL_TIME = new DateTimeFormatter(null);
    public static final DateTimeFormatter ISO_TIME = ISO_LOCAL_TIME;
    public static final DateTimeFormatter ISO_LOCAL_DATE_TIME = new DateTimeFormatter(null);
    public static final DateTimeFormatter ISO_DATE_TIME = ISO_LOCAL_DATE_TIME;
    public static final DateTimeFormatter ISO_INSTANT = new DateTimeFormatter(null);

    private final String pattern;
    private boolean english;

    private DateTimeFormatter(String pattern) {
        this.pattern = pattern;
    }

    public static DateTimeFormatter ofPattern(String pattern) {
        return new DateTimeFormatter(pattern);
    }

    public static DateTimeFormatter ofPattern(String pattern, Locale locale) {
        DateTimeFormatter made = new DateTimeFormatter(pattern);
        made.english = locale == Locale.ENGLISH || locale == Locale.US;
        return made;
    }

    public DateTimeFormatter withLocale(Locale locale) {
        return pattern == null ? this : ofPattern(pattern, locale);
    }

    public LocalDate dateIn(CharSequence text) {
        if (this == ISO_LOCAL_DATE) return LocalDate.parse(text);
        if (this == ISO_LOCAL_DATE_TIME) return LocalDateTime.parse(text).toLocalDate();
        String digits = digits(text.toString());
        LocalDate first = LocalDate.of(number(digits, 'y'), number(digits, 'M'), 1);
        int day = number(digits, 'd');
        return day > 31 || this == BASIC_ISO_DATE ? first.withDayOfMonth(day) : first.withDayOfMonth(Math.min(day, first.lengthOfMonth()));
    }

    public LocalTime timeIn(CharSequence text) {
        if (this == ISO_LOCAL_TIME) return LocalTime.parse(text);
        if (this == ISO_LOCAL_DATE_TIME) return LocalDateTime.parse(text).toLocalTime();
        String digits = digits(text.toString());
        if (pattern.indexOf('H') < 0 || number(digits, 'H') == 24) return other(text);
        int second = pattern.indexOf('s') < 0 ? 0 : number(digits, 's');
        return LocalTime.of(number(digits, 'H'), pattern.indexOf('m') < 0 ? 0 : number(digits, 'm'), second);
    }

    /** A text of which each place is what the pattern has there, if all of it is as wide. */
    private String digits(String text) {
        boolean same = pattern != null && text.length() == pattern.length();
        for (int at = 0; same && at < text.length(); at++) {
            char letter = pattern.charAt(at);
            boolean isPlain = !Character.isLetter(letter) && "'[]{}#".indexOf(letter) < 0 && letter == text.charAt(at);
            same = isPlain || "yuMdHms".indexOf(letter) >= 0 && Character.isDigit(text.charAt(at));
        }
        return same ? text : other(text);
    }

    private int number(String digits, char letter) {
        int at = letter == 'y' && pattern.indexOf('y') < 0 ? pattern.indexOf('u') : pattern.indexOf(letter);
        int to = at < 0 ? -1 : pattern.lastIndexOf(pattern.charAt(at)) + 1;
        return to - at == (letter == 'y' ? 4 : 2) ? Integer.parseInt(digits.substring(at, to)) : other(digits);
    }

    private static native <T> T other(CharSequence text);

    public String format(LocalDateTime time) {
        return this == ISO_LOCAL_DATE_TIME && time.getSecond() + time.getNano() > 0 ? time.toString()
            : this == ISO_LOCAL_DATE_TIME ? time + ":00"
            : this == ISO_LOCAL_DATE ? time.toLocalDate().toString()
            : this == ISO_LOCAL_TIME ? format(time.toLocalTime())
            : filled(time.toLocalDate(), time.toLocalTime());
    }

    public String format(Instant instant) {
        return this == ISO_INSTANT ? instant.toString() : unknown('Z');
    }

    public String format(LocalDate date) {
        return filled(date, null);
    }

    public String format(LocalTime time) {
        if (this == ISO_LOCAL_TIME) return time.getSecond() + time.getNano() > 0 ? time.toString() : time + ":00";
        return filled(null, time);
    }

    private String filled(LocalDate date, LocalTime time) {
        if (pattern == null) return unknown(' ');
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
                text.append(date != null && (time == null || "yuMdDE".indexOf(letter) >= 0) ? part(date, letter, to - at) : part(time, letter, to - at));
            }
            at = to;
        }
        return text.toString();
    }

    private String part(LocalDate date, char letter, int count) {
        if (date.getYear() < 1 || date.getYear() > 9999) return unknown(letter);
        if ((letter == 'y' || letter == 'u') && count == 2) return String.format("%02d", date.getYear() % 100);
        if (letter == 'y' || letter == 'u') return String.format("%0" + count + "d", date.getYear());
        if (letter == 'M' && count < 3) return String.format("%0" + count + "d", date.getMonthValue());
        if (letter == 'd') return String.format("%0" + count + "d", date.getDayOfMonth());
        if (english && letter == 'M' && count < 5) return named(date.getMonth().name(), count == 3);
        if (english && letter == 'E' && count < 5) return named(date.getDayOfWeek().name(), count < 4);
        if (letter == 'D') return String.format("%0" + count + "d", date.getDayOfYear());
        return unknown(letter);
    }

    private String part(LocalTime time, char letter, int count) {
        String format = "%0" + count + "d";
        if (letter == 'H' && count < 3) return String.format(format, time.getHour());
        if (letter == 'h' && count < 3) return String.format(format, (time.getHour() + 11) % 12 + 1);
        if (letter == 'm' && count < 3) return String.format(format, time.getMinute());
        if (letter == 's' && count < 3) return String.format(format, time.getSecond());
        if (english && letter == 'a' && count == 1) return time.getHour() < 12 ? "AM" : "PM";
        if (letter == 'S') return String.format("%09d", time.getNano()).substring(0, count);
        return unknown(letter);
    }

    private static String named(String name, boolean brief) {
        String whole = name.charAt(0) + name.substring(1).toLowerCase();
        return brief ? whole.substring(0, 3) : whole;
    }

    private static native String unknown(char letter);
}
