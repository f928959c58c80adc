package org.springframework.beans.factory.support;

import java.util.function.Supplier;

public final class BeanDefinitionBuilder {
    private final AbstractBeanDefinition definition;
    private int arguments;

    private BeanDefinitionBuilder(AbstractBeanDefinition definition) {
        this.definition = definition;
    }

    public static BeanDefinitionBuilder genericBeanDefinition(Object type) {
        return new BeanDefinitionBuilder(new GenericBeanDefinition(type));
    }

    public static BeanDefinitionBuilder genericBeanDefinition(Object type, Supplier<?> supplier) {
        return new BeanDefinitionBuilder(new GenericBeanDefinition(type, supplier));
    }

    public static BeanDefinitionBuilder rootBeanDefinition(Object type) {
        return new BeanDefinitionBuilder(new RootBeanDefinition(type));
    }

    public static BeanDefinitionBuilder rootBeanDefinition(Object type, Supplier<?> supplier) {
        return new BeanDefinitionBuilder(new RootBeanDefinition(type, supplier));
    }

    public BeanDefinitionBuilder addConstructorArgValue(Object value) {
        definition.arguments.addIndexedArgumentValue(arguments++, value);
        return this;
    }

    public BeanDefinitionBuilder addPropertyValue(String name, Object value) {
        definition.properties.add(name, value);
        return this;
    }

    public BeanDefinitionBuilder setInitMethodName(String name) {
        definition.initMethod = name;
        return this;
    }

    public BeanDefinitionBuilder setDestroyMethodName(String name) {
        return this;
    }

    public BeanDefinitionBuilder setScope(String scope) {
        return this;
    }

    public BeanDefinitionBuilder setLazyInit(boolean lazy) {
        return this;
    }

    public BeanDefinitionBuilder setPrimary(boolean primary) {
        return this;
    }

    public BeanDefinitionBuilder setRole(int role) {
        return this;
    }

    public BeanDefinitionBuilder setAutowireMode(int mode) {
        return this;
    }

    public AbstractBeanDefinition getBeanDefinition() {
        return definition;
    }

    public AbstractBeanDefinition getRawBeanDefinition() {
        return definition;
    }
}
