package com.google.gson.reflect;

/** Made as an anonymous class, whose written type argument is what it stands for, or of classes. */
public class TypeToken<T> {
    Object raw;
    Object[] arguments;

    public Object getType() {
        return raw != null && arguments.length == 0 ? raw : this;
    }

    public static TypeToken<?> get(Object type) {
        return getParameterized(type);
    }

    public static TypeToken<?> getParameterized(Object raw, Object... arguments) {
        TypeToken<?> made = new TypeToken<>();
        made.raw = raw;
        made.arguments = arguments;
        return made;
    }
}
