package java.time;

import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.time.temporal.UnsupportedTemporalTypeException;

public final class Instant implements Comparable<Instant> {
    public static final Instant EPOCH = new Instant(0, 0);

    private final long seconds;
    private final int nanos;

    private Instant(long seconds, int nanos) {
        this.seconds = seconds;
        this.nanos = nanos;
    }

    public static Instant ofEpochSecond(long seconds) { return new Instant(seconds, 0); }
    public static Instant ofEpochSecond(long seconds, long nanos) {
        return new Instant(seconds + Math.floorDiv(nanos, 1000000000L), (int) Math.floorMod(nanos, 1000000000L));
    }
    public static Instant ofEpochMilli(long millis) {
        return new Instant(Math.floorDiv(millis, 1000L), (int) Math.floorMod(millis, 1000L) * 1000000);
    }

    public static Instant parse(CharSequence text) {
        String known = text.toString();
        if (!known.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z") || known.contains("T24") || known.contains(":60")) {
            return otherwise(text);
        }
        return LocalDateTime.parse(known.substring(0, known.length() - 1)).toInstant(ZoneOffset.UTC);
    }

    private static native Instant otherwise(CharSequence text);

    public long getEpochSecond() { return seconds; }
    public int getNano() { return nanos; }
    public long toEpochMilli() { return seconds * 1000 + nanos / 1000000; }
    public Instant plus(Duration more) { return ofEpochSecond(seconds + more.getSeconds(), (long) nanos + more.getNano()); }
    public Instant plus(long amount, ChronoUnit unit) { return plus(Duration.of(amount, unit)); }
    public Instant plusSeconds(long more) { return new Instant(seconds + more, nanos); }
    public Instant plusMillis(long more) { return plus(Duration.ofMillis(more)); }
    public Instant plusNanos(long more) { return plus(Duration.ofNanos(more)); }
    public Instant minus(Duration less) { return plus(less.negated()); }
    public Instant minus(long amount, ChronoUnit unit) { return plus(-amount, unit); }
    public Instant minusSeconds(long less) { return plusSeconds(-less); }
    public Instant minusMillis(long less) { return plusMillis(-less); }
    public Instant minusNanos(long less) { return plusNanos(-less); }

    public Instant truncatedTo(ChronoUnit unit) {
        if (unit.isDateBased() && unit != ChronoUnit.DAYS) throw new UnsupportedTemporalTypeException("Unit is too large to be used for truncation");
        long length = unit.getDuration().toNanos();
        if (length >= 1000000000L) return new Instant(Math.floorDiv(seconds, length / 1000000000L) * (length / 1000000000L), 0);
        return new Instant(seconds, (int) (nanos / length * length));
    }

    public int compareTo(Instant other) {
        int compared = Long.compare(seconds, other.seconds);
        return compared != 0 ? compared : nanos - other.nanos;
    }
    public boolean isBefore(Instant other) { return compareTo(other) < 0; }
    public boolean isAfter(Instant other) { return compareTo(other) > 0; }
    public boolean equals(Object other) { return other instanceof Instant && compareTo((Instant) other) == 0; }
    public int hashCode() { return (int) (seconds ^ (seconds >>> 32)) + 51 * nanos; }
    public String toString() {
        LocalDateTime local = LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC);
        String text = local.toString();
        return (local.getSecond() == 0 && nanos == 0 ? text + ":00" : text) + "Z";
    }
}
