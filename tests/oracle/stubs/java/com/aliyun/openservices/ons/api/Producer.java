package com.aliyun.openservices.ons.api;

public interface Producer {
    void start();
    void shutdown();
    SendResult send(Message message);
    void sendOneway(Message message);
    void sendAsync(Message message, SendCallback callback);
}
