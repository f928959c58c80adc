package com.google.inject.multibindings;

import com.google.inject.Binder;
import com.google.inject.Binding;
import com.google.inject.Key;
import java.util.LinkedHashMap;

public class MapBinder {
    private final Binder binder;
    private final Object type;
    private final String id;

    private MapBinder(Binder binder, Object type) {
        this.binder = binder;
        this.type = type;
        id = Key.get(type).id();
        binder.maps.computeIfAbsent(id, key -> new LinkedHashMap<>());
    }

    public static MapBinder newMapBinder(Binder binder, Object key, Object type) {
        return new MapBinder(binder, type);
    }

    public Binding addBinding(Object key) {
        Binding added = new Binding(binder, type);
        binder.maps.get(id).put(key, added);
        return added;
    }
}
