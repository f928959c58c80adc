package com.google.inject.name;

import com.google.inject.Binder;
import java.util.Map;

public class Names {
    public final String value;

    private Names(String value) {
        this.value = value;
    }

    public static Names named(String name) {
        return new Names(name);
    }

    public static void bindProperties(Binder binder, Map<Object, Object> properties) {
        for (Map.Entry<Object, Object> each : properties.entrySet()) {
            binder.bind(String.class).annotatedWith(named((String) each.getKey())).toInstance(each.getValue());
        }
    }
}
