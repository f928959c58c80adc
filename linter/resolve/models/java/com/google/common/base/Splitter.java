package com.google.common.base;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** At a text, a pattern, or after so many characters. */
public class Splitter {
    private final Pattern at;
    private final int length;
    private final boolean omits;
    private final boolean trims;
    private final int limit;

    private Splitter(Pattern at, int length, boolean omits, boolean trims, int limit) {
        this.at = at;
        this.length = length;
        this.omits = omits;
        this.trims = trims;
        this.limit = limit;
    }

    public static Splitter on(String separator) {
        if (separator.isEmpty()) throw new IllegalArgumentException("The separator may not be the empty string.");
        return new Splitter(Pattern.compile(Pattern.quote(separator)), 0, false, false, 0);
    }

    public static Splitter on(char separator) {
        return on(String.valueOf(separator));
    }

    public static Splitter on(Pattern pattern) {
        return new Splitter(pattern, 0, false, false, 0);
    }

    public static Splitter onPattern(String pattern) {
        return on(Pattern.compile(pattern));
    }

    public static Splitter fixedLength(int length) {
        return new Splitter(null, length, false, false, 0);
    }

    public Splitter omitEmptyStrings() {
        return new Splitter(at, length, true, trims, limit);
    }

    public Splitter trimResults() {
        return new Splitter(at, length, omits, true, limit);
    }

    public Splitter limit(int most) {
        return new Splitter(at, length, omits, trims, most);
    }

    public List<String> splitToList(CharSequence given) {
        String text = given.toString();
        List<String> made = new ArrayList<>();
        int from = 0;
        boolean last = false;
        Matcher matcher = at == null ? null : at.matcher(text);
        while (!last) {
            boolean found = matcher == null ? from + length < text.length() : matcher.find();
            last = !found || (limit > 0 && made.size() == limit - 1);
            int until = last ? text.length() : matcher == null ? from + length : matcher.start();
            String part = text.substring(from, until);
            if (trims) part = part.strip();
            if (!omits || !part.isEmpty()) made.add(part);
            if (!last) from = matcher == null ? until : matcher.end();
        }
        return java.util.Collections.unmodifiableList(made);
    }

    public Iterable<String> split(CharSequence text) {
        return splitToList(text);
    }

    public Stream<String> splitToStream(CharSequence text) {
        return splitToList(text).stream();
    }

    public MapSplitter withKeyValueSeparator(String between) {
        return new MapSplitter(this, on(between));
    }

    public MapSplitter withKeyValueSeparator(char between) {
        return new MapSplitter(this, on(between));
    }

    public MapSplitter withKeyValueSeparator(Splitter between) {
        return new MapSplitter(this, between);
    }

    public static class MapSplitter {
        private final Splitter outer;
        private final Splitter inner;

        MapSplitter(Splitter outer, Splitter inner) {
            this.outer = outer;
            this.inner = inner;
        }

        public Map<String, String> split(CharSequence text) {
            Map<String, String> made = new LinkedHashMap<>();
            for (String entry : outer.splitToList(text)) {
                List<String> parts = inner.splitToList(entry);
                if (parts.size() != 2) throw new IllegalArgumentException("Chunk [" + entry + "] is not a valid entry");
                if (made.containsKey(parts.get(0))) throw new IllegalArgumentException("Duplicate key [" + parts.get(0) + "] found.");
                made.put(parts.get(0), parts.get(1));
            }
            return java.util.Collections.unmodifiableMap(made);
        }
    }
}
