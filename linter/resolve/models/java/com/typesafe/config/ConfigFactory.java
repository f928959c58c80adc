package com.typesafe.config;

import java.util.Map;

public final class ConfigFactory {
    public static Config load() {
        return new Config(HoconDocuments.load("application", "reference"));
    }

    public static Config load(Object source) {
        return source instanceof Config ? (Config) source : new Config(HoconDocuments.load(source, "reference"));
    }

    public static Config parseResources(String name) {
        return new Config(HoconDocuments.load(name));
    }

    public static Config parseResourcesAnySyntax(String name) {
        return new Config(HoconDocuments.load(name));
    }

    public static Config parseFile(Object file) {
        return new Config(HoconDocuments.load(file));
    }

    public static Config parseString(String text) {
        return new Config(HoconDocuments.parse(text));
    }

    public static Config parseMap(Map<String, Object> values) {
        return new Config(values);
    }

    public static Config defaultApplication() {
        return new Config(HoconDocuments.load("application"));
    }

    public static Config empty() {
        return new Config(Map.of());
    }

    public static void invalidateCaches() {}
}
