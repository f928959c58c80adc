package org.apache.commons.cli;

public class PosixParser extends DefaultParser {}
