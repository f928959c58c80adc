package org.apache.rocketmq.spring.annotation;

public enum ConsumeMode {
    CONCURRENTLY, ORDERLY
}
