package brokertest;

import com.alibaba.fastjson.JSON;
import com.alibaba.fastjson.JSONArray;
import com.alibaba.fastjson.JSONObject;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.MessageSelector;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragelyByCircle;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueConsistentHash;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Real consumers, several in one JVM, each with a client instance of its own, and one producer.
 *
 * <p>JSON lines behind "@@" as in Server. Deliveries are reported as the listener sees them, shares by a sampler.
 */
public final class Client {
    private static final int SAMPLE_INTERVAL_MS = 50;
    private static final int SEND_TIMEOUT_MS = 10000;
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private static final ExecutorService POOL = Executors.newCachedThreadPool();
    private static final Map<String, Member> MEMBERS = new ConcurrentHashMap<>();
    private static String nameServer;
    private static DefaultMQProducer producer;
    private static TransactionMQProducer transactions;

    private static final class Member {
        final String key;
        final JSONObject options;
        JSONArray assigned;
        final AtomicInteger toFail = new AtomicInteger();
        ClientConfig consumer;
        volatile boolean running = true;
        String share = "{}";

        Member(String key, JSONObject options) {
            this.key = key;
            this.options = options;
        }
    }

    public static void main(String[] args) throws Exception {
        System.setOut(System.err);
        nameServer = args[0];
        Thread sampler = new Thread(Client::sample, "sampler");
        sampler.setDaemon(true);
        sampler.start();
        print(new JSONObject().fluentPut("ready", true));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            JSONObject command = JSON.parseObject(line);
            POOL.execute(() -> {
                JSONObject answer = new JSONObject().fluentPut("id", command.get("id"));
                try {
                    answer.put("result", execute(command));
                } catch (Throwable e) {
                    answer.put("error", e.getClass().getSimpleName() + ": " + e.getMessage()
                        + (e.getCause() == null ? "" : " / " + e.getCause()));
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
        Member member = key == null ? null : MEMBERS.get(key);
        switch (command.getString("cmd")) {
            case "create":
                MEMBERS.put(key, create(key, command.getJSONObject("spec")));
                break;
            case "start":
                start(member);
                break;
            case "stop":
                MEMBERS.remove(key);
                member.running = false;
                member.consumer.getClass().getMethod("shutdown").invoke(member.consumer);
                break;
            case "subscribe":
                subscribe(member.consumer, command.getJSONObject("subscription"));
                break;
            case "unsubscribe":
                member.consumer.getClass().getMethod("unsubscribe", String.class).invoke(member.consumer, command.getString("topic"));
                break;
            case "send":
                JSONArray queues = new JSONArray();
                for (Object message : command.getJSONArray("messages")) {
                    queues.add(send((JSONObject) message));
                }
                return queues;
            default:
                throw new IllegalArgumentException(command.toJSONString());
        }
        return true;
    }

    /** Sends a message and says where it came to be: into the queue that it names, a transaction's into any. */
    private static synchronized JSONArray send(JSONObject m) throws Exception {
        byte[] id = m.getString("id").getBytes(StandardCharsets.UTF_8);
        Message message = new Message(m.getString("topic"), Arrays.copyOf(id, Math.max(id.length, m.getIntValue("size"))));
        if (m.getString("tag") != null) {
            message.setTags(m.getString("tag"));
        }
        message.putUserProperty("MID", m.getString("id"));
        if (m.getJSONObject("properties") != null) {
            m.getJSONObject("properties").forEach((name, value) -> message.putUserProperty(name, String.valueOf(value)));
        }
        if ("late".equals(m.getString("transaction"))) {
            message.putUserProperty("LATE", "true");
        }
        if (m.containsKey("delayLevel")) {
            message.setDelayTimeLevel(m.getIntValue("delayLevel"));
        }
        MessageQueue queue = new MessageQueue(m.getString("topic"), m.getString("broker"), m.getIntValue("queue"));
        if (m.containsKey("transaction")) {
            queue = transactions().sendMessageInTransaction(message, m.getString("transaction")).getMessageQueue();
        } else {
            producer().send(message, queue, SEND_TIMEOUT_MS);
        }
        return new JSONArray().fluentAdd(queue.getBrokerName()).fluentAdd(queue.getQueueId());
    }

    private static DefaultMQProducer producer() throws Exception {
        if (producer == null) {
            producer = started(new DefaultMQProducer("brokertest_producer"), "producer");
        }
        return producer;
    }

    /** Its messages are halves first; what is sent with them says whether they are committed, when the broker asks ("late") or at once, or rolled back. */
    private static TransactionMQProducer transactions() throws Exception {
        if (transactions == null) {
            TransactionMQProducer p = new TransactionMQProducer("brokertest_transactions");
            p.setTransactionListener(new TransactionListener() {
                @Override
                public LocalTransactionState executeLocalTransaction(Message message, Object decision) {
                    return "late".equals(decision) ? LocalTransactionState.UNKNOW
                        : "commit".equals(decision) ? LocalTransactionState.COMMIT_MESSAGE : LocalTransactionState.ROLLBACK_MESSAGE;
                }

                @Override
                public LocalTransactionState checkLocalTransaction(MessageExt message) {
                    return message.getUserProperty("LATE") == null ? LocalTransactionState.UNKNOW : LocalTransactionState.COMMIT_MESSAGE;
                }
            });
            transactions = started(p, "transactions");
        }
        return transactions;
    }

    private static <P extends DefaultMQProducer> P started(P p, String instance) throws Exception {
        p.setNamesrvAddr(nameServer);
        p.setInstanceName(instance);
        p.setClientIP("127.0.0.1");
        p.setCompressMsgBodyOverHowmuch(Integer.MAX_VALUE);
        p.start();
        return p;
    }

    /** Sets an enum property by name: the enum types moved between packages over the versions. */
    private static void setEnum(Object target, String setter, String value) throws Exception {
        for (Method method : target.getClass().getMethods()) {
            if (method.getName().equals(setter) && method.getParameterCount() == 1) {
                for (Object constant : method.getParameterTypes()[0].getEnumConstants()) {
                    if (((Enum<?>) constant).name().equals(value)) {
                        method.invoke(target, constant);
                        return;
                    }
                }
            }
        }
        throw new IllegalArgumentException(setter + " " + value);
    }

    private static Member create(String key, JSONObject spec) throws Exception {
        JSONObject options = spec.getJSONObject("options");
        Member member = new Member(key, options);
        String group = spec.getString("group");
        member.toFail.set(options.getIntValue("failFirst"));
        if (spec.getString("clientKind").startsWith("lite")) {
            member.consumer = new DefaultLitePullConsumer(group);
            member.assigned = spec.getJSONArray("assigned");
        } else {
            member.consumer = push(member, group);
        }
        for (String name : new String[] {"namespace", "namespaceV2"}) {  // clients before 5.2.0 have only the first
            if (spec.getString(name) != null) {
                String setter = "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
                ClientConfig.class.getMethod(setter, String.class).invoke(member.consumer, spec.getString(name));
            }
        }
        member.consumer.setNamesrvAddr(nameServer);
        member.consumer.setInstanceName(spec.getString("instance"));
        member.consumer.setClientIP(spec.getString("clientIp") == null ? "127.0.0.1" : spec.getString("clientIp"));
        if (spec.getBooleanValue("fast")) {
            member.consumer.setHeartbeatBrokerInterval(5000);
            member.consumer.setPersistConsumerOffsetInterval(1000);
            member.consumer.setPollNameServerInterval(5000);
        }
        if (member.options.containsKey("consumeFromWhere")) {
            setEnum(member.consumer, "setConsumeFromWhere", member.options.getString("consumeFromWhere"));
        }
        if ("BROADCASTING".equals(spec.getString("messageModel"))) {
            setEnum(member.consumer, "setMessageModel", "BROADCASTING");
        }
        for (Object subscription : spec.getJSONArray("subscriptions")) {
            subscribe(member.consumer, (JSONObject) subscription);
        }
        return member;
    }

    private static DefaultMQPushConsumer push(Member member, String group) throws Exception {
        DefaultMQPushConsumer push = new DefaultMQPushConsumer(group);
        int threads = Math.max(1, member.options.getIntValue("threads"));
        push.setConsumeThreadMin(threads);
        push.setConsumeThreadMax(threads);
        push.setConsumeMessageBatchMaxSize(Math.max(1, member.options.getIntValue("batch")));
        push.setPostSubscriptionWhenPull(member.options.getBooleanValue("postSubscriptionWhenPull"));
        if (member.options.getBooleanValue("useHeartbeatV2")) {  // since 5.1.3
            ClientConfig.class.getMethod("setUseHeartbeatV2", boolean.class).invoke(push, true);
        }
        String strategy = member.options.getString("strategy");
        if ("AVG_BY_CIRCLE".equals(strategy)) {
            push.setAllocateMessageQueueStrategy(new AllocateMessageQueueAveragelyByCircle());
        } else if ("CONSISTENT_HASH".equals(strategy)) {
            push.setAllocateMessageQueueStrategy(new AllocateMessageQueueConsistentHash());
        } else {
            push.setAllocateMessageQueueStrategy(new AllocateMessageQueueAveragely());
        }
        if (member.options.containsKey("consumeSinceS")) {
            LocalDateTime since = LocalDateTime.now().minusSeconds(member.options.getLongValue("consumeSinceS"));
            push.setConsumeTimestamp(since.format(DateTimeFormatter.ofPattern("yyyyMMddHHmmss")));
        }
        if (Boolean.FALSE.equals(member.options.getBoolean("clientRebalance"))) {  // since 5.0.0
            DefaultMQPushConsumer.class.getMethod("setClientRebalance", boolean.class).invoke(push, false);
        }
        if (member.options.getBooleanValue("orderly")) {
            push.registerMessageListener((MessageListenerOrderly) (messages, context) -> {
                work(member, messages);
                delivered(member, messages, true);
                return ConsumeOrderlyStatus.SUCCESS;
            });
        } else {
            push.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
                work(member, messages);
                boolean ok = member.toFail.getAndUpdate(n -> n > 0 ? n - 1 : 0) == 0;
                delivered(member, messages, ok);
                return ok ? ConsumeConcurrentlyStatus.CONSUME_SUCCESS : ConsumeConcurrentlyStatus.RECONSUME_LATER;
            });
        }
        return push;
    }

    /** Takes as long as the member's listener does: `slowMs` a message, or what `slowTags` says of its tag. */
    private static void work(Member member, List<MessageExt> messages) {
        JSONObject tags = member.options.getJSONObject("slowTags");
        long ms = 0;
        for (MessageExt message : messages) {
            boolean named = tags != null && tags.containsKey(message.getTags());
            ms += named ? tags.getLongValue(message.getTags()) : member.options.getLongValue("slowMs");
        }
        if (ms > 0) {
            LockSupport.parkNanos(ms * 1_000_000);
        }
    }

    private static void subscribe(ClientConfig consumer, JSONObject s) throws Exception {
        String topic = s.getString("topic"), expression = s.getString("expression");
        Object selector = "SQL92".equals(s.getString("type")) ? MessageSelector.bySql(expression) : expression;
        Class<?> type = selector instanceof String ? String.class : MessageSelector.class;
        consumer.getClass().getMethod("subscribe", String.class, type).invoke(consumer, topic, selector);
    }

    private static void start(Member member) throws Exception {
        if (member.consumer instanceof DefaultMQPushConsumer) {
            ((DefaultMQPushConsumer) member.consumer).start();
            return;
        }
        DefaultLitePullConsumer lite = (DefaultLitePullConsumer) member.consumer;
        lite.setAutoCommitIntervalMillis(member.options.containsKey("autoCommitMs") ? member.options.getLongValue("autoCommitMs") : 1000);
        lite.start();
        if (member.assigned != null) {
            List<MessageQueue> queues = new ArrayList<>();
            for (Object one : member.assigned) {
                JSONArray queue = (JSONArray) one;
                queues.add(new MessageQueue(queue.getString(0), queue.getString(1), queue.getIntValue(2)));
            }
            lite.assign(queues);
        }
        POOL.execute(() -> {
            while (member.running) {
                try {
                    List<MessageExt> messages = lite.poll(500);
                    work(member, messages);
                    delivered(member, messages, true);
                } catch (IllegalStateException e) {
                    return;  // shut down meanwhile
                }
            }
        });
    }

    private static void delivered(Member member, List<MessageExt> messages, boolean ok) {
        for (MessageExt message : messages) {
            print(new JSONObject().fluentPut("e", "delivery").fluentPut("key", member.key).fluentPut("t", System.currentTimeMillis())
                .fluentPut("message", message.getUserProperty("MID")).fluentPut("topic", message.getTopic())
                .fluentPut("queue", message.getQueueId()).fluentPut("offset", message.getQueueOffset())
                .fluentPut("reconsume", message.getReconsumeTimes()).fluentPut("ok", ok));
        }
    }

    private static Object field(Object target, String name) throws Exception {
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field.get(target);
                }
            }
        }
        throw new NoSuchFieldException(name);
    }

    /** The queues a member works on, as broker/number: the keys of its process-queue table. */
    private static JSONObject share(Member member) throws Exception {
        boolean push = member.consumer instanceof DefaultMQPushConsumer;
        Object implementation = field(member.consumer, push ? "defaultMQPushConsumerImpl" : "defaultLitePullConsumerImpl");
        Map<String, TreeSet<String>> queues = new TreeMap<>();
        for (Object key : ((Map<?, ?>) field(field(implementation, "rebalanceImpl"), "processQueueTable")).keySet()) {
            MessageQueue queue = (MessageQueue) key;
            queues.computeIfAbsent(queue.getTopic(), topic -> new TreeSet<>()).add(queue.getBrokerName() + "/" + queue.getQueueId());
        }
        return new JSONObject(new TreeMap<>(queues));
    }

    private static void sample() {
        while (true) {
            try {
                Thread.sleep(SAMPLE_INTERVAL_MS);
                for (Member member : MEMBERS.values()) {
                    JSONObject share = share(member);
                    if (!share.toJSONString().equals(member.share)) {
                        member.share = share.toJSONString();
                        print(new JSONObject().fluentPut("e", "share").fluentPut("key", member.key)
                            .fluentPut("t", System.currentTimeMillis()).fluentPut("share", share));
                    }
                }
            } catch (Throwable e) {
                e.printStackTrace();
            }
        }
    }
}
