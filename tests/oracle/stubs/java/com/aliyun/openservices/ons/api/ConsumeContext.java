package com.aliyun.openservices.ons.api;

public class ConsumeContext { }
