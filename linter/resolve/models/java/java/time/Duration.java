package java.time;

import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    public static Duration of(long amount, ChronoUnit unit) {
        if (unit.compareTo(ChronoUnit.DAYS) > 0) throw new DateTimeException("Unit must not have an estimated duration");
        return unit.getDuration().multipliedBy(amount);
    }

    public static Duration parse(CharSequence text) {
        String each = "(?:([-+]?[0-9]+)%s)?";
        String pattern = "([-+]?)P" + String.format(each, "D") + "(?:T" + String.format(each, "H") + String.format(each, "M")
            + "(?:([-+]?)([0-9]+)(?:[.,]([0-9]{0,9}))?S)?)?";
        String written = text.toString().toUpperCase();
        Matcher found = Pattern.compile(pattern).matcher(written);
        if (!found.matches() || written.endsWith("P") || written.endsWith("T")) throw DateTimeParseException.of(text);
        String part = found.group(7) == null ? "" : found.group(7);
        Duration rest = ofSeconds(number(found.group(6)), number(part + "000000000".substring(part.length())));
        Duration made = ofDays(number(found.group(2))).plusHours(number(found.group(3))).plusMinutes(number(found.group(4)));
        made = "-".equals(found.group(5)) ? made.minus(rest) : made.plus(rest);
        return found.group(1).equals("-") ? made.negated() : made;
    }

    private static long number(String digits) { return digits == null ? 0L : Long.parseLong(digits); }

    public static Duration between(LocalTime from, LocalTime until) { return ofNanos(until.toNanoOfDay() - from.toNanoOfDay()); }

    public static Duration between(LocalDateTime from, LocalDateTime until) {
        return between(from.toInstant(ZoneOffset.UTC), until.toInstant(ZoneOffset.UTC));
    }

    public static Duration between(Instant from, Instant until) {
        return ofSeconds(until.getEpochSecond() - from.getEpochSecond(), (long) until.getNano() - from.getNano());
    }

    public long getSeconds() { return seconds; }
    public int getNano() { return nanos; }
    public long toSeconds() { return seconds; }
    public long toMinutes() { return seconds / 60; }
    public long toHours() { return seconds / 3600; }
    public long toDays() { return seconds / 86400; }
    public long toMillis() { return seconds * 1000 + nanos / 1000000; }
    public long toNanos() { return Math.addExact(Math.multiplyExact(seconds, 1000000000L), nanos); }
    public long toDaysPart() { return toDays(); }
    public int toHoursPart() { return (int) (toHours() % 24); }
    public int toMinutesPart() { return (int) (toMinutes() % 60); }
    public int toSecondsPart() { return (int) (seconds % 60); }
    public int toNanosPart() { return nanos; }
    public int toMillisPart() { return nanos / 1000000; }
    public boolean isZero() { return seconds == 0 && nanos == 0; }
    public boolean isNegative() { return seconds < 0; }
    public Duration plus(Duration other) { return ofSeconds(seconds + other.seconds, (long) nanos + other.nanos); }
    public Duration minus(Duration other) { return ofSeconds(seconds - other.seconds, (long) nanos - other.nanos); }
    public Duration plus(long amount, ChronoUnit unit) { return plus(of(amount, unit)); }
    public Duration minus(long amount, ChronoUnit unit) { return minus(of(amount, unit)); }
    public Duration plusDays(long more) { return plusSeconds(more * 86400); }
    public Duration plusHours(long more) { return plusSeconds(more * 3600); }
    public Duration plusNanos(long more) { return plus(ofNanos(more)); }
    public Duration minusDays(long less) { return plusDays(-less); }
    public Duration minusHours(long less) { return plusHours(-less); }
    public Duration minusMinutes(long less) { return plusMinutes(-less); }
    public Duration minusSeconds(long less) { return plusSeconds(-less); }
    public Duration minusMillis(long less) { return plusMillis(-less); }
    public Duration minusNanos(long less) { return plusNanos(-less); }
    public Duration abs() { return isNegative() ? negated() : this; }
    public Duration plusSeconds(long more) { return new Duration(seconds + more, nanos); }
    public Duration plusMinutes(long more) { return new Duration(seconds + more * 60, nanos); }
    public Duration plusMillis(long more) { return plus(ofMillis(more)); }
    public Duration multipliedBy(long times) { return ofSeconds(seconds * times, nanos * times); }

    public Duration dividedBy(long parts) {
        if (parts == 0) throw new ArithmeticException("Cannot divide by zero");
        return ofNanos(toNanos() / parts);
    }

    public long dividedBy(Duration other) {
        if (other.isZero()) throw new ArithmeticException("Cannot divide by zero");
        return toNanos() / other.toNanos();
    }

    public Duration truncatedTo(ChronoUnit unit) {
        long length = unit.getDuration().toNanos();
        return ofNanos(toNanos() / length * length);
    }

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

    public int hashCode() { return (int) (seconds ^ (seconds >>> 32)) + 51 * nanos; }
}
