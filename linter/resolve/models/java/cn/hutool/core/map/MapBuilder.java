package cn.hutool.core.map;

import java.util.Map;

public class MapBuilder<K, V> {
    private final Map<K, V> made;

    public MapBuilder(Map<K, V> made) {
        this.made = made;
    }

    public MapBuilder<K, V> put(K key, V value) {
        made.put(key, value);
        return this;
    }

    public MapBuilder<K, V> put(boolean holds, K key, V value) {
        if (holds) made.put(key, value);
        return this;
    }

    public MapBuilder<K, V> putAll(Map<K, V> map) {
        made.putAll(map);
        return this;
    }

    public Map<K, V> map() {
        return made;
    }

    public Map<K, V> build() {
        return made;
    }
}
