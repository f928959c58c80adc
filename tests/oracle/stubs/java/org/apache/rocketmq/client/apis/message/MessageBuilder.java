package org.apache.rocketmq.client.apis.message;

public class MessageBuilder {
    private String topic; private String tag;
    public MessageBuilder setTopic(String v) { topic = v; return this; }
    public MessageBuilder setTag(String v) { tag = v; return this; }
    public MessageBuilder setKeys(String... keys) { return this; }
    public MessageBuilder setBody(byte[] body) { return this; }
    public MessageBuilder setMessageGroup(String group) { return this; }
    public Message build() {
        final String t = topic; final String g = tag;
        return new Message() {
            public String getTopic() { return t; }
            public String getTag() { return g; }
        };
    }
}
