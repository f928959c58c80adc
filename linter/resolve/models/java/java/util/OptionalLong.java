package java.util;

/** An `Optional` of a number, which has what these have. */
public final class OptionalLong {
    public static Optional<Long> of(long value) {
        return Optional.of(value);
    }

    public static Optional<Long> empty() {
        return Optional.empty();
    }
}
