package com.fasterxml.jackson.databind.node;

import com.fasterxml.jackson.databind.JsonNode;

public class ObjectNode extends JsonNode {
    public ObjectNode(Object value) {
        super(value, false);
    }

    public ObjectNode put(String name, Object given) {
        map().put(name, given);
        return this;
    }

    public JsonNode set(String name, JsonNode given) {
        map().put(name, given.value);
        return this;
    }

    public JsonNode remove(String name) {
        JsonNode before = get(name);
        map().remove(name);
        return before;
    }
}
