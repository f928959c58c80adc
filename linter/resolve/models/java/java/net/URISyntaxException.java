package java.net;

public class URISyntaxException extends Exception {
    private final String input;
    private final String reason;
    private final int index;

    public URISyntaxException(String input, String reason, int index) {
        super(reason + ": " + input);
        this.input = input;
        this.reason = reason;
        this.index = index;
    }

    public URISyntaxException(String input, String reason) {
        this(input, reason, -1);
    }

    public int getIndex() { return index; }

    public String getInput() { return input; }
    public String getReason() { return reason; }
}
