package cn.hutool.core.map;

import cn.hutool.core.convert.Convert;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Whether a map is empty is told by a peer. */
public class MapUtil {
    public static <K, V> HashMap<K, V> newHashMap() {
        return new HashMap<>();
    }

    public static <K, V> HashMap<K, V> newHashMap(boolean ordered) {
        return ordered ? new LinkedHashMap<>() : new HashMap<>();
    }

    public static <K, V> HashMap<K, V> of(K key, V value) {
        return of(key, value, false);
    }

    public static <K, V> HashMap<K, V> of(K key, V value, boolean ordered) {
        HashMap<K, V> made = newHashMap(ordered);
        made.put(key, value);
        return made;
    }

    public static <K, V> MapBuilder<K, V> builder() {
        return new MapBuilder<>(new HashMap<>());
    }

    public static <K, V> MapBuilder<K, V> builder(Map<K, V> map) {
        return new MapBuilder<>(map);
    }

    public static <K, V> MapBuilder<K, V> builder(K key, V value) {
        return new MapBuilder<>(of(key, value));
    }

    public static String join(Map<?, ?> map, String separator, String between) {
        String made = "";
        boolean first = true;
        for (Map.Entry<?, ?> each : map.entrySet()) {
            made += (first ? "" : separator) + each.getKey() + between + each.getValue();
            first = false;
        }
        return made;
    }

    public static <K, V> Map<K, V> emptyIfNull(Map<K, V> map) {
        return map == null ? Collections.emptyMap() : map;
    }

    public static String getStr(Map<?, ?> map, Object key) {
        return getStr(map, key, null);
    }

    public static String getStr(Map<?, ?> map, Object key, String other) {
        return Convert.toStr(map == null ? null : map.get(key), other);
    }

    public static Integer getInt(Map<?, ?> map, Object key) {
        return getInt(map, key, null);
    }

    public static Integer getInt(Map<?, ?> map, Object key, Integer other) {
        return Convert.toInt(map == null ? null : map.get(key), other);
    }

    public static Long getLong(Map<?, ?> map, Object key) {
        return getLong(map, key, null);
    }

    public static Long getLong(Map<?, ?> map, Object key, Long other) {
        return Convert.toLong(map == null ? null : map.get(key), other);
    }

    public static Boolean getBool(Map<?, ?> map, Object key) {
        return getBool(map, key, null);
    }

    public static Boolean getBool(Map<?, ?> map, Object key, Boolean other) {
        return Convert.toBool(map == null ? null : map.get(key), other);
    }
}
