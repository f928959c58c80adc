package org.apache.rocketmq.client.apis.producer;

public class SendReceipt {
    public String getMessageId() { return "id"; }
}
