package java.time;

import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjuster;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

public final class LocalDate implements Comparable<LocalDate> {
    private final int year;
    private final int month;
    private final int day;

    private LocalDate(int year, int month, int day) {
        this.year = year;
        this.month = month;
        this.day = day;
    }

    public static LocalDate of(int year, int month, int day) {
        if (month < 1 || month > 12) {
            throw new DateTimeException("Invalid value for MonthOfYear (valid values 1 - 12): " + month);
        }
        if (day < 1 || day > lengthOf(year, month)) throw new DateTimeException("Invalid date");
        return new LocalDate(year, month, day);
    }

    public static LocalDate of(int year, Month month, int day) { return of(year, month.getValue(), day); }

    /** The days are counted from the first of March, so that a leap day ends its year. */
    public static LocalDate ofEpochDay(long epochDay) {
        long days = epochDay + 719468;
        long era = Math.floorDiv(days, 146097L);
        int ofEra = (int) (days - era * 146097);
        int yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146096) / 365;
        int ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int fromMarch = (5 * ofYear + 2) / 153;
        int month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
        return new LocalDate((int) (yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month, ofYear - (153 * fromMarch + 2) / 5 + 1);
    }

    public static LocalDate parse(CharSequence text) {
        String[] parts = text.toString().split("-");
        if (text.toString().matches("[-+].*")) return farAway(text);
        if (!text.toString().matches("\\d{4}-\\d\\d-\\d\\d")) throw DateTimeParseException.of(text);
        return of(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    public static LocalDate parse(CharSequence text, DateTimeFormatter formatter) { return formatter.dateIn(text); }
    public static LocalDate ofYearDay(int year, int day) {
        if (day < 1 || day > (Year.isLeap(year) ? 366 : 365)) throw new DateTimeException("Invalid date");
        return of(year, 1, 1).plusDays(day - 1);
    }

    private static native LocalDate farAway(CharSequence text);

    private static int lengthOf(int year, int month) {
        if (month == 2) return Year.isLeap(year) ? 29 : 28;
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
    }

    public long toEpochDay() {
        long years = month <= 2 ? year - 1 : year;
        long era = Math.floorDiv(years, 400L);
        long yearOfEra = years - era * 400;
        long ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719468;
    }

    public int getYear() { return year; }
    public int getMonthValue() { return month; }
    public Month getMonth() { return Month.of(month); }
    public int getDayOfMonth() { return day; }
    public int getDayOfYear() { return (int) (toEpochDay() - of(year, 1, 1).toEpochDay()) + 1; }
    public DayOfWeek getDayOfWeek() { return DayOfWeek.of((int) Math.floorMod(toEpochDay() + 3, 7L) + 1); }
    public boolean isLeapYear() { return Year.isLeap(year); }
    public int lengthOfMonth() { return lengthOf(year, month); }
    public int lengthOfYear() { return isLeapYear() ? 366 : 365; }

    public LocalDate plusDays(long days) { return ofEpochDay(toEpochDay() + days); }
    public LocalDate plusWeeks(long weeks) { return plusDays(weeks * 7); }
    public LocalDate plusMonths(long months) {
        long all = year * 12L + month - 1 + months;
        return within((int) Math.floorDiv(all, 12L), (int) Math.floorMod(all, 12L) + 1, day);
    }
    public LocalDate plusYears(long years) { return within((int) (year + years), month, day); }
    public LocalDate minusDays(long days) { return plusDays(-days); }
    public LocalDate minusWeeks(long weeks) { return plusDays(-weeks * 7); }
    public LocalDate minusMonths(long months) { return plusMonths(-months); }
    public LocalDate minusYears(long years) { return plusYears(-years); }
    public LocalDate plus(Period more) { return plusMonths(more.toTotalMonths()).plusDays(more.getDays()); }
    public LocalDate minus(Period less) { return plus(less.negated()); }
    public LocalDate plus(long amount, ChronoUnit unit) {
        switch (unit) {
            case DAYS: return plusDays(amount);
            case WEEKS: return plusWeeks(amount);
            case MONTHS: return plusMonths(amount);
            case YEARS: return plusYears(amount);
            case DECADES: return plusYears(amount * 10);
            case CENTURIES: return plusYears(amount * 100);
            default: return moved(amount, unit);
        }
    }
    public LocalDate minus(long amount, ChronoUnit unit) { return plus(-amount, unit); }

    private static native LocalDate moved(long amount, ChronoUnit unit);

    public Period until(LocalDate end) { return Period.between(this, end); }
    public long until(LocalDate end, ChronoUnit unit) { return unit.between(this, end); }
    public LocalDateTime atStartOfDay() { return LocalDateTime.of(this, LocalTime.MIDNIGHT); }
    public LocalDateTime atTime(LocalTime time) { return LocalDateTime.of(this, time); }
    public LocalDateTime atTime(int hour, int minute) { return atTime(LocalTime.of(hour, minute)); }
    public LocalDateTime atTime(int hour, int minute, int second) { return atTime(LocalTime.of(hour, minute, second)); }
    public LocalDate with(TemporalAdjuster adjuster) { return (LocalDate) adjuster.adjustInto(this); }
    public LocalDate withDayOfYear(int day) { return ofYearDay(year, day); }
    public Stream<LocalDate> datesUntil(LocalDate end) {
        if (end.isBefore(this)) throw new IllegalArgumentException(end + " < " + this);
        List<LocalDate> dates = new ArrayList<>();
        for (LocalDate date = this; date.isBefore(end); date = date.plusDays(1)) dates.add(date);
        return dates.stream();
    }
    public LocalDate withDayOfMonth(int day) { return of(year, month, day); }
    public LocalDate withMonth(int month) { return within(year, month, day); }
    public LocalDate withYear(int year) { return within(year, month, day); }

    private static LocalDate within(int year, int month, int day) { return of(year, month, Math.min(day, lengthOf(year, month))); }

    public boolean isBefore(LocalDate other) { return compareTo(other) < 0; }
    public boolean isAfter(LocalDate other) { return compareTo(other) > 0; }
    public boolean isEqual(LocalDate other) { return compareTo(other) == 0; }

    public int compareTo(LocalDate other) {
        if (year != other.year) return year - other.year;
        return month != other.month ? month - other.month : day - other.day;
    }

    public String format(DateTimeFormatter formatter) { return formatter.format(this); }
    public boolean equals(Object other) { return other instanceof LocalDate && compareTo((LocalDate) other) == 0; }
    public int hashCode() { return (year & 0xFFFFF800) ^ ((year << 11) + (month << 6) + day); }
    public String toString() {
        String sign = year < 0 ? "-" : year > 9999 ? "+" : "";
        return String.format("%s%04d-%02d-%02d", sign, Math.abs(year), month, day);
    }
}
