package org.springframework.aop.support;

public abstract class AopUtils {
    public static Class<?> getTargetClass(Object bean) {
        return bean.getClass();
    }
}
