package com.fasterxml.jackson.databind.type;

import com.fasterxml.jackson.databind.JavaType;

public final class TypeFactory {
    private static final TypeFactory DEFAULT = new TypeFactory();

    public static TypeFactory defaultInstance() {
        return DEFAULT;
    }

    public JavaType constructCollectionType(Object collection, Object element) {
        return new JavaType(collection, element);
    }

    public JavaType constructMapType(Object map, Object key, Object value) {
        return new JavaType(map, key, value);
    }

    public JavaType constructParametricType(Object raw, Object... arguments) {
        return new JavaType(raw, arguments);
    }

    public JavaType constructType(Object type) {
        return new JavaType(type);
    }
}
