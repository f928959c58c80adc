package org.springframework.core;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/** A type with the arguments that are written where it is extended; a variable between two classes is not followed. */
public final class ResolvableType {
    private final Class<?> raw;
    private final Type written;

    private ResolvableType(Class<?> raw, Type written) {
        this.raw = raw;
        this.written = written;
    }

    public static ResolvableType forClass(Class<?> type) {
        return new ResolvableType(type, type);
    }

    public static ResolvableType forInstance(Object one) {
        return forClass(one.getClass());
    }

    public ResolvableType as(Class<?> wanted) {
        for (Class<?> each = raw; each != null && each != Object.class; each = each.getSuperclass()) {
            if (each.getSuperclass() == wanted) return new ResolvableType(wanted, each.getGenericSuperclass());
            for (Type above : each.getGenericInterfaces()) {
                if (above instanceof ParameterizedType && ((ParameterizedType) above).getRawType() == wanted) return new ResolvableType(wanted, above);
            }
        }
        return this;
    }

    public ResolvableType getSuperType() {
        return new ResolvableType(raw.getSuperclass(), raw.getGenericSuperclass());
    }

    public ResolvableType getGeneric(int... indexes) {
        Type found = ((ParameterizedType) written).getActualTypeArguments()[indexes.length == 0 ? 0 : indexes[0]];
        return new ResolvableType((Class<?>) found, found);
    }

    public Class<?> resolveGeneric(int... indexes) {
        return getGeneric(indexes).resolve();
    }

    public Class<?> resolve() {
        return raw;
    }

    public Class<?> getRawClass() {
        return raw;
    }
}
