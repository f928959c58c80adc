package org.springframework.core.type.filter;

import org.springframework.core.type.ScannedClasses;

public class AnnotationTypeFilter {
    private final Class<?> kind;

    public AnnotationTypeFilter(Class<?> kind) {
        this.kind = kind;
    }

    public AnnotationTypeFilter(Class<?> kind, boolean meta) {
        this.kind = kind;
    }

    public AnnotationTypeFilter(Class<?> kind, boolean meta, boolean interfaces) {
        this.kind = kind;
    }

    public Class<?>[] below(String basePackage) {
        return ScannedClasses.annotated(kind, basePackage);
    }
}
