package org.springframework.core.annotation;

import java.lang.reflect.ReflectedMembers;

public abstract class AnnotatedElementUtils {
    public static <A> A findMergedAnnotation(Object element, Class<A> kind) {
        return ReflectedMembers.found(element, kind, true, true);
    }

    public static <A> A getMergedAnnotation(Object element, Class<A> kind) {
        return ReflectedMembers.found(element, kind, false, true);
    }

    public static boolean hasAnnotation(Object element, Class<?> kind) {
        return findMergedAnnotation(element, kind) != null;
    }

    public static boolean isAnnotated(Object element, Class<?> kind) {
        return getMergedAnnotation(element, kind) != null;
    }
}
