package com.aliyun.openservices.ons.api.bean;

import com.aliyun.openservices.ons.api.*;
import java.util.Properties;
import oracle.Recorder;

public class RecordedConsumer implements Consumer {
    private final Recorder.Subject subject = Recorder.create("ons");
    public RecordedConsumer(Properties properties) {
        subject.event("group", properties.getProperty(PropertyKeyConst.GROUP_ID));
        String model = properties.getProperty(PropertyKeyConst.MessageModel);
        if (model != null) subject.event("model", model);
    }
    public void start() { subject.event("start"); }
    public void shutdown() { subject.event("shutdown"); }
    public void subscribe(String topic, String expression, MessageListener listener) { subject.event("subscribe", topic, expression, "TAG"); }
    public void unsubscribe(String topic) { subject.event("unsubscribe", topic); }
}
