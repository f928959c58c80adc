package org.apache.rocketmq.spring.core;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import oracle.Recorder;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.springframework.messaging.Message;

public class RocketMQTemplate {
    private DefaultMQProducer producer;
    public void setProducer(DefaultMQProducer v) { producer = v; }
    public DefaultMQProducer getProducer() { return producer; }
    private SendResult record(String destination, Object payload) { return record(destination, payload, ""); }
    private SendResult record(String destination, Object payload, String delay) {
        return record(destination, payload instanceof Message<?> message ? message.getHeaders() : Map.of(), delay);
    }
    private SendResult record(String destination, Map<String, ?> headers, String delay) {
        String[] parts = destination.split(":", 2);
        Map<String, Object> properties = new HashMap<>(headers);
        properties.keySet().removeAll(List.of("TAGS", "DELAY", "WAIT"));
        Recorder.sent("spring-send", null, null, parts[0], parts.length > 1 ? parts[1] : "", properties, delay);
        return new SendResult();
    }
    public SendResult syncSend(String destination, Object payload) { return record(destination, payload); }
    public SendResult syncSend(String destination, Object payload, long timeout) { return record(destination, payload); }
    public SendResult syncSend(String destination, Message<?> message, long timeout, int delay) { return record(destination, message, delay > 0 ? "level " + delay : ""); }
    public <T extends Message> SendResult syncSend(String destination, Collection<T> messages) { return record(destination, messages); }
    public SendResult syncSendOrderly(String destination, Object payload, String key) { return record(destination, payload); }
    public SendResult syncSendDelayTimeSeconds(String destination, Object payload, long delay) { return record(destination, payload, delay + " s"); }
    public void asyncSend(String destination, Object payload, SendCallback callback) { callback.onSuccess(record(destination, payload)); }
    public void asyncSendOrderly(String destination, Object payload, String key, SendCallback callback) { callback.onSuccess(record(destination, payload)); }
    public void sendOneWay(String destination, Object payload) { record(destination, payload); }
    public void sendOneWayOrderly(String destination, Object payload, String key) { record(destination, payload); }
    public <T> T sendAndReceive(String destination, Object payload, Type type) { record(destination, payload); return null; }
    public SendResult sendMessageInTransaction(String destination, Message<?> message, Object argument) { return record(destination, message); }
    public void convertAndSend(String destination, Object payload) { record(destination, payload); }
    public void convertAndSend(String destination, Object payload, Map<String, Object> headers) { record(destination, headers, ""); }
    public void send(String destination, Message<?> message) { record(destination, message); }
}
