package com.aliyun.openservices.ons.api;

public interface Consumer {
    void start();
    void shutdown();
    void subscribe(String topic, String subExpression, MessageListener listener);
    void unsubscribe(String topic);
}
