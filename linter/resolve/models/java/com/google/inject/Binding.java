package com.google.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One binding, and the words by which a module says it. */
public class Binding {
    private final Binder binder;
    Object type;
    private Object target;
    private Object instance;
    private Object provider;
    private Object[] provided;
    private boolean single;
    private boolean made;
    private Object value;

    Binding(Binder binder, Object type) {
        this.binder = binder;
        this.type = type;
    }

    static Binding provided(Binder binder, Object module, Object method, List<Key<?>> keys, boolean single) {
        Binding found = new Binding(binder, null);
        found.provided = new Object[] {module, method, keys};
        found.single = single;
        return found;
    }

    public Binding annotatedWith(Object annotation) {
        binder.rename(this, type, annotation);
        return this;
    }

    public Binding to(Object target) {
        if (type == null) {
            instance = target;
            binder.constant(this, target);
        } else {
            this.target = target;
        }
        return this;
    }

    public void toInstance(Object instance) {
        this.instance = instance;
    }

    public Binding toProvider(Object provider) {
        this.provider = provider;
        return this;
    }

    public Binding toConstructor(Object constructor) {
        target = ((java.lang.reflect.Constructor<?>) constructor).getDeclaringClass();
        return this;
    }

    public void in(Object scope) {
        single = true;
    }

    public void asEagerSingleton() {
        single = true;
    }

    Object get(Injector injector) {
        if (!single) return make(injector);
        if (!made) value = make(injector);
        made = true;
        return value;
    }

    private Object make(Injector injector) {
        if (instance != null) return instance;
        if (provider != null) {
            Object from = provider instanceof Class ? injector.getInstance(provider) : provider;
            return ((Provider<?>) from).get();
        }
        if (provided != null) {
            List<Object> given = new ArrayList<>();
            for (Key<?> each : (List<Key<?>>) provided[2]) given.add(injector.getInstance(each));
            return ((java.lang.reflect.Method) provided[1]).invoke(provided[0], given.toArray());
        }
        if (target == null) return injector.construct(type);
        return target instanceof Key ? injector.getInstance(target) : injector.linked(type, target);
    }
}
