package java.lang.reflect;

/** `code` is the method itself, which peers run and look into. */
public final class Method {
    private final Class<?> owner;
    private final String name;
    private final Object code;

    Method(Class<?> owner, String name, Object code) {
        this.owner = owner;
        this.name = name;
        this.code = code;
    }

    public String getName() {
        return name;
    }

    public Class<?> getDeclaringClass() {
        return owner;
    }

    public Class<?>[] getParameterTypes() {
        return ReflectedMembers.parameters(code);
    }

    public int getParameterCount() {
        return getParameterTypes().length;
    }

    public Class<?> getReturnType() {
        return ReflectedMembers.returned(code);
    }

    public int getModifiers() {
        return ReflectedMembers.modifiers(code);
    }

    public <A> A getAnnotation(Class<A> kind) {
        return ReflectedMembers.annotation(code, kind);
    }

    public <A> A getDeclaredAnnotation(Class<A> kind) {
        return getAnnotation(kind);
    }

    public boolean isAnnotationPresent(Class<?> kind) {
        return getAnnotation(kind) != null;
    }

    public <A> A[] getAnnotationsByType(Class<A> kind) {
        return ReflectedMembers.annotationsOfType(code, kind);
    }

    public <A> A[] getDeclaredAnnotationsByType(Class<A> kind) {
        return getAnnotationsByType(kind);
    }

    public void setAccessible(boolean accessible) {}

    public boolean trySetAccessible() {
        return true;
    }

    public boolean isDefault() {
        return ReflectedMembers.isDefault(code);
    }

    public boolean isSynthetic() {
        return false;
    }

    public boolean isBridge() {
        return false;
    }

    public Object invoke(Object target, Object... arguments) {
        return ReflectedMembers.invoke(code, target, arguments);
    }
}
