package java.util;

public abstract class ListResourceBundle extends ResourceBundle {
    protected abstract Object[][] getContents();

    @Override
    protected Object handleGetObject(String key) {
        for (Object[] each : getContents()) {
            if (each[0].equals(key)) return each[1];
        }
        return null;
    }

    @Override
    public Set<String> keySet() {
        Set<String> found = new LinkedHashSet<>();
        for (Object[] each : getContents()) found.add((String) each[0]);
        return found;
    }

    @Override
    public Enumeration<String> getKeys() {
        return Collections.enumeration(keySet());
    }
}
