package org.apache.commons.cli;

import java.util.ArrayList;
import java.util.List;

public class Options {
    final List<Option> options = new ArrayList<>();

    public Options addOption(Option option) {
        options.add(option);
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
        for (Option each : options) if (each.isCalled(name)) return each;
        return null;
    }

    public boolean hasOption(String name) {
        return called(name) != null;
    }

    public Option getOption(String name) {
        return called(name);
    }
}
