package org.apache.rocketmq.client.apis.message;

import java.util.Map;

public interface Message {
    String getTopic();
    String getTag();
    Map<String, String> getProperties();
    String delayed();
}
