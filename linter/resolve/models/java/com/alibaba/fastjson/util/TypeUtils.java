package com.alibaba.fastjson.util;

/** What a value of a document is as another type; what is converted in a way that is not followed is unknown. */
public class TypeUtils {
    public static native <T> T unknown(Object value);

    public static String castToString(Object value) {
        if (value == null) return null;
        if (value instanceof String || value instanceof Integer || value instanceof Boolean) return String.valueOf(value);
        return unknown(value);
    }

    public static Integer castToInt(Object value) {
        if (value == null || "".equals(value)) return null;
        if (value instanceof Integer) return (Integer) value;
        return value instanceof String && ((String) value).matches("-?[0-9]{1,9}") ? Integer.parseInt((String) value) : unknown(value);
    }

    public static Long castToLong(Object value) {
        if (value == null || "".equals(value)) return null;
        if (value instanceof Integer) return ((Integer) value).longValue();
        if (value instanceof Long) return (Long) value;
        return value instanceof String && ((String) value).matches("-?[0-9]{1,9}") ? Long.parseLong((String) value) : unknown(value);
    }

    public static Boolean castToBoolean(Object value) {
        if (value == null || "".equals(value)) return null;
        if (value instanceof Boolean) return (Boolean) value;
        if (value instanceof Integer) return (Integer) value == 1;
        return "true".equals(value) ? true : "false".equals(value) ? false : unknown(value);
    }
}
