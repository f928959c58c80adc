package cn.hutool.core.util;

public class ObjectUtil {
    public static boolean isNull(Object one) {
        return one == null;
    }

    public static boolean isNotNull(Object one) {
        return one != null;
    }

    public static <T> T defaultIfNull(T one, T otherwise) {
        return one == null ? otherwise : one;
    }
}
