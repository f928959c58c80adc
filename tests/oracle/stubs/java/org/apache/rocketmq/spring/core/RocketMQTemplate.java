package org.apache.rocketmq.spring.core;

import java.lang.reflect.Type;
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
    public <T extends Message> SendResult syncSend(String destination, Collection<T> messages) { return record(destination); }
    public SendResult syncSendOrderly(String destination, Object payload, String key) { return record(destination); }
    public SendResult syncSendDelayTimeSeconds(String destination, Object payload, long delay) { return record(destination); }
    public void asyncSend(String destination, Object payload, SendCallback callback) { callback.onSuccess(record(destination)); }
    public void asyncSendOrderly(String destination, Object payload, String key, SendCallback callback) { callback.onSuccess(record(destination)); }
    public void sendOneWay(String destination, Object payload) { record(destination); }
    public void sendOneWayOrderly(String destination, Object payload, String key) { record(destination); }
    public <T> T sendAndReceive(String destination, Object payload, Type type) { record(destination); return null; }
    public SendResult sendMessageInTransaction(String destination, Message<?> message, Object argument) { return record(destination); }
    public void convertAndSend(String destination, Object payload) { record(destination); }
    public void send(String destination, Message<?> message) { record(destination); }
}
