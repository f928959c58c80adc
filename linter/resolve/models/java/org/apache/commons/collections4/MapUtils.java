package org.apache.commons.collections4;

import cn.hutool.core.convert.Convert;
import java.util.Map;

/** Whether a map is empty is told by a peer. */
public class MapUtils {
    public static Object getObject(Map<?, ?> map, Object key) {
        return map == null ? null : map.get(key);
    }

    public static Object getObject(Map<?, ?> map, Object key, Object other) {
        Object value = getObject(map, key);
        return value == null ? other : value;
    }

    public static String getString(Map<?, ?> map, Object key) {
        Object value = getObject(map, key);
        return value == null ? null : value.toString();
    }

    public static String getString(Map<?, ?> map, Object key, String other) {
        Object value = getObject(map, key);
        return value == null ? other : value.toString();
    }

    public static Integer getInteger(Map<?, ?> map, Object key) {
        return Convert.toInt(getObject(map, key));
    }

    public static Integer getInteger(Map<?, ?> map, Object key, Integer other) {
        Integer found = getInteger(map, key);
        return found == null ? other : found;
    }

    public static int getIntValue(Map<?, ?> map, Object key) {
        return getInteger(map, key, 0);
    }

    public static int getIntValue(Map<?, ?> map, Object key, int other) {
        return getInteger(map, key, other);
    }

    public static Long getLong(Map<?, ?> map, Object key) {
        return Convert.toLong(getObject(map, key));
    }

    public static Long getLong(Map<?, ?> map, Object key, Long other) {
        Long found = getLong(map, key);
        return found == null ? other : found;
    }

    public static long getLongValue(Map<?, ?> map, Object key) {
        return getLong(map, key, 0L);
    }

    public static long getLongValue(Map<?, ?> map, Object key, long other) {
        return getLong(map, key, other);
    }

    public static Boolean getBoolean(Map<?, ?> map, Object key) {
        return Convert.toBool(getObject(map, key));
    }

    public static Boolean getBoolean(Map<?, ?> map, Object key, Boolean other) {
        Boolean found = getBoolean(map, key);
        return found == null ? other : found;
    }

    public static boolean getBooleanValue(Map<?, ?> map, Object key) {
        return getBoolean(map, key, false);
    }

    public static boolean getBooleanValue(Map<?, ?> map, Object key, boolean other) {
        return getBoolean(map, key, other);
    }
}
