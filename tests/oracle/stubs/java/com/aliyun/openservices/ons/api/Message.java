package com.aliyun.openservices.ons.api;

public class Message {
    private String topic; private String tag;
    public Message() { }
    public Message(String topic, String tag, byte[] body) { this.topic = topic; this.tag = tag; }
    public Message(String topic, String tag, String key, byte[] body) { this(topic, tag, body); }
    public String getTopic() { return topic; }
    public void setTopic(String v) { topic = v; }
    public String getTag() { return tag; }
    public void setTag(String v) { tag = v; }
    public void setKey(String v) { }
    public void setBody(byte[] v) { }
    public void setStartDeliverTime(long v) { }
}
