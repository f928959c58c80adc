package com.aliyun.openservices.ons.api.bean;

import com.aliyun.openservices.ons.api.*;
import java.util.Properties;
import oracle.Recorder;

public class ProducerBean implements Producer {
    public void setProperties(Properties v) { }
    public void start() { }
    public void shutdown() { }
    public SendResult send(Message message) {
        Recorder.sent("ons-send", null, null, message.getTopic(), message.getTag());
        return new SendResult();
    }
    public void sendOneway(Message message) { send(message); }
    public void sendAsync(Message message, SendCallback callback) { callback.onSuccess(send(message)); }
}
