package com.beust.jcommander;

import java.util.ArrayList;
import java.util.List;

public class JCommander {
    private final List<Object> objects = new ArrayList<>();

    public JCommander() {}

    public JCommander(Object object) {
        objects.add(object);
    }

    public JCommander(Object object, String... arguments) {
        objects.add(object);
        parse(arguments);
    }

    public static Builder newBuilder() {
        return new Builder();
    }

    public void addObject(Object object) {
        objects.add(object);
    }

    public void addCommand(String name, Object object, String... others) {
        objects.add(object);
    }

    public void parse(String... arguments) {
        for (Object each : objects) CommandLineSwitches.fill(each);
    }

    public void parseWithoutValidation(String... arguments) {
        parse(arguments);
    }

    public void usage() {}

    public void setProgramName(String name) {}

    public void setAcceptUnknownOptions(boolean on) {}

    public static class Builder {
        private final JCommander made = new JCommander();

        public Builder addObject(Object object) {
            made.addObject(object);
            return this;
        }

        public Builder addCommand(String name, Object object, String... others) {
            made.addObject(object);
            return this;
        }

        public Builder programName(String name) {
            return this;
        }

        public Builder acceptUnknownOptions(boolean on) {
            return this;
        }

        public Builder allowParameterOverwriting(boolean on) {
            return this;
        }

        public Builder args(String[] arguments) {
            made.parse(arguments);
            return this;
        }

        public JCommander build() {
            return made;
        }
    }
}
