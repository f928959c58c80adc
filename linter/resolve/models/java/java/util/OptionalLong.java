package java.util;

/** An `Optional` of a number, which has what these have. */
public final class OptionalLong {
    public static Optional<Long> of(long value) {
        return Optional.ofNumber(value, "OptionalLong");
    }

    public static Optional<Long> empty() {
        return Optional.ofNumber(null, "OptionalLong");
    }
}
