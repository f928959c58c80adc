package cn.hutool.core.collection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Whether something is empty is told by a peer. */
public class CollUtil {
    public static <T> String join(Iterable<T> values, CharSequence separator) {
        return values == null ? null : cn.hutool.core.text.CharSequenceUtil.join(separator, values);
    }

    public static <T> String join(Iterable<T> values, CharSequence separator, Function<T, Object> spelled) {
        List<Object> made = new ArrayList<>();
        for (T each : values) made.add(spelled.apply(each));
        return join(made, separator);
    }

    public static <T> T getFirst(Iterable<T> values) {
        if (values != null) for (T each : values) return each;
        return null;
    }

    public static <T> T getLast(Collection<T> values) {
        return get(values, -1);
    }

    public static <T> T get(Collection<T> values, int index) {
        if (values == null) return null;
        int at = index < 0 ? index + values.size() : index;
        return at < 0 || at >= values.size() ? null : new ArrayList<>(values).get(at);
    }

    public static boolean contains(Collection<?> values, Object value) {
        return values != null && values.contains(value);
    }

    public static <T> boolean contains(Collection<T> values, Predicate<? super T> test) {
        if (values == null) return false;
        for (T each : values) if (test.test(each)) return true;
        return false;
    }

    public static boolean containsAny(Collection<?> values, Collection<?> others) {
        if (values == null || others == null) return false;
        for (Object each : others) if (values.contains(each)) return true;
        return false;
    }

    public static <T> ArrayList<T> distinct(Collection<T> values) {
        return values == null ? new ArrayList<>() : new ArrayList<>(new LinkedHashSet<>(values));
    }

    public static <T> List<T> emptyIfNull(List<T> values) {
        return values == null ? Collections.emptyList() : values;
    }

    public static <T> Set<T> emptyIfNull(Set<T> values) {
        return values == null ? Collections.emptySet() : values;
    }

    public static <T, R> List<R> map(Iterable<T> values, Function<T, R> function, boolean skipsNull) {
        List<R> made = new ArrayList<>();
        if (values == null) return made;
        for (T each : values) {
            R one = skipsNull && each == null ? null : function.apply(each);
            if (!skipsNull || one != null) made.add(one);
        }
        return made;
    }

    public static <T> List<T> reverseNew(Collection<T> values) {
        List<T> made = new ArrayList<>(values);
        Collections.reverse(made);
        return made;
    }

    public static <T> T findOne(Iterable<T> values, Predicate<T> wanted) {
        if (values != null) for (T each : values) if (wanted.test(each)) return each;
        return null;
    }

    public static <T> boolean anyMatch(Collection<T> values, Predicate<T> wanted) {
        return values != null && values.stream().anyMatch(wanted);
    }

    public static <T> boolean allMatch(Collection<T> values, Predicate<T> wanted) {
        return values != null && values.stream().allMatch(wanted);
    }

    public static <T> List<List<T>> split(Collection<T> values, int size) {
        List<List<T>> made = new ArrayList<>();
        List<T> part = null;
        for (T each : values) {
            if (part == null || part.size() == size) {
                part = new ArrayList<>();
                made.add(part);
            }
            part.add(each);
        }
        return made;
    }

    public static int size(Object values) {
        if (values instanceof Map) return ((Map<?, ?>) values).size();
        if (values != null && !(values instanceof Collection)) throw new IllegalArgumentException("Unsupported object type");
        return values == null ? 0 : ((Collection<?>) values).size();
    }
}
