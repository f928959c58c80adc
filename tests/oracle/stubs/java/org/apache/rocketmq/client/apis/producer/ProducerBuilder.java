package org.apache.rocketmq.client.apis.producer;

import org.apache.rocketmq.client.apis.ClientConfiguration;

public class ProducerBuilder {
    public ProducerBuilder setClientConfiguration(ClientConfiguration c) { return this; }
    public ProducerBuilder setTopics(String... topics) { return this; }
    public Producer build() { return new Producer(); }
}
