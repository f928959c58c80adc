package com.google.inject;

public abstract class AbstractModule implements Module {
    private Binder binder;

    public final void configure(Binder given) {
        binder = given;
        configure();
    }

    protected void configure() {}

    protected Binder binder() {
        return binder;
    }

    protected Binding bind(Object type) {
        return binder.bind(type);
    }

    protected Binding bindConstant() {
        return binder.bindConstant();
    }

    protected void install(Module module) {
        binder.install(module);
    }

    protected void requestInjection(Object target) {
        binder.requestInjection(target);
    }

    protected Provider<Object> getProvider(Object key) {
        return binder.getProvider(key);
    }
}
