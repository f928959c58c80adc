package org.apache.commons.configuration2.builder.fluent;

import org.apache.commons.configuration2.PropertiesConfiguration;

public class Configurations {
    public PropertiesConfiguration properties(Object source) {
        return PropertiesConfiguration.read(source, null);
    }
}
