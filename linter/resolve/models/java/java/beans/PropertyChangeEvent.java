package java.beans;

public class PropertyChangeEvent {
    private final Object source;
    private final String property;
    private final Object before;
    private final Object after;

    public PropertyChangeEvent(Object source, String property, Object before, Object after) {
        this.source = source;
        this.property = property;
        this.before = before;
        this.after = after;
    }

    public Object getSource() { return source; }
    public String getPropertyName() { return property; }
    public Object getOldValue() { return before; }
    public Object getNewValue() { return after; }
}
