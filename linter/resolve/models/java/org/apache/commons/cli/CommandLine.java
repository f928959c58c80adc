package org.apache.commons.cli;

/** No option is given unless the command line says otherwise; a required one has a value that nobody knows. */
public class CommandLine {
    private final Options options;

    CommandLine(Options options) {
        this.options = options;
    }

    public boolean hasOption(Object name) {
        Option option = called(name);
        if (option == null) return false;
        return option.required || (Boolean) CommandLineSwitches.overruled(false, option.written());
    }

    public String getOptionValue(Object name) {
        Option option = called(name);
        if (option == null) return null;
        if (option.required) return (String) CommandLineSwitches.overruled(null, option.written());
        return hasOption(name) ? (String) CommandLineSwitches.overruled(null, option.written()) : null;
    }

    public String getOptionValue(Object name, String other) {
        Option option = called(name);
        if (option == null) return other;
        return (String) CommandLineSwitches.overruled(option.required ? null : other, option.written());
    }

    private Option called(Object name) {
        return name instanceof Option ? (Option) name : options.called(String.valueOf(name));
    }
}
