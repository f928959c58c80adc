package com.aliyun.mq.http;

public class MQTransProducer extends MQProducer {
    MQTransProducer(String instance, String topic) { super(instance, topic); }
}
