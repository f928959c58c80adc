package com.aliyun.openservices.ons.api;

public class SendResult {
    public String getMessageId() { return "id"; }
}
