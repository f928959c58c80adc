package com.alibaba.fastjson;

import com.alibaba.fastjson.util.TypeUtils;
import java.util.HashMap;

public class JSONObject extends HashMap<String, Object> {
    public JSONObject() {}

    /** Its order may be another one. */
    public JSONObject(Object values) {
        putAll(TypeUtils.unknown(values));
    }

    public String getString(String key) {
        return TypeUtils.castToString(get(key));
    }

    public Integer getInteger(String key) {
        return TypeUtils.castToInt(get(key));
    }

    public int getIntValue(String key) {
        Integer found = getInteger(key);
        return found == null ? 0 : found;
    }

    public Long getLong(String key) {
        return TypeUtils.castToLong(get(key));
    }

    public long getLongValue(String key) {
        Long found = getLong(key);
        return found == null ? 0L : found;
    }

    public Boolean getBoolean(String key) {
        return TypeUtils.castToBoolean(get(key));
    }

    public boolean getBooleanValue(String key) {
        Boolean found = getBoolean(key);
        return found == null ? false : found;
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
