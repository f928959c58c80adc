package org.springframework.messaging.support;

import java.util.HashMap;
import java.util.Map;
import org.springframework.messaging.Message;

public final class MessageBuilder<T> {
    private final T payload;
    private final Map<String, Object> headers = new HashMap<>();
    private MessageBuilder(T payload) { this.payload = payload; }
    public static <T> MessageBuilder<T> withPayload(T payload) { return new MessageBuilder<>(payload); }
    public MessageBuilder<T> setHeader(String name, Object value) {
        if (value == null) headers.remove(name);
        else headers.put(name, value);
        return this;
    }
    public Message<T> build() {
        Map<String, Object> built = new HashMap<>(headers);
        return new Message<T>() {
            public T getPayload() { return payload; }
            public Map<String, Object> getHeaders() { return built; }
        };
    }
}
