package java.math;

/** A whole number and how many of its digits stand behind the point. */
public class BigDecimal extends Number implements Comparable<BigDecimal> {
    public static final BigDecimal ZERO = new BigDecimal(BigInteger.ZERO, 0);
    public static final BigDecimal ONE = new BigDecimal(BigInteger.ONE, 0);
    public static final BigDecimal TWO = new BigDecimal(BigInteger.TWO, 0);
    public static final BigDecimal TEN = new BigDecimal(BigInteger.TEN, 0);

    private final BigInteger unscaled;
    private final int scale;

    public BigDecimal(BigInteger unscaled, int scale) {
        this.unscaled = unscaled;
        this.scale = scale;
    }

    public BigDecimal(BigInteger value) {
        this(value, 0);
    }

    public BigDecimal(String text) {
        int exponent = Math.max(text.indexOf('e'), text.indexOf('E'));
        String number = exponent < 0 ? text : text.substring(0, exponent);
        int point = number.indexOf('.');
        String digits = point < 0 ? number : number.substring(0, point) + number.substring(point + 1);
        if (!text.matches("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?")) throw new NumberFormatException();
        int decimals = point < 0 ? 0 : number.length() - point - 1;
        scale = decimals - (exponent < 0 ? 0 : Integer.parseInt(text.substring(exponent + 1)));
        unscaled = new BigInteger(digits);
    }

    public BigDecimal(String text, MathContext context) {
        BigDecimal made = new BigDecimal(text).round(context);
        unscaled = made.unscaled;
        scale = made.scale;
    }

    public BigDecimal(int value) {
        this(BigInteger.valueOf(value), 0);
    }

    public BigDecimal(long value) {
        this(BigInteger.valueOf(value), 0);
    }

    public BigDecimal(double value) {
        this(Wholes.exactly(value));
    }

    public static BigDecimal valueOf(long value) {
        return new BigDecimal(BigInteger.valueOf(value), 0);
    }

    public static BigDecimal valueOf(long unscaled, int scale) {
        return new BigDecimal(BigInteger.valueOf(unscaled), scale);
    }

    public static BigDecimal valueOf(double value) {
        return new BigDecimal(Double.toString(value));
    }

    private BigInteger at(int other) {
        return unscaled.multiply(BigInteger.TEN.pow(other - scale));
    }

    private static BigInteger rounded(BigInteger above, BigInteger below, RoundingMode mode) {
        BigInteger whole = above.divide(below);
        BigInteger rest = above.remainder(below);
        if (rest.signum() == 0) return whole;
        if (mode == RoundingMode.UNNECESSARY) throw new ArithmeticException("Rounding necessary");
        boolean positive = (above.signum() < 0) == (below.signum() < 0);
        int half = rest.abs().multiply(BigInteger.TWO).compareTo(below.abs());
        boolean away;
        switch (mode) {
            case UP: away = true; break;
            case DOWN: away = false; break;
            case CEILING: away = positive; break;
            case FLOOR: away = !positive; break;
            case HALF_UP: away = half >= 0; break;
            case HALF_DOWN: away = half > 0; break;
            default: away = half > 0 || (half == 0 && whole.testBit(0));
        }
        return away ? whole.add(BigInteger.valueOf(positive ? 1 : -1)) : whole;
    }

    private static void refuseZero(BigDecimal above, BigDecimal below) {
        if (below.signum() == 0) throw new ArithmeticException(above.signum() == 0 ? "Division undefined" : "Division by zero");
    }

    public BigDecimal add(BigDecimal other) {
        int both = Math.max(scale, other.scale);
        return new BigDecimal(at(both).add(other.at(both)), both);
    }

    public BigDecimal subtract(BigDecimal other) {
        return add(other.negate());
    }

    public BigDecimal multiply(BigDecimal other) {
        return new BigDecimal(unscaled.multiply(other.unscaled), scale + other.scale);
    }

    public BigDecimal multiply(BigDecimal other, MathContext context) {
        return multiply(other).round(context);
    }

    public BigDecimal divide(BigDecimal other, int decimals, RoundingMode mode) {
        refuseZero(this, other);
        int shift = decimals + other.scale - scale;
        BigInteger above = shift > 0 ? unscaled.multiply(BigInteger.TEN.pow(shift)) : unscaled;
        BigInteger below = shift < 0 ? other.unscaled.multiply(BigInteger.TEN.pow(-shift)) : other.unscaled;
        return new BigDecimal(rounded(above, below, mode), decimals);
    }

    public BigDecimal divide(BigDecimal other, RoundingMode mode) {
        return divide(other, scale, mode);
    }

    public BigDecimal divide(BigDecimal other, MathContext context) {
        if (context.getPrecision() == 0) return divide(other);
        refuseZero(this, other);
        int preferred = scale - other.scale;
        if (signum() == 0) return new BigDecimal(BigInteger.ZERO, preferred);
        int decimals = preferred + context.getPrecision() + 3 + other.precision() - precision();
        BigDecimal whole = divide(other, decimals, RoundingMode.DOWN);
        boolean exact = whole.multiply(other).compareTo(this) == 0;
        BigDecimal near = exact ? whole : new BigDecimal(whole.unscaled.multiply(BigInteger.TEN).add(BigInteger.valueOf(
            signum() == other.signum() ? 1 : -1)), decimals + 1);
        BigDecimal found = near.round(context);
        return exact ? found.shortened(preferred) : found;
    }

    private BigDecimal shortened(int least) {
        long most = (long) scale - least;
        long zeros = signum() == 0 ? most : digits().length() - digits().replaceAll("0+$", "").length();
        int drop = (int) Math.min(zeros, most);
        return drop <= 0 ? this : new BigDecimal(unscaled.divide(BigInteger.TEN.pow(drop)), scale - drop);
    }

    public BigDecimal divide(BigDecimal other) {
        refuseZero(this, other);
        int preferred = scale - other.scale;
        if (signum() == 0) return new BigDecimal(BigInteger.ZERO, preferred);
        BigInteger left = other.unscaled.abs().divide(unscaled.gcd(other.unscaled));
        while (!left.testBit(0)) left = left.divide(BigInteger.TWO);
        while (left.remainder(BigInteger.valueOf(5)).signum() == 0) left = left.divide(BigInteger.valueOf(5));
        if (!left.equals(BigInteger.ONE)) {
            throw new ArithmeticException("Non-terminating decimal expansion; no exact representable decimal result.");
        }
        BigInteger above = unscaled;
        int decimals = preferred;
        while (above.remainder(other.unscaled).signum() != 0) {
            above = above.multiply(BigInteger.TEN);
            decimals++;
        }
        return new BigDecimal(above.divide(other.unscaled), decimals);
    }

    public BigDecimal divideToIntegralValue(BigDecimal other) {
        refuseZero(this, other);
        int preferred = scale - other.scale;
        BigDecimal whole = divide(other, Math.max(preferred, 0), RoundingMode.DOWN).setScale(0, RoundingMode.DOWN);
        return preferred >= 0 ? whole.setScale(preferred) : whole.shortened(preferred);
    }

    public BigDecimal remainder(BigDecimal other) {
        return subtract(divideToIntegralValue(other).multiply(other));
    }

    public BigDecimal[] divideAndRemainder(BigDecimal other) {
        return new BigDecimal[] {divideToIntegralValue(other), remainder(other)};
    }

    public BigDecimal round(MathContext context) {
        int drop = precision() - context.getPrecision();
        if (context.getPrecision() == 0 || drop <= 0) return this;
        BigInteger kept = rounded(unscaled, BigInteger.TEN.pow(drop), context.getRoundingMode());
        return new BigDecimal(kept, scale - drop).round(context);
    }

    public BigDecimal setScale(int decimals, RoundingMode mode) {
        if (decimals >= scale) return new BigDecimal(at(decimals), decimals);
        return new BigDecimal(rounded(unscaled, BigInteger.TEN.pow(scale - decimals), mode), decimals);
    }

    public BigDecimal setScale(int decimals) {
        return setScale(decimals, RoundingMode.UNNECESSARY);
    }

    public BigDecimal pow(int count) {
        if (count < 0) throw new ArithmeticException("Invalid operation");
        return new BigDecimal(unscaled.pow(count), scale * count);
    }

    public BigDecimal negate() {
        return new BigDecimal(unscaled.negate(), scale);
    }

    public BigDecimal abs() {
        return signum() < 0 ? negate() : this;
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
        if (count == 0) return this;
        BigDecimal moved = new BigDecimal(unscaled, scale + count);
        return moved.scale < 0 ? moved.setScale(0) : moved;
    }

    public BigDecimal movePointRight(int count) {
        return movePointLeft(-count);
    }

    public BigDecimal scaleByPowerOfTen(int count) {
        return new BigDecimal(unscaled, scale - count);
    }

    public BigDecimal stripTrailingZeros() {
        return signum() == 0 ? ZERO : shortened(Integer.MIN_VALUE);
    }

    public int signum() {
        return unscaled.signum();
    }

    public int scale() {
        return scale;
    }

    public int precision() {
        return digits().length();
    }

    public BigInteger unscaledValue() {
        return unscaled;
    }

    private String digits() {
        return unscaled.abs().toString();
    }

    public int compareTo(BigDecimal other) {
        int both = Math.max(scale, other.scale);
        return at(both).compareTo(other.at(both));
    }

    public boolean equals(Object other) {
        return other instanceof BigDecimal && scale == ((BigDecimal) other).scale && unscaled.equals(((BigDecimal) other).unscaled);
    }

    public int hashCode() {
        return 31 * unscaled.hashCode() + scale;
    }

    public BigInteger toBigInteger() {
        return setScale(0, RoundingMode.DOWN).unscaled;
    }

    public BigInteger toBigIntegerExact() {
        return setScale(0, RoundingMode.UNNECESSARY).unscaled;
    }

    public long longValue() {
        return toBigInteger().longValue();
    }

    public int intValue() {
        return toBigInteger().intValue();
    }

    public long longValueExact() {
        return toBigIntegerExact().longValueExact();
    }

    public int intValueExact() {
        return toBigIntegerExact().intValueExact();
    }

    public double doubleValue() {
        return Double.parseDouble(toString());
    }

    public float floatValue() {
        return Float.parseFloat(toString());
    }

    public String toPlainString() {
        String sign = signum() < 0 ? "-" : "";
        String digits = digits();
        if (scale == 0) return sign + digits;
        if (scale < 0) return signum() == 0 ? "0" : sign + digits + "0".repeat(-scale);
        if (digits.length() <= scale) digits = "0".repeat(scale - digits.length() + 1) + digits;
        return sign + digits.substring(0, digits.length() - scale) + "." + digits.substring(digits.length() - scale);
    }

    public String toString() {
        String digits = digits();
        int power = digits.length() - 1 - scale;
        if (scale == 0 || (scale > 0 && power >= -6)) return toPlainString();
        String rest = digits.length() > 1 ? "." + digits.substring(1) : "";
        return (signum() < 0 ? "-" : "") + digits.charAt(0) + rest + (power == 0 ? "" : "E" + (power > 0 ? "+" : "") + power);
    }
}
