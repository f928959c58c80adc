package java.util;

/** An `Optional` of a number, which has what these have. */
public final class OptionalDouble {
    public static Optional<Double> of(double value) {
        return Optional.of(value);
    }

    public static Optional<Double> empty() {
        return Optional.empty();
    }
}
