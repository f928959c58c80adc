package com.google.gson;

public final class JsonParser {
    public static JsonElement parseString(String text) {
        return parseReader(text);
    }

    public static JsonElement parseReader(Object source) {
        return JsonElement.of(TypedDocuments.plain(TypedDocuments.read(source, "json")));
    }

    public JsonElement parse(Object source) {
        return parseReader(source);
    }
}
