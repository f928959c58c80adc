package org.yaml.snakeyaml;

import org.yaml.snakeyaml.constructor.Constructor;

public class Yaml {
    private final Constructor constructor;

    public Yaml() {
        constructor = null;
    }

    public Yaml(Object constructor) {
        this.constructor = constructor instanceof Constructor ? (Constructor) constructor : null;
    }

    public Yaml(Object constructor, Object... more) {
        this(constructor);
    }

    public <T> T load(Object source) {
        if (constructor != null) return loadAs(source, constructor.root);
        return (T) TypedDocuments.plain(TypedDocuments.read(source, "yaml"));
    }

    public <T> T loadAs(Object source, Object type) {
        Object tree = TypedDocuments.read(source, "yaml");
        return TypedDocuments.bind("snakeyaml", tree, type, constructor != null ? constructor : new Constructor(type));
    }
}
