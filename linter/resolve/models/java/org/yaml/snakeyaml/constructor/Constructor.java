package org.yaml.snakeyaml.constructor;

/** Makes objects of beans; `opaque` once it is told more of them. */
public class Constructor {
    public final Object root;
    private boolean opaque;

    public Constructor(Object root) {
        this.root = root;
    }

    public Constructor(Object root, Object options) {
        this.root = root;
    }

    public void addTypeDescription(Object description) {
        opaque = true;
    }

    public void setPropertyUtils(Object utils) {
        opaque = true;
    }
}
