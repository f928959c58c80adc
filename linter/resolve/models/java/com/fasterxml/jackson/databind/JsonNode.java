package com.fasterxml.jackson.databind;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A part of a document: a map, a list, a text, a number, a truth value or null. */
public class JsonNode implements Iterable<JsonNode> {
    public final Object value;
    private final boolean missing;

    protected JsonNode(Object value, boolean missing) {
        this.value = value;
        this.missing = missing;
    }

    public static JsonNode of(Object value) {
        if (value instanceof Map) return new ObjectNode(value);
        return value instanceof List ? new ArrayNode(value) : new JsonNode(value, false);
    }

    protected Map<String, Object> map() {
        return value instanceof Map ? (Map<String, Object>) value : Map.of();
    }

    protected List<Object> list() {
        return value instanceof List ? (List<Object>) value : List.of();
    }

    public boolean has(String name) {
        return map().containsKey(name);
    }

    public boolean hasNonNull(String name) {
        return map().get(name) != null;
    }

    public JsonNode get(String name) {
        return has(name) ? of(map().get(name)) : null;
    }

    public JsonNode get(int index) {
        return index >= 0 && index < list().size() ? of(list().get(index)) : null;
    }

    public JsonNode path(String name) {
        return has(name) ? of(map().get(name)) : new JsonNode(null, true);
    }

    public JsonNode path(int index) {
        return index >= 0 && index < list().size() ? of(list().get(index)) : new JsonNode(null, true);
    }

    public JsonNode required(String name) {
        if (!has(name)) throw new IllegalArgumentException("No value for property '" + name + "'");
        return get(name);
    }

    public JsonNode at(String pointer) {
        JsonNode found = this;
        for (String part : pointer.substring(1).split("/")) {
            found = found.isArray() ? found.path(Integer.parseInt(part)) : found.path(part);
        }
        return found;
    }

    public String asText() {
        return missing || value instanceof Map || value instanceof List ? "" : String.valueOf(value);
    }

    public String asText(String other) {
        return missing || value == null ? other : asText();
    }

    public String textValue() {
        return value instanceof String ? (String) value : null;
    }

    public int asInt() {
        return asInt(0);
    }

    public int asInt(int other) {
        if (value instanceof Number) return (Integer) value;
        if (value instanceof Boolean) return (Boolean) value ? 1 : 0;
        try {
            return value instanceof String ? Integer.parseInt((String) value) : other;
        } catch (NumberFormatException e) {
            return other;
        }
    }

    public int intValue() {
        return value instanceof Number ? (Integer) value : 0;
    }

    public long asLong() {
        return asInt(0);
    }

    public long asLong(long other) {
        return asInt((int) other);
    }

    public boolean asBoolean() {
        return asBoolean(false);
    }

    public boolean asBoolean(boolean other) {
        if (value instanceof Boolean) return (Boolean) value;
        if (value instanceof Number) return (Integer) value != 0;
        if ("true".equals(value)) return true;
        return "false".equals(value) ? false : other;
    }

    public boolean booleanValue() {
        return value instanceof Boolean && (Boolean) value;
    }

    public boolean isArray() {
        return value instanceof List;
    }

    public boolean isObject() {
        return value instanceof Map;
    }

    public boolean isNumber() {
        return value instanceof Number;
    }

    public boolean isBoolean() {
        return value instanceof Boolean;
    }

    public boolean isTextual() {
        return value instanceof String;
    }

    public boolean isMissingNode() {
        return missing;
    }

    public boolean isNull() {
        return value == null && !missing;
    }

    public int size() {
        return isObject() ? map().size() : list().size();
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    public Iterator<String> fieldNames() {
        return map().keySet().iterator();
    }

    public Iterator<Map.Entry<String, JsonNode>> fields() {
        Map<String, JsonNode> found = new LinkedHashMap<>();
        map().forEach((name, each) -> found.put(name, of(each)));
        return found.entrySet().iterator();
    }

    public Iterator<JsonNode> elements() {
        List<JsonNode> found = new ArrayList<>();
        for (Object each : isObject() ? map().values() : list()) found.add(of(each));
        return found.iterator();
    }

    public Iterator<JsonNode> iterator() {
        return elements();
    }
}
