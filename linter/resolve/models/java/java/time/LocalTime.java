package java.time;

import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.time.temporal.UnsupportedTemporalTypeException;

public final class LocalTime implements Comparable<LocalTime> {
    public static final LocalTime MIDNIGHT = new LocalTime(0, 0, 0, 0);
    public static final LocalTime MIN = MIDNIGHT;
    public static final LocalTime NOON = new LocalTime(12, 0, 0, 0);
    public static final LocalTime MAX = new LocalTime(23, 59, 59, 999999999);

    private final int hour;
    private final int minute;
    private final int second;
    private final int nano;

    private LocalTime(int hour, int minute, int second, int nano) {
        this.hour = hour;
        this.minute = minute;
        this.second = second;
        this.nano = nano;
    }

    public static LocalTime of(int hour, int minute) { return of(hour, minute, 0, 0); }
    public static LocalTime of(int hour, int minute, int second) { return of(hour, minute, second, 0); }
    public static LocalTime of(int hour, int minute, int second, int nano) {
        if (hour < 0 || hour > 23) throw new DateTimeException("Invalid value for HourOfDay (valid values 0 - 23): " + hour);
        if (minute < 0 || minute > 59) throw new DateTimeException("Invalid value for MinuteOfHour (valid values 0 - 59): " + minute);
        if (second < 0 || second > 59) throw new DateTimeException("Invalid value for SecondOfMinute (valid values 0 - 59): " + second);
        if (nano < 0 || nano > 999999999) throw new DateTimeException("Invalid value for NanoOfSecond (valid values 0 - 999999999): " + nano);
        return new LocalTime(hour, minute, second, nano);
    }

    public static LocalTime ofSecondOfDay(long seconds) {
        return of((int) (seconds / 3600), (int) (seconds / 60 % 60), (int) (seconds % 60), 0);
    }

    public static LocalTime ofNanoOfDay(long nanos) {
        LocalTime whole = ofSecondOfDay(nanos / 1000000000L);
        return of(whole.hour, whole.minute, whole.second, (int) (nanos % 1000000000L));
    }

    public static LocalTime parse(CharSequence text) {
        String known = text.toString();
        if (!known.matches("\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?")) {
            throw DateTimeParseException.of(text);
        }
        int second = known.length() > 5 ? Integer.parseInt(known.substring(6, 8)) : 0;
        String fraction = known.length() > 8 ? (known.substring(9) + "00000000").substring(0, 9) : "0";
        return of(Integer.parseInt(known.substring(0, 2)), Integer.parseInt(known.substring(3, 5)), second, Integer.parseInt(fraction));
    }

    public static LocalTime parse(CharSequence text, DateTimeFormatter formatter) { return formatter.timeIn(text); }

    public int getHour() { return hour; }
    public int getMinute() { return minute; }
    public int getSecond() { return second; }
    public int getNano() { return nano; }
    public int toSecondOfDay() { return hour * 3600 + minute * 60 + second; }
    public long toNanoOfDay() { return toSecondOfDay() * 1000000000L + nano; }

    public LocalTime plusHours(long more) { return plusSeconds(Math.floorMod(more, 24L) * 3600); }
    public LocalTime plusMinutes(long more) { return plusSeconds(Math.floorMod(more, 1440L) * 60); }
    public LocalTime plusSeconds(long more) {
        LocalTime whole = ofSecondOfDay(Math.floorMod(toSecondOfDay() + more, 86400L));
        return of(whole.hour, whole.minute, whole.second, nano);
    }
    public LocalTime plusNanos(long more) { return ofNanoOfDay(Math.floorMod(toNanoOfDay() + more, 86400000000000L)); }
    public LocalTime plus(Duration more) { return plusNanos(Math.floorMod(more.getSeconds(), 86400L) * 1000000000L + more.getNano()); }
    public LocalTime minusHours(long less) { return plusHours(-less); }
    public LocalTime minusMinutes(long less) { return plusMinutes(-less); }
    public LocalTime minusSeconds(long less) { return plusSeconds(-less); }
    public LocalTime minus(Duration less) { return plus(less.negated()); }
    public LocalTime plus(long amount, ChronoUnit unit) {
        if (!unit.isTimeBased()) return moved(amount, unit);
        return plus(unit.getDuration().multipliedBy(amount));
    }
    public LocalTime minus(long amount, ChronoUnit unit) { return plus(-amount, unit); }
    public LocalTime minusNanos(long less) { return plusNanos(-less); }
    public LocalTime truncatedTo(ChronoUnit unit) {
        if (unit.isDateBased() && unit != ChronoUnit.DAYS) throw new UnsupportedTemporalTypeException("Unit is too large to be used for truncation");
        long length = unit.getDuration().toNanos();
        return ofNanoOfDay(toNanoOfDay() / length * length);
    }
    public long until(LocalTime end, ChronoUnit unit) { return unit.between(this, end); }
    public LocalDateTime atDate(LocalDate date) { return LocalDateTime.of(date, this); }

    private static native LocalTime moved(long amount, ChronoUnit unit);

    public LocalTime withHour(int hour) { return of(hour, minute, second, nano); }
    public LocalTime withMinute(int minute) { return of(hour, minute, second, nano); }
    public LocalTime withSecond(int second) { return of(hour, minute, second, nano); }
    public LocalTime withNano(int nano) { return of(hour, minute, second, nano); }

    public int compareTo(LocalTime other) { return Long.compare(toNanoOfDay(), other.toNanoOfDay()); }
    public boolean isBefore(LocalTime other) { return compareTo(other) < 0; }
    public boolean isAfter(LocalTime other) { return compareTo(other) > 0; }
    public String format(DateTimeFormatter formatter) { return formatter.format(this); }

    public String toString() {
        String text = String.format("%02d:%02d", hour, minute);
        if (second == 0 && nano == 0) return text;
        text = text + String.format(":%02d", second);
        if (nano == 0) return text;
        if (nano % 1000000 == 0) return text + String.format(".%03d", nano / 1000000);
        return text + (nano % 1000 == 0 ? String.format(".%06d", nano / 1000) : String.format(".%09d", nano));
    }

    public boolean equals(Object other) { return other instanceof LocalTime && compareTo((LocalTime) other) == 0; }

    public int hashCode() { return Long.hashCode(toNanoOfDay()); }
}
