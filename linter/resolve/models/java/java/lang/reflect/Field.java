package java.lang.reflect;

/** `ReflectedMembers` are the peers that know classes. */
public final class Field {
    private final Class<?> owner;
    private final String name;

    Field(Class<?> owner, String name) {
        this.owner = owner;
        this.name = name;
    }

    public String getName() {
        return name;
    }

    public Class<?> getDeclaringClass() {
        return owner;
    }

    public Class<?> getType() {
        return ReflectedMembers.typeOf(owner, name);
    }

    public int getModifiers() {
        return ReflectedMembers.modifiers(owner, name);
    }

    public <A> A getAnnotation(Class<A> kind) {
        return ReflectedMembers.annotation(owner, name, kind);
    }

    public <A> A getDeclaredAnnotation(Class<A> kind) {
        return getAnnotation(kind);
    }

    public boolean isAnnotationPresent(Class<?> kind) {
        return getAnnotation(kind) != null;
    }

    public void setAccessible(boolean accessible) {}

    public boolean trySetAccessible() {
        return true;
    }

    public boolean isSynthetic() {
        return false;
    }

    public Object get(Object target) {
        return ReflectedMembers.get(owner, name, target);
    }

    public void set(Object target, Object value) {
        ReflectedMembers.set(owner, name, target, value);
    }

    public boolean getBoolean(Object target) {
        return (Boolean) get(target);
    }

    public int getInt(Object target) {
        return (Integer) get(target);
    }

    public long getLong(Object target) {
        return (Long) get(target);
    }

    public void setBoolean(Object target, boolean value) {
        set(target, value);
    }

    public void setInt(Object target, int value) {
        set(target, value);
    }

    public void setLong(Object target, long value) {
        set(target, value);
    }

    public void setDouble(Object target, double value) {
        set(target, value);
    }
}
