package java.beans;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Listeners of all properties are told first, then those of the one that has changed. */
public class PropertyChangeSupport {
    private final Object source;
    private final Map<String, List<PropertyChangeListener>> listeners = new HashMap<>();

    public PropertyChangeSupport(Object source) {
        this.source = source;
    }

    public void addPropertyChangeListener(PropertyChangeListener listener) {
        addPropertyChangeListener(null, listener);
    }

    public void addPropertyChangeListener(String property, PropertyChangeListener listener) {
        if (listener != null) listeners.computeIfAbsent(property, name -> new ArrayList<>()).add(listener);
    }

    public void removePropertyChangeListener(PropertyChangeListener listener) {
        removePropertyChangeListener(null, listener);
    }

    public void removePropertyChangeListener(String property, PropertyChangeListener listener) {
        if (listeners.containsKey(property)) listeners.get(property).remove(listener);
    }

    public boolean hasListeners(String property) {
        return !of(null).isEmpty() || !of(property).isEmpty();
    }

    public void firePropertyChange(String property, Object before, Object after) {
        fire(new PropertyChangeEvent(source, property, before, after), property, before, after);
    }

    public void firePropertyChange(PropertyChangeEvent event) {
        fire(event, event.getPropertyName(), event.getOldValue(), event.getNewValue());
    }

    private void fire(PropertyChangeEvent event, String property, Object before, Object after) {
        if (before != null && before.equals(after)) return;
        for (PropertyChangeListener each : of(null)) each.propertyChange(event);
        if (property == null) return;
        for (PropertyChangeListener each : of(property)) each.propertyChange(event);
    }

    private List<PropertyChangeListener> of(String property) {
        return new ArrayList<>(listeners.getOrDefault(property, new ArrayList<>()));
    }
}
