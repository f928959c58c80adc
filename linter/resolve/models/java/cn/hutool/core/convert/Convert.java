package cn.hutool.core.convert;

import com.alibaba.fastjson.util.TypeUtils;

/** What is converted in a way that is not followed is unknown. */
public class Convert {
    public static String toStr(Object value) {
        return TypeUtils.castToString(value);
    }

    public static String toStr(Object value, String other) {
        return value == null ? other : toStr(value);
    }

    public static Integer toInt(Object value) {
        return TypeUtils.castToInt(value);
    }

    public static Integer toInt(Object value, Integer other) {
        Integer found = toInt(value);
        return found == null ? other : found;
    }

    public static Long toLong(Object value) {
        return TypeUtils.castToLong(value);
    }

    public static Long toLong(Object value, Long other) {
        Long found = toLong(value);
        return found == null ? other : found;
    }

    public static Boolean toBool(Object value) {
        return toBool(value, null);
    }

    public static Boolean toBool(Object value, Boolean other) {
        if (value == null) return other;
        if (value instanceof Boolean) return (Boolean) value;
        if (value instanceof Integer) return (Integer) value != 0;
        return "true".equals(value) ? true : "false".equals(value) ? false : TypeUtils.unknown(value);
    }
}
