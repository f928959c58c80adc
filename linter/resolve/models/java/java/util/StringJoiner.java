package java.util;

public final class StringJoiner {
    private final String delimiter;
    private final String prefix;
    private final String suffix;
    private String joined;
    private String empty;

    public StringJoiner(CharSequence delimiter) {
        this(delimiter, "", "");
    }

    public StringJoiner(CharSequence delimiter, CharSequence prefix, CharSequence suffix) {
        this.delimiter = delimiter.toString();
        this.prefix = prefix.toString();
        this.suffix = suffix.toString();
    }

    public StringJoiner setEmptyValue(CharSequence value) {
        empty = value.toString();
        return this;
    }

    public StringJoiner add(CharSequence piece) {
        joined = joined == null ? "" + piece : joined + delimiter + piece;
        return this;
    }

    public StringJoiner merge(StringJoiner other) {
        return other.joined == null ? this : add(other.joined);
    }

    public int length() {
        return toString().length();
    }

    public String toString() {
        if (joined == null) return empty == null ? prefix + suffix : empty;
        return prefix + joined + suffix;
    }
}
