package java.time;

public enum Month {
    JANUARY, FEBRUARY, MARCH, APRIL, MAY, JUNE, JULY, AUGUST, SEPTEMBER, OCTOBER, NOVEMBER, DECEMBER;

    public static Month of(int value) {
        if (value < 1 || value > 12) throw new DateTimeException("Invalid value for MonthOfYear: " + value);
        return values()[value - 1];
    }

    public int getValue() { return ordinal() + 1; }
    public Month plus(long months) { return values()[(int) ((ordinal() + months % 12 + 12) % 12)]; }
    public Month minus(long months) { return plus(-(months % 12)); }
    public Month firstMonthOfQuarter() { return values()[ordinal() / 3 * 3]; }
}
