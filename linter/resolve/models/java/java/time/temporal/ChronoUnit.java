package java.time.temporal;

import java.time.Duration;
import java.time.LocalDate;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;

public enum ChronoUnit {
    NANOS("Nanos"), MICROS("Micros"), MILLIS("Millis"), SECONDS("Seconds"), MINUTES("Minutes"), HOURS("Hours"), HALF_DAYS("HalfDays"),
    DAYS("Days"), WEEKS("Weeks"), MONTHS("Months"), YEARS("Years"), DECADES("Decades"), CENTURIES("Centuries"), MILLENNIA("Millennia"),
    ERAS("Eras"), FOREVER("Forever");

    private final String name;

    ChronoUnit(String name) {
        this.name = name;
    }

    public String toString() { return name; }
    public boolean isTimeBased() { return ordinal() < DAYS.ordinal(); }
    public boolean isDateBased() { return ordinal() >= DAYS.ordinal() && this != FOREVER; }

    public Duration getDuration() {
        if (ordinal() < DAYS.ordinal()) return Duration.ofNanos(length());
        if (this == DAYS) return Duration.ofDays(1);
        return this == WEEKS ? Duration.ofDays(7) : estimated();
    }

    private static native Duration estimated();

    /** Whole units from one date, or time of a day, to another. */
    public long between(Object from, Object to) {
        if (from instanceof LocalTime && to instanceof LocalTime && ordinal() < DAYS.ordinal()) {
            return nanos((LocalTime) from, (LocalTime) to) / length();
        }
        if (from instanceof Instant && to instanceof Instant && ordinal() <= DAYS.ordinal()) {
            Instant first = (Instant) from;
            Instant last = (Instant) to;
            if (this == MILLIS) return last.toEpochMilli() - first.toEpochMilli();
            return whole(last.getEpochSecond() - first.getEpochSecond(), last.getNano() - first.getNano());
        }
        if (from instanceof LocalDateTime && to instanceof LocalDateTime) {
            return between((LocalDateTime) from, (LocalDateTime) to);
        }
        if (!(from instanceof LocalDate) || !(to instanceof LocalDate)) return span(from, to);
        LocalDate first = (LocalDate) from;
        LocalDate last = (LocalDate) to;
        long days = last.toEpochDay() - first.toEpochDay();
        switch (this) {
            case DAYS: return days;
            case WEEKS: return days / 7;
            case MONTHS: return months(first, last);
            case YEARS: return months(first, last) / 12;
            case DECADES: return months(first, last) / 120;
            case CENTURIES: return months(first, last) / 1200;
            case MILLENNIA: return months(first, last) / 12000;
            case ERAS: return span(from, to);
            default: throw new UnsupportedTemporalTypeException("Unsupported unit: " + this);
        }
    }

    /** Whole days, where the later time of its day is not reached yet. */
    private long between(LocalDateTime from, LocalDateTime to) {
        if (isTimeBased()) {
            return whole(to.toEpochSecond(ZoneOffset.UTC) - from.toEpochSecond(ZoneOffset.UTC), to.getNano() - from.getNano());
        }
        LocalDate last = to.toLocalDate();
        if (last.isAfter(from.toLocalDate()) && to.toLocalTime().isBefore(from.toLocalTime())) last = last.minusDays(1);
        else if (last.isBefore(from.toLocalDate()) && to.toLocalTime().isAfter(from.toLocalTime())) last = last.plusDays(1);
        return between(from.toLocalDate(), last);
    }

    private long whole(long seconds, long nanos) {
        if (ordinal() < SECONDS.ordinal()) {
            return Math.addExact(Math.multiplyExact(seconds, 1000000000L), nanos) / length();
        }
        long rest = seconds > 0 && nanos < 0 ? seconds - 1 : seconds < 0 && nanos > 0 ? seconds + 1 : seconds;
        return rest / (this == DAYS ? 86400L : length() / 1000000000L);
    }

    private static native long span(Object from, Object to);

    private static long nanos(LocalTime from, LocalTime to) {
        return to.toNanoOfDay() - from.toNanoOfDay();
    }

    private static long months(LocalDate from, LocalDate to) {
        long first = (from.getYear() * 12L + from.getMonthValue()) * 32 + from.getDayOfMonth();
        long last = (to.getYear() * 12L + to.getMonthValue()) * 32 + to.getDayOfMonth();
        return (last - first) / 32;
    }

    private long length() {
        switch (this) {
            case NANOS: return 1L;
            case MICROS: return 1000L;
            case MILLIS: return 1000000L;
            case SECONDS: return 1000000000L;
            case MINUTES: return 60000000000L;
            case HOURS: return 3600000000000L;
            default: return 43200000000000L;
        }
    }
}
