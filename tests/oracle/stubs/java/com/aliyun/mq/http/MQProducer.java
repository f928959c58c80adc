package com.aliyun.mq.http;

import com.aliyun.mq.http.model.TopicMessage;
import oracle.Recorder;

public class MQProducer {
    private final String instance; private final String topic;
    MQProducer(String instance, String topic) { this.instance = instance; this.topic = topic; }
    public TopicMessage publishMessage(TopicMessage message) {
        Recorder.sent("http-send", null, instance, topic, message.getMessageTag());
        return message;
    }
}
