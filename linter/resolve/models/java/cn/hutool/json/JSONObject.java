package cn.hutool.json;

import cn.hutool.core.convert.Convert;
import com.alibaba.fastjson.util.TypeUtils;
import java.util.LinkedHashMap;

public class JSONObject extends LinkedHashMap<String, Object> implements JSON {
    public JSONObject() {}

    /** What it is made of is not followed. */
    public JSONObject(Object source) {
        putAll(TypeUtils.unknown(source));
    }

    public JSONObject(Object source, Object setting) {
        putAll(TypeUtils.unknown(source));
    }

    public String getStr(String key) {
        return Convert.toStr(JSONUtil.given(get(key)));
    }

    public String getStr(String key, String other) {
        return Convert.toStr(JSONUtil.given(get(key)), other);
    }

    public Integer getInt(String key) {
        return Convert.toInt(JSONUtil.given(get(key)));
    }

    public Integer getInt(String key, Integer other) {
        return Convert.toInt(JSONUtil.given(get(key)), other);
    }

    public Long getLong(String key) {
        return Convert.toLong(JSONUtil.given(get(key)));
    }

    public Long getLong(String key, Long other) {
        return Convert.toLong(JSONUtil.given(get(key)), other);
    }

    public Boolean getBool(String key) {
        return Convert.toBool(JSONUtil.given(get(key)));
    }

    public Boolean getBool(String key, Boolean other) {
        return Convert.toBool(JSONUtil.given(get(key)), other);
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
