package com.typesafe.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

public class ConfigObject extends ConfigValue {
    ConfigObject(Object value) {
        super(value);
    }

    private Map<String, ConfigValue> shown() {
        Map<String, ConfigValue> made = new LinkedHashMap<>();
        for (Map.Entry<String, Object> each : ((Map<String, Object>) value).entrySet()) {
            made.put(each.getKey(), ConfigValue.of(each.getValue()));
        }
        return made;
    }

    public Set<String> keySet() {
        return shown().keySet();
    }

    public Set<Map.Entry<String, ConfigValue>> entrySet() {
        return shown().entrySet();
    }

    public ConfigValue get(Object key) {
        return shown().get(key);
    }

    public boolean containsKey(Object key) {
        return shown().containsKey(key);
    }

    public void forEach(Object action) {
        shown().forEach(action);
    }

    public int size() {
        return shown().size();
    }

    public boolean isEmpty() {
        return shown().isEmpty();
    }

    public Config toConfig() {
        return new Config(value);
    }
}
