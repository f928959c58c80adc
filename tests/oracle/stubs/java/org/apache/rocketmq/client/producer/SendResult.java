package org.apache.rocketmq.client.producer;

public class SendResult {
    public String getMsgId() { return "id"; }
}
