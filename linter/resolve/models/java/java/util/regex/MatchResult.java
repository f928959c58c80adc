package java.util.regex;

public interface MatchResult {
    String group();

    String group(int number);

    int groupCount();

    int start();

    int start(int number);

    int end();

    int end(int number);
}
