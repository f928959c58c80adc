package org.apache.rocketmq.spring.annotation;

public enum SelectorType {
    TAG, SQL92
}
