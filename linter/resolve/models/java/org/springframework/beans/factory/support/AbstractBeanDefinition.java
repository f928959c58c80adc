package org.springframework.beans.factory.support;

import java.util.function.Supplier;
import org.springframework.beans.MutablePropertyValues;
import org.springframework.beans.factory.config.ConstructorArgumentValues;

/** What an object is made of: its class, or what gives it, its constructor's arguments and its properties. */
public class AbstractBeanDefinition {
    Object type;
    Supplier<?> supplier;
    String initMethod;
    final ConstructorArgumentValues arguments = new ConstructorArgumentValues();
    final MutablePropertyValues properties = new MutablePropertyValues();

    public AbstractBeanDefinition() {
    }

    public AbstractBeanDefinition(Object type) {
        this.type = type;
    }

    public AbstractBeanDefinition(Object type, Supplier<?> supplier) {
        this.type = type;
        this.supplier = supplier;
    }

    public void setBeanClass(Class<?> type) {
        this.type = type;
    }

    public void setBeanClassName(String type) {
        this.type = type;
    }

    public void setInstanceSupplier(Supplier<?> supplier) {
        this.supplier = supplier;
    }

    public void setInitMethodName(String name) {
        initMethod = name;
    }

    public ConstructorArgumentValues getConstructorArgumentValues() {
        return arguments;
    }

    public MutablePropertyValues getPropertyValues() {
        return properties;
    }

    public void setScope(String scope) {
    }

    public void setLazyInit(boolean lazy) {
    }

    public void setPrimary(boolean primary) {
    }

    public void setAutowireMode(int mode) {
    }

    public void setRole(int role) {
    }

    public void setDestroyMethodName(String name) {
    }
}
