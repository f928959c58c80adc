package org.springframework.messaging.support;

import org.springframework.messaging.Message;

public final class MessageBuilder<T> {
    private final T payload;
    private MessageBuilder(T payload) { this.payload = payload; }
    public static <T> MessageBuilder<T> withPayload(T payload) { return new MessageBuilder<>(payload); }
    public MessageBuilder<T> setHeader(String name, Object value) { return this; }
    public Message<T> build() { return () -> payload; }
}
