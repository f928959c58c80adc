package org.springframework.core.type;

import java.util.Map;

/** What a scan tells of a class: `AnnotationMetadata`. */
public final class ScannedMetadata {
    private final Class<?> type;

    public ScannedMetadata(Class<?> type) {
        this.type = type;
    }

    public String getClassName() {
        return type.getName();
    }

    public boolean isInterface() {
        return type.isInterface();
    }

    public boolean isAnnotation() {
        return type.isAnnotation();
    }

    public boolean isConcrete() {
        return ScannedClasses.isConcrete(type);
    }

    public boolean isAbstract() {
        return !isConcrete();
    }

    public boolean isIndependent() {
        return ScannedClasses.isIndependent(type);
    }

    public boolean hasAnnotation(String name) {
        return getAnnotationAttributes(name) != null;
    }

    public boolean isAnnotated(String name) {
        return getAnnotationAttributes(name) != null;
    }

    public Map<String, Object> getAnnotationAttributes(String name) {
        return ScannedClasses.attributes(type, name);
    }

    public Map<String, Object> getAnnotationAttributes(String name, boolean classesAsTexts) {
        return ScannedClasses.attributes(type, name);
    }
}
