package org.springframework.core;

public abstract class GenericTypeResolver {
    public static Class<?> resolveTypeArgument(Class<?> type, Class<?> above) {
        return ResolvableType.forClass(type).as(above).resolveGeneric(0);
    }
}
