package org.apache.rocketmq.client.apis.producer;

import java.util.concurrent.CompletableFuture;
import oracle.Recorder;
import org.apache.rocketmq.client.apis.message.Message;

public class Producer implements AutoCloseable {
    public SendReceipt send(Message message) {
        Recorder.sent("grpc-send", null, null, message.getTopic(), message.getTag(), message.getProperties(), message.delayed());
        return new SendReceipt();
    }
    public CompletableFuture<SendReceipt> sendAsync(Message message) { return CompletableFuture.completedFuture(send(message)); }
    public void close() { }
}
