package java.beans;

public interface PropertyChangeListener {
    void propertyChange(PropertyChangeEvent event);
}
