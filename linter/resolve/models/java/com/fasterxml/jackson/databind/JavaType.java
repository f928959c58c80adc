package com.fasterxml.jackson.databind;

/** A type put together from others. */
public class JavaType {
    final Object raw;
    final Object[] arguments;

    public JavaType(Object raw, Object... arguments) {
        this.raw = raw;
        this.arguments = arguments;
    }
}
