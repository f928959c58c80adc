package com.google.inject;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

public class Injector {
    private final Binder binder = new Binder();
    private final Map<String, Object> singles = new LinkedHashMap<>();

    void install(Object module) {
        Object made = module instanceof Class ? ((Class<?>) module).getDeclaredConstructor().newInstance() : module;
        binder.install((Module) made);
    }

    void ready() {
        for (Object each : binder.waiting) injectMembers(each);
    }

    public <T> T getInstance(Object asked) {
        Key<?> key = asked instanceof Key ? (Key<?>) asked : Key.get(asked);
        if (key.wrapper.equals("provider")) {
            Key<?> inner = new Key<>("", key.type, key.name);
            return (T) (Provider<Object>) () -> getInstance(inner);
        }
        if (key.wrapper.equals("set")) return (T) all(binder.sets.get(key.id()));
        if (key.wrapper.equals("map")) return (T) table(binder.maps.get(key.id()));
        Binding found = binder.bindings.get(key.id());
        if (found != null) return (T) found.get(this);
        if (binder.open) return InjectedKeys.unknown(key.type);
        if (!key.name.isEmpty()) throw new ConfigurationException("No implementation was bound");
        return (T) construct(key.type);
    }

    public <T> Provider<T> getProvider(Object asked) {
        return () -> getInstance(asked);
    }

    private Set<Object> all(List<Binding> listed) {
        Set<Object> found = new LinkedHashSet<>();
        if (listed == null) throw new ConfigurationException("No implementation was bound");
        for (Binding each : listed) found.add(each.get(this));
        return found;
    }

    private Map<Object, Object> table(Map<Object, Binding> listed) {
        Map<Object, Object> found = new LinkedHashMap<>();
        if (listed == null) throw new ConfigurationException("No implementation was bound");
        for (Map.Entry<Object, Binding> each : listed.entrySet()) found.put(each.getKey(), each.getValue().get(this));
        return found;
    }

    /** What a key is linked to: the binding of the other type, or that made just in time. */
    Object linked(Object type, Object target) {
        return Key.get(type).id().equals(Key.get(target).id()) ? construct(target) : getInstance(target);
    }

    Object construct(Object type) {
        String id = InjectedKeys.id(type);
        if (InjectedKeys.isSingle(type) && singles.containsKey(id)) return singles.get(id);
        Object other = InjectedKeys.implemented(type);
        if (other != null) return getInstance(other);
        List<Key<?>> keys = InjectedKeys.constructor(type);
        if (keys == null) return InjectedKeys.unknown(type);
        List<Object> given = new ArrayList<>();
        for (Key<?> each : keys) given.add(getInstance(each));
        Object made = InjectedKeys.construct(type, given.toArray());
        if (InjectedKeys.isSingle(type)) singles.put(id, made);
        injectMembers(made);
        return made;
    }

    public void injectMembers(Object target) {
        for (Map.Entry<Object, Key<?>> each : InjectedKeys.fields(target).entrySet()) {
            ((java.lang.reflect.Field) each.getKey()).set(target, getInstance(each.getValue()));
        }
        for (Map.Entry<Object, List<Key<?>>> each : InjectedKeys.methods(target).entrySet()) {
            List<Object> given = new ArrayList<>();
            for (Key<?> key : each.getValue()) given.add(getInstance(key));
            ((java.lang.reflect.Method) each.getKey()).invoke(target, given.toArray());
        }
    }

    public Injector createChildInjector(Module... modules) {
        for (Module each : modules) install(each);
        return this;
    }
}
