package com.alibaba.fastjson;

import com.alibaba.fastjson.util.Getters;
import com.alibaba.fastjson.util.TypeUtils;
import java.util.ArrayList;
import java.util.List;

public class JSONArray extends ArrayList<Object> implements Getters<Integer> {
    public JSONArray() {}

    public JSONArray(int capacity) {}

    public JSONArray(List<?> values) {
        addAll(values);
    }

    public Object at(Integer key) {
        return get((int) key);
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
