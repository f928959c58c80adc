package java.math;

/** Decimal numbers of up to 18 digits; what is longer is not known. */
public class BigDecimal extends Number implements Comparable<BigDecimal> {
    public static final BigDecimal ZERO = new BigDecimal(0L, 0);
    public static final BigDecimal ONE = new BigDecimal(1L, 0);
    public static final BigDecimal TWO = new BigDecimal(2L, 0);
    public static final BigDecimal TEN = new BigDecimal(10L, 0);

    private final long unscaled;
    private final int scale;

    private BigDecimal(long unscaled, int scale) {
        this.unscaled = unscaled;
        this.scale = scale;
    }

    public BigDecimal(String text) {
        int exponent = Math.max(text.indexOf('e'), text.indexOf('E'));
        String number = exponent < 0 ? text : text.substring(0, exponent);
        int point = number.indexOf('.');
        String digits = point < 0 ? number : number.substring(0, point) + number.substring(point + 1);
        if (!text.matches("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?")) throw new NumberFormatException();
        int decimals = point < 0 ? 0 : number.length() - point - 1;
        scale = decimals - (exponent < 0 ? 0 : Integer.parseInt(text.substring(exponent + 1)));
        unscaled = digits.length() > 18 ? LongNumbers.of(text) : Long.parseLong(digits);
    }

    public BigDecimal(int value) {
        this((long) value, 0);
    }

    public BigDecimal(long value) {
        this(value, 0);
    }

    public static BigDecimal valueOf(long value) {
        return new BigDecimal(value, 0);
    }

    public static BigDecimal valueOf(long unscaled, int scale) {
        return new BigDecimal(unscaled, scale);
    }

    public static BigDecimal valueOf(double value) {
        return new BigDecimal(Double.toString(value));
    }

    private static long tens(int count) {
        long found = 1L;
        for (int i = 0; i < count; i++) found = Math.multiplyExact(found, 10L);
        return found;
    }

    private long at(int other) {
        return Math.multiplyExact(unscaled, tens(other - scale));
    }

    private static long rounded(long above, long below, RoundingMode mode) {
        long whole = above / below;
        long rest = above % below;
        if (rest == 0) return whole;
        if (mode == RoundingMode.UNNECESSARY) throw new ArithmeticException("Rounding necessary");
        boolean positive = (above < 0) == (below < 0);
        int half = Long.compare(Math.multiplyExact(Math.abs(rest), 2L), Math.abs(below));
        boolean away;
        switch (mode) {
            case UP: away = true; break;
            case DOWN: away = false; break;
            case CEILING: away = positive; break;
            case FLOOR: away = !positive; break;
            case HALF_UP: away = half >= 0; break;
            case HALF_DOWN: away = half > 0; break;
            default: away = half > 0 || (half == 0 && whole % 2 != 0);
        }
        return away ? whole + (positive ? 1 : -1) : whole;
    }

    public BigDecimal add(BigDecimal other) {
        int both = Math.max(scale, other.scale);
        return new BigDecimal(Math.addExact(at(both), other.at(both)), both);
    }

    public BigDecimal subtract(BigDecimal other) {
        return add(other.negate());
    }

    public BigDecimal multiply(BigDecimal other) {
        return new BigDecimal(Math.multiplyExact(unscaled, other.unscaled), scale + other.scale);
    }

    public BigDecimal divide(BigDecimal other, int decimals, RoundingMode mode) {
        if (other.unscaled == 0) throw new ArithmeticException(unscaled == 0 ? "Division undefined" : "Division by zero");
        int shift = decimals + other.scale - scale;
        long above = shift > 0 ? Math.multiplyExact(unscaled, tens(shift)) : unscaled;
        long below = shift < 0 ? Math.multiplyExact(other.unscaled, tens(-shift)) : other.unscaled;
        return new BigDecimal(rounded(above, below, mode), decimals);
    }

    public BigDecimal divide(BigDecimal other, RoundingMode mode) {
        return divide(other, scale, mode);
    }

    public BigDecimal divide(BigDecimal other) {
        if (other.unscaled == 0) throw new ArithmeticException(unscaled == 0 ? "Division undefined" : "Division by zero");
        int preferred = scale - other.scale;
        if (unscaled == 0) return new BigDecimal(0L, preferred);
        long below = Math.abs(other.unscaled);
        for (long rest = Math.abs(unscaled) % below, one = below; rest != 0; below = rest, rest = one % rest, one = below);
        long left = Math.abs(other.unscaled) / below;
        while (left % 2 == 0) left /= 2;
        while (left % 5 == 0) left /= 5;
        if (left != 1) throw new ArithmeticException("Non-terminating decimal expansion; no exact representable decimal result.");
        long above = unscaled;
        int decimals = preferred;
        while (above % other.unscaled != 0) {
            above = Math.multiplyExact(above, 10L);
            decimals++;
        }
        return new BigDecimal(above / other.unscaled, decimals);
    }

    public BigDecimal remainder(BigDecimal other) {
        if (other.unscaled == 0) throw new ArithmeticException("Division by zero");
        int both = Math.max(scale, other.scale);
        return new BigDecimal(at(both) % other.at(both), both);
    }

    public BigDecimal setScale(int decimals, RoundingMode mode) {
        if (decimals >= scale) return new BigDecimal(at(decimals), decimals);
        return new BigDecimal(rounded(unscaled, tens(scale - decimals), mode), decimals);
    }

    public BigDecimal setScale(int decimals) {
        return setScale(decimals, RoundingMode.UNNECESSARY);
    }

    public BigDecimal pow(int count) {
        BigDecimal found = ONE;
        for (int i = 0; i < count; i++) found = found.multiply(this);
        return found;
    }

    public BigDecimal negate() {
        return new BigDecimal(-unscaled, scale);
    }

    public BigDecimal abs() {
        return unscaled < 0 ? negate() : this;
    }

    public BigDecimal plus() {
        return this;
    }

    // what operators of Kotlin call

    public BigDecimal plus(BigDecimal other) {
        return add(other);
    }

    public BigDecimal minus(BigDecimal other) {
        return subtract(other);
    }

    public BigDecimal times(BigDecimal other) {
        return multiply(other);
    }

    public BigDecimal div(BigDecimal other) {
        return divide(other, RoundingMode.HALF_EVEN);
    }

    public BigDecimal rem(BigDecimal other) {
        return remainder(other);
    }

    public BigDecimal unaryMinus() {
        return negate();
    }

    public BigDecimal max(BigDecimal other) {
        return compareTo(other) >= 0 ? this : other;
    }

    public BigDecimal min(BigDecimal other) {
        return compareTo(other) <= 0 ? this : other;
    }

    public BigDecimal movePointLeft(int count) {
        BigDecimal moved = new BigDecimal(unscaled, scale + count);
        return moved.scale < 0 ? moved.setScale(0) : moved;
    }

    public BigDecimal movePointRight(int count) {
        return movePointLeft(-count);
    }

    public BigDecimal stripTrailingZeros() {
        if (unscaled == 0) return ZERO;
        BigDecimal found = this;
        while (found.unscaled % 10 == 0) found = new BigDecimal(found.unscaled / 10, found.scale - 1);
        return found;
    }

    public int signum() {
        return Long.signum(unscaled);
    }

    public int scale() {
        return scale;
    }

    public int precision() {
        return digits().length();
    }

    private String digits() {
        return String.valueOf(Math.abs(unscaled));
    }

    public int compareTo(BigDecimal other) {
        int both = Math.max(scale, other.scale);
        return Long.compare(at(both), other.at(both));
    }

    public boolean equals(Object other) {
        return other instanceof BigDecimal && scale == ((BigDecimal) other).scale && unscaled == ((BigDecimal) other).unscaled;
    }

    public int hashCode() {
        long size = Math.abs(unscaled);
        int mixed = (int) ((int) (size >>> 32) * 31 + (size & 4294967295L));
        return 31 * (unscaled < 0 ? -mixed : mixed) + scale;
    }

    public long longValue() {
        return setScale(0, RoundingMode.DOWN).unscaled;
    }

    public int intValue() {
        return (int) longValue();
    }

    public long longValueExact() {
        return setScale(0, RoundingMode.UNNECESSARY).unscaled;
    }

    public int intValueExact() {
        return Math.toIntExact(longValueExact());
    }

    public double doubleValue() {
        return Double.parseDouble(toString());
    }

    public String toPlainString() {
        String sign = unscaled < 0 ? "-" : "";
        String digits = digits();
        if (scale == 0) return sign + digits;
        if (scale < 0) return unscaled == 0 ? "0" : sign + digits + "0".repeat(-scale);
        if (digits.length() <= scale) digits = "0".repeat(scale - digits.length() + 1) + digits;
        return sign + digits.substring(0, digits.length() - scale) + "." + digits.substring(digits.length() - scale);
    }

    public String toString() {
        String digits = digits();
        int power = digits.length() - 1 - scale;
        if (scale == 0 || (scale > 0 && power >= -6)) return toPlainString();
        String rest = digits.length() > 1 ? "." + digits.substring(1) : "";
        return (unscaled < 0 ? "-" : "") + digits.charAt(0) + rest + (power == 0 ? "" : "E" + (power > 0 ? "+" : "") + power);
    }
}
