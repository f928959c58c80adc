package org.apache.commons.cli;

public interface CommandLineParser {
    CommandLine parse(Options options, String[] arguments);

    CommandLine parse(Options options, String[] arguments, boolean stopAtNonOption);
}
