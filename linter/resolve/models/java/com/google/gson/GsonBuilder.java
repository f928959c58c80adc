package com.google.gson;

public final class GsonBuilder {
    private final Gson made = new Gson();

    public GsonBuilder setFieldNamingPolicy(Object policy) {
        made.style = policy;
        return this;
    }

    public GsonBuilder setPrettyPrinting() {
        return this;
    }

    public GsonBuilder serializeNulls() {
        return this;
    }

    public GsonBuilder disableHtmlEscaping() {
        return this;
    }

    public GsonBuilder setLenient() {
        return this;
    }

    public GsonBuilder setDateFormat(Object format) {
        return this;
    }

    private GsonBuilder other() {
        made.opaque = true;
        return this;
    }

    public GsonBuilder registerTypeAdapter(Object type, Object adapter) {
        return other();
    }

    public GsonBuilder registerTypeHierarchyAdapter(Object type, Object adapter) {
        return other();
    }

    public GsonBuilder registerTypeAdapterFactory(Object factory) {
        return other();
    }

    public GsonBuilder excludeFieldsWithoutExposeAnnotation() {
        return other();
    }

    public GsonBuilder excludeFieldsWithModifiers(int... modifiers) {
        return other();
    }

    public GsonBuilder setExclusionStrategies(Object... strategies) {
        return other();
    }

    public GsonBuilder addDeserializationExclusionStrategy(Object strategy) {
        return other();
    }

    public GsonBuilder setFieldNamingStrategy(Object strategy) {
        return other();
    }

    public GsonBuilder setObjectToNumberStrategy(Object strategy) {
        return other();
    }

    public GsonBuilder setVersion(double version) {
        return other();
    }

    public GsonBuilder enableComplexMapKeySerialization() {
        return other();
    }

    public Gson create() {
        return made;
    }
}
