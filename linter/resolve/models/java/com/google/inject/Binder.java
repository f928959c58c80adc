package com.google.inject;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All that the modules of an injector bind, by the texts of their keys; `open`: a module is not in sight. */
public class Binder {
    final Map<String, Binding> bindings = new LinkedHashMap<>();
    final Map<String, List<Binding>> sets = new LinkedHashMap<>();
    final Map<String, Map<Object, Binding>> maps = new LinkedHashMap<>();
    final List<Object> waiting = new ArrayList<>();
    boolean open;

    public Binding bind(Object type) {
        Binding added = new Binding(this, type instanceof Key ? ((Key<?>) type).type : type);
        Key<?> key = type instanceof Key ? (Key<?>) type : Key.get(type);
        bindings.put(key.id(), added);
        return added;
    }

    public Binding bindConstant() {
        return new Binding(this, null);
    }

    private Object named;

    void rename(Binding binding, Object type, Object annotation) {
        if (type == null) {
            named = annotation;
        } else {
            bindings.remove(Key.get(type).id());
            bindings.put(Key.get(type, annotation).id(), binding);
        }
    }

    void constant(Binding binding, Object value) {
        bindings.put(Key.get(InjectedKeys.kind(value), named).id(), binding);
    }

    public void install(Module module) {
        if (!InjectedKeys.isSeen(module)) {
            open = true;
            return;
        }
        module.configure(this);
        for (Map.Entry<Key<?>, Object> each : InjectedKeys.provided(module).entrySet()) {
            Object method = each.getValue();
            Binding added = Binding.provided(
                this, module, method, InjectedKeys.parameters(method), InjectedKeys.isSingle(method));
            if (each.getKey().wrapper.equals("into set")) {
                sets.computeIfAbsent(each.getKey().id(), key -> new ArrayList<>()).add(added);
            } else {
                bindings.put(each.getKey().id(), added);
            }
        }
    }

    public void requestInjection(Object target) {
        waiting.add(target);
    }

    public Provider<Object> getProvider(Object key) {
        open = true;
        return null;
    }
}
