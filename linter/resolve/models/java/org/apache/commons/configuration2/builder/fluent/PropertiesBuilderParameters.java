package org.apache.commons.configuration2.builder.fluent;

import org.apache.commons.configuration2.convert.DefaultListDelimiterHandler;

public class PropertiesBuilderParameters {
    public Object source;
    public String delimiter;

    public PropertiesBuilderParameters setFileName(String name) {
        source = name;
        return this;
    }

    public PropertiesBuilderParameters setFile(Object file) {
        source = file;
        return this;
    }

    public PropertiesBuilderParameters setURL(Object url) {
        source = url;
        return this;
    }

    public PropertiesBuilderParameters setListDelimiterHandler(Object handler) {
        delimiter = ((DefaultListDelimiterHandler) handler).delimiter;
        return this;
    }

    public PropertiesBuilderParameters setEncoding(String encoding) {
        return this;
    }

    public PropertiesBuilderParameters setThrowExceptionOnMissing(boolean on) {
        return this;
    }
}
