package com.aliyun.openservices.ons.api;

import com.aliyun.openservices.ons.api.bean.ProducerBean;
import com.aliyun.openservices.ons.api.bean.RecordedConsumer;
import com.aliyun.openservices.ons.api.order.OrderProducer;
import com.aliyun.openservices.ons.api.transaction.*;
import java.util.Properties;

public class ONSFactory {
    public static Producer createProducer(Properties properties) { return new ProducerBean(); }
    public static Consumer createConsumer(Properties properties) { return new RecordedConsumer(properties); }
    public static OrderProducer createOrderProducer(Properties properties) {
        final ProducerBean bean = new ProducerBean();
        return new OrderProducer() {
            public void start() { }
            public SendResult send(Message message, String shardingKey) { return bean.send(message); }
        };
    }
    public static TransactionProducer createTransactionProducer(Properties properties, Object checker) {
        final ProducerBean bean = new ProducerBean();
        return new TransactionProducer() {
            public void start() { }
            public SendResult send(Message message, LocalTransactionExecuter executer, Object argument) {
                SendResult sent = bean.send(message);
                executer.execute(message, argument);
                return sent;
            }
        };
    }
}
