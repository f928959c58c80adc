package org.apache.commons.configuration2.builder.fluent;

public class Parameters {
    public PropertiesBuilderParameters properties() {
        return new PropertiesBuilderParameters();
    }

    public PropertiesBuilderParameters fileBased() {
        return new PropertiesBuilderParameters();
    }
}
