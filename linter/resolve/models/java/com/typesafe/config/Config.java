package com.typesafe.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A tree of settings. What is at a path that it lacks nobody knows: a library's file may have it. */
public class Config {
    private final Map<String, Object> tree;

    Config(Object tree) {
        this.tree = (Map<String, Object>) tree;
    }

    private static Object at(Object from, String path) {
        Object found = from;
        for (String part : path.split("\\.")) {
            if (!(found instanceof Map)) return null;
            found = ((Map<String, Object>) found).get(part.replace("\"", ""));
        }
        return found;
    }

    private Object found(String path) {
        Object value = at(tree, path);
        return value == null ? HoconDocuments.missing(path) : value;
    }

    public boolean hasPath(String path) {
        return at(tree, path) != null;
    }

    public boolean hasPathOrNull(String path) {
        return hasPath(path);
    }

    public boolean isEmpty() {
        return tree.isEmpty();
    }

    public String getString(String path) {
        return String.valueOf(found(path));
    }

    public int getInt(String path) {
        Object value = found(path);
        return value instanceof String ? Integer.parseInt((String) value) : (Integer) value;
    }

    public long getLong(String path) {
        return getInt(path);
    }

    public double getDouble(String path) {
        Object value = found(path);
        return value instanceof String ? Double.parseDouble((String) value) : (Double) value;
    }

    public boolean getBoolean(String path) {
        Object value = found(path);
        if (!(value instanceof String)) return (Boolean) value;
        return value.equals("true") || value.equals("yes") || value.equals("on");
    }

    public Object getAnyRef(String path) {
        return found(path);
    }

    public <T extends Enum<T>> T getEnum(Class<T> kind, String path) {
        return Enum.valueOf(kind, getString(path));
    }

    public List<String> getStringList(String path) {
        List<String> made = new ArrayList<>();
        for (Object each : (List<Object>) found(path)) made.add(String.valueOf(each));
        return made;
    }

    public List<Integer> getIntList(String path) {
        return (List<Integer>) found(path);
    }

    public List<Object> getAnyRefList(String path) {
        return (List<Object>) found(path);
    }

    public Config getConfig(String path) {
        return new Config(found(path));
    }

    public Config atPath(String path) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put(path, tree);
        return new Config(made);
    }

    public List<Config> getConfigList(String path) {
        List<Config> made = new ArrayList<>();
        for (Object each : (List<Object>) found(path)) made.add(new Config(each));
        return made;
    }

    public List<ConfigObject> getObjectList(String path) {
        List<ConfigObject> made = new ArrayList<>();
        for (Object each : (List<Object>) found(path)) made.add(new ConfigObject(each));
        return made;
    }

    public ConfigValue getValue(String path) {
        return ConfigValue.of(found(path));
    }

    public ConfigObject getObject(String path) {
        return new ConfigObject(found(path));
    }

    public ConfigObject root() {
        return new ConfigObject(tree);
    }

    public Config withFallback(Config other) {
        return new Config(merged(tree, other.tree));
    }

    private static Map<String, Object> merged(Map<String, Object> first, Map<String, Object> other) {
        Map<String, Object> made = new LinkedHashMap<>(other);
        for (Map.Entry<String, Object> each : first.entrySet()) {
            Object below = other.get(each.getKey());
            boolean both = below instanceof Map && each.getValue() instanceof Map;
            made.put(each.getKey(), both ? merged((Map<String, Object>) each.getValue(), (Map<String, Object>) below) : each.getValue());
        }
        return made;
    }

    public Config resolve() {
        return this;
    }

    public Config resolve(Object options) {
        return this;
    }

    public void checkValid(Config reference, String... paths) {}

    public Config getConfigOrEmpty(String path) {
        return hasPath(path) ? getConfig(path) : ConfigFactory.empty();
    }
}
