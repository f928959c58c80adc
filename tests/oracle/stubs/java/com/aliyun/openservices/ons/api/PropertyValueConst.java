package com.aliyun.openservices.ons.api;

public class PropertyValueConst {
    public static final String BROADCASTING = "BROADCASTING";
    public static final String CLUSTERING = "CLUSTERING";
}
