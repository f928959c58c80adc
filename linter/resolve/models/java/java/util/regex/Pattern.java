package java.util.regex;

import java.util.function.Predicate;
import java.util.stream.Stream;

public final class Pattern {
    public static final int CASE_INSENSITIVE = 2;
    public static final int COMMENTS = 4;
    public static final int MULTILINE = 8;
    public static final int LITERAL = 16;
    public static final int DOTALL = 32;
    public static final int UNICODE_CASE = 64;

    private final String text;
    private final int flags;

    private Pattern(String text, int flags) {
        this.text = text;
        this.flags = flags;
    }

    public static Pattern compile(String regex) {
        return new Pattern(regex, 0);
    }

    public static Pattern compile(String regex, int flags) {
        return new Pattern(regex, flags);
    }

    public static boolean matches(String regex, CharSequence input) {
        return compile(regex).matcher(input).matches();
    }

    public static String quote(String text) {
        return Matches.quoted(text);
    }

    public Matcher matcher(CharSequence input) {
        return new Matcher(this, input.toString());
    }

    public String[] split(CharSequence input) {
        return input.toString().split(plain());
    }

    public String[] split(CharSequence input, int limit) {
        return input.toString().split(plain(), limit);
    }

    public Stream<String> splitAsStream(CharSequence input) {
        return Stream.of(split(input));
    }

    public Predicate<String> asPredicate() {
        return text -> matcher(text).find();
    }

    public Predicate<String> asMatchPredicate() {
        return text -> matcher(text).matches();
    }

    /** The pattern for what takes no flags: unknown where there are some. */
    String plain() {
        return flags == 0 ? text : Matches.flagged(text, flags);
    }

    public String pattern() {
        return text;
    }

    public int flags() {
        return flags;
    }

    public String toString() {
        return text;
    }
}
