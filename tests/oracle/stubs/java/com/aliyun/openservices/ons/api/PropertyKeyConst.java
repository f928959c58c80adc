package com.aliyun.openservices.ons.api;

public class PropertyKeyConst {
    public static final String GROUP_ID = "GROUP_ID";
    public static final String NAMESRV_ADDR = "NAMESRV_ADDR";
}
