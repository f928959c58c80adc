package com.google.gson;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

public class JsonArray extends JsonElement implements Iterable<JsonElement> {
    public JsonArray() {
        super(new ArrayList<Object>());
    }

    JsonArray(Object value) {
        super(value);
    }

    public List<JsonElement> asList() {
        List<JsonElement> made = new ArrayList<>();
        for (Object each : (List<Object>) value) made.add(JsonElement.of(each));
        return made;
    }

    public JsonElement get(int index) {
        return JsonElement.of(((List<Object>) value).get(index));
    }

    public void add(Object given) {
        ((List<Object>) value).add(given instanceof JsonElement ? ((JsonElement) given).value : given);
    }

    public int size() {
        return ((List<Object>) value).size();
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    public Iterator<JsonElement> iterator() {
        return asList().iterator();
    }
}
