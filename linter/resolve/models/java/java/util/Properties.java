package java.util;

/** The entries are those of the table it extends; `load` puts what a file or text holds there. */
public class Properties extends Hashtable<Object, Object> {
    protected Properties defaults;

    public Properties() {}

    public Properties(Properties defaults) {
        this.defaults = defaults;
    }

    public Properties(int capacity) {}

    public String getProperty(String key) {
        Object value = get(key);
        return value == null && defaults != null ? defaults.getProperty(key) : (String) value;
    }

    public String getProperty(String key, String other) {
        String value = getProperty(key);
        return value == null ? other : value;
    }

    public Object setProperty(String key, String value) {
        return put(key, value);
    }

    public Set<String> stringPropertyNames() {
        Set<String> names = new HashSet<>();
        if (defaults != null) names.addAll(defaults.stringPropertyNames());
        names.addAll(keySet());
        return names;
    }

    public Enumeration<?> propertyNames() {
        return Collections.enumeration(stringPropertyNames());
    }

    public void store(Object out, String comments) {}

    public void list(Object out) {}
}
