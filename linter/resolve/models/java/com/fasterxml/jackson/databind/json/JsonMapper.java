package com.fasterxml.jackson.databind.json;

import com.fasterxml.jackson.databind.ObjectMapper;

public class JsonMapper extends ObjectMapper {
    public static Builder builder() {
        return new Builder();
    }

    public static class Builder {
        private final JsonMapper made = new JsonMapper();

        public Builder configure(Object feature, boolean on) {
            made.configure(feature, on);
            return this;
        }

        public Builder enable(Object... features) {
            for (Object each : features) made.configure(each, true);
            return this;
        }

        public Builder disable(Object... features) {
            for (Object each : features) made.configure(each, false);
            return this;
        }

        public Builder propertyNamingStrategy(Object strategy) {
            made.setPropertyNamingStrategy(strategy);
            return this;
        }

        public Builder addModule(Object module) {
            made.registerModule(module);
            return this;
        }

        public Builder serializationInclusion(Object inclusion) {
            return this;
        }

        public Builder findAndAddModules() {
            made.findAndRegisterModules();
            return this;
        }

        public JsonMapper build() {
            return made;
        }
    }
}
