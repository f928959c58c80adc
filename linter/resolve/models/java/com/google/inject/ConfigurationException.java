package com.google.inject;

public class ConfigurationException extends RuntimeException {
    ConfigurationException(String message) {
        super(message);
    }
}
