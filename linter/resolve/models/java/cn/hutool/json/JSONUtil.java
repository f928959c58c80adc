package cn.hutool.json;

import com.alibaba.fastjson.util.TypeUtils;
import java.util.List;

public class JSONUtil {
    static Object of(Object tree) {
        return TypedDocuments.parts(tree, "cn.hutool.json");
    }

    static Object given(Object value) {
        return value instanceof JSONNull ? null : value;
    }

    static <T> T bound(Object value, Object type) {
        return TypedDocuments.bind("hutool", value, type, new Mapper());
    }

    private static Object parsed(Object source) {
        return source instanceof String ? of(TypedDocuments.plain(TypedDocuments.read(source, "json"))) : TypeUtils.unknown(source);
    }

    public static JSON parse(Object source) {
        return (JSON) parsed(source);
    }

    public static JSONObject parseObj(Object source) {
        return source instanceof JSONObject ? (JSONObject) source : (JSONObject) parsed(source);
    }

    public static JSONArray parseArray(Object source) {
        return source instanceof JSONArray ? (JSONArray) source : (JSONArray) parsed(source);
    }

    public static JSONObject createObj() {
        return new JSONObject();
    }

    public static JSONArray createArray() {
        return new JSONArray();
    }

    public static <T> T toBean(Object source, Object type) {
        return bound(source instanceof JSONObject ? source : parsed(source), type);
    }

    public static <T> T toBean(String source, Object type, boolean lenient) {
        return lenient ? TypeUtils.unknown(source) : bound(parsed(source), type);
    }

    public static <T> List<T> toList(Object source, Object type) {
        return parseArray(source).toList(type);
    }

    public static native String toJsonStr(Object value);

    static class Mapper {
        Object style;
    }
}
