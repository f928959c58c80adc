package org.springframework.messaging;

import java.util.Map;

public interface Message<T> {
    T getPayload();
    default Map<String, Object> getHeaders() { return Map.of(); }
}
