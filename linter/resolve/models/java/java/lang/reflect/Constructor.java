package java.lang.reflect;

public final class Constructor<T> {
    private final Class<T> owner;
    private final Object code;

    Constructor(Class<T> owner, Object code) {
        this.owner = owner;
        this.code = code;
    }

    public String getName() {
        return owner.getName();
    }

    public Class<T> getDeclaringClass() {
        return owner;
    }

    public Class<?>[] getParameterTypes() {
        return code == null ? new Class<?>[0] : ReflectedMembers.parameters(code);
    }

    public int getParameterCount() {
        return getParameterTypes().length;
    }

    public <A> A getAnnotation(Class<A> kind) {
        return code == null ? null : ReflectedMembers.annotation(code, kind);
    }

    public boolean isAnnotationPresent(Class<?> kind) {
        return getAnnotation(kind) != null;
    }

    public void setAccessible(boolean accessible) {}

    public boolean trySetAccessible() {
        return true;
    }

    public T newInstance(Object... arguments) {
        return ReflectedMembers.construct(owner, arguments);
    }
}
