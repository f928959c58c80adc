package java.net;

public class URLEncoder {
    public static String encode(String text) {
        return Codes.quoted(text);
    }

    /** Of a text outside ASCII nothing is known, whatever the encoding. */
    public static String encode(String text, Object encoding) {
        return Codes.quoted(text);
    }
}
