package java.util;

public final class HexFormat {
    private final String delimiter;
    private final String prefix;
    private final String suffix;
    private final boolean upper;

    private HexFormat(String delimiter, String prefix, String suffix, boolean upper) {
        this.delimiter = delimiter;
        this.prefix = prefix;
        this.suffix = suffix;
        this.upper = upper;
    }

    public static HexFormat of() { return new HexFormat("", "", "", false); }
    public static HexFormat ofDelimiter(String delimiter) { return of().withDelimiter(delimiter); }
    public HexFormat withDelimiter(String delimiter) { return new HexFormat(delimiter, prefix, suffix, upper); }
    public HexFormat withPrefix(String prefix) { return new HexFormat(delimiter, prefix, suffix, upper); }
    public HexFormat withSuffix(String suffix) { return new HexFormat(delimiter, prefix, suffix, upper); }
    public HexFormat withUpperCase() { return new HexFormat(delimiter, prefix, suffix, true); }
    public HexFormat withLowerCase() { return new HexFormat(delimiter, prefix, suffix, false); }
    public String delimiter() { return delimiter; }
    public String prefix() { return prefix; }
    public String suffix() { return suffix; }
    public boolean isUpperCase() { return upper; }

    public String formatHex(byte[] bytes) { return formatHex(bytes, 0, bytes.length); }
    public String formatHex(byte[] bytes, int from, int to) {
        StringJoiner text = new StringJoiner(delimiter);
        for (int at = from; at < to; at++) text.add(prefix + toHexDigits(bytes[at]) + suffix);
        return text.toString();
    }

    public byte[] parseHex(CharSequence text) {
        String left = text.toString();
        int wide = prefix.length() + 2 + suffix.length();
        if (left.isEmpty()) return new byte[0];
        if ((left.length() + delimiter.length()) % (wide + delimiter.length()) != 0) throw new IllegalArgumentException("found: " + left.length());
        byte[] bytes = new byte[(left.length() + delimiter.length()) / (wide + delimiter.length())];
        for (int number = 0; number < bytes.length; number++) {
            int at = number * (wide + delimiter.length());
            String each = left.substring(at, at + wide);
            boolean between = number == 0 || left.startsWith(delimiter, at - delimiter.length());
            if (!each.startsWith(prefix) || !each.endsWith(suffix) || !between) throw new IllegalArgumentException("found: " + each);
            bytes[number] = (byte) fromHexDigits(each.substring(prefix.length(), prefix.length() + 2));
        }
        return bytes;
    }

    public String toHexDigits(byte value) { return digits(value & 0xFFL, 2); }
    public String toHexDigits(char value) { return digits(value, 4); }
    public String toHexDigits(short value) { return digits(value & 0xFFFFL, 4); }
    public String toHexDigits(int value) { return digits(value & 0xFFFFFFFFL, 8); }
    public String toHexDigits(long value) { return digits(value, 16); }
    public String toHexDigits(long value, int count) { return digits(value, count); }

    private String digits(long value, int count) {
        String text = "0000000000000000" + Long.toHexString(value);
        text = text.substring(text.length() - count);
        return upper ? text.toUpperCase() : text;
    }

    public static boolean isHexDigit(int letter) { return letter < 128 && Character.digit((char) letter, 16) >= 0; }
    public static int fromHexDigit(int letter) {
        if (!isHexDigit(letter)) throw new NumberFormatException("not a hexadecimal digit: " + letter);
        return Character.digit((char) letter, 16);
    }
    public static int fromHexDigits(CharSequence text) {
        if (text.length() > 8) throw new IllegalArgumentException("string is too long: " + text.length());
        return (int) fromHexDigitsToLong(text);
    }
    public static long fromHexDigitsToLong(CharSequence text) {
        if (text.length() > 16) throw new IllegalArgumentException("string is too long: " + text.length());
        long value = 0;
        for (int at = 0; at < text.length(); at++) value = value * 16 + fromHexDigit(text.charAt(at));
        return value;
    }
}
