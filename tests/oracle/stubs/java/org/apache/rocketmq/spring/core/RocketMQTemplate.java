package org.apache.rocketmq.spring.core;

import java.util.Collection;
import oracle.Recorder;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.springframework.messaging.Message;

public class RocketMQTemplate {
    private DefaultMQProducer producer;
    public void setProducer(DefaultMQProducer v) { producer = v; }
    public DefaultMQProducer getProducer() { return producer; }
    private SendResult record(String destination) {
        String[] parts = destination.split(":", 2);
        Recorder.sent("spring-send", null, null, parts[0], parts.length > 1 ? parts[1] : "");
        return new SendResult();
    }
    public SendResult syncSend(String destination, Object payload) { return record(destination); }
    public SendResult syncSend(String destination, Object payload, long timeout) { return record(destination); }
    public SendResult syncSend(String destination, Message<?> message, long timeout, int delay) { return record(destination); }
    public SendResult syncSendOrderly(String destination, Object payload, String key) { return record(destination); }
    public void asyncSend(String destination, Object payload, SendCallback callback) { callback.onSuccess(record(destination)); }
    public void sendOneWay(String destination, Object payload) { record(destination); }
    public SendResult sendMessageInTransaction(String destination, Message<?> message, Object argument) { return record(destination); }
    public void convertAndSend(String destination, Object payload) { record(destination); }
    public void send(String destination, Message<?> message) { record(destination); }
}
