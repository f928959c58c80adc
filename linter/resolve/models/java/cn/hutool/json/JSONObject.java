package cn.hutool.json;

import com.alibaba.fastjson.util.TypeUtils;
import java.util.LinkedHashMap;

public class JSONObject extends LinkedHashMap<String, Object> implements JSON, Getters<String> {
    public JSONObject() {}

    /** What it is made of is not followed. */
    public JSONObject(Object source) {
        putAll(TypeUtils.unknown(source));
    }

    public JSONObject(Object source, Object setting) {
        putAll(TypeUtils.unknown(source));
    }

    public Object at(String key) {
        return get(key);
    }

    public JSONObject getJSONObject(String key) {
        Object value = JSONUtil.given(get(key));
        return value == null || value instanceof JSONObject ? (JSONObject) value : TypeUtils.unknown(value);
    }

    public JSONArray getJSONArray(String key) {
        Object value = JSONUtil.given(get(key));
        return value == null || value instanceof JSONArray ? (JSONArray) value : TypeUtils.unknown(value);
    }

    public JSONObject set(String key, Object value) {
        if (value == null) putAll(TypeUtils.unknown(key)); else put(key, value);
        return this;
    }

    public <T> T toBean(Object type) {
        return JSONUtil.toBean(this, type);
    }

    public native String toString();

    public native String toStringPretty();
}
