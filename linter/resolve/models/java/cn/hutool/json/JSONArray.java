package cn.hutool.json;

import cn.hutool.core.convert.Convert;
import com.alibaba.fastjson.util.TypeUtils;
import java.util.ArrayList;
import java.util.List;

public class JSONArray extends ArrayList<Object> implements JSON {
    public JSONArray() {}

    /** What it is made of is not followed. */
    public JSONArray(Object source) {
        addAll(TypeUtils.unknown(source));
    }

    public JSONArray(Object source, Object setting) {
        addAll(TypeUtils.unknown(source));
    }

    public Object get(int index) {
        return index < size() ? super.get(index) : null;
    }

    public String getStr(int key) {
        return Convert.toStr(JSONUtil.given(get(key)));
    }

    public String getStr(int key, String other) {
        return Convert.toStr(JSONUtil.given(get(key)), other);
    }

    public Integer getInt(int key) {
        return Convert.toInt(JSONUtil.given(get(key)));
    }

    public Integer getInt(int key, Integer other) {
        return Convert.toInt(JSONUtil.given(get(key)), other);
    }

    public Long getLong(int key) {
        return Convert.toLong(JSONUtil.given(get(key)));
    }

    public Long getLong(int key, Long other) {
        return Convert.toLong(JSONUtil.given(get(key)), other);
    }

    public Boolean getBool(int key) {
        return Convert.toBool(JSONUtil.given(get(key)));
    }

    public Boolean getBool(int key, Boolean other) {
        return Convert.toBool(JSONUtil.given(get(key)), other);
    }

    public JSONObject getJSONObject(int key) {
        Object value = JSONUtil.given(get(key));
        return value == null || value instanceof JSONObject ? (JSONObject) value : TypeUtils.unknown(value);
    }

    public JSONArray getJSONArray(int key) {
        Object value = JSONUtil.given(get(key));
        return value == null || value instanceof JSONArray ? (JSONArray) value : TypeUtils.unknown(value);
    }

    public <T> List<T> toList(Object type) {
        List<T> made = new ArrayList<>();
        for (Object each : this) made.add(JSONUtil.bound(each, type));
        return made;
    }

    public native String toString();
}
