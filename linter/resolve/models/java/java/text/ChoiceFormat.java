package java.text;

import java.util.ArrayList;
import java.util.List;

/** Texts by limits: the one of the last limit that a number reaches, the first where it reaches none. */
public class ChoiceFormat {
    private final List<Double> limits = new ArrayList<>();
    private final List<Boolean> beyond = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();

    public ChoiceFormat(String pattern) {
        for (String part : pattern.split("\\|")) {
            int at = 0;
            while (part.charAt(at) != '#' && part.charAt(at) != '<') at++;
            limits.add(Double.parseDouble(part.substring(0, at)));
            beyond.add(part.charAt(at) == '<');
            texts.add(part.substring(at + 1));
        }
    }

    public ChoiceFormat(double[] limits, String[] texts) {
        for (double each : limits) {
            this.limits.add(each);
            beyond.add(false);
        }
        for (String each : texts) this.texts.add(each);
    }

    public String format(double number) {
        int chosen = 0;
        for (int i = 0; i < limits.size(); i++) {
            if (beyond.get(i) ? number > limits.get(i) : number >= limits.get(i)) chosen = i;
        }
        return texts.get(chosen);
    }
}
