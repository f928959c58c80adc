package com.aliyun.openservices.ons.api;

public interface SendCallback {
    void onSuccess(SendResult result);
}
