package org.apache.rocketmq.common.message;

public class MessageQueue { }
