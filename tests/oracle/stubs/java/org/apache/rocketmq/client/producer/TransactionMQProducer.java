package org.apache.rocketmq.client.producer;

import org.apache.rocketmq.common.message.Message;

public class TransactionMQProducer extends DefaultMQProducer {
    public TransactionMQProducer(String group) { super(group); }
    public SendResult sendMessageInTransaction(Message message, Object argument) { return record(message); }
}
