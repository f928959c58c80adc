package org.apache.rocketmq.spring.annotation;

public enum MessageModel {
    BROADCASTING, CLUSTERING;

    public String getModeCN() {
        return name();
    }
}
