"""Consumers of Java programs behind builders, settings objects, singletons, constructors and subclasses."""

from __future__ import annotations

from tests.oracle.frame import Texts, camel, join, lit
from tests.oracle.java import Java, JavaProgram, Use, shape
from tests.oracle.java_arguments import actuals, formals, java_type
from tests.oracle.java_client import (
    CLIENT,
    MODEL,
    V5,
    client_kind,
    client_type,
    configure,
    lines,
    listener,
    new,
    start,
    whole,
)

VALUES = ["group", "topic", "tags"]


@shape()
def own_builder(p: JavaProgram) -> Use:
    k = client_kind(p)
    w = p.java(p.choose("ConsumerSpec", "Subscription", "MqWorker"))
    nested = p.choose("Builder", "SpecBuilder")
    w.add(lines([f"private final String {n};" for n in VALUES]))
    w.method(f"private {w.name}({nested} from)", [f"this.{n} = from.{n};" for n in VALUES])
    w.method(
        f"public static {nested} {'newBuilder' if p.chance(0.5) else 'builder'}()",
        [f"return new {nested}();"],
    )
    w.method("public void start() throws Exception", whole(p, w, k, {n: n for n in VALUES}))
    fields = lines(
        ['private String group = "default-group";', "private String topic;", 'private String tags = "*";']
    )
    setters = lines(
        [f"public {nested} {n}(String {n}) {{\nthis.{n} = {n};\nreturn this;\n}}\n" for n in VALUES]
        + [f"public {w.name} build() {{\nreturn new {w.name}(this);\n}}"]
    )
    w.add(f"public static {p.choose('', 'final ')}class {nested} {{\n{fields}\n\n{setters}\n}}")
    make = "newBuilder" if "newBuilder()" in w.members[2] else "builder"

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        order = p.rng.sample(VALUES, 3)[: 3 if p.chance(0.8) else 2]
        if "topic" not in order:
            order.append("topic")
        calls = "".join(f".{n}({a[n]})" for n in order)
        if p.chance(0.6):
            return [*pre, f"{c.use(w)}.{make}(){calls}.build().start();"]
        v = p.uid("builder")
        out = [*pre, f"{c.use(w)}.{nested} {v} = {c.use(w)}.{make}();"]
        out += [f"{v}.{n}({a[n]});" for n in order]
        return [*out, f"{v}.build().start();"]

    return use


@shape()
def client_builder(p: JavaProgram) -> Use:
    """A builder whose `build` returns the client itself."""
    k = client_kind(p, False)
    b = p.java(p.choose("ConsumerBuilder", "PushBuilder"))
    t = client_type(b, k)
    b.add(
        f"private String group;\nprivate boolean broadcast;\n"
        f"private final {b.imp('java.util.Map')}<String, String> topics = new {b.imp('java.util.LinkedHashMap')}<>();"
    )
    b.method(f"public {b.name} group(String group)", ["this.group = group;", "return this;"])
    b.method(
        f"public {b.name} topic(String topic, String tags)", ["topics.put(topic, tags);", "return this;"]
    )
    b.method(f"public {b.name} broadcasting()", ["broadcast = true;", "return this;"])
    body = [
        *new(p, b, k, "made", "group"),
        "if (broadcast) {",
        f"made.setMessageModel({b.imp(MODEL)}.BROADCASTING);",
        "}",
    ]
    body += [f"for ({b.imp('java.util.Map')}.Entry<String, String> each : topics.entrySet()) {{"]
    body += [
        "made.subscribe(each.getKey(), each.getValue());",
        "}",
        *listener(p, b, k, "made"),
        "return made;",
    ]
    b.method(f"public {t} build() throws Exception", body)

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        calls = f".group({a['group']}).topic({a['topic']}, {a['tags']})"
        if p.chance(0.3):
            calls += f'.topic("{p.word()}-built", "b")'
        if p.chance(0.3):
            calls += ".broadcasting()"
        if p.chance(0.5):
            return [*pre, f"new {c.use(b)}(){calls}.build().start();"]
        v = p.uid("consumer")
        return [*pre, f"{client_type(c, k)} {v} = new {c.use(b)}(){calls}.build();", f"{v}.start();"]

    return use


@shape()
def settings_object(p: JavaProgram) -> Use:
    k, names = client_kind(p), formals(p)
    o = p.java(p.choose("ConsumerProperties", "MqSettings", "ListenerConfig"))
    o.add(lines([f"private {java_type(n)} {n};" for n in names]))
    for n in names:
        get = "is" if n == "flag" else "get"
        o.method(f"public {java_type(n)} {get}{n.title()}()", [f"return {n};"])
        o.method(f"public void set{n.title()}({java_type(n)} {n})", [f"this.{n} = {n};"])
    f = p.java(p.choose("Bootstrapper", "ConsumerInstaller"))
    s = {n: f"config.{'is' if n == 'flag' else 'get'}{n.title()}()" for n in names}
    f.method(f"public static void install({f.use(o)} config) throws Exception", whole(p, f, k, s))

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, names)
        v = p.uid("config")
        out = [*pre, f"{c.use(o)} {v} = new {c.use(o)}();"]
        out += [f"{v}.set{n.title()}({a[n]});" for n in names]
        out.append(f"{c.use(f)}.install({v});")
        if p.chance(0.3):
            p.tag("settings-object-changed")
            out += [f"{v}.setGroup({lit(inst['group'] + '-second')});", f"{c.use(f)}.install({v});"]
        return out

    return use


@shape()
def constructor_chain(p: JavaProgram) -> Use:
    k = client_kind(p)
    w = p.java(p.choose("QuickConsumer", "SimpleWorker"))
    w.add(lines([f"private final String {n};" for n in VALUES]))
    w.method(f"public {w.name}(String group)", [f'this(group, "{p.word()}-default-topic");'])
    w.method(
        f"public {w.name}(String group, String topic)", [f"this(group, topic, {lit(p.choose('*', 'TagZ'))});"]
    )
    w.method(
        f"public {w.name}(String group, String topic, String tags)", [f"this.{n} = {n};" for n in VALUES]
    )
    w.method("public void run() throws Exception", whole(p, w, k, {n: n for n in VALUES}))

    def use(c: Java, inst: Texts) -> list[str]:
        names = VALUES[: p.rng.randint(1, 3)]
        pre, a = actuals(p, c, inst, names)
        return [*pre, f"new {c.use(w)}({join(names, a)}).run();"]

    return use


@shape()
def subclass_of_client(p: JavaProgram) -> Use:
    w = p.java(p.choose("OrderedConsumer", "AuditedConsumer", "MyPushConsumer"))
    p.tag("push")
    w.head = f" extends {w.imp(CLIENT + 'DefaultMQPushConsumer')}"
    error = w.imp("org.apache.rocketmq.client.exception.MQClientException")
    w.method(
        f"public {w.name}(String group)",
        ["super(group);", *p.rng.choice([[], [f"setMessageModel({w.imp(MODEL)}.BROADCASTING);"]])],
    )
    form = p.choose("method", "start", "plain")
    if form == "method":
        w.method(
            f"public {w.name} listen(String topic, String tags) throws {error}",
            ["subscribe(topic, tags);", "return this;"],
        )
    elif form == "start":
        w.add(
            f"@Override\npublic void start() throws {error} {{\n"
            + f'subscribe("{p.word()}-base", "*");\nsuper.start();\n}}'
        )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v = p.uid("consumer")
        sub = f"{v}.{'listen' if form == 'method' else 'subscribe'}({a['topic']}, {a['tags']});"
        return [*pre, f"{c.use(w)} {v} = new {c.use(w)}({a['group']});", sub, f"{v}.start();"]

    return use


@shape()
def lazy_field(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    w = p.java(p.choose("LazyConsumer", "OnDemand"))
    t = client_type(w, k)
    w.add(f"private final String group;\nprivate {t} consumer;")
    w.method(f"public {w.name}(String group)", ["this.group = group;"])
    w.method(
        f"private {t} consumer()",
        ["if (consumer == null) {", f"consumer = new {t}(group);", "}", "return consumer;"],
    )
    w.method(
        "public void subscribe(String topic, String tags) throws Exception",
        ["consumer().subscribe(topic, tags);"],
    )
    w.method("public void start() throws Exception", ["consumer().start();"])

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v = p.uid("lazy")
        out = [
            *pre,
            f"{c.use(w)} {v} = new {c.use(w)}({a['group']});",
            f"{v}.subscribe({a['topic']}, {a['tags']});",
        ]
        if p.chance(0.3):
            out.append(f'{v}.subscribe("{p.word()}-lazy", "l");')
        return [*out, f"{v}.start();"]

    return use


@shape()
def singleton_consumer(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    form = p.choose("eager", "lazy", "holder", "enum")
    p.tag("singleton-consumer-" + form)

    def use(c: Java, inst: Texts) -> list[str]:
        o = p.java(p.choose("ConsumerSingleton", "MqCenter"), "enum" if form == "enum" else "class")
        t = client_type(o, k)
        group = p.val(o, inst["group"])
        if form == "enum":
            o.lead = "INSTANCE;"
            get = "INSTANCE"
            o.add(f"private final {t} consumer = new {t}({lit(inst['group'])});")
        else:
            get = "getInstance()"
            o.add(f"private final {t} consumer;")
            o.method(f"private {o.name}()", [f"consumer = new {t}({group});"])
        if form == "eager":
            o.add(f"private static final {o.name} INSTANCE = new {o.name}();")
            o.method(f"public static {o.name} getInstance()", ["return INSTANCE;"])
        elif form == "lazy":
            o.add(f"private static volatile {o.name} instance;")
            body = [
                "if (instance == null) {",
                f"synchronized ({o.name}.class) {{",
                "if (instance == null) {",
                f"instance = new {o.name}();",
            ]
            o.method(f"public static {o.name} getInstance()", [*body, "}", "}", "}", "return instance;"])
        elif form == "holder":
            o.add(f"private static class Holder {{\nstatic final {o.name} INSTANCE = new {o.name}();\n}}")
            o.method(f"public static {o.name} getInstance()", ["return Holder.INSTANCE;"])
        o.method(
            "public void listen(String topic, String tags) throws Exception",
            ["consumer.subscribe(topic, tags);"],
        )
        o.method("public void start() throws Exception", ["consumer.start();"])
        pre, a = actuals(p, c, inst, ["topic", "tags"])
        out = [*pre, f"{c.use(o)}.{get}.listen({a['topic']}, {a['tags']});"]
        if p.chance(0.4):
            out.append(f'{c.use(o)}.{get}.listen("{p.word()}-single", "*");')
        return out if p.chance(0.1) else [*out, f"{c.use(o)}.{get}.start();"]

    return use


@shape()
def super_start(p: JavaProgram) -> Use:
    """Three levels of inheritance; each may add to `start` and calls its parent's."""
    k = client_kind(p, False)
    base = p.java("BaseService", "abstract class")
    t = client_type(base, k)
    base.add(f"protected {t} consumer;")
    base.add("protected abstract String groupName();")
    base.method(
        "public void start() throws Exception",
        [
            f"consumer = new {t}(groupName());",
            "subscribe();",
            *listener(p, base, k, "consumer"),
            "consumer.start();",
        ],
    )
    base.method(
        "protected void subscribe() throws Exception",
        [f'consumer.subscribe("{p.word()}-common", "*");'] if p.chance(0.5) else [],
    )
    middle = p.java("MiddleService", "abstract class")
    middle.head = f" extends {middle.use(base)}"
    if p.chance(0.6):
        middle.add(
            "@Override\nprotected void subscribe() throws Exception {\n"
            + p.choose("super.subscribe();\n", "")
            + f'consumer.subscribe("{p.word()}-middle", "m");'
            + "\n}"
        )

    def use(c: Java, inst: Texts) -> list[str]:
        leaf = p.java(camel(inst["word"]) + "Service")
        leaf.head = f" extends {leaf.use(p.rng.choice([base, middle, middle]))}"
        leaf.override("protected String groupName()", f"return {p.val(leaf, inst['group'])};")
        parent = "super.subscribe();\n" if p.chance(0.7) else ""
        leaf.add(
            f"@Override\nprotected void subscribe() throws Exception {{\n{parent}"
            f"consumer.subscribe({p.val(leaf, inst['topic'])}, {p.val(leaf, inst['tags'])});\n}}"
        )
        return [f"new {c.use(leaf)}().start();"]

    return use


@shape()
def generic_wrapper(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    w = p.java(p.choose("Managed", "Slot"), head="<C, M>")
    w.add("private final C client;\nprivate final M name;")
    w.method(f"public {w.name}(C client, M name)", ["this.client = client;", "this.name = name;"])
    w.method("public C client()", ["return client;"])
    w.method("public M name()", ["return name;"])

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        t, v = client_type(c, k), p.uid("slot")
        return [
            *pre,
            f"{c.use(w)}<{t}, String> {v} = new {c.use(w)}<>(new {t}({a['group']}), {a['topic']});",
            f"{v}.client().subscribe({v}.name(), {a['tags']});",
            f"{v}.client().start();",
        ]

    return use


@shape()
def generic_base(p: JavaProgram) -> Use:
    k = client_kind(p)
    i = p.java("Payload", "interface")
    i.add("String topic();")
    base = p.java("TypedConsumer", "abstract class", f"<T extends {i.package}.{i.name}>")
    base.add("protected abstract T payload();\n\nprotected abstract String group();")
    body = whole(
        p, base, k, {"group": "group()", "topic": "payload().topic()", "tags": lit(p.choose("*", "TagQ"))}
    )
    base.method("public final void begin() throws Exception", body)

    def use(c: Java, inst: Texts) -> list[str]:
        pay = p.java(camel(inst["word"]) + "Payload")
        pay.head = f" implements {pay.use(i)}"
        pay.override("public String topic()", f"return {p.val(pay, inst['topic'])};")
        sub = p.java(camel(inst["word"]) + "TypedConsumer")
        sub.head = f" extends {sub.use(base)}<{sub.use(pay)}>"
        sub.override(f"protected {sub.use(pay)} payload()", f"return new {sub.use(pay)}();")
        sub.override("protected String group()", f"return {p.val(sub, inst['group'])};")
        return [f"new {c.use(sub)}().begin();"]

    return use


@shape()
def factory_method(p: JavaProgram) -> Use:
    """A method that subclasses override to make the client."""
    k = client_kind(p, False)
    base = p.java("ClientHost")
    t = client_type(base, k)
    base.method(f"protected {t} create(String group)", [f"return new {t}(group);"])
    base.method(
        "public void open(String group, String topic, String tags) throws Exception",
        [
            f"{t} consumer = create(group);",
            *configure(p, base, k, "consumer", {n: n for n in VALUES}),
            *start(p, base, k, "consumer", {}),
        ],
    )
    sub = p.java("BroadcastHost")
    sub.head = f" extends {sub.use(base)}"
    ts = client_type(sub, k)
    change = p.choose(
        f"made.setMessageModel({sub.imp(MODEL)}.BROADCASTING);", 'made.setConsumerGroup(group + "-sub");'
    )
    sub.override(
        f"protected {ts} create(String group)", f"{ts} made = super.create(group);\n{change}\nreturn made;"
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        host, v = p.rng.choice([base, sub]), p.uid("host")
        return [*pre, f"{c.use(base)} {v} = new {c.use(host)}();", f"{v}.open({join(VALUES, a)});"]

    return use


@shape()
def closeable_wrapper(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    w = p.java("ConsumerScope", head=" implements AutoCloseable")
    t = client_type(w, k)
    w.add(f"private final {t} consumer;")
    w.method(f"public {w.name}(String group)", [f"consumer = new {t}(group);"])
    w.method(
        "public void open(String topic, String tags) throws Exception",
        ["consumer.subscribe(topic, tags);", "consumer.start();"],
    )
    w.override("public void close()", "consumer.shutdown();")

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v = p.uid("scope")
        return [
            *pre,
            f"try ({c.use(w)} {v} = new {c.use(w)}({a['group']})) {{",
            f"{v}.open({a['topic']}, {a['tags']});",
            "}",
        ]

    return use


@shape()
def grpc_helper(p: JavaProgram) -> Use:
    """The 5.x builder goes through helpers before it is built."""
    p.tag("grpc")
    o = p.java(p.choose("GrpcSupport", "V5Clients"))
    provider, settings = o.imp(V5 + "ClientServiceProvider"), o.imp(V5 + "ClientConfiguration")
    fe, ft = o.imp(V5 + "consumer.FilterExpression"), o.imp(V5 + "consumer.FilterExpressionType")
    b, many = o.imp(V5 + "consumer.PushConsumerBuilder"), o.imp("java.util.Map")
    o.method(
        f"private static {b} base(String group)",
        [
            f"{b} builder = {provider}.loadService().newPushConsumerBuilder();",
            f'builder.setClientConfiguration({settings}.newBuilder().setEndpoints("localhost:8081").build());',
            "return builder.setConsumerGroup(group);",
        ],
    )
    o.method(f"public static {fe} tag(String tags)", [f"return new {fe}(tags, {ft}.TAG);"])
    o.method(
        f"public static void start(String group, {many}<String, {fe}> table) throws Exception",
        [
            f"{b} builder = base(group).setSubscriptionExpressions(table);",
            f"builder.setMessageListener(view -> {o.imp(V5 + 'consumer.ConsumeResult')}.SUCCESS);",
            "builder.build();",
        ],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        n, v = c.use(o), p.uid("table")
        if p.chance(0.4):
            return [
                *pre,
                f"{n}.start({a['group']}, {c.imp('java.util.Map')}.of({a['topic']}, {n}.tag({a['tags']})));",
            ]
        element = c.imp(V5 + "consumer.FilterExpression")
        out = [
            *pre,
            f"{c.imp('java.util.Map')}<String, {element}> {v} = new {c.imp('java.util.HashMap')}<>();",
        ]
        out += [
            f"{v}.put({a['topic']}, {n}.tag({a['tags']}));",
            f'{v}.put("{p.word()}-all", {element}.SUB_ALL);',
        ]
        return [*out, f"{n}.start({a['group']}, {v});"]

    return use
