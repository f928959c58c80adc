package java.util.regex;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** `Matches` are the peers that look for a pattern: of each match start, end and text, then those of its groups. */
public final class Matcher implements MatchResult {
    private Pattern pattern;
    private String input;
    private List<List<Object>> found;
    private List<Object> current;
    private boolean matched;
    private int next;
    private int appended;

    Matcher(Pattern pattern, String input) {
        this.pattern = pattern;
        reset(input);
    }

    private Matcher(Pattern pattern, List<Object> current) {
        this.pattern = pattern;
        this.current = current;
        this.matched = true;
    }

    public Matcher reset() {
        found = Matches.all(pattern.plain(), input, 0);
        matched = false;
        next = 0;
        appended = 0;
        return this;
    }

    public Matcher reset(CharSequence input) {
        this.input = input.toString();
        return reset();
    }

    public Matcher usePattern(Pattern pattern) {
        this.pattern = pattern;
        return reset(input);
    }

    public Pattern pattern() {
        return pattern;
    }

    public boolean find() {
        if (next >= found.size()) {
            matched = false;
            return false;
        }
        matched = true;
        current = found.get(next);
        next = next + 1;
        return true;
    }

    public boolean find(int start) {
        reset();
        found = Matches.all(pattern.plain(), input, start);
        return find();
    }

    /** The matches that begin at a place or behind it. */
    List<Matcher> since(int start) {
        List<Matcher> made = new ArrayList<>();
        for (List<Object> each : Matches.all(pattern.plain(), input, start)) made.add(new Matcher(pattern, each));
        return made;
    }

    public boolean matches() {
        current = Matches.whole(pattern.plain(), input);
        matched = current != null;
        return matched;
    }

    public boolean lookingAt() {
        current = Matches.first(pattern.plain(), input);
        matched = current != null;
        return matched;
    }

    private Object part(int place) {
        if (!matched) throw new IllegalStateException("No match found");
        return current.get(place);
    }

    public String group() {
        return group(0);
    }

    public String group(int number) {
        return (String) part(3 * number + 2);
    }

    public String group(String name) {
        return group(number(name));
    }

    int number(String name) {
        return Matches.number(pattern.plain(), name);
    }

    public int groupCount() {
        return Matches.groups(pattern.plain());
    }

    public int start() {
        return start(0);
    }

    public int start(int number) {
        return (int) part(3 * number);
    }

    public int start(String name) {
        return start(Matches.number(pattern.plain(), name));
    }

    public int end() {
        return end(0);
    }

    public int end(int number) {
        return (int) part(3 * number + 1);
    }

    public int end(String name) {
        return end(Matches.number(pattern.plain(), name));
    }

    public MatchResult toMatchResult() {
        return new Matcher(pattern, current);
    }

    public Stream<MatchResult> results() {
        return new ArrayList<MatchResult>(since(0)).stream();
    }

    public Matcher appendReplacement(StringBuilder made, String replacement) {
        made.append(input.substring(appended, start()));
        made.append(Matches.filled(replacement, pattern.plain(), current));
        appended = end();
        return this;
    }

    public StringBuilder appendTail(StringBuilder made) {
        return made.append(input.substring(appended));
    }

    public String replaceAll(String replacement) {
        return replaceAll(match -> replacement);
    }

    public String replaceAll(Function<MatchResult, String> replacer) {
        reset();
        StringBuilder made = new StringBuilder();
        while (find()) appendReplacement(made, replacer.apply(this));
        return appendTail(made).toString();
    }

    public String replaceFirst(String replacement) {
        reset();
        StringBuilder made = new StringBuilder();
        if (find()) appendReplacement(made, replacement);
        return appendTail(made).toString();
    }

    public static String quoteReplacement(String text) {
        return text.replace("\\", "\\\\").replace("$", "\\$");
    }
}
