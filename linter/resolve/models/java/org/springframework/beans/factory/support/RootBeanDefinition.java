package org.springframework.beans.factory.support;

import java.util.function.Supplier;

public class RootBeanDefinition extends AbstractBeanDefinition {
    public RootBeanDefinition() {
    }

    public RootBeanDefinition(Object type) {
        super(type);
    }

    public RootBeanDefinition(Object type, Supplier<?> supplier) {
        super(type, supplier);
    }
}
