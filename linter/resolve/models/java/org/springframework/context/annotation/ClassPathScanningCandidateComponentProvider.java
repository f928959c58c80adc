package org.springframework.context.annotation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.core.type.filter.AssignableTypeFilter;

/** The filters that are known: by an annotation, and by a type. */
public class ClassPathScanningCandidateComponentProvider {
    private final List<AnnotationTypeFilter> annotations = new ArrayList<>();
    private final List<AssignableTypeFilter> types = new ArrayList<>();

    public ClassPathScanningCandidateComponentProvider(boolean useDefaultFilters) {
        if (useDefaultFilters) annotations.add(new AnnotationTypeFilter(org.springframework.stereotype.Component.class));
    }

    public ClassPathScanningCandidateComponentProvider(boolean useDefaultFilters, Object environment) {
        this(useDefaultFilters);
    }

    public void addIncludeFilter(AnnotationTypeFilter filter) {
        annotations.add(filter);
    }

    public void addIncludeFilter(AssignableTypeFilter filter) {
        types.add(filter);
    }

    public void resetFilters(boolean useDefaultFilters) {
        annotations.clear();
        types.clear();
    }

    public void setResourceLoader(Object loader) {
    }

    public void setEnvironment(Object environment) {
    }

    protected boolean isCandidateComponent(ScannedGenericBeanDefinition definition) {
        return definition.getMetadata().isIndependent() && definition.getMetadata().isConcrete();
    }

    public Set<ScannedGenericBeanDefinition> findCandidateComponents(String basePackage) {
        Map<String, ScannedGenericBeanDefinition> found = new LinkedHashMap<>();
        for (AnnotationTypeFilter filter : annotations) {
            for (Class<?> type : filter.below(basePackage)) take(found, type);
        }
        for (AssignableTypeFilter filter : types) {
            for (Class<?> type : filter.below(basePackage)) take(found, type);
        }
        return new LinkedHashSet<>(found.values());
    }

    private void take(Map<String, ScannedGenericBeanDefinition> found, Class<?> type) {
        ScannedGenericBeanDefinition made = new ScannedGenericBeanDefinition(type);
        if (isCandidateComponent(made)) found.putIfAbsent(type.getName(), made);
    }
}
