package com.typesafe.config;

import java.util.List;
import java.util.Map;

public class ConfigValue {
    final Object value;

    ConfigValue(Object value) {
        this.value = value;
    }

    static ConfigValue of(Object value) {
        return value instanceof Map ? new ConfigObject(value) : new ConfigValue(value);
    }

    public Object unwrapped() {
        return value;
    }

    public String render() {
        return value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
    }
}
