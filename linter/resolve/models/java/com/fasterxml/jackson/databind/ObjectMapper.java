package com.fasterxml.jackson.databind;

import com.fasterxml.jackson.databind.type.TypeFactory;

/** Reads documents: `style` is the naming strategy, `strict` whether a key without a property is an error, `opaque` whether
 * it is set up in ways that are not followed. */
public class ObjectMapper {
    private final String format;
    private Object style;
    private boolean strict = true;
    private boolean opaque;

    public ObjectMapper() {
        format = "json";
    }

    public ObjectMapper(Object factory) {
        String kind = factory.getClass().getSimpleName();
        format = kind.equals("YAMLFactory") ? "yaml" : kind.equals("JsonFactory") ? "json" : "other";
    }

    public <T> T readValue(Object source, Object type) {
        return TypedDocuments.bind("jackson", TypedDocuments.read(source, format), type, this);
    }

    public JsonNode readTree(Object source) {
        return JsonNode.of(TypedDocuments.plain(TypedDocuments.read(source, format)));
    }

    public <T> T convertValue(Object value, Object type) {
        return TypedDocuments.bind("jackson", value instanceof JsonNode ? ((JsonNode) value).value : value, type, this);
    }

    public <T> T treeToValue(JsonNode node, Object type) {
        return TypedDocuments.bind("jackson", node.value, type, this);
    }

    public ObjectReader readerFor(Object type) {
        return new ObjectReader(this, type);
    }

    public ObjectReader reader() {
        return new ObjectReader(this, null);
    }

    public TypeFactory getTypeFactory() {
        return TypeFactory.defaultInstance();
    }

    public ObjectMapper setPropertyNamingStrategy(Object strategy) {
        style = strategy;
        return this;
    }

    public ObjectMapper configure(Object feature, boolean on) {
        String name = feature.name();
        if (name.equals("FAIL_ON_UNKNOWN_PROPERTIES")) {
            strict = on;
        } else if (!isHarmless(name)) {
            opaque = true;
        }
        return this;
    }

    /** Features that concern writing, or what ends in an exception. */
    private static boolean isHarmless(String name) {
        return name.startsWith("WRITE_") || name.startsWith("FAIL_ON_") || name.startsWith("INDENT_")
            || name.startsWith("ADJUST_DATES") || name.startsWith("ORDER_MAP") || name.startsWith("CLOSE_")
            || name.startsWith("USE_BIG") || name.startsWith("FLUSH_");
    }

    public ObjectMapper enable(Object feature) {
        return configure(feature, true);
    }

    public ObjectMapper disable(Object feature) {
        return configure(feature, false);
    }

    public ObjectMapper enable(Object first, Object... others) {
        configure(first, true);
        for (Object each : others) configure(each, true);
        return this;
    }

    public ObjectMapper disable(Object first, Object... others) {
        configure(first, false);
        for (Object each : others) configure(each, false);
        return this;
    }

    public ObjectMapper registerModule(Object module) {
        String kind = module.getClass().getSimpleName();
        if (!kind.equals("JavaTimeModule") && !kind.equals("Jdk8Module") && !kind.equals("AfterburnerModule")) opaque = true;
        return this;
    }

    public ObjectMapper registerModules(Object... modules) {
        for (Object each : modules) registerModule(each);
        return this;
    }

    public ObjectMapper setSerializationInclusion(Object inclusion) {
        return this;
    }

    public ObjectMapper setDateFormat(Object format) {
        return this;
    }

    public ObjectMapper setTimeZone(Object zone) {
        return this;
    }

    /** What sets it up otherwise. */
    private ObjectMapper other() {
        opaque = true;
        return this;
    }

    public ObjectMapper findAndRegisterModules() {
        return other();
    }

    public ObjectMapper setVisibility(Object checker) {
        return other();
    }

    public ObjectMapper setVisibility(Object accessor, Object visibility) {
        return other();
    }

    public ObjectMapper addMixIn(Object target, Object source) {
        return other();
    }

    public ObjectMapper setAnnotationIntrospector(Object introspector) {
        return other();
    }

    public ObjectMapper setInjectableValues(Object values) {
        return other();
    }

    public ObjectMapper addHandler(Object handler) {
        return other();
    }

    public ObjectMapper activateDefaultTyping(Object validator, Object... more) {
        return other();
    }

    public ObjectMapper copy() {
        ObjectMapper made = new ObjectMapper();
        made.style = style;
        made.strict = strict;
        made.opaque = opaque || !format.equals("json");
        return made;
    }
}
