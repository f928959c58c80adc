package java.time.format;

import java.time.DateTimeException;

public class DateTimeParseException extends DateTimeException {
    private final CharSequence text;
    private final int index;

    public DateTimeParseException(String message, CharSequence text, int index) {
        super(message);
        this.text = text;
        this.index = index;
    }

    public String getParsedString() { return text.toString(); }

    public int getErrorIndex() { return index; }

    /** What cannot be parsed, for a reason that is not worked out. */
    public static DateTimeParseException of(CharSequence text) { return new DateTimeParseException(reason(text), text, place(text)); }

    private static native String reason(CharSequence text);

    private static native int place(CharSequence text);
}
