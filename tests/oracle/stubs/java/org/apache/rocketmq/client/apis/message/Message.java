package org.apache.rocketmq.client.apis.message;

public interface Message {
    String getTopic();
    String getTag();
}
