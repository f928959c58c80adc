package com.google.inject;

/** What is asked for: a type and a name, as it is or in a `wrapper` (`provider`, `set`, `map`). `InjectedKeys` are the peers that read
 * classes. */
public class Key<T> {
    final String wrapper;
    final Object type;
    final String name;

    Key(String wrapper, Object type, String name) {
        this.wrapper = wrapper;
        this.type = type;
        this.name = name;
    }

    public static Key<Object> get(Object type) {
        return InjectedKeys.key(type, null);
    }

    public static Key<Object> get(Object type, Object annotation) {
        return InjectedKeys.key(type, annotation);
    }

    String id() {
        return InjectedKeys.id(type) + "@" + name;
    }
}
