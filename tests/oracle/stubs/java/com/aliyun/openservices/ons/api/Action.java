package com.aliyun.openservices.ons.api;

public enum Action { CommitMessage, ReconsumeLater }
