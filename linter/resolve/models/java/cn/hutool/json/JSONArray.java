package cn.hutool.json;

import com.alibaba.fastjson.util.TypeUtils;
import java.util.ArrayList;
import java.util.List;

public class JSONArray extends ArrayList<Object> implements JSON, Getters<Integer> {
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

    public Object at(Integer key) {
        return get((int) key);
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
