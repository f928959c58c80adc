package org.apache.rocketmq.client.producer;

import java.util.Collection;
import oracle.Recorder;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;

public class DefaultMQProducer implements MQProducer {
    private String producerGroup = "DEFAULT_PRODUCER"; private String namespace;
    public DefaultMQProducer() { }
    public DefaultMQProducer(String group) { producerGroup = group; }
    public DefaultMQProducer(String namespace, String group) { this.namespace = namespace; producerGroup = group; }
    public void setProducerGroup(String v) { producerGroup = v; }
    public String getProducerGroup() { return producerGroup; }
    public void setNamespace(String v) { namespace = v; }
    public void setNamesrvAddr(String v) { }
    public void setRetryTimesWhenSendFailed(int n) { }
    public void start() { }
    public void shutdown() { }
    SendResult record(Message message) {
        Recorder.sent("send", producerGroup, namespace, message.getTopic(), message.getTags(), message.getProperties(), message.delayed());
        return new SendResult();
    }
    public SendResult send(Message message) { return record(message); }
    public SendResult send(Message message, long timeout) { return record(message); }
    public void send(Message message, SendCallback callback) { callback.onSuccess(record(message)); }
    public SendResult send(Message message, MessageQueueSelector selector, Object argument) { return record(message); }
    public SendResult send(Collection<Message> messages) {
        for (Message one : messages) record(one);
        return new SendResult();
    }
    public SendResult send(Message message, MessageQueue queue) { return record(message); }
    public void send(Message message, SendCallback callback, long timeout) { callback.onSuccess(record(message)); }
    public void send(Message message, MessageQueueSelector selector, Object argument, SendCallback callback) { callback.onSuccess(record(message)); }
    public SendResult send(Collection<Message> messages, long timeout) { return send(messages); }
    public Message request(Message message, long timeout) { record(message); return message; }
    public void sendOneway(Message message) { record(message); }
    public void sendOneway(Message message, MessageQueueSelector selector, Object argument) { record(message); }
}
