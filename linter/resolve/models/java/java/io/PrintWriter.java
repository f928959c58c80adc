package java.io;

/** What is printed goes to another writer; one of a file keeps it to itself. */
public class PrintWriter implements AutoCloseable {
    private final Writer out;

    public PrintWriter(Writer out) {
        this.out = out;
    }

    public PrintWriter(Writer out, boolean flushes) {
        this(out);
    }

    public void write(String text) {
        out.write(text);
    }

    public void print(Object value) {
        out.write(String.valueOf(value));
    }

    public void println() {
        out.write("\n");
    }

    public void println(Object value) {
        print(value);
        println();
    }

    public PrintWriter printf(String pattern, Object... values) {
        return format(pattern, values);
    }

    public PrintWriter format(String pattern, Object... values) {
        out.write(String.format(pattern, values));
        return this;
    }

    public PrintWriter append(CharSequence text) {
        print(text);
        return this;
    }

    public boolean checkError() {
        return false;
    }

    public void flush() {}

    public void close() {}
}
