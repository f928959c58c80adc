package java.util;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Also what streams of numbers give: an OptionalInt, OptionalLong or OptionalDouble. */
public final class Optional<T> {
    private final T value;
    private final String kind;

    private Optional(T value) {
        this(value, "Optional");
    }

    private Optional(T value, String kind) {
        this.value = value;
        this.kind = kind;
    }

    /** What a stream finds that may be one of numbers: which kind it is nobody knows. */
    public static <T> Optional<T> found(T value) {
        return new Optional<>(value, null);
    }

    static <T> Optional<T> ofNumber(T value, String kind) {
        return new Optional<>(value, kind);
    }

    public static <T> Optional<T> empty() {
        return new Optional<>(null);
    }

    public static <T> Optional<T> of(T value) {
        return new Optional<>(Objects.requireNonNull(value));
    }

    public static <T> Optional<T> ofNullable(T value) {
        return new Optional<>(value);
    }

    public boolean isPresent() {
        return value != null;
    }

    public boolean isEmpty() {
        return value == null;
    }

    public T get() {
        if (value == null) throw new NoSuchElementException("No value present");
        return value;
    }

    public T getAsInt() {
        return get();
    }

    public T getAsLong() {
        return get();
    }

    public T getAsDouble() {
        return get();
    }

    public T orElseThrow() {
        return get();
    }

    public <X extends Throwable> T orElseThrow(Supplier<X> error) throws X {
        if (value == null) throw error.get();
        return value;
    }

    public T orElse(T other) {
        return value == null ? other : value;
    }

    public T orElseGet(Supplier<T> other) {
        return value == null ? other.get() : value;
    }

    public Optional<T> or(Supplier<Optional<T>> other) {
        return value == null ? other.get() : this;
    }

    public void ifPresent(Consumer<T> action) {
        if (value != null) action.accept(value);
    }

    public void ifPresentOrElse(Consumer<T> action, Runnable other) {
        if (value != null) action.accept(value);
        else other.run();
    }

    public Optional<T> filter(Predicate<T> test) {
        return value == null || test.test(value) ? this : new Optional<>(null);
    }

    public <U> Optional<U> map(Function<T, U> function) {
        return new Optional<>(value == null ? null : function.apply(value));
    }

    public <U> Optional<U> flatMap(Function<T, Optional<U>> function) {
        return value == null ? new Optional<>(null) : function.apply(value);
    }

    public Stream<T> stream() {
        return value == null ? Stream.empty() : Stream.of(value);
    }

    public boolean equals(Object other) {
        return other instanceof Optional && Objects.equals(value, ((Optional<?>) other).value);
    }

    public int hashCode() {
        return Objects.hashCode(value);
    }

    private static native String unknownKind();

    public String toString() {
        String named = kind == null ? unknownKind() : kind;
        return value == null ? named + ".empty" : named + "[" + value + "]";
    }
}
