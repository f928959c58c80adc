package java.util;

/** An `Optional` of a number, which has what these have. */
public final class OptionalInt {
    public static Optional<Integer> of(int value) {
        return Optional.ofNumber(value, "OptionalInt");
    }

    public static Optional<Integer> empty() {
        return Optional.ofNumber(null, "OptionalInt");
    }
}
