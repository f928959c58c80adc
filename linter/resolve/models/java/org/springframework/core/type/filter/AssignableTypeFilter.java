package org.springframework.core.type.filter;

import org.springframework.core.type.ScannedClasses;

public class AssignableTypeFilter {
    private final Class<?> kind;

    public AssignableTypeFilter(Class<?> kind) {
        this.kind = kind;
    }

    public Class<?>[] below(String basePackage) {
        return ScannedClasses.assignable(kind, basePackage);
    }
}
