package org.springframework.util;

public abstract class ClassUtils {
    public static Class<?> getUserClass(Object bean) {
        return bean instanceof Class ? (Class<?>) bean : bean.getClass();
    }
}
