package com.aliyun.openservices.ons.api.order;

import com.aliyun.openservices.ons.api.Message;
import com.aliyun.openservices.ons.api.SendResult;

public interface OrderProducer {
    void start();
    SendResult send(Message message, String shardingKey);
}
