package org.apache.commons.configuration2.convert;

public class DefaultListDelimiterHandler {
    public final String delimiter;

    public DefaultListDelimiterHandler(char delimiter) {
        this.delimiter = String.valueOf(delimiter);
    }
}
