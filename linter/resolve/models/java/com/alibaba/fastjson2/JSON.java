package com.alibaba.fastjson2;

import java.util.List;

public interface JSON {
    static Object of(Object tree) {
        return TypedDocuments.parts(tree, "com.alibaba.fastjson2");
    }

    public static Object parse(String text) {
        return text == null ? null : of(TypedDocuments.plain(TypedDocuments.read(text, "json")));
    }

    public static JSONObject parseObject(String text) {
        return (JSONObject) parse(text);
    }

    public static <T> T parseObject(String text, Object type) {
        return text == null ? null : TypedDocuments.bind("fastjson2", TypedDocuments.read(text, "json"), type, new Mapper());
    }

    public static JSONArray parseArray(String text) {
        return (JSONArray) parse(text);
    }

    public static <T> List<T> parseArray(String text, Object type) {
        return text == null ? null : ((JSONArray) parse(text)).toJavaList(type);
    }

    public static <T> T toJavaObject(Object value, Object type) {
        return TypedDocuments.bind("fastjson2", value, type, new Mapper());
    }

    public static native String toJSONString(Object value);

    static class Mapper {
        Object style;
    }
}
