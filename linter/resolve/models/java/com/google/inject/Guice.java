package com.google.inject;

public final class Guice {
    public static Injector createInjector(Object... modules) {
        Injector made = new Injector();
        for (Object each : modules) {
            if (each instanceof Stage) continue;
            if (each instanceof Iterable) {
                for (Object one : (Iterable<?>) each) made.install(one);
            } else {
                made.install(each);
            }
        }
        made.ready();
        return made;
    }
}
