package com.google.common.collect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** What the multimaps have in common: a map of collections, which count where they are not empty. */
abstract class HeldMultimap<K, V> implements Multimap<K, V> {
    private final Map<K, Collection<V>> held;

    HeldMultimap(Map<K, Collection<V>> held) {
        this.held = held;
    }

    abstract Collection<V> fresh();

    Collection<V> found(K key) {
        Collection<V> values = held.get(key);
        if (values == null) {
            values = fresh();
            held.put(key, values);
        }
        return values;
    }

    public boolean put(K key, V value) {
        return found(key).add(value);
    }

    public boolean putAll(K key, Iterable<? extends V> values) {
        boolean changed = false;
        for (V each : values) changed |= put(key, each);
        return changed;
    }

    public boolean putAll(Multimap<? extends K, ? extends V> other) {
        boolean changed = false;
        for (Map.Entry<? extends K, ? extends V> entry : other.entries()) changed |= put(entry.getKey(), entry.getValue());
        return changed;
    }

    public boolean remove(Object key, Object value) {
        return held.containsKey(key) && held.get(key).remove(value);
    }

    Collection<V> removed(Object key) {
        Collection<V> values = held.remove(key);
        return values == null ? fresh() : values;
    }

    public boolean containsKey(Object key) {
        return held.containsKey(key) && !held.get(key).isEmpty();
    }

    public boolean containsEntry(Object key, Object value) {
        return held.containsKey(key) && held.get(key).contains(value);
    }

    public boolean containsValue(Object value) {
        return values().contains(value);
    }

    public boolean isEmpty() {
        return asMap().isEmpty();
    }

    public int size() {
        return values().size();
    }

    public void clear() {
        held.clear();
    }

    public Set<K> keySet() {
        return asMap().keySet();
    }

    public Map<K, Collection<V>> asMap() {
        Map<K, Collection<V>> made = new LinkedHashMap<>();
        for (Map.Entry<K, Collection<V>> each : held.entrySet()) {
            if (!each.getValue().isEmpty()) made.put(each.getKey(), each.getValue());
        }
        return made;
    }

    public Collection<V> values() {
        List<V> made = new ArrayList<>();
        for (Collection<V> each : held.values()) made.addAll(each);
        return java.util.Collections.unmodifiableList(made);
    }

    public Collection<Map.Entry<K, V>> entries() {
        List<Map.Entry<K, V>> made = new ArrayList<>();
        for (Map.Entry<K, Collection<V>> each : held.entrySet()) {
            for (V value : each.getValue()) made.add(new java.util.AbstractMap.SimpleImmutableEntry<>(each.getKey(), value));
        }
        return java.util.Collections.unmodifiableList(made);
    }

    public void forEach(BiConsumer<? super K, ? super V> action) {
        for (Map.Entry<K, V> entry : entries()) action.accept(entry.getKey(), entry.getValue());
    }

    public String toString() {
        return asMap().toString();
    }
}
