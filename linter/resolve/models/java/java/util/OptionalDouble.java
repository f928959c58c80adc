package java.util;

/** An `Optional` of a number, which has what these have. */
public final class OptionalDouble {
    public static Optional<Double> of(double value) {
        return Optional.ofNumber(value, "OptionalDouble");
    }

    public static Optional<Double> empty() {
        return Optional.ofNumber(null, "OptionalDouble");
    }
}
