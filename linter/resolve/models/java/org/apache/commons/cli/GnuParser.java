package org.apache.commons.cli;

public class GnuParser extends DefaultParser {}
