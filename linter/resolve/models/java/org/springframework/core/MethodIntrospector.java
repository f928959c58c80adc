package org.springframework.core;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;

public final class MethodIntrospector {
    public static <T> Map<Method, T> selectMethods(Class<?> type, MetadataLookup<T> lookup) {
        Map<Method, T> found = new LinkedHashMap<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                T told = lookup.inspect(method);
                if (told != null) found.put(method, told);
            }
        }
        return found;
    }

    public interface MetadataLookup<T> {
        T inspect(Method method);
    }
}
