"""Classes that make consumers: factories, wrappers, templates, managers."""

from __future__ import annotations

from tests.oracle.frame import TAGS, Texts, camel, lit
from tests.oracle.java import Java, JavaProgram, Use, shape
from tests.oracle.java_arguments import actuals, formals, java_type, signature
from tests.oracle.java_client import (
    MODEL,
    client_kind,
    client_type,
    configure,
    grpc,
    listener,
    new,
    start,
    whole,
)


@shape(1.5)
def direct(p: JavaProgram) -> Use:
    k = client_kind(p)

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic", "tags"])
        return pre + whole(p, c, k, a, p.uid("consumer"))

    return use


@shape(2)
def ctor_fields(p: JavaProgram) -> Use:
    k, names = client_kind(p), formals(p)
    w = p.java(p.rng.choice(["Worker", "OrderConsumer", "MessageConsumer", "Listener"]))
    w.add("\n".join(f"private {'final ' if p.chance(0.6) else ''}{java_type(n)} {n};" for n in names))
    w.method(f"public {w.name}({signature(names)})", [f"this.{n} = {n};" for n in names])
    this = p.chance(0.4)
    s = {n: ("this." if this else "") + n for n in names}
    hold = k != "grpc" and p.chance(0.5)
    if hold:
        p.tag("consumer-in-field")
        t = client_type(w, k)
        w.add(f"private {t} consumer;")
        body = new(p, w, k, "consumer", s["group"])
        body[0] = body[0].split(" ", 1)[1]
        body += configure(p, w, k, "consumer", s)
        if p.chance(0.5):
            p.tag("split-init-and-start")
            w.method("public void init() throws Exception", body)
            w.method("public void start() throws Exception", ["init();", *start(p, w, k, "consumer", s)])
        else:
            w.method("public void start() throws Exception", body + start(p, w, k, "consumer", s))
        if p.chance(0.5):
            p.tag("stop-method")
            w.method("public void stop()", [f"consumer.unsubscribe({s['topic']});", "consumer.shutdown();"])
    else:
        w.method("public void start() throws Exception", whole(p, w, k, s))

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, names)
        made = f"new {c.use(w)}({', '.join(a[n] for n in names)})"
        if p.chance(0.5):
            return [*pre, f"{made}.start();"]
        v = p.uid("worker")
        out = [*pre, f"{c.use(w)} {v} = {made};"]
        if p.chance(0.15):
            p.tag("never-started")
            return out
        return [*out, f"{v}.start();"]

    return use


@shape(2.5)
def static_factory(p: JavaProgram) -> Use:
    k, names = client_kind(p), formals(p)
    f = p.java(p.rng.choice(["ConsumerFactory", "MqFactory", "RocketHelper", "Consumers"]))
    t = client_type(f, k) if k != "grpc" else None
    if k == "grpc":
        f.method(
            f"public static void create({signature(names)}) throws Exception",
            grpc(p, f, {n: n for n in names}, "consumer"),
        )
    else:
        starts_here = p.chance(0.5)
        s = {n: n for n in names}
        body = new(p, f, k, "consumer", "group")
        if p.chance(0.2):
            p.tag("early-return")
            body = ["if (group == null || group.isEmpty()) {", "return null;", "}", *body]
        sub_here = p.chance(0.7)
        if sub_here:
            body += configure(p, f, k, "consumer", s)
        else:
            p.tag("factory-then-subscribe")
        if starts_here and sub_here:
            body += start(p, f, k, "consumer", s)
        n = "create"
        f.method(f"public static {t} {n}({signature(names)}) throws Exception", [*body, "return consumer;"])

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, names)
        call = f"{c.use(f)}.create({', '.join(a[n] for n in names)})"
        if k == "grpc":
            return [*pre, call + ";"]
        r, v = p.rng.random(), p.uid("consumer")
        if sub_here and starts_here and r < 0.7:
            return [*pre, call + ";"]
        out = [*pre, f"{client_type(c, k)} {v} = {call};"]
        if not sub_here:
            out += configure(p, c, k, v, a)
        elif r > 0.8:
            p.tag("caller-adds")
            late = sub_here and starts_here  # a running consumer takes topics, not another model
            out += [
                f'{v}.subscribe("{p.word()}-added", "*");'
                if late or p.chance(0.5)
                else f"{v}.setMessageModel({c.imp(MODEL)}.BROADCASTING);"
            ]
        if not (sub_here and starts_here):
            if p.chance(0.15):
                p.tag("never-started")
            else:
                out.append(f"{v}.start();")
        return out

    return use


@shape(1.5)
def chained_factories(p: JavaProgram) -> Use:
    k, names = client_kind(p, False), formals(p)
    f = p.java(p.rng.choice(["BaseFactory", "Containers", "ConsumerSupport"]))
    t, s = client_type(f, k), {n: n for n in names}
    f.method(
        f"private static {t} base({signature(names)}) throws Exception",
        new(p, f, k, "consumer", "group") + configure(p, f, k, "consumer", s) + ["return consumer;"],
    )
    args = ", ".join(names)
    f.method(
        f"public static {t} orderly({signature(names)}) throws Exception",
        [
            f"{t} consumer = base({args});",
            *listener(p, f, k, "consumer"),
            *start(p, f, k, "consumer", s),
            "return consumer;",
        ],
    )
    f.method(
        f"public static {t} concurrent({signature(names)}) throws Exception",
        [
            f"{t} consumer = base({args});",
            'consumer.setInstanceName("i");',
            *start(p, f, k, "consumer", s),
            "return consumer;",
        ],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, names)
        call = f"{c.use(f)}.{p.rng.choice(['orderly', 'concurrent'])}({', '.join(a[n] for n in names)})"
        if p.chance(0.3):
            p.tag("caller-adds")
            v = p.uid("consumer")
            return [
                *pre,
                f"{client_type(c, k)} {v} = {call};",
                p.rng.choice(
                    [
                        f'{v}.subscribe("{p.word()}-added", "*");',
                        f"{v}.setConsumeThreadMax(8);" if k == "push" else f"{v}.setPullBatchSize(8);",
                    ]
                ),
            ]
        return [*pre, call + ";"]

    return use


@shape(1.5)
def wrapper_getter(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    w = p.java(p.rng.choice(["ConsumerWrapper", "MqClient", "ConsumerHolder"]))
    t = client_type(w, k)
    w.add(f"private final {t} consumer;")
    body = (
        [*new(p, w, k, "made", "group"), "this.consumer = made;"]
        if p.chance(0.5)
        else [f"this.consumer = new {t}(group);"]
    )
    w.method(f"public {w.name}(String group)", body)
    w.method(f"public {t} getConsumer()", ["return consumer;"])
    w.method("public void begin() throws Exception", ["consumer.start();"])

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic", "tags"])
        v = p.uid("holder")
        out = [*pre, f"{c.use(w)} {v} = new {c.use(w)}({a['group']});"]
        out += configure(p, c, k, f"{v}.getConsumer()", a)
        r = p.rng.random()
        if r < 0.15:
            p.tag("never-started")
            return out
        return [*out, f"{v}.begin();" if r < 0.6 else f"{v}.getConsumer().start();"]

    return use


@shape(1.5)
def wrapper_methods(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    w = p.java(p.rng.choice(["RocketConsumer", "MqConsumerClient", "EasyConsumer"]))
    t = client_type(w, k)
    w.add(f"private {t} consumer;")
    fluent = p.chance(0.4)
    if fluent:
        p.tag("fluent-wrapper")
    ret, end = (w.name, ["return this;"]) if fluent else ("void", [])
    w.method(f"public {w.name}(String group)", [f"consumer = new {t}(group);"])
    w.method(
        f"public {ret} listen(String topic, String tags) throws Exception",
        ["consumer.subscribe(topic, tags);", *end],
    )
    if p.chance(0.5):
        p.tag("overload-default")
        w.method(f"public {ret} listen(String topic) throws Exception", ['listen(topic, "*");', *end])
        over = True
    else:
        over = False
    w.method("public void run() throws Exception", [*listener(p, w, k, "consumer"), "consumer.start();"])
    if p.chance(0.4):
        p.tag("stop-method")
        w.method("public void stop(String topic)", ["consumer.unsubscribe(topic);", "consumer.shutdown();"])

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic", "tags"])
        arg = a["topic"] if over and p.chance(0.5) else f"{a['topic']}, {a['tags']}"
        if fluent and p.chance(0.6):
            return [*pre, f"new {c.use(w)}({a['group']}).listen({arg}).run();"]
        v = p.uid("client")
        out = [*pre, f"{c.use(w)} {v} = new {c.use(w)}({a['group']});", f"{v}.listen({arg});"]
        if p.chance(0.3):
            out.append(f'{v}.listen("{p.word()}-more", "m");')
        if p.chance(0.12):
            p.tag("never-started")
            return out
        return [*out, f"{v}.run();"]

    return use


@shape(2)
def template_method(p: JavaProgram) -> Use:
    k = client_kind(p)
    b = p.java(p.rng.choice(["AbstractConsumer", "BaseListener", "AbstractMqWorker"]), "abstract class")
    names = ["group", "topic"]
    getters = p.chance(0.5)
    call = {n: (f"get{n.title()}()" if getters else f"{n}()") for n in ("group", "topic", "tags")}
    for n in names:
        b.add(f"protected abstract String {call[n]};")
    dflt = p.rng.choice(TAGS)
    b.add(f"protected String {call['tags']} {{\nreturn {lit(dflt)};\n}}")
    s = dict(call)
    if p.chance(0.4):
        p.tag("template-flag")
        b.add("protected boolean broadcast() {\nreturn false;\n}")
        s["flag"] = "broadcast()"
    b.method("public void start() throws Exception", whole(p, b, k, s))

    def use(c: Java, inst: Texts) -> list[str]:
        sub = p.java(
            camel(inst["word"]) + p.rng.choice(["Consumer", "Listener"]),
            package=p.rng.choice([None, b.package]),
        )
        sub.head = f" extends {sub.use(b)}"
        mode = p.rng.random()
        for n in names:
            sub.override(f"protected String {call[n]}", f"return {p.val(sub, inst[n])};")
        if p.chance(0.5):
            sub.override(f"protected String {call['tags']}", f"return {p.val(sub, inst['tags'])};")
        if "flag" in s and p.chance(0.5):
            sub.override("protected boolean broadcast()", f"return {inst['flag']};")
        if mode < 0.1:
            p.tag("subtype-never-made")
            return [f'System.out.println("no {sub.name}");']
        v = p.uid("listener")
        if p.chance(0.3):
            return [f"{c.use(b)} {v} = new {c.use(sub)}();", f"{v}.start();"]
        return [f"new {c.use(sub)}().start();"]

    return use


@shape(1.2)
def super_ctor(p: JavaProgram) -> Use:
    k, names = client_kind(p), ["group", "topic", "tags"]
    b = p.java(p.rng.choice(["AbstractReceiver", "BaseConsumer"]), "abstract class")
    b.add("\n".join(f"protected final String {n};" for n in names))
    b.method(f"protected {b.name}({signature(names)})", [f"this.{n} = {n};" for n in names])
    b.method("public void start() throws Exception", whole(p, b, k, {n: n for n in names}))

    def use(c: Java, inst: Texts) -> list[str]:
        sub = p.java(camel(inst["word"]) + "Receiver")
        sub.head = f" extends {sub.use(b)}"
        sub.method(
            f"public {sub.name}()",
            [
                f"super({', '.join(p.val(sub, inst[n]) if not p.chance(0.3) else lit(inst[n]) for n in names)});"
            ],
        )
        return [f"new {c.use(sub)}().start();"]

    return use


@shape(1.2)
def interface_impls(p: JavaProgram) -> Use:
    k = client_kind(p)
    i = p.java(p.rng.choice(["Handler", "MessageProcessor", "Subscriber"]), "interface")
    i.add("String group();\n\nString topic();")
    i.add('default String tags() {\nreturn "*";\n}')
    r = p.java(p.rng.choice(["Registrar", "ConsumerLauncher"]))
    h = r.use(i)
    r.method(
        f"public static void register({h} handler) throws Exception",
        whole(p, r, k, {"group": "handler.group()", "topic": "handler.topic()", "tags": "handler.tags()"}),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        sub = p.java(camel(inst["word"]) + "Handler")
        sub.head = f" implements {sub.use(i)}"
        for n in ("group", "topic", "tags")[: 3 if p.chance(0.6) else 2]:
            sub.override(f"public String {n}()", f"return {p.val(sub, inst[n])};")
        return [f"{c.use(r)}.register(new {c.use(sub)}());"]

    return use


@shape(1.5)
def pass_through(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    o = p.java(p.rng.choice(["Setup", "Configurer", "Steps"]))
    t, names = client_type(o, k), formals(p)
    rest = [n for n in names if n != "group"]
    s = {n: n for n in names}
    sig = signature(rest)
    o.method(f"static void attach({t} target, {sig}) throws Exception", configure(p, o, k, "target", s))
    if p.chance(0.5):
        p.tag("pass-three-deep")
        o.method(
            f"public static void prepare({t} c, {sig}) throws Exception",
            ['c.setInstanceName("x");', f"attach(c, {', '.join(rest)});"],
        )
    else:
        o.method(
            f"public static void prepare({t} c, {sig}) throws Exception", [f"attach(c, {', '.join(rest)});"]
        )
    o.method(f"public static void launch({t} started) throws Exception", ["started.start();"])

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, names)
        v = p.uid("consumer")
        out = (
            pre + new(p, c, k, v, a["group"]) + [f"{c.use(o)}.prepare({v}, {', '.join(a[n] for n in rest)});"]
        )
        if p.chance(0.12):
            p.tag("never-started")
            return out
        return [*out, p.rng.choice([f"{v}.start();", f"{c.use(o)}.launch({v});"])]

    return use


@shape(1.2)
def manager_map(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    o = p.java(p.rng.choice(["ConsumerManager", "ConsumerRegistry", "MqManager"]))
    t, m = client_type(o, k), o.imp("java.util.Map")
    names = formals(p)
    lst = p.chance(0.4)
    if lst:
        p.tag("list-of-consumers")
        o.add(
            f"private final {o.imp('java.util.List')}<{t}> consumers = new {o.imp('java.util.ArrayList')}<>();"
        )
        put = "consumers.add(consumer);"
        each = ["for (" + t + " consumer : consumers) {", "consumer.start();", "}"]
    else:
        p.tag("map-of-consumers")
        o.add(f"private final {m}<String, {t}> consumers = new {o.imp('java.util.HashMap')}<>();")
        put = "consumers.put(group, consumer);"
        each = [f"for ({t} consumer : consumers.values()) {{", "consumer.start();", "}"]
    o.method(
        f"public void add({signature(names)}) throws Exception",
        new(p, o, k, "consumer", "group") + configure(p, o, k, "consumer", {n: n for n in names}) + [put],
    )
    o.method("public void startAll() throws Exception", each)
    if p.chance(0.5):
        p.tag("stop-method")
        o.method("public void stopAll()", [each[0], "consumer.shutdown();", "}"])

    def use(c: Java, inst: Texts) -> list[str]:
        v = p.uid("manager")
        out = [f"{c.use(o)} {v} = new {c.use(o)}();"]
        for x in [inst] + [p.instance() for _ in range(p.rng.randint(0, 2))]:
            pre, a = actuals(p, c, x, names)
            out += [*pre, f"{v}.add({', '.join(a[n] for n in names)});"]
        if p.chance(0.1):
            p.tag("never-started")
            return out
        return [*out, f"{v}.startAll();"]

    return use


@shape(1.2)
def overload_default(p: JavaProgram) -> Use:
    k = client_kind(p)
    o = p.java(p.rng.choice(["Subscriptions", "Mq", "Receivers"]))
    o.method(
        "public static void open(String group, String topic) throws Exception", ['open(group, topic, "*");']
    )
    o.method(
        "public static void open(String group, String topic, String tags) throws Exception",
        ["open(group, topic, tags, false);"],
    )
    o.method(
        "public static void open(String group, String topic, String tags, boolean flag) throws Exception",
        whole(p, o, k, {n: n for n in ("group", "topic", "tags", "flag")}),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        n = p.rng.randint(2, 4)
        pre, a = actuals(p, c, inst, ["group", "topic", "tags", "flag"][:n])
        return [*pre, f"{c.use(o)}.open({', '.join(a.values())});"]

    return use


@shape(1.0)
def varargs_topics(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    o = p.java(p.rng.choice(["Bulk", "TopicBinder"]))
    t = client_type(o, k)
    o.method(
        f"public static {t} subscribeAll(String group, String... topics) throws Exception",
        [
            *new(p, o, k, "consumer", "group"),
            "for (String topic : topics) {",
            'consumer.subscribe(topic, "*");',
            "}",
            "consumer.start();",
            "return consumer;",
        ],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic"])
        more = [lit(p.word() + "-v") for _ in range(p.rng.randint(0, 2))]
        return [*pre, f"{c.use(o)}.subscribeAll({', '.join([a['group'], a['topic'], *more])});"]

    return use


@shape(1.0)
def lambda_customizer(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    o = p.java(p.rng.choice(["Launcher", "ConsumerStarter"]))
    i = p.java("Customizer", "interface")
    ti = client_type(i, k)
    i.add(f"void customize({ti} consumer) throws Exception;")
    o.method(
        f"public static void launch(String group, {o.use(i)} customizer) throws Exception",
        [*new(p, o, k, "consumer", "group"), "customizer.customize(consumer);", "consumer.start();"],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic", "tags"])
        if p.chance(0.6):
            return [
                *pre,
                f"{c.use(o)}.launch({a['group']}, x -> x.subscribe({lit(inst['topic'])}, {lit(inst['tags'])}));",
            ]
        n = p.uid("customize" + camel(inst["word"]))
        p.tag("method-reference")
        c.method(
            f"private static void {n}({client_type(c, k)} consumer) throws Exception",
            [f"consumer.subscribe({lit(inst['topic'])}, {lit(inst['tags'])});"],
        )
        return [*pre, f"{c.use(o)}.launch({a['group']}, {c.name}::{n});"]

    return use


@shape(1.0)
def same_simple_name(p: JavaProgram) -> Use:
    k = client_kind(p)

    def use(c: Java, inst: Texts) -> list[str]:
        pkg = f"{p.root}.{inst['word']}"
        o = Java(p, pkg, "MqConfig")
        o.add(
            "\n".join(
                f"public static final String {n.upper()} = {lit(inst[n])};"
                for n in ("group", "topic", "tags")
            )
        )
        w = Java(p, pkg, "Consumer")
        p.classes += [o, w]
        p.names |= {"MqConfig", "Consumer"}
        w.method(
            "public void start() throws Exception",
            whole(p, w, k, {n: f"{w.use(o)}.{n.upper()}" for n in ("group", "topic", "tags")}),
        )
        return [f"new {pkg}.Consumer().start();"]

    return use


@shape(1.0)
def inner_class(p: JavaProgram) -> Use:
    k = client_kind(p)

    def use(c: Java, inst: Texts) -> list[str]:
        n = p.uid(camel(inst["word"]) + "Task")
        inner = Java(p, c.package, n)
        inner.imports, inner.known = c.imports, c.known
        body = whole(
            p, inner, k, {"group": "group", "topic": p.val(c, inst["topic"]), "tags": lit(inst["tags"])}
        )
        consts = "\n".join(inner.members)
        c.add(
            f"static class {n} {{\nprivate final String group;\n{consts}\n"
            f"{n}(String group) {{\nthis.group = group;\n}}\n\nvoid start() throws Exception {{\n"
            + "\n".join(body)
            + "\n}\n}"
        )
        return [f"new {n}({p.val(c, inst['group'])}).start();"]

    return use


@shape(1.0)
def shared_instance_fields(p: JavaProgram) -> Use:
    """Setters instead of constructor arguments: an object configured, then started."""
    k = client_kind(p)
    w = p.java(p.rng.choice(["ConsumerBean", "Endpoint"]))
    names = ["group", "topic", "tags"]
    w.add('private String group;\nprivate String topic;\nprivate String tags = "*";')
    for n in names:
        w.method(f"public void set{n.title()}(String {n})", [f"this.{n} = {n};"])
    w.method("public void start() throws Exception", whole(p, w, k, {n: n for n in names}))

    def use(c: Java, inst: Texts) -> list[str]:
        v = p.uid("bean")
        out = [f"{c.use(w)} {v} = new {c.use(w)}();"]
        for n in names[: 3 if p.chance(0.7) else 2]:
            st, e = p.loc(c, inst[n])
            out += [*st, f"{v}.set{n.title()}({e});"]
        if p.chance(0.15):
            p.tag("setter-overrides")
            out.append(f"{v}.setTopic({lit(inst['topic'] + '-final')});")
        return [*out, f"{v}.start();"]

    return use
