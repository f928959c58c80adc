package java.math;

/** A whole number by its digits; `Wholes` are the peers that reckon with them. */
public class BigInteger extends Number implements Comparable<BigInteger> {
    public static final BigInteger ZERO = new BigInteger("0");
    public static final BigInteger ONE = new BigInteger("1");
    public static final BigInteger TWO = new BigInteger("2");
    public static final BigInteger TEN = new BigInteger("10");

    private final String digits;

    public BigInteger(String digits) {
        this(digits, 10);
    }

    public BigInteger(String digits, int radix) {
        String body = digits.startsWith("-") || digits.startsWith("+") ? digits.substring(1) : digits;
        String read = Wholes.read(digits, radix);
        if (body.isEmpty() || read == null) throw new NumberFormatException("For input string: \"" + digits + "\"");
        this.digits = read;
    }

    public static BigInteger valueOf(long value) {
        return new BigInteger(Long.toString(value));
    }

    private BigInteger with(String name, BigInteger other) {
        return new BigInteger(Wholes.of(name, digits, other.digits));
    }

    private BigInteger by(String name, BigInteger other) {
        if (other.signum() == 0) throw new ArithmeticException("BigInteger divide by zero");
        return with(name, other);
    }

    public BigInteger add(BigInteger other) { return with("+", other); }
    public BigInteger subtract(BigInteger other) { return with("-", other); }
    public BigInteger multiply(BigInteger other) { return with("*", other); }
    public BigInteger divide(BigInteger other) { return by("/", other); }
    public BigInteger remainder(BigInteger other) { return by("%", other); }
    public BigInteger gcd(BigInteger other) { return with("gcd", other); }
    public BigInteger and(BigInteger other) { return with("&", other); }
    public BigInteger or(BigInteger other) { return with("|", other); }
    public BigInteger xor(BigInteger other) { return with("^", other); }
    public BigInteger andNot(BigInteger other) { return and(other.not()); }
    public BigInteger not() { return negate().subtract(ONE); }

    // what operators of Kotlin call

    public BigInteger plus(BigInteger other) { return add(other); }
    public BigInteger minus(BigInteger other) { return subtract(other); }
    public BigInteger times(BigInteger other) { return multiply(other); }
    public BigInteger div(BigInteger other) { return divide(other); }
    public BigInteger rem(BigInteger other) { return remainder(other); }
    public BigInteger unaryMinus() { return negate(); }

    public BigInteger[] divideAndRemainder(BigInteger other) {
        return new BigInteger[] {divide(other), remainder(other)};
    }

    public BigInteger mod(BigInteger other) {
        if (other.signum() <= 0) throw new ArithmeticException("BigInteger: modulus not positive");
        return with("mod", other);
    }

    public BigInteger modPow(BigInteger times, BigInteger other) {
        if (other.signum() <= 0) throw new ArithmeticException("BigInteger: modulus not positive");
        if (times.signum() < 0) return modInverse(other).modPow(times.negate(), other);
        return new BigInteger(Wholes.power(digits, times.digits, other.digits));
    }

    public BigInteger modInverse(BigInteger other) {
        if (other.signum() <= 0) throw new ArithmeticException("BigInteger: modulus not positive");
        if (!gcd(other).equals(ONE)) throw new ArithmeticException("BigInteger not invertible.");
        return new BigInteger(Wholes.power(digits, "-1", other.digits));
    }

    public BigInteger pow(int times) {
        if (times < 0) throw new ArithmeticException("Negative exponent");
        return new BigInteger(Wholes.of("pow", digits, Integer.toString(times)));
    }

    public BigInteger sqrt() {
        if (signum() < 0) throw new ArithmeticException("Negative BigInteger");
        return new BigInteger(Wholes.of("sqrt", digits, "0"));
    }

    public BigInteger shiftLeft(int count) { return new BigInteger(Wholes.of("<<", digits, Integer.toString(count))); }
    public BigInteger shiftRight(int count) { return shiftLeft(-count); }
    public boolean testBit(int bit) { return shiftRight(bit).and(ONE).signum() != 0; }
    public BigInteger setBit(int bit) { return or(ONE.shiftLeft(bit)); }
    public BigInteger clearBit(int bit) { return andNot(ONE.shiftLeft(bit)); }
    public BigInteger flipBit(int bit) { return xor(ONE.shiftLeft(bit)); }
    public BigInteger negate() { return ZERO.subtract(this); }
    public BigInteger abs() { return signum() < 0 ? negate() : this; }
    public BigInteger max(BigInteger other) { return compareTo(other) > 0 ? this : other; }
    public BigInteger min(BigInteger other) { return compareTo(other) < 0 ? this : other; }
    public int signum() { return digits.startsWith("-") ? -1 : digits.equals("0") ? 0 : 1; }
    public int bitLength() { return Wholes.bits("length", digits); }
    public int bitCount() { return Wholes.bits("count", digits); }
    public int compareTo(BigInteger other) { return subtract(other).signum(); }
    public boolean equals(Object other) { return other instanceof BigInteger && digits.equals(((BigInteger) other).digits); }
    public int hashCode() { return Wholes.bits("hash", digits); }
    public int intValue() { return (int) longValue(); }
    public long longValue() { return Wholes.longOf(digits); }
    public double doubleValue() { return Double.parseDouble(digits); }

    public long longValueExact() {
        if (bitLength() > 63) throw new ArithmeticException("BigInteger out of long range");
        return longValue();
    }

    public int intValueExact() {
        if (bitLength() > 31) throw new ArithmeticException("BigInteger out of int range");
        return intValue();
    }

    public String toString() { return digits; }
    public String toString(int radix) { return radix < 2 || radix > 36 ? digits : Wholes.written(digits, radix); }
}
