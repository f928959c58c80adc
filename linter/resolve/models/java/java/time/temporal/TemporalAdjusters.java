package java.time.temporal;

import java.time.DayOfWeek;
import java.time.LocalDate;

public final class TemporalAdjusters {
    public static TemporalAdjuster firstDayOfMonth() { return date -> ((LocalDate) date).withDayOfMonth(1); }
    public static TemporalAdjuster lastDayOfMonth() {
        return date -> ((LocalDate) date).withDayOfMonth(((LocalDate) date).lengthOfMonth());
    }
    public static TemporalAdjuster firstDayOfNextMonth() { return date -> ((LocalDate) date).plusMonths(1).withDayOfMonth(1); }
    public static TemporalAdjuster firstDayOfYear() { return date -> LocalDate.of(((LocalDate) date).getYear(), 1, 1); }
    public static TemporalAdjuster lastDayOfYear() { return date -> LocalDate.of(((LocalDate) date).getYear(), 12, 31); }
    public static TemporalAdjuster firstDayOfNextYear() { return date -> LocalDate.of(((LocalDate) date).getYear() + 1, 1, 1); }
    public static TemporalAdjuster next(DayOfWeek day) { return date -> ((LocalDate) date).plusDays(ahead((LocalDate) date, day, 7)); }
    public static TemporalAdjuster nextOrSame(DayOfWeek day) { return date -> ((LocalDate) date).plusDays(ahead((LocalDate) date, day, 0)); }
    public static TemporalAdjuster previous(DayOfWeek day) { return date -> ((LocalDate) date).plusDays(ahead((LocalDate) date, day, 0) - 7); }
    public static TemporalAdjuster previousOrSame(DayOfWeek day) { return date -> ((LocalDate) date).plusDays(ahead((LocalDate) date, day, 7) - 7); }

    /** How many days it is to a day of the week: `same` where it is that one. */
    private static int ahead(LocalDate date, DayOfWeek day, int same) {
        int days = Math.floorMod(day.getValue() - date.getDayOfWeek().getValue(), 7);
        return days == 0 ? same : days;
    }
}
