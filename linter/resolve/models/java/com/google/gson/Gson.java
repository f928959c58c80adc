package com.google.gson;

/** Reads documents into objects: `style` is the naming policy, `opaque` whether it is set up in ways that are not followed. */
public class Gson {
    Object style;
    boolean opaque;

    public <T> T fromJson(Object source, Object type) {
        Object tree = source instanceof JsonElement ? ((JsonElement) source).value : TypedDocuments.read(source, "json");
        return TypedDocuments.bind("gson", tree, type, this);
    }
}
