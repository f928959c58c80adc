package org.springframework.boot.context.properties;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

public final class PropertyMapper {
    private final boolean nonNull;

    private PropertyMapper(boolean nonNull) {
        this.nonNull = nonNull;
    }

    public static PropertyMapper get() {
        return new PropertyMapper(false);
    }

    public PropertyMapper alwaysApplyingWhenNonNull() {
        return new PropertyMapper(true);
    }

    public <T> Source<T> from(T value) {
        return source(value);
    }

    public <T> Source<T> from(Supplier<T> supplier) {
        return source(supplier.get());
    }

    private <T> Source<T> source(T value) {
        return new Source<>(value, !nonNull || value != null);
    }

    public static final class Source<T> {
        private final T value;
        private final boolean applies;

        private Source(T value, boolean applies) {
            this.value = value;
            this.applies = applies;
        }

        public <R> Source<R> as(Function<T, R> adapter) {
            return applies ? new Source<>(adapter.apply(value), true) : new Source<>(null, false);
        }

        public Source<T> whenNonNull() {
            return when(Objects::nonNull);
        }

        public Source<T> whenTrue() {
            return when(Boolean.TRUE::equals);
        }

        public Source<T> whenFalse() {
            return when(Boolean.FALSE::equals);
        }

        public Source<T> whenHasText() {
            return when(one -> !Objects.toString(one, "").trim().isEmpty());
        }

        public Source<T> whenEqualTo(Object object) {
            return when(object::equals);
        }

        public Source<T> whenNot(Predicate<T> predicate) {
            return when(one -> !predicate.test(one));
        }

        public Source<T> when(Predicate<T> predicate) {
            return new Source<>(value, applies && predicate.test(value));
        }

        public void to(Consumer<T> consumer) {
            if (applies) {
                consumer.accept(value);
            }
        }

        public <R> R toInstance(Function<T, R> factory) {
            return factory.apply(value);
        }

        public void toCall(Runnable runnable) {
            if (applies) {
                runnable.run();
            }
        }
    }
}
