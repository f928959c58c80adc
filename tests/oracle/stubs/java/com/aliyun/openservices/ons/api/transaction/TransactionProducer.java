package com.aliyun.openservices.ons.api.transaction;

import com.aliyun.openservices.ons.api.Message;
import com.aliyun.openservices.ons.api.SendResult;

public interface TransactionProducer {
    void start();
    SendResult send(Message message, LocalTransactionExecuter executer, Object argument);
}
