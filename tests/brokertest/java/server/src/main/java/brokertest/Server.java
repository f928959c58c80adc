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
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.BrokerStartup;
import org.apache.rocketmq.broker.client.ConsumerGroupInfo;
import org.apache.rocketmq.namesrv.NamesrvStartup;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/**
 * One unmodified name server or broker, watched through public doors only: an RPC hook reports heartbeats and pulls,
 * a sampler reports what changed in the group tables.
 *
 * <p>JSON lines behind "@@": commands on stdin ({@code id, cmd, ...}), answers and events on stdout. Ends when stdin closes,
 * so nothing survives the process that started it.
 */
public final class Server {
    private static final int PULL = 11, HEARTBEAT = 34, LITE_PULL = 361;
    private static final int SAMPLE_INTERVAL_MS = 25;
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private static final Map<String, Seen> WATCHED = new ConcurrentHashMap<>();
    private static final Map<String, String> CLIENT_OF_ADDRESS = new ConcurrentHashMap<>();
    private static BrokerController broker;

    /** What was last reported of a group; guarded by itself. */
    private static final class Seen {
        final Map<String, String> table = new TreeMap<>();
        final Map<String, String> pulls = new TreeMap<>();
        String clientIds = "";
    }

    public static void main(String[] args) throws Exception {
        System.setOut(System.err);
        String[] configuration = {"-c", args[1]};
        if (args[0].equals("namesrv")) {
            NamesrvStartup.main(configuration);
        } else if (args[0].equals("proxy")) {
            proxy(args);
        } else {
            broker = BrokerStartup.createBrokerController(configuration);
            broker.registerServerRPCHook(new Hook());
            BrokerStartup.start(broker);
        }
        if (broker != null) {
            Thread sampler = new Thread(Server::sample, "sampler");
            sampler.setDaemon(true);
            sampler.start();
        }
        print(new JSONObject().fluentPut("ready", true));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            JSONObject command = JSON.parseObject(line);
            JSONObject answer = new JSONObject().fluentPut("id", command.get("id"));
            try {
                answer.put("result", execute(command));
            } catch (Throwable e) {
                answer.put("error", e.toString());
            }
            print(answer);
        }
        System.exit(0);
    }

    /** A proxy with a broker in it (mode local), or by itself (cluster). It has no door to its broker. */
    private static void proxy(String[] args) throws Exception {
        Class<?> startup = Class.forName("org.apache.rocketmq.proxy.ProxyStartup");
        String[] options = {"-pc", args[1], "-pm", args[2], "-n", args[3], "-bc", args[4]};
        startup.getMethod("main", String[].class).invoke(null, (Object) (args[2].equals("local") ? options : Arrays.copyOf(options, 6)));
        Object parts = value(startup, null, "PROXY_START_AND_SHUTDOWN");
        for (Object part : (Iterable<?>) value(parts.getClass().getSuperclass(), parts, "startAndShutdownList")) {
            for (Field field : part.getClass().getDeclaredFields()) {
                if (field.getType() == BrokerController.class) {
                    field.setAccessible(true);
                    broker = (BrokerController) field.get(part);
                    broker.registerServerRPCHook(new Hook());
                }
            }
        }
    }

    private static Object value(Class<?> type, Object owner, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    private static void print(JSONObject message) {
        synchronized (OUT) {
            OUT.println("@@" + message.toJSONString());
        }
    }

    private static Object execute(JSONObject command) throws Exception {
        String group = command.getString("group");
        switch (command.getString("cmd")) {
            case "watch":
                return WATCHED.put(group, new Seen()) == null;
            case "unwatch":
                return WATCHED.remove(group) != null;
            case "state":
                JSONObject topics = command.getJSONObject("topics");
                return new JSONObject()
                    .fluentPut("table", table(group))
                    .fluentPut("filter", sqlFilters(group, topics))
                    .fluentPut("offsets", offsets(group))
                    .fluentPut("max", limits(topics, "getMaxOffsetInQueue"))
                    .fluentPut("min", limits(topics, "getMinOffsetInQueue"));
            case "deleteExpired":
                broker.getMessageStore().executeDeleteFilesManually();
                return true;
            default:
                throw new IllegalArgumentException(command.toJSONString());
        }
    }

    /** Calls a getter whose class lives in another package in another version. */
    private static Object get(Object target, String getter) {
        try {
            Method method = target.getClass().getMethod(getter);
            method.setAccessible(true);
            return method.invoke(target);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JSONObject table(String group) {
        JSONObject out = new JSONObject();
        ConsumerGroupInfo info = broker.getConsumerManager().getConsumerGroupInfo(group);
        if (info != null) {
            Map<String, ?> table = info.getSubscriptionTable();
            table.forEach((topic, subscription) -> out.put(topic, new JSONObject(new TreeMap<>(Map.of(
                "expression", get(subscription, "getSubString"),
                "type", get(subscription, "getExpressionType"),
                "version", get(subscription, "getSubVersion"))))));
        }
        return out;
    }

    private static JSONObject sqlFilters(String group, JSONObject topics) {
        JSONObject out = new JSONObject();
        for (String topic : topics.keySet()) {
            Object data = broker.getConsumerFilterManager().get(topic, group);
            if (data != null) {
                out.put(topic, new JSONObject()
                    .fluentPut("expression", get(data, "getExpression"))
                    .fluentPut("version", get(data, "getClientVersion"))
                    .fluentPut("dead", get(data, "isDead")));
            }
        }
        return out;
    }

    private static JSONObject offsets(String group) {
        JSONObject out = new JSONObject();
        broker.getConsumerOffsetManager().getOffsetTable().forEach((key, queues) -> {
            int at = key.lastIndexOf('@');
            if (key.substring(at + 1).equals(group)) {
                JSONObject row = new JSONObject();
                queues.forEach((queue, offset) -> row.put(String.valueOf(queue), offset));
                out.put(key.substring(0, at), row);
            }
        });
        return out;
    }

    private static JSONObject limits(JSONObject topics, String getter) throws Exception {
        Object store = broker.getMessageStore();
        Method limit = store.getClass().getMethod(getter, String.class, int.class);
        JSONObject out = new JSONObject();
        for (String topic : topics.keySet()) {
            JSONArray row = new JSONArray();
            for (int queue = 0; queue < topics.getIntValue(topic); queue++) {
                row.add(limit.invoke(store, topic, queue));
            }
            out.put(topic, row);
        }
        return out;
    }

    private static JSONObject event(String kind, String group) {
        return new JSONObject().fluentPut("e", kind).fluentPut("group", group).fluentPut("t", System.currentTimeMillis());
    }

    private static void sample() {
        while (true) {
            try {
                Thread.sleep(SAMPLE_INTERVAL_MS);
                WATCHED.forEach(Server::reportChanges);
            } catch (Throwable e) {
                e.printStackTrace();
            }
        }
    }

    private static void reportChanges(String group, Seen seen) {
        synchronized (seen) {
            JSONObject now = table(group);
            TreeSet<String> topics = new TreeSet<>(seen.table.keySet());
            topics.addAll(now.keySet());
            for (String topic : topics) {
                String entry = now.containsKey(topic) ? now.getJSONObject(topic).toJSONString() : null;
                if (entry == null ? seen.table.remove(topic) != null : !entry.equals(seen.table.put(topic, entry))) {
                    print(event("table", group).fluentPut("topic", topic).fluentPut("entry", now.get(topic)));
                }
            }
            ConsumerGroupInfo info = broker.getConsumerManager().getConsumerGroupInfo(group);
            JSONArray ids = new JSONArray();
            if (info != null) {
                info.getAllClientId().stream().sorted().forEach(ids::add);
            }
            if (!ids.toJSONString().equals(seen.clientIds)) {
                seen.clientIds = ids.toJSONString();
                print(event("ids", group).fluentPut("ids", ids)
                    .fluentPut("model", info == null ? null : String.valueOf(info.getMessageModel())));
            }
        }
    }

    private static final class Hook implements RPCHook {
        @Override
        public void doBeforeRequest(String address, RemotingCommand request) {
        }

        @Override
        public void doAfterResponse(String address, RemotingCommand request, RemotingCommand response) {
            try {
                if (request.getCode() == HEARTBEAT) {
                    heartbeat(address, JSON.parseObject(new String(request.getBody(), StandardCharsets.UTF_8)));
                } else if (request.getCode() == PULL || request.getCode() == LITE_PULL) {
                    pull(address, request.getExtFields(), response);
                }
            } catch (Throwable e) {
                e.printStackTrace();
            }
        }

        private void heartbeat(String address, JSONObject body) {
            CLIENT_OF_ADDRESS.put(address, body.getString("clientID"));
            for (Object item : body.getJSONArray("consumerDataSet")) {
                JSONObject data = (JSONObject) item;
                Seen seen = WATCHED.get(data.getString("groupName"));
                if (seen == null) {
                    continue;
                }
                JSONObject subscriptions = new JSONObject();
                for (Object entry : data.getJSONArray("subscriptionDataSet")) {
                    JSONObject s = (JSONObject) entry;
                    subscriptions.put(s.getString("topic"), new JSONObject()
                        .fluentPut("expression", s.get("subString"))
                        .fluentPut("type", s.get("expressionType"))
                        .fluentPut("version", s.get("subVersion")));
                }
                print(event("heartbeat", data.getString("groupName"))
                    .fluentPut("client", body.getString("clientID")).fluentPut("subscriptions", subscriptions));
                reportChanges(data.getString("groupName"), seen);
            }
        }

        /** Reports every refused pull, and a pull whose offset or outcome differs from that client's previous one of the queue. */
        private void pull(String address, Map<String, String> fields, RemotingCommand response) {
            Seen seen = WATCHED.get(fields.get("consumerGroup"));
            if (seen == null) {
                return;
            }
            Integer code = response == null ? null : response.getCode();
            String client = CLIENT_OF_ADDRESS.getOrDefault(address, "?");
            String outcome = fields.get("queueOffset") + "|" + code;
            boolean refused = code != null && code != 0 && code != 19 && code != 20;
            synchronized (seen) {
                String key = client + "|" + fields.get("topic") + "|" + fields.get("queueId");
                if (refused || !outcome.equals(seen.pulls.put(key, outcome))) {
                    print(event("pull", fields.get("consumerGroup"))
                        .fluentPut("client", client)
                        .fluentPut("topic", fields.get("topic"))
                        .fluentPut("queue", Integer.valueOf(fields.get("queueId")))
                        .fluentPut("offset", Long.valueOf(fields.get("queueOffset")))
                        .fluentPut("version", Long.valueOf(fields.get("subVersion")))
                        .fluentPut("code", code));
                }
            }
        }
    }
}
