package org.apache.rocketmq.client.producer;

import java.util.Collection;
import org.apache.rocketmq.common.message.Message;

public interface MQProducer {
    void start() throws Exception;
    void shutdown();
    SendResult send(Message message) throws Exception;
    SendResult send(Message message, long timeout) throws Exception;
    void send(Message message, SendCallback callback) throws Exception;
    SendResult send(Message message, MessageQueueSelector selector, Object argument) throws Exception;
    SendResult send(Collection<Message> messages) throws Exception;
    void sendOneway(Message message) throws Exception;
}
