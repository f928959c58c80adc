package java.time;

import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class Period {
    public static final Period ZERO = new Period(0, 0, 0);

    private final int years;
    private final int months;
    private final int days;

    private Period(int years, int months, int days) {
        this.years = years;
        this.months = months;
        this.days = days;
    }

    public static Period of(int years, int months, int days) { return new Period(years, months, days); }
    public static Period ofYears(int years) { return new Period(years, 0, 0); }
    public static Period ofMonths(int months) { return new Period(0, months, 0); }
    public static Period ofWeeks(int weeks) { return new Period(0, 0, weeks * 7); }
    public static Period ofDays(int days) { return new Period(0, 0, days); }

    public static Period between(LocalDate from, LocalDate to) {
        long months = (to.getYear() - from.getYear()) * 12L + to.getMonthValue() - from.getMonthValue();
        int days = to.getDayOfMonth() - from.getDayOfMonth();
        if (months > 0 && days < 0) {
            months--;
            days = (int) (to.toEpochDay() - from.plusMonths(months).toEpochDay());
        } else if (months < 0 && days > 0) {
            months++;
            days -= to.lengthOfMonth();
        }
        return new Period((int) (months / 12), (int) (months % 12), days);
    }

    public static Period parse(CharSequence text) {
        String each = "(?:([-+]?[0-9]{1,6})%s)?";
        String pattern = "([-+]?)P" + String.format(each, "Y") + String.format(each, "M") + String.format(each, "W") + String.format(each, "D");
        Matcher found = Pattern.compile(pattern).matcher(text.toString().toUpperCase());
        if (!found.matches() || text.toString().toUpperCase().endsWith("P")) throw DateTimeParseException.of(text);
        Period made = of(number(found.group(2)), number(found.group(3)), number(found.group(4)) * 7 + number(found.group(5)));
        return found.group(1).equals("-") ? made.negated() : made;
    }

    private static int number(String digits) { return digits == null ? 0 : Integer.parseInt(digits); }

    public int getYears() { return years; }
    public int getMonths() { return months; }
    public int getDays() { return days; }
    public long toTotalMonths() { return years * 12L + months; }
    public boolean isZero() { return years == 0 && months == 0 && days == 0; }
    public boolean isNegative() { return years < 0 || months < 0 || days < 0; }
    public Period withYears(int years) { return new Period(years, months, days); }
    public Period withMonths(int months) { return new Period(years, months, days); }
    public Period withDays(int days) { return new Period(years, months, days); }
    public Period plus(Period more) { return new Period(years + more.years, months + more.months, days + more.days); }
    public Period minus(Period less) { return plus(less.negated()); }
    public Period plusYears(long more) { return new Period((int) (years + more), months, days); }
    public Period plusMonths(long more) { return new Period(years, (int) (months + more), days); }
    public Period plusDays(long more) { return new Period(years, months, (int) (days + more)); }
    public Period minusYears(long less) { return plusYears(-less); }
    public Period minusMonths(long less) { return plusMonths(-less); }
    public Period minusDays(long less) { return plusDays(-less); }
    public Period multipliedBy(int times) { return new Period(years * times, months * times, days * times); }
    public Period negated() { return multipliedBy(-1); }
    public Period normalized() {
        long all = toTotalMonths();
        return new Period((int) (all / 12), (int) (all % 12), days);
    }

    public boolean equals(Object other) {
        if (!(other instanceof Period)) return false;
        Period same = (Period) other;
        return years == same.years && months == same.months && days == same.days;
    }
    public int hashCode() { return years + Integer.rotateLeft(months, 8) + Integer.rotateLeft(days, 16); }
    public String toString() {
        if (isZero()) return "P0D";
        return "P" + (years != 0 ? years + "Y" : "") + (months != 0 ? months + "M" : "") + (days != 0 ? days + "D" : "");
    }
}
