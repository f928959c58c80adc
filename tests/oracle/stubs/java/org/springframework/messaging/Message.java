package org.springframework.messaging;

public interface Message<T> {
    T getPayload();
}
