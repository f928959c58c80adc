package java.time;

import java.time.format.DateTimeParseException;

public final class YearMonth implements Comparable<YearMonth> {
    private final LocalDate first;

    private YearMonth(LocalDate first) {
        this.first = first;
    }

    public static YearMonth of(int year, int month) { return new YearMonth(LocalDate.of(year, month, 1)); }
    public static YearMonth of(int year, Month month) { return of(year, month.getValue()); }
    public static YearMonth from(LocalDate date) { return of(date.getYear(), date.getMonthValue()); }
    public static YearMonth from(LocalDateTime time) { return from(time.toLocalDate()); }
    public static YearMonth parse(CharSequence text) {
        if (!text.toString().matches("\\d{4}-\\d\\d")) throw DateTimeParseException.of(text);
        return from(LocalDate.parse(text + "-01"));
    }

    public int getYear() { return first.getYear(); }
    public int getMonthValue() { return first.getMonthValue(); }
    public Month getMonth() { return first.getMonth(); }
    public int lengthOfMonth() { return first.lengthOfMonth(); }
    public int lengthOfYear() { return first.lengthOfYear(); }
    public boolean isLeapYear() { return first.isLeapYear(); }
    public YearMonth plusMonths(long more) { return new YearMonth(first.plusMonths(more)); }
    public YearMonth plusYears(long more) { return new YearMonth(first.plusYears(more)); }
    public YearMonth minusMonths(long less) { return plusMonths(-less); }
    public YearMonth minusYears(long less) { return plusYears(-less); }
    public YearMonth withMonth(int month) { return of(getYear(), month); }
    public YearMonth withYear(int year) { return of(year, getMonthValue()); }
    public LocalDate atDay(int day) { return first.withDayOfMonth(day); }
    public LocalDate atEndOfMonth() { return first.withDayOfMonth(first.lengthOfMonth()); }
    public int compareTo(YearMonth other) { return first.compareTo(other.first); }
    public boolean isBefore(YearMonth other) { return compareTo(other) < 0; }
    public boolean isAfter(YearMonth other) { return compareTo(other) > 0; }
    public boolean equals(Object other) { return other instanceof YearMonth && compareTo((YearMonth) other) == 0; }
    public int hashCode() { return getYear() ^ (getMonthValue() << 27); }
    public String toString() { return first.toString().substring(0, first.toString().length() - 3); }
}
