package brokertest;

import com.alibaba.fastjson.JSON;
import com.alibaba.fastjson.JSONArray;
import com.alibaba.fastjson.JSONObject;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.apis.ClientConfiguration;
import org.apache.rocketmq.client.apis.ClientServiceProvider;
import org.apache.rocketmq.client.apis.consumer.ConsumeResult;
import org.apache.rocketmq.client.apis.consumer.FilterExpression;
import org.apache.rocketmq.client.apis.consumer.FilterExpressionType;
import org.apache.rocketmq.client.apis.consumer.PushConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;

/** Real gRPC push consumers, several in one JVM. JSON lines behind "@@" as in Client; they have no share of queues. */
public final class Grpc {
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private static final ExecutorService POOL = Executors.newCachedThreadPool();
    private static final Map<String, JSONObject> SPECS = new ConcurrentHashMap<>();
    private static final Map<String, PushConsumer> CONSUMERS = new ConcurrentHashMap<>();
    private static String endpoints;

    public static void main(String[] args) throws Exception {
        System.setOut(System.err);
        endpoints = args[0];
        print(new JSONObject().fluentPut("ready", true));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            JSONObject command = JSON.parseObject(line);
            POOL.execute(() -> {
                JSONObject answer = new JSONObject().fluentPut("id", command.get("id"));
                try {
                    answer.put("result", execute(command));
                } catch (Throwable e) {
                    answer.put("error", e.getClass().getSimpleName() + ": " + e.getMessage());
                }
                print(answer);
            });
        }
        System.exit(0);
    }

    private static void print(JSONObject message) {
        synchronized (OUT) {
            OUT.println("@@" + message.toJSONString());
        }
    }

    private static Object execute(JSONObject command) throws Exception {
        String key = command.getString("key");
        switch (command.getString("cmd")) {
            case "create":
                SPECS.put(key, command.getJSONObject("spec"));
                return true;
            case "start":
                CONSUMERS.put(key, start(key, SPECS.get(key)));
                return true;
            case "stop":
                CONSUMERS.remove(key).close();
                return true;
            default:
                throw new IllegalArgumentException(command.toJSONString());
        }
    }

    private static PushConsumer start(String key, JSONObject spec) throws Exception {
        Map<String, FilterExpression> expressions = new HashMap<>();
        JSONArray subscriptions = spec.getJSONArray("subscriptions");
        for (int i = 0; i < subscriptions.size(); i++) {
            JSONObject one = subscriptions.getJSONObject(i);
            FilterExpressionType type = FilterExpressionType.valueOf(one.getString("type"));
            expressions.put(one.getString("topic"), new FilterExpression(one.getString("expression"), type));
        }
        AtomicInteger toFail = new AtomicInteger(spec.getJSONObject("options").getIntValue("failFirst"));
        ClientConfiguration configuration = ClientConfiguration.newBuilder()
            .setEndpoints(endpoints).enableSsl(false).setRequestTimeout(Duration.ofSeconds(10)).build();
        return ClientServiceProvider.loadService().newPushConsumerBuilder()
            .setClientConfiguration(configuration)
            .setConsumerGroup(spec.getString("group"))
            .setSubscriptionExpressions(expressions)
            .setConsumptionThreadCount(1)
            .setMessageListener(message -> {
                boolean ok = toFail.getAndUpdate(n -> n > 0 ? n - 1 : 0) == 0;
                delivered(key, message, ok);
                return ok ? ConsumeResult.SUCCESS : ConsumeResult.FAILURE;
            })
            .build();
    }

    private static void delivered(String key, MessageView message, boolean ok) {
        print(new JSONObject().fluentPut("e", "delivery").fluentPut("key", key).fluentPut("t", System.currentTimeMillis())
            .fluentPut("message", message.getProperties().get("MID")).fluentPut("topic", message.getTopic())
            .fluentPut("queue", -1).fluentPut("offset", -1)
            .fluentPut("reconsume", message.getDeliveryAttempt() - 1).fluentPut("ok", ok));
    }
}
