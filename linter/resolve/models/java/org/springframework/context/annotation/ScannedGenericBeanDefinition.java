package org.springframework.context.annotation;

import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.core.type.ScannedMetadata;

public class ScannedGenericBeanDefinition extends GenericBeanDefinition {
    private final ScannedMetadata metadata;

    public ScannedGenericBeanDefinition(Class<?> type) {
        super(type);
        metadata = new ScannedMetadata(type);
    }

    public ScannedMetadata getMetadata() {
        return metadata;
    }

    public String getBeanClassName() {
        return metadata.getClassName();
    }
}
