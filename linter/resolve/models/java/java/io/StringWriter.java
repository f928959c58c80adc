package java.io;

public class StringWriter {
    private final StringBuilder written = new StringBuilder();

    public StringWriter() {}

    public StringWriter(int size) {}

    public void write(Object text) {
        written.append(text instanceof Integer ? (char) (int) text : text);
    }

    public StringWriter append(Object text) {
        written.append(text);
        return this;
    }

    public StringBuilder getBuffer() {
        return written;
    }

    public void flush() {}

    public void close() {}

    public String toString() {
        return written.toString();
    }
}
