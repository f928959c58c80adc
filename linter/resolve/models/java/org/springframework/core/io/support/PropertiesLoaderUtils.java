package org.springframework.core.io.support;

import java.util.Properties;

public abstract class PropertiesLoaderUtils {
    public static Properties loadProperties(Object resource) {
        Properties made = new Properties();
        made.load(resource);
        return made;
    }

    public static Properties loadAllProperties(String name) {
        Properties made = new Properties();
        made.load(ClassLoader.getSystemResourceAsStream(name));
        return made;
    }

    public static void fillProperties(Properties target, Object resource) {
        target.load(resource);
    }
}
