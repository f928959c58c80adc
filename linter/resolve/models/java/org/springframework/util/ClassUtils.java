package org.springframework.util;

public abstract class ClassUtils {
    public static Class<?> getUserClass(Object bean) {
        return bean instanceof Class ? (Class<?>) bean : bean.getClass();
    }

    public static String getShortName(String name) {
        int end = name.indexOf("$$");
        String shown = name.substring(name.lastIndexOf('.') + 1, end < 0 ? name.length() : end);
        return shown.replace('$', '.');
    }

    public static String getPackageName(String name) {
        int end = name.lastIndexOf('.');
        return end < 0 ? "" : name.substring(0, end);
    }
}
