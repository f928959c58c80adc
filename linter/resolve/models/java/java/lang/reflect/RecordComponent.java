package java.lang.reflect;

public final class RecordComponent {
    private final Class<?> owner;
    private final String name;

    RecordComponent(Class<?> owner, String name) {
        this.owner = owner;
        this.name = name;
    }

    public String getName() {
        return name;
    }

    public Class<?> getType() {
        return ReflectedMembers.typeOf(owner, name);
    }

    public Class<?> getDeclaringRecord() {
        return owner;
    }

    public Method getAccessor() {
        return owner.getDeclaredMethod(name);
    }
}
