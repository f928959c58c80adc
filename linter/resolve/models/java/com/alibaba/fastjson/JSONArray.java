package com.alibaba.fastjson;

import com.alibaba.fastjson.util.TypeUtils;
import java.util.ArrayList;
import java.util.List;

public class JSONArray extends ArrayList<Object> {
    public JSONArray() {}

    public JSONArray(int capacity) {}

    public JSONArray(List<?> values) {
        addAll(values);
    }

    public String getString(int key) {
        return TypeUtils.castToString(get(key));
    }

    public Integer getInteger(int key) {
        return TypeUtils.castToInt(get(key));
    }

    public int getIntValue(int key) {
        Integer found = getInteger(key);
        return found == null ? 0 : found;
    }

    public Long getLong(int key) {
        return TypeUtils.castToLong(get(key));
    }

    public long getLongValue(int key) {
        Long found = getLong(key);
        return found == null ? 0L : found;
    }

    public Boolean getBoolean(int key) {
        return TypeUtils.castToBoolean(get(key));
    }

    public boolean getBooleanValue(int key) {
        Boolean found = getBoolean(key);
        return found == null ? false : found;
    }

    public JSONObject getJSONObject(int key) {
        Object value = get(key);
        if (value == null || value instanceof JSONObject) return (JSONObject) value;
        return value instanceof String ? JSON.parseObject((String) value) : TypeUtils.unknown(value);
    }

    public JSONArray getJSONArray(int key) {
        Object value = get(key);
        if (value == null || value instanceof JSONArray) return (JSONArray) value;
        return value instanceof String ? JSON.parseArray((String) value) : TypeUtils.unknown(value);
    }

    public <T> T getObject(int key, Object type) {
        return JSON.toJavaObject(get(key), type);
    }

    public <T> List<T> toJavaList(Object type) {
        List<T> made = new ArrayList<>();
        for (Object each : this) made.add(JSON.toJavaObject(each, type));
        return made;
    }

    public JSONArray fluentAdd(Object value) {
        add(value);
        return this;
    }

    public native String toString();

    public native String toJSONString();

    public static JSONArray parseArray(String text) {
        return JSON.parseArray(text);
    }

    public static <T> List<T> parseArray(String text, Object type) {
        return JSON.parseArray(text, type);
    }
}
