package org.springframework.core.annotation;

import java.lang.reflect.ReflectedMembers;

public abstract class AnnotationUtils {
    public static <A> A findAnnotation(Object element, Class<A> kind) {
        return ReflectedMembers.found(element, kind, true, false);
    }

    public static <A> A getAnnotation(Object element, Class<A> kind) {
        return ReflectedMembers.found(element, kind, false, false);
    }
}
