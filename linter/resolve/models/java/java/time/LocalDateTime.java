package java.time;

import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjuster;

public final class LocalDateTime implements Comparable<LocalDateTime> {
    private final LocalDate date;
    private final LocalTime time;

    private LocalDateTime(LocalDate date, LocalTime time) {
        this.date = date;
        this.time = time;
    }

    public static LocalDateTime of(LocalDate date, LocalTime time) { return new LocalDateTime(date, time); }
    public static LocalDateTime of(int year, int month, int day, int hour, int minute) {
        return of(year, month, day, hour, minute, 0, 0);
    }
    public static LocalDateTime of(int year, int month, int day, int hour, int minute, int second) {
        return of(year, month, day, hour, minute, second, 0);
    }
    public static LocalDateTime of(int year, int month, int day, int hour, int minute, int second, int nano) {
        return new LocalDateTime(LocalDate.of(year, month, day), LocalTime.of(hour, minute, second, nano));
    }
    public static LocalDateTime of(int year, Month month, int day, int hour, int minute) {
        return of(year, month.getValue(), day, hour, minute, 0, 0);
    }
    public static LocalDateTime of(int year, Month month, int day, int hour, int minute, int second) {
        return of(year, month.getValue(), day, hour, minute, second, 0);
    }
    public static LocalDateTime of(int year, Month month, int day, int hour, int minute, int second, int nano) {
        return of(year, month.getValue(), day, hour, minute, second, nano);
    }

    public static LocalDateTime ofEpochSecond(long second, int nano, ZoneOffset offset) {
        long local = second + offset.getTotalSeconds();
        LocalTime time = LocalTime.ofSecondOfDay(Math.floorMod(local, 86400L));
        return new LocalDateTime(LocalDate.ofEpochDay(Math.floorDiv(local, 86400L)), time.withNano(nano));
    }

    public static LocalDateTime parse(CharSequence text) {
        String known = text.toString();
        int at = known.indexOf('T');
        if (at < 0) throw DateTimeParseException.of(text);
        return new LocalDateTime(LocalDate.parse(known.substring(0, at)), LocalTime.parse(known.substring(at + 1)));
    }

    public static LocalDateTime parse(CharSequence text, DateTimeFormatter formatter) {
        return new LocalDateTime(formatter.dateIn(text), formatter.timeIn(text));
    }

    public LocalDate toLocalDate() { return date; }
    public LocalTime toLocalTime() { return time; }
    public int getYear() { return date.getYear(); }
    public int getMonthValue() { return date.getMonthValue(); }
    public Month getMonth() { return date.getMonth(); }
    public int getDayOfMonth() { return date.getDayOfMonth(); }
    public int getDayOfYear() { return date.getDayOfYear(); }
    public DayOfWeek getDayOfWeek() { return date.getDayOfWeek(); }
    public int getHour() { return time.getHour(); }
    public int getMinute() { return time.getMinute(); }
    public int getSecond() { return time.getSecond(); }
    public int getNano() { return time.getNano(); }

    private LocalDateTime on(LocalDate other) { return new LocalDateTime(other, time); }
    private LocalDateTime at(LocalTime other) { return new LocalDateTime(date, other); }

    public LocalDateTime plusYears(long more) { return on(date.plusYears(more)); }
    public LocalDateTime plusMonths(long more) { return on(date.plusMonths(more)); }
    public LocalDateTime plusWeeks(long more) { return on(date.plusWeeks(more)); }
    public LocalDateTime plusDays(long more) { return on(date.plusDays(more)); }
    public LocalDateTime plusHours(long more) { return plusSeconds(more * 3600); }
    public LocalDateTime plusMinutes(long more) { return plusSeconds(more * 60); }
    public LocalDateTime plusSeconds(long more) {
        return ofEpochSecond(toEpochSecond(ZoneOffset.UTC) + more, time.getNano(), ZoneOffset.UTC);
    }
    public LocalDateTime plusNanos(long more) { return plus(Duration.ofNanos(more)); }
    public LocalDateTime plus(Duration more) {
        long nanos = time.getNano() + more.getNano();
        LocalDateTime whole = plusSeconds(more.getSeconds() + nanos / 1000000000L);
        return whole.withNano((int) (nanos % 1000000000L));
    }
    public LocalDateTime plus(Period more) { return on(date.plus(more)); }
    public LocalDateTime plus(long amount, ChronoUnit unit) {
        return unit.isDateBased() ? on(date.plus(amount, unit)) : plus(unit.getDuration().multipliedBy(amount));
    }
    public LocalDateTime minusYears(long less) { return plusYears(-less); }
    public LocalDateTime minusMonths(long less) { return plusMonths(-less); }
    public LocalDateTime minusWeeks(long less) { return plusWeeks(-less); }
    public LocalDateTime minusDays(long less) { return plusDays(-less); }
    public LocalDateTime minusHours(long less) { return plusHours(-less); }
    public LocalDateTime minusMinutes(long less) { return plusMinutes(-less); }
    public LocalDateTime minusSeconds(long less) { return plusSeconds(-less); }
    public LocalDateTime minusNanos(long less) { return plusNanos(-less); }
    public LocalDateTime minus(Duration less) { return plus(less.negated()); }
    public LocalDateTime minus(Period less) { return on(date.minus(less)); }
    public LocalDateTime minus(long amount, ChronoUnit unit) { return plus(-amount, unit); }
    public LocalDateTime withYear(int year) { return on(date.withYear(year)); }
    public LocalDateTime withMonth(int month) { return on(date.withMonth(month)); }
    public LocalDateTime withDayOfMonth(int day) { return on(date.withDayOfMonth(day)); }
    public LocalDateTime withHour(int hour) { return at(time.withHour(hour)); }
    public LocalDateTime withMinute(int minute) { return at(time.withMinute(minute)); }
    public LocalDateTime withSecond(int second) { return at(time.withSecond(second)); }
    public LocalDateTime withNano(int nano) { return at(time.withNano(nano)); }
    public LocalDateTime with(TemporalAdjuster adjuster) { return on(date.with(adjuster)); }
    public LocalDateTime with(LocalDate other) { return on(other); }
    public LocalDateTime with(LocalTime other) { return at(other); }
    public LocalDateTime truncatedTo(ChronoUnit unit) { return at(time.truncatedTo(unit)); }

    public long toEpochSecond(ZoneOffset offset) {
        return date.toEpochDay() * 86400 + time.toSecondOfDay() - offset.getTotalSeconds();
    }
    public Instant toInstant(ZoneOffset offset) { return Instant.ofEpochSecond(toEpochSecond(offset), time.getNano()); }

    public int compareTo(LocalDateTime other) {
        int compared = date.compareTo(other.date);
        return compared != 0 ? compared : time.compareTo(other.time);
    }
    public boolean isBefore(LocalDateTime other) { return compareTo(other) < 0; }
    public boolean isAfter(LocalDateTime other) { return compareTo(other) > 0; }
    public boolean isEqual(LocalDateTime other) { return compareTo(other) == 0; }
    public String format(DateTimeFormatter formatter) { return formatter.format(this); }
    public String toString() { return date + "T" + time; }
    public boolean equals(Object other) { return other instanceof LocalDateTime && compareTo((LocalDateTime) other) == 0; }
    public int hashCode() { return date.hashCode() ^ time.hashCode(); }
}
