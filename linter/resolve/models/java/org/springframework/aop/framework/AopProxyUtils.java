package org.springframework.aop.framework;

public abstract class AopProxyUtils {
    public static Class<?> ultimateTargetClass(Object bean) {
        return bean.getClass();
    }
}
