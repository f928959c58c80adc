package org.apache.commons.cli;

public class DefaultParser implements CommandLineParser {
    public DefaultParser() {}

    public DefaultParser(boolean partialMatching) {}

    public CommandLine parse(Options options, String[] arguments) {
        return new CommandLine(options);
    }

    public CommandLine parse(Options options, String[] arguments, boolean stopAtNonOption) {
        return new CommandLine(options);
    }
}
