package org.springframework.beans.factory.config;

import java.util.Map;
import java.util.TreeMap;

public class ConstructorArgumentValues {
    final Map<Integer, Object> values = new TreeMap<>();

    public void addIndexedArgumentValue(int index, Object value) {
        values.put(index, value);
    }

    public void addGenericArgumentValue(Object value) {
        values.put(values.size(), value);
    }
}
