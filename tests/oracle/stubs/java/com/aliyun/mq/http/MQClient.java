package com.aliyun.mq.http;

public class MQClient {
    public MQClient(String endpoint, String id, String secret) { }
    public MQProducer getProducer(String topic) { return new MQProducer(null, topic); }
    public MQProducer getProducer(String instance, String topic) { return new MQProducer(instance, topic); }
    public MQTransProducer getTransProducer(String instance, String topic, String group) { return new MQTransProducer(instance, topic); }
    public void close() { }
}
