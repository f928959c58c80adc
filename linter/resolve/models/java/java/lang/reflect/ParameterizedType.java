package java.lang.reflect;

public final class ParameterizedType {
    private final Class<?> raw;
    private final Class<?>[] arguments;

    ParameterizedType(Class<?> raw, Class<?>[] arguments) {
        this.raw = raw;
        this.arguments = arguments;
    }

    public Class<?> getRawType() {
        return raw;
    }

    public Class<?>[] getActualTypeArguments() {
        return arguments;
    }

    public String getTypeName() {
        return toString();
    }
}
