package org.apache.commons.configuration2.builder;

import org.apache.commons.configuration2.PropertiesConfiguration;
import org.apache.commons.configuration2.builder.fluent.PropertiesBuilderParameters;

public class FileBasedConfigurationBuilder<T> {
    private final Class<?> kind;
    private PropertiesConfiguration made;
    private PropertiesBuilderParameters given;

    public FileBasedConfigurationBuilder(Class<?> kind) {
        this.kind = kind;
    }

    public FileBasedConfigurationBuilder<T> configure(PropertiesBuilderParameters parameters) {
        given = parameters;
        return this;
    }

    public T getConfiguration() {
        boolean read = kind.getSimpleName().equals("PropertiesConfiguration");
        if (made == null) made = PropertiesConfiguration.read(read ? given.source : null, given.delimiter);
        return (T) made;
    }

    public void save() {}
}
