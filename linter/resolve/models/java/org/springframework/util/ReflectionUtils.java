package org.springframework.util;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** What is thrown on the way is not told. */
public abstract class ReflectionUtils {
    public interface MethodCallback {
        void doWith(Method method) throws IllegalAccessException;
    }

    public interface MethodFilter {
        boolean matches(Method method);
    }

    public interface FieldCallback {
        void doWith(Field field) throws IllegalAccessException;
    }

    public interface FieldFilter {
        boolean matches(Field field);
    }

    public static void doWithMethods(Class<?> type, MethodCallback callback) {
        for (Method each : getAllDeclaredMethods(type)) callback.doWith(each);
    }

    public static void doWithMethods(Class<?> type, MethodCallback callback, MethodFilter filter) {
        for (Method each : getAllDeclaredMethods(type)) if (filter.matches(each)) callback.doWith(each);
    }

    public static void doWithLocalMethods(Class<?> type, MethodCallback callback) {
        for (Method each : type.getDeclaredMethods()) callback.doWith(each);
    }

    public static Method[] getAllDeclaredMethods(Class<?> type) {
        List<Method> found = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Method one : each.getDeclaredMethods()) found.add(one);
        }
        return found.toArray(new Method[0]);
    }

    public static void doWithFields(Class<?> type, FieldCallback callback) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Field one : each.getDeclaredFields()) callback.doWith(one);
        }
    }

    public static void doWithFields(Class<?> type, FieldCallback callback, FieldFilter filter) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Field one : each.getDeclaredFields()) if (filter.matches(one)) callback.doWith(one);
        }
    }

    public static void doWithLocalFields(Class<?> type, FieldCallback callback) {
        for (Field each : type.getDeclaredFields()) callback.doWith(each);
    }

    public static Field findField(Class<?> type, String name) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Field one : each.getDeclaredFields()) if (one.getName().equals(name)) return one;
        }
        return null;
    }

    public static Object getField(Field field, Object target) {
        return field.get(target);
    }

    public static void setField(Field field, Object target, Object value) {
        field.set(target, value);
    }

    public static Object invokeMethod(Method method, Object target) {
        return method.invoke(target);
    }

    public static Object invokeMethod(Method method, Object target, Object... arguments) {
        return method.invoke(target, arguments);
    }

    public static void makeAccessible(Method method) {}

    public static void makeAccessible(Field field) {}
}
