package org.apache.rocketmq.common.message;

import java.util.*;

public class Message {
    private String topic; private String tags; private byte[] body; private String delay = "";
    private final Map<String, String> properties = new HashMap<>();
    public Message() { }
    public Message(String topic, byte[] body) { this(topic, "", "", 0, body, true); }
    public Message(String topic, String tags, byte[] body) { this(topic, tags, "", 0, body, true); }
    public Message(String topic, String tags, String keys, byte[] body) { this(topic, tags, keys, 0, body, true); }
    public Message(String topic, String tags, String keys, int flag, byte[] body, boolean wait) {
        this.topic = topic; this.tags = tags; this.body = body;
        if (keys != null && !keys.isEmpty()) setKeys(keys);
    }
    public String getTopic() { return topic; }
    public void setTopic(String v) { topic = v; }
    public String getTags() { return tags; }
    public void setTags(String v) { tags = v; }
    public String getKeys() { return properties.get("KEYS"); }
    public void setKeys(String v) { properties.put("KEYS", v); }
    public byte[] getBody() { return body; }
    public void setBody(byte[] v) { body = v; }
    public void setKeys(Collection<String> v) { setKeys(String.join(" ", v)); }
    public String getUserProperty(String name) { return properties.get(name); }
    public void setDelayTimeSec(long seconds) { delay = seconds + " s"; }
    public void setDelayTimeMs(long milliseconds) { delay = milliseconds + " ms"; }
    public void setDeliverTimeMs(long moment) { delay = "at " + moment; }
    public void setDelayTimeLevel(int level) { delay = level > 0 ? "level " + level : ""; }
    public void putUserProperty(String name, String value) { properties.put(name, value); }
    public Map<String, String> getProperties() { return properties; }
    public String delayed() { return delay; }
}
