package org.apache.commons.cli;

public class BasicParser extends DefaultParser {}
