package java.net;

public class URLDecoder {
    public static String decode(String text) {
        return Codes.unquoted(text);
    }

    /** Of a text outside ASCII nothing is known, whatever the encoding. */
    public static String decode(String text, Object encoding) {
        return Codes.unquoted(text);
    }
}
