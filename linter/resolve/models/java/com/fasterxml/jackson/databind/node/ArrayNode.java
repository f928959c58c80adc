package com.fasterxml.jackson.databind.node;

import com.fasterxml.jackson.databind.JsonNode;

public class ArrayNode extends JsonNode {
    public ArrayNode(Object value) {
        super(value, false);
    }

    public ArrayNode add(Object given) {
        list().add(given instanceof JsonNode ? ((JsonNode) given).value : given);
        return this;
    }
}
