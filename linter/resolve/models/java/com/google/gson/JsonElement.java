package com.google.gson;

import java.util.List;
import java.util.Map;

/** A part of a document: a map, a list, a text, a number, a truth value or null. */
public class JsonElement {
    public final Object value;

    protected JsonElement(Object value) {
        this.value = value;
    }

    public static JsonElement of(Object value) {
        if (value instanceof Map) return new JsonObject(value);
        return value instanceof List ? new JsonArray(value) : new JsonElement(value);
    }

    public boolean isJsonNull() {
        return value == null;
    }

    public boolean isJsonObject() {
        return value instanceof Map;
    }

    public boolean isJsonArray() {
        return value instanceof List;
    }

    public boolean isJsonPrimitive() {
        return value != null && !isJsonObject() && !isJsonArray();
    }

    public JsonObject getAsJsonObject() {
        if (!isJsonObject()) throw new IllegalStateException("Not a JSON Object: " + value);
        return (JsonObject) this;
    }

    public JsonArray getAsJsonArray() {
        if (!isJsonArray()) throw new IllegalStateException("Not a JSON Array: " + value);
        return (JsonArray) this;
    }

    public JsonElement getAsJsonPrimitive() {
        return this;
    }

    public boolean isString() {
        return value instanceof String;
    }

    public boolean isNumber() {
        return value instanceof Number;
    }

    public boolean isBoolean() {
        return value instanceof Boolean;
    }

    public String getAsString() {
        if (value == null) throw new UnsupportedOperationException("JsonNull");
        return String.valueOf(value);
    }

    public int getAsInt() {
        return value instanceof String ? Integer.parseInt((String) value) : (Integer) value;
    }

    public long getAsLong() {
        return getAsInt();
    }

    public boolean getAsBoolean() {
        return value instanceof String ? "true".equalsIgnoreCase((String) value) : (Boolean) value;
    }
}
