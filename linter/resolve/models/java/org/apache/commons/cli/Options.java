package org.apache.commons.cli;

import java.util.LinkedHashMap;
import java.util.Map;

public class Options {
    private final Map<String, Option> named = new LinkedHashMap<>();  // a short name goes before a long one

    public Options addOption(Option option) {
        if (option.longOpt != null) named.putIfAbsent(option.longOpt, option);
        if (option.opt != null) named.put(option.opt, option);
        return this;
    }

    public Options addOption(String opt, String description) {
        return addOption(new Option(opt, description));
    }

    public Options addOption(String opt, boolean hasArg, String description) {
        return addOption(new Option(opt, hasArg, description));
    }

    public Options addOption(String opt, String longOpt, boolean hasArg, String description) {
        return addOption(new Option(opt, longOpt, hasArg, description));
    }

    public Options addRequiredOption(String opt, String longOpt, boolean hasArg, String description) {
        Option added = new Option(opt, longOpt, hasArg, description);
        added.required = true;
        return addOption(added);
    }

    Option called(String name) {
        return named.get(name);
    }

    public boolean hasOption(String name) {
        return called(name) != null;
    }

    public Option getOption(String name) {
        return called(name);
    }
}
