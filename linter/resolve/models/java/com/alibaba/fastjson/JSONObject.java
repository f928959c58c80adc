package com.alibaba.fastjson;

import com.alibaba.fastjson.util.Getters;
import com.alibaba.fastjson.util.TypeUtils;
import java.util.HashMap;

public class JSONObject extends HashMap<String, Object> implements Getters<String> {
    public JSONObject() {}

    /** Its order may be another one. */
    public JSONObject(Object values) {
        putAll(TypeUtils.unknown(values));
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
