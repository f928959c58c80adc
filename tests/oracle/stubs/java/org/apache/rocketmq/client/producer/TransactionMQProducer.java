package org.apache.rocketmq.client.producer;

import org.apache.rocketmq.common.message.Message;

public class TransactionMQProducer extends DefaultMQProducer {
    private TransactionListener listener;
    public TransactionMQProducer(String group) { super(group); }
    public void setTransactionListener(TransactionListener v) { listener = v; }
    public SendResult sendMessageInTransaction(Message message, Object argument) {
        SendResult sent = record(message);
        if (listener != null) listener.executeLocalTransaction(message, argument);
        return sent;
    }
}
