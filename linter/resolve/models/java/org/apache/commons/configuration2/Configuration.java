package org.apache.commons.configuration2;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Values by their keys, several where a file says several or a delimiter stands between them; `${key}` is another value. */
public class Configuration {
    private final Configuration whole;
    final Map<String, List<String>> values;

    Configuration(Configuration whole, Map<String, List<String>> values) {
        this.whole = whole;
        this.values = values;
    }

    void add(Map<String, List<String>> lines, String delimiter) {
        for (Map.Entry<String, List<String>> each : lines.entrySet()) {
            List<String> found = new ArrayList<>();
            for (String text : each.getValue()) split(text, delimiter, found);
            values.put(each.getKey(), found);
        }
    }

    private static void split(String text, String delimiter, List<String> found) {
        if (delimiter == null || !text.contains(delimiter)) {
            found.add(text);
        } else {
            for (String part : text.split(delimiter)) found.add(part.trim());
        }
    }

    private String interpolated(String text) {
        int from = text.indexOf("${");
        int to = from < 0 ? -1 : text.indexOf("}", from);
        if (to < 0) return text;
        String name = text.substring(from + 2, to);
        String found = whole == null ? variable(name) : whole.variable(name);
        String rest = interpolated(text.substring(to + 1));
        return text.substring(0, from) + (found == null ? "${" + name + "}" : found) + rest;
    }

    private String variable(String name) {
        if (name.startsWith("env:")) return System.getenv(name.substring(4));
        if (name.startsWith("sys:")) return System.getProperty(name.substring(4));
        return getString(name);
    }

    public String getString(String key) {
        List<String> found = values.get(key);
        return found == null || found.isEmpty() ? null : interpolated(found.get(0));
    }

    public String getString(String key, String other) {
        return containsKey(key) ? getString(key) : other;
    }

    public String[] getStringArray(String key) {
        return getList(key).toArray(new String[0]);
    }

    public List<Object> getList(String key) {
        List<Object> made = new ArrayList<>();
        if (values.get(key) == null || (values.get(key).size() == 1 && values.get(key).get(0).isEmpty())) return made;
        for (String each : values.get(key)) made.add(interpolated(each));
        return made;
    }

    public <T> List<T> getList(Class<T> kind, String key) {
        return (List<T>) getList(key);
    }

    public Object getProperty(String key) {
        List<String> found = values.get(key);
        return found == null ? null : found.size() == 1 ? found.get(0) : found;
    }

    private String required(String key) {
        String found = getString(key);
        if (found == null) throw new NoSuchElementException("Key '" + key + "' does not map to an existing object!");
        return found;
    }

    public int getInt(String key) {
        return Integer.parseInt(required(key));
    }

    public int getInt(String key, int other) {
        return containsKey(key) ? getInt(key) : other;
    }

    public long getLong(String key) {
        return getInt(key);
    }

    public long getLong(String key, long other) {
        return containsKey(key) ? getInt(key) : other;
    }

    public boolean getBoolean(String key) {
        String found = required(key).toLowerCase();
        return found.equals("true") || found.equals("yes") || found.equals("on") || found.equals("y") || found.equals("1");
    }

    public boolean getBoolean(String key, boolean other) {
        return containsKey(key) ? getBoolean(key) : other;
    }

    public boolean containsKey(String key) {
        return values.containsKey(key);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    public Iterator<String> getKeys() {
        return values.keySet().iterator();
    }

    public Iterator<String> getKeys(String prefix) {
        List<String> found = new ArrayList<>();
        for (String each : values.keySet()) if (each.equals(prefix) || each.startsWith(prefix + ".")) found.add(each);
        return found.iterator();
    }

    public Configuration subset(String prefix) {
        Map<String, List<String>> below = new LinkedHashMap<>();
        for (Map.Entry<String, List<String>> each : values.entrySet()) {
            String key = each.getKey();
            if (key.equals(prefix)) below.put("", each.getValue());
            if (key.startsWith(prefix + ".")) below.put(key.substring(prefix.length() + 1), each.getValue());
        }
        return new Configuration(whole == null ? this : whole, below);
    }

    public void setProperty(String key, Object value) {
        values.put(key, new ArrayList<>(List.of(String.valueOf(value))));
    }

    public void addProperty(String key, Object value) {
        values.computeIfAbsent(key, each -> new ArrayList<>()).add(String.valueOf(value));
    }

    public void clearProperty(String key) {
        values.remove(key);
    }
}
