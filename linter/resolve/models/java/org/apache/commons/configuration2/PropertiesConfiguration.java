package org.apache.commons.configuration2;

import java.util.LinkedHashMap;

public class PropertiesConfiguration extends Configuration {
    public PropertiesConfiguration() {
        super(null, new LinkedHashMap<>());
    }

    public static PropertiesConfiguration read(Object source, String delimiter) {
        PropertiesConfiguration made = new PropertiesConfiguration();
        made.add(TypedDocuments.lines(source), delimiter);
        return made;
    }

    public void read(Object source) {
        add(TypedDocuments.lines(source), null);
    }
}
