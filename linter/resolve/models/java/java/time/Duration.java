package java.time;

import java.util.concurrent.TimeUnit;

public final class Duration implements Comparable<Duration> {
    public static final Duration ZERO = new Duration(0, 0);

    private final long seconds;
    private final int nanos;

    private Duration(long seconds, int nanos) {
        this.seconds = seconds;
        this.nanos = nanos;
    }

    public static Duration ofDays(long days) { return new Duration(days * 86400, 0); }
    public static Duration ofHours(long hours) { return new Duration(hours * 3600, 0); }
    public static Duration ofMinutes(long minutes) { return new Duration(minutes * 60, 0); }
    public static Duration ofSeconds(long seconds) { return new Duration(seconds, 0); }

    public static Duration ofSeconds(long seconds, long nanos) {
        return new Duration(seconds + Math.floorDiv(nanos, 1000000000L), (int) Math.floorMod(nanos, 1000000000L));
    }

    public static Duration ofMillis(long millis) {
        return new Duration(Math.floorDiv(millis, 1000L), (int) Math.floorMod(millis, 1000L) * 1000000);
    }

    public static Duration ofNanos(long nanos) {
        return ofSeconds(0, nanos);
    }

    public static Duration between(LocalTime from, LocalTime until) { return ofNanos(until.toNanoOfDay() - from.toNanoOfDay()); }

    public long getSeconds() { return seconds; }
    public int getNano() { return nanos; }
    public long toSeconds() { return seconds; }
    public long toMinutes() { return seconds / 60; }
    public long toHours() { return seconds / 3600; }
    public long toDays() { return seconds / 86400; }
    public long toMillis() { return seconds * 1000 + nanos / 1000000; }
    public long toNanos() { return seconds * 1000000000L + nanos; }
    public int toMillisPart() { return nanos / 1000000; }
    public boolean isZero() { return seconds == 0 && nanos == 0; }
    public boolean isNegative() { return seconds < 0; }
    public Duration plus(Duration other) { return ofSeconds(seconds + other.seconds, (long) nanos + other.nanos); }
    public Duration minus(Duration other) { return ofSeconds(seconds - other.seconds, (long) nanos - other.nanos); }
    public Duration plusSeconds(long more) { return new Duration(seconds + more, nanos); }
    public Duration plusMinutes(long more) { return new Duration(seconds + more * 60, nanos); }
    public Duration plusMillis(long more) { return plus(ofMillis(more)); }
    public Duration multipliedBy(long times) { return ofSeconds(seconds * times, nanos * times); }
    public Duration negated() { return multipliedBy(-1); }

    public int compareTo(Duration other) {
        int compared = Long.compare(seconds, other.seconds);
        return compared != 0 ? compared : nanos - other.nanos;
    }

    public static Duration of(long amount, TimeUnit unit) { return ofNanos(unit.toNanos(amount)); }

    public String toString() {
        if (isZero()) return "PT0S";
        long rest = seconds < 0 && nanos > 0 ? seconds + 1 : seconds;
        StringBuilder text = new StringBuilder("PT");
        if (rest / 3600 != 0) text.append(rest / 3600).append('H');
        if (rest / 60 % 60 != 0) text.append(rest / 60 % 60).append('M');
        if (rest % 60 == 0 && nanos == 0) return text.toString();
        if (seconds < 0 && rest % 60 == 0 && nanos > 0) text.append('-');
        text.append(rest % 60);
        if (nanos > 0) {
            int part = seconds < 0 ? 1000000000 - nanos : nanos;
            text.append('.').append(String.format("%09d", part).replaceAll("0+$", ""));
        }
        return text.append('S').toString();
    }

    public boolean equals(Object other) {
        return other instanceof Duration && compareTo((Duration) other) == 0;
    }
}
