package org.springframework.beans;

import java.util.LinkedHashMap;
import java.util.Map;

public class MutablePropertyValues {
    final Map<String, Object> values = new LinkedHashMap<>();

    public MutablePropertyValues add(String name, Object value) {
        values.put(name, value);
        return this;
    }

    public MutablePropertyValues addPropertyValue(String name, Object value) {
        return add(name, value);
    }

    public MutablePropertyValues addPropertyValues(Map<String, Object> more) {
        values.putAll(more);
        return this;
    }

    public Object get(String name) {
        return values.get(name);
    }
}
