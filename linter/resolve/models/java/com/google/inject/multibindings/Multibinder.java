package com.google.inject.multibindings;

import com.google.inject.Binder;
import com.google.inject.Binding;
import com.google.inject.Key;
import java.util.ArrayList;

public class Multibinder {
    private final Binder binder;
    private final Object type;
    private final String id;

    private Multibinder(Binder binder, Object type, String id) {
        this.binder = binder;
        this.type = type;
        this.id = id;
        binder.sets.computeIfAbsent(id, key -> new ArrayList<>());
    }

    public static Multibinder newSetBinder(Binder binder, Object type) {
        return new Multibinder(binder, type, Key.get(type).id());
    }

    public static Multibinder newSetBinder(Binder binder, Object type, Object annotation) {
        return new Multibinder(binder, type, Key.get(type, annotation).id());
    }

    public Binding addBinding() {
        Binding added = new Binding(binder, type);
        binder.sets.get(id).add(added);
        return added;
    }
}
