package java.time;

/** A zone that is always as far from Greenwich. */
public final class ZoneOffset implements Comparable<ZoneOffset> {
    public static final ZoneOffset UTC = new ZoneOffset(0);
    public static final ZoneOffset MIN = new ZoneOffset(-64800);
    public static final ZoneOffset MAX = new ZoneOffset(64800);

    private final int seconds;

    private ZoneOffset(int seconds) {
        this.seconds = seconds;
    }

    public static ZoneOffset ofTotalSeconds(int seconds) {
        if (Math.abs(seconds) > 64800) throw new DateTimeException("Zone offset not in valid range: -18:00 to +18:00");
        return seconds == 0 ? UTC : new ZoneOffset(seconds);
    }
    public static ZoneOffset ofHours(int hours) { return ofTotalSeconds(hours * 3600); }
    public static ZoneOffset ofHoursMinutes(int hours, int minutes) {
        if (Math.abs(minutes) > 59 || hours > 0 && minutes < 0 || hours < 0 && minutes > 0) {
            throw new DateTimeException("Zone offset minutes and hours must have the same sign");
        }
        return ofTotalSeconds(hours * 3600 + minutes * 60);
    }

    public static ZoneOffset of(String id) {
        if (id.equals("Z")) return UTC;
        if (!id.matches("[-+]\\d\\d:[0-5]\\d")) return otherwise(id);
        int sign = id.startsWith("-") ? -1 : 1;
        return ofTotalSeconds(sign * (Integer.parseInt(id.substring(1, 3)) * 3600 + Integer.parseInt(id.substring(4)) * 60));
    }

    private static native ZoneOffset otherwise(String id);

    public int getTotalSeconds() { return seconds; }
    public int compareTo(ZoneOffset other) { return other.seconds - seconds; }
    public boolean equals(Object other) { return other instanceof ZoneOffset && ((ZoneOffset) other).seconds == seconds; }
    public int hashCode() { return seconds; }
    public String getId() { return toString(); }
    public String toString() {
        if (seconds == 0) return "Z";
        int away = Math.abs(seconds);
        String text = (seconds < 0 ? "-" : "+") + String.format("%02d:%02d", away / 3600, away / 60 % 60);
        return away % 60 == 0 ? text : text + String.format(":%02d", away % 60);
    }
}
