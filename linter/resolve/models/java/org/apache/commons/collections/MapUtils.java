package org.apache.commons.collections;

/** What version 3 of the library calls the same. */
public class MapUtils extends org.apache.commons.collections4.MapUtils {
}
