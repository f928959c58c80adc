package java.time;

public enum DayOfWeek {
    MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY;

    public static DayOfWeek of(int value) {
        if (value < 1 || value > 7) throw new DateTimeException("Invalid value for DayOfWeek: " + value);
        return values()[value - 1];
    }

    public int getValue() { return ordinal() + 1; }
    public DayOfWeek plus(long days) { return values()[(int) ((ordinal() + days % 7 + 7) % 7)]; }
    public DayOfWeek minus(long days) { return plus(-(days % 7)); }
}
