package com.google.gson;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

public class JsonObject extends JsonElement {
    public JsonObject() {
        super(new LinkedHashMap<String, Object>());
    }

    JsonObject(Object value) {
        super(value);
    }

    private Map<String, Object> map() {
        return (Map<String, Object>) value;
    }

    public boolean has(String name) {
        return map().containsKey(name);
    }

    public JsonElement get(String name) {
        return has(name) ? JsonElement.of(map().get(name)) : null;
    }

    public JsonObject getAsJsonObject(String name) {
        return (JsonObject) get(name);
    }

    public JsonArray getAsJsonArray(String name) {
        return (JsonArray) get(name);
    }

    public JsonElement getAsJsonPrimitive(String name) {
        return get(name);
    }

    public void add(String name, JsonElement given) {
        map().put(name, given == null ? null : given.value);
    }

    public void addProperty(String name, Object given) {
        map().put(name, given);
    }

    public JsonElement remove(String name) {
        JsonElement before = get(name);
        map().remove(name);
        return before;
    }

    public Set<String> keySet() {
        return map().keySet();
    }

    public Set<Map.Entry<String, JsonElement>> entrySet() {
        return asMap().entrySet();
    }

    public Map<String, JsonElement> asMap() {
        Map<String, JsonElement> made = new LinkedHashMap<>();
        for (Map.Entry<String, Object> each : map().entrySet()) made.put(each.getKey(), JsonElement.of(each.getValue()));
        return made;
    }

    public int size() {
        return map().size();
    }

    public boolean isEmpty() {
        return map().isEmpty();
    }
}
