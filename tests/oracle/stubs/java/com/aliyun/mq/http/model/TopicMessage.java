package com.aliyun.mq.http.model;

public class TopicMessage {
    private String tag;
    public TopicMessage() { }
    public TopicMessage(byte[] body) { }
    public TopicMessage(byte[] body, String tag) { this.tag = tag; }
    public String getMessageTag() { return tag; }
    public void setMessageTag(String v) { tag = v; }
    public void setMessageBody(byte[] v) { }
    public void setMessageBody(String v) { }
    public void setMessageKey(String v) { }
}
