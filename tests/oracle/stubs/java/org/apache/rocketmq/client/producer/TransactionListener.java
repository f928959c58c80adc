package org.apache.rocketmq.client.producer;

import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;

public interface TransactionListener {
    LocalTransactionState executeLocalTransaction(Message message, Object argument);
    LocalTransactionState checkLocalTransaction(MessageExt message);
}
