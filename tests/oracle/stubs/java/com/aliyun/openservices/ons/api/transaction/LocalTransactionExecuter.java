package com.aliyun.openservices.ons.api.transaction;

import com.aliyun.openservices.ons.api.Message;

public interface LocalTransactionExecuter {
    Object execute(Message message, Object argument);
}
