package java.util;

/** The bundle of a base name without a locale: a file of the class path. */
public class ResourceBundle {
    private final Properties entries = new Properties();

    public static ResourceBundle getBundle(String name) {
        ResourceBundle made = new ResourceBundle();
        made.entries.load(ClassLoader.getSystemResourceAsStream(name.replace('.', '/') + ".properties"));
        return made;
    }

    public static ResourceBundle getBundle(String name, Object locale) {
        ResourceBundle made = getBundle(name);
        made.entries.load(ClassLoader.getSystemResourceAsStream(name.replace('.', '/') + "_" + locale + ".properties"));
        return made;
    }

    protected Object handleGetObject(String key) {
        return entries.getProperty(key);
    }

    public Object getObject(String key) {
        Object value = handleGetObject(key);
        if (value == null) throw new MissingResourceException("Can't find resource", "", key);
        return value;
    }

    public String getString(String key) {
        return (String) getObject(key);
    }

    public String[] getStringArray(String key) {
        return (String[]) getObject(key);
    }

    public boolean containsKey(String key) {
        return handleGetObject(key) != null;
    }

    public Set<String> keySet() {
        return entries.stringPropertyNames();
    }

    public Enumeration<String> getKeys() {
        return Collections.enumeration(entries.stringPropertyNames());
    }
}
