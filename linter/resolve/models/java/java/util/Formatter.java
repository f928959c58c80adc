package java.util;

public final class Formatter implements AutoCloseable {
    private final Appendable out;

    public Formatter() {
        this(new StringBuilder());
    }

    public Formatter(Locale locale) {
        this(new StringBuilder());
    }

    public Formatter(Appendable out) {
        this.out = out;
    }

    public Formatter(Appendable out, Locale locale) {
        this(out);
    }

    public Formatter format(String pattern, Object... values) {
        out.append(String.format(pattern, values));
        return this;
    }

    public Appendable out() {
        return out;
    }

    public void flush() {}

    public void close() {}

    public String toString() {
        return out.toString();
    }
}
