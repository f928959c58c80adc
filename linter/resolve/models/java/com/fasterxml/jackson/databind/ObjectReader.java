package com.fasterxml.jackson.databind;

public class ObjectReader {
    private final ObjectMapper mapper;
    private final Object type;

    ObjectReader(ObjectMapper mapper, Object type) {
        this.mapper = mapper;
        this.type = type;
    }

    public ObjectReader forType(Object other) {
        return new ObjectReader(mapper, other);
    }

    public <T> T readValue(Object source) {
        return mapper.readValue(source, type);
    }

    public <T> T readValue(Object source, Object other) {
        return mapper.readValue(source, other);
    }

    public JsonNode readTree(Object source) {
        return mapper.readTree(source);
    }
}
