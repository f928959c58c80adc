package org.apache.rocketmq.client.producer;

public interface SendCallback {
    void onSuccess(SendResult result);
    void onException(Throwable error);
}
