package org.apache.rocketmq.client.apis.message;

import java.util.HashMap;
import java.util.Map;

public class MessageBuilder {
    private String topic; private String tag; private String delay = "";
    private final Map<String, String> properties = new HashMap<>();
    public MessageBuilder setTopic(String v) { topic = v; return this; }
    public MessageBuilder setTag(String v) { tag = v; return this; }
    public MessageBuilder setKeys(String... keys) { properties.put("KEYS", String.join(" ", keys)); return this; }
    public MessageBuilder setBody(byte[] body) { return this; }
    public MessageBuilder setMessageGroup(String group) { return this; }
    public MessageBuilder setDeliveryTimestamp(long moment) { delay = "at " + moment; return this; }
    public MessageBuilder addProperty(String key, String value) { properties.put(key, value); return this; }
    public Message build() {
        final String t = topic; final String g = tag; final String d = delay;
        final Map<String, String> p = new HashMap<>(properties);
        return new Message() {
            public String getTopic() { return t; }
            public String getTag() { return g; }
            public Map<String, String> getProperties() { return p; }
            public String delayed() { return d; }
        };
    }
}
