package com.aliyun.openservices.ons.api;

public class PropertyKeyConst {
    public static final String GROUP_ID = "GROUP_ID";
    public static final String NAMESRV_ADDR = "NAMESRV_ADDR";
    public static final String AccessKey = "AccessKey";
    public static final String SecretKey = "SecretKey";
    public static final String ConsumeThreadNums = "ConsumeThreadNums";
    public static final String MaxReconsumeTimes = "maxReconsumeTimes";
    public static final String MessageModel = "MessageModel";
}
