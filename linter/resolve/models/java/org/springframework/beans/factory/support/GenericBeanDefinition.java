package org.springframework.beans.factory.support;

import java.util.function.Supplier;

public class GenericBeanDefinition extends AbstractBeanDefinition {
    public GenericBeanDefinition() {
    }

    public GenericBeanDefinition(Object type) {
        super(type);
    }

    public GenericBeanDefinition(Object type, Supplier<?> supplier) {
        super(type, supplier);
    }
}
