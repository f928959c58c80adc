package org.apache.rocketmq.common.message;

import java.util.*;

public class Message {
    private String topic; private String tags; private String keys; private byte[] body;
    private final Map<String, String> properties = new HashMap<>();
    public Message() { }
    public Message(String topic, byte[] body) { this(topic, "", "", 0, body, true); }
    public Message(String topic, String tags, byte[] body) { this(topic, tags, "", 0, body, true); }
    public Message(String topic, String tags, String keys, byte[] body) { this(topic, tags, keys, 0, body, true); }
    public Message(String topic, String tags, String keys, int flag, byte[] body, boolean wait) {
        this.topic = topic; this.tags = tags; this.keys = keys; this.body = body;
    }
    public String getTopic() { return topic; }
    public void setTopic(String v) { topic = v; }
    public String getTags() { return tags; }
    public void setTags(String v) { tags = v; }
    public String getKeys() { return keys; }
    public void setKeys(String v) { keys = v; }
    public byte[] getBody() { return body; }
    public void setBody(byte[] v) { body = v; }
    public void setKeys(Collection<String> v) { keys = String.join(" ", v); }
    public String getUserProperty(String name) { return properties.get(name); }
    public void setDelayTimeSec(long seconds) { }
    public void setDelayTimeLevel(int level) { }
    public void putUserProperty(String name, String value) { properties.put(name, value); }
}
