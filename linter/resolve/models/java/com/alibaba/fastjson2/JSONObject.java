package com.alibaba.fastjson2;

import com.alibaba.fastjson.util.Getters;
import com.alibaba.fastjson.util.TypeUtils;
import java.util.LinkedHashMap;
import java.util.Map;

public class JSONObject extends LinkedHashMap<String, Object> implements Getters<String> {
    public JSONObject() {}

    public JSONObject(int capacity) {}

    public JSONObject(Map<String, Object> values) {
        putAll(values);
    }

    public Object at(String key) {
        return get(key);
    }

    public JSONObject getJSONObject(String key) {
        Object value = get(key);
        if (value == null || value instanceof JSONObject) return (JSONObject) value;
        return value instanceof String ? JSON.parseObject((String) value) : TypeUtils.unknown(value);
    }

    public JSONArray getJSONArray(String key) {
        Object value = get(key);
        if (value == null || value instanceof JSONArray) return (JSONArray) value;
        return value instanceof String ? JSON.parseArray((String) value) : TypeUtils.unknown(value);
    }

    public <T> T getObject(String key, Object type) {
        return JSON.toJavaObject(get(key), type);
    }

    public int getIntValue(String key, int other) {
        Integer found = getInteger(key);
        return found == null ? other : found;
    }

    public boolean getBooleanValue(String key, boolean other) {
        Boolean found = getBoolean(key);
        return found == null ? other : found;
    }

    public <T> T toJavaObject(Object type) {
        return JSON.toJavaObject(this, type);
    }

    public JSONObject fluentPut(String key, Object value) {
        put(key, value);
        return this;
    }

    public JSONObject getInnerMap() {
        return this;
    }

    public native String toString();

    public native String toJSONString();

    public static JSONObject parseObject(String text) {
        return JSON.parseObject(text);
    }

    public static <T> T parseObject(String text, Object type) {
        return JSON.parseObject(text, type);
    }

    public static JSONArray parseArray(String text) {
        return JSON.parseArray(text);
    }

    public static <T> java.util.List<T> parseArray(String text, Object type) {
        return JSON.parseArray(text, type);
    }

    public static native String toJSONString(Object value);
}
