package java.util;

/** The parts of a text between delimiters, each a character. */
public class StringTokenizer implements Enumeration<Object> {
    private final String text;
    private final boolean returnsDelimiters;
    private String delimiters;
    private int at;

    public StringTokenizer(String text, String delimiters, boolean returnsDelimiters) {
        this.text = text;
        this.delimiters = delimiters;
        this.returnsDelimiters = returnsDelimiters;
    }

    public StringTokenizer(String text, String delimiters) {
        this(text, delimiters, false);
    }

    public StringTokenizer(String text) {
        this(text, " \t\n\r\f", false);
    }

    private boolean isDelimiter(int index) {
        return delimiters.indexOf(text.charAt(index)) >= 0;
    }

    private int start(int from) {
        int index = from;
        while (!returnsDelimiters && index < text.length() && isDelimiter(index)) index++;
        return index;
    }

    private int end(int from) {
        int index = from;
        while (index < text.length() && !isDelimiter(index)) index++;
        return returnsDelimiters && index == from ? index + 1 : index;
    }

    public boolean hasMoreTokens() {
        return start(at) < text.length();
    }

    public String nextToken() {
        int from = start(at);
        if (from >= text.length()) throw new NoSuchElementException();
        at = end(from);
        return text.substring(from, at);
    }

    public String nextToken(String others) {
        delimiters = others;
        return nextToken();
    }

    public boolean hasMoreElements() {
        return hasMoreTokens();
    }

    public Object nextElement() {
        return nextToken();
    }

    public int countTokens() {
        int count = 0;
        for (int index = start(at); index < text.length(); index = start(end(index))) count++;
        return count;
    }
}
