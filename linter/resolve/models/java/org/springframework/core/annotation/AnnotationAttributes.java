package org.springframework.core.annotation;

import java.util.LinkedHashMap;
import java.util.Map;

public class AnnotationAttributes extends LinkedHashMap<String, Object> {
    public AnnotationAttributes() {
    }

    public AnnotationAttributes(Map<String, Object> values) {
        putAll(values);
    }

    public static AnnotationAttributes fromMap(Map<String, Object> values) {
        return values == null ? null : new AnnotationAttributes(values);
    }

    public String getString(String name) {
        return (String) get(name);
    }

    public String[] getStringArray(String name) {
        return (String[]) get(name);
    }

    public boolean getBoolean(String name) {
        return (Boolean) get(name);
    }

    public <N> N getNumber(String name) {
        return (N) get(name);
    }

    public <E> E getEnum(String name) {
        return (E) get(name);
    }

    public <T> Class<T> getClass(String name) {
        return (Class<T>) get(name);
    }

    public Class<?>[] getClassArray(String name) {
        return (Class<?>[]) get(name);
    }

    public AnnotationAttributes getAnnotation(String name) {
        return new AnnotationAttributes((Map<String, Object>) get(name));
    }

    public AnnotationAttributes[] getAnnotationArray(String name) {
        Object[] found = (Object[]) get(name);
        AnnotationAttributes[] made = new AnnotationAttributes[found.length];
        for (int i = 0; i < found.length; i++) made[i] = new AnnotationAttributes((Map<String, Object>) found[i]);
        return made;
    }
}
