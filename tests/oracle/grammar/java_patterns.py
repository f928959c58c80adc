"""Consumers of Java programs behind the patterns of the books: strategy, visitor, observer, command and the like."""

from __future__ import annotations

from tests.oracle.frame import Texts, camel, join, lit
from tests.oracle.java import Java, JavaProgram, Use, shape
from tests.oracle.java_arguments import actuals, formals, signature
from tests.oracle.java_client import MODEL, client_kind, client_type, configure, lines, new, whole

VALUES = ["group", "topic", "tags"]


@shape()
def strategy(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    i = p.java(p.choose("SubscribeStrategy", "TopicPolicy"), "interface")
    i.add(f"void apply({client_type(i, k)} consumer, String topic) throws Exception;")
    kinds = []
    for name, body in (
        ("AllTags", 'consumer.subscribe(topic, "*");'),
        ("OneTag", f'consumer.subscribe(topic, "{p.choose("TagS", "S1 || S2")}");'),
        ("Shadow", 'consumer.subscribe(topic + "-shadow", "*");'),
    ):
        one = p.java(name + "Strategy")
        one.head = f" implements {one.use(i)}"
        one.override(
            f"public void apply({client_type(one, k)} consumer, String topic) throws Exception", f"{body}"
        )
        kinds.append(one)
    o = p.java("StrategyRunner")
    o.add(f"private final {o.use(i)} strategy;")
    o.method(f"public {o.name}({o.use(i)} strategy)", ["this.strategy = strategy;"])
    o.method(
        "public void run(String group, String topic) throws Exception",
        [*new(p, o, k, "consumer", "group"), "strategy.apply(consumer, topic);", "consumer.start();"],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic"])
        made = f"new {c.use(p.rng.choice(kinds))}()"
        return [*pre, f"new {c.use(o)}({made}).run({a['group']}, {a['topic']});"]

    return use


@shape()
def abstract_factory(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    i = p.java("ClientFactory", "interface")
    i.add(f"{client_type(i, k)} create(String group) throws Exception;")
    kinds = []
    for name, extra in (("Plain", []), ("Broadcast", ["model"]), ("Prefixed", ["prefix"])):
        one = p.java(name + "ClientFactory")
        one.head = f" implements {one.use(i)}"
        t = client_type(one, k)
        group = '"px-" + group' if "prefix" in extra else "group"
        change = f"made.setMessageModel({one.imp(MODEL)}.BROADCASTING);\n" if "model" in extra else ""
        one.override(
            f"public {t} create(String group) throws Exception",
            f"{t} made = new {t}({group});\n{change}return made;",
        )
        kinds.append(one)
    chooser = p.java("Factories")
    body = ['if (kind.equals("broadcast")) {', f"return new {chooser.use(kinds[1])}();", "}"]
    body += [
        f'return kind.equals("prefixed") ? new {chooser.use(kinds[2])}() : new {chooser.use(kinds[0])}();'
    ]
    chooser.method(f"public static {chooser.use(i)} of(String kind)", body)

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v = p.uid("consumer")
        kind = p.choose("plain", "broadcast", "prefixed")
        source = f'{c.use(chooser)}.of("{kind}")' if p.chance(0.6) else f"new {c.use(p.rng.choice(kinds))}()"
        out = [*pre, f"{client_type(c, k)} {v} = {source}.create({a['group']});"]
        return [*out, f"{v}.subscribe({a['topic']}, {a['tags']});", f"{v}.start();"]

    return use


@shape()
def visitor(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    v = p.java("NodeVisitor", "interface")
    n = p.java("RouteNode", "interface")
    n.add(f"void accept({n.use(v)} visitor) throws Exception;")
    one, two = p.java("TopicNode"), p.java("PatternNode")
    for node, call in ((one, "visitTopic"), (two, "visitPattern")):
        node.head = f" implements {node.use(n)}"
        node.add("public final String topic;\npublic final String tags;")
        node.method(
            f"public {node.name}(String topic, String tags)", ["this.topic = topic;", "this.tags = tags;"]
        )
        node.override(f"public void accept({node.use(v)} visitor) throws Exception", f"visitor.{call}(this);")
        v.add(f"void {call}({v.use(node)} node) throws Exception;")
    s = p.java("SubscribingVisitor")
    s.head = f" implements {s.use(v)}"
    s.add(f"private final {client_type(s, k)} consumer;")
    s.method(f"public {s.name}({client_type(s, k)} consumer)", ["this.consumer = consumer;"])
    s.override(
        f"public void visitTopic({s.use(one)} node) throws Exception",
        "consumer.subscribe(node.topic, node.tags);",
    )
    s.override(
        f"public void visitPattern({s.use(two)} node) throws Exception",
        'consumer.subscribe("pattern-" + node.topic, "*");',
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        x = p.uid("consumer")
        out = [*pre, *new(p, c, k, x, a["group"])]
        if p.chance(0.5):
            out.append(
                f"new {c.use(p.rng.choice([one, two]))}({a['topic']}, {a['tags']}).accept(new {c.use(s)}({x}));"
            )
        else:
            made = f'new {c.use(one)}({a["topic"]}, {a["tags"]}), new {c.use(two)}("{p.word()}-n", "x")'
            out += [
                f"for ({c.use(n)} node : {c.imp('java.util.List')}.of({made})) {{",
                f"node.accept(new {c.use(s)}({x}));",
                "}",
            ]
        return [*out, f"{x}.start();"]

    return use


@shape()
def responsibility_chain(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    h = p.java("SetupStep", "abstract class")
    t = client_type(h, k)
    h.add(f"private {h.name} next;")
    h.method(f"public {h.name} then({h.name} next)", ["this.next = next;", "return this;"])
    h.method(
        f"public void handle({t} consumer) throws Exception",
        ["apply(consumer);", "if (next != null) {", "next.handle(consumer);", "}"],
    )
    h.add(f"protected abstract void apply({t} consumer) throws Exception;")
    topic, last = p.java("TopicStep"), p.java("StartStep")
    topic.head = f" extends {topic.use(h)}"
    topic.add("private final String topic;\nprivate final String tags;")
    topic.method(
        f"public {topic.name}(String topic, String tags)", ["this.topic = topic;", "this.tags = tags;"]
    )
    topic.override(
        f"protected void apply({client_type(topic, k)} consumer) throws Exception",
        "consumer.subscribe(topic, tags);",
    )
    last.head = f" extends {last.use(h)}"
    last.override(
        f"protected void apply({client_type(last, k)} consumer) throws Exception", "consumer.start();"
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        x = p.uid("consumer")
        end = f".then(new {c.use(last)}())" if p.chance(0.85) else ""
        chain = f"new {c.use(topic)}({a['topic']}, {a['tags']}){end}"
        if p.chance(0.5):
            chain = f'new {c.use(topic)}("{p.word()}-first", "*").then({chain})'
        return [*pre, *new(p, c, k, x, a["group"]), f"{chain}.handle({x});"]

    return use


@shape()
def command_list(p: JavaProgram) -> Use:
    k = client_kind(p)
    i = p.java("Command", "interface")
    i.add("void execute() throws Exception;")
    o = p.java("OpenCommand")
    o.head = f" implements {o.use(i)}"
    o.add(lines([f"private final String {n};" for n in VALUES]))
    o.method(f"public {o.name}({signature(VALUES)})", [f"this.{n} = {n};" for n in VALUES])
    o.add(
        "@Override\npublic void execute() throws Exception {\n"
        + lines(whole(p, o, k, {n: n for n in VALUES}))
        + "\n}"
    )

    def use(c: Java, inst: Texts) -> list[str]:
        v = p.uid("commands")
        out = [f"{c.imp('java.util.List')}<{c.use(i)}> {v} = new {c.imp('java.util.ArrayList')}<>();"]
        for x in [inst, *p.instances(0, 2)]:
            pre, a = actuals(p, c, x, VALUES)
            out += [*pre, f"{v}.add(new {c.use(o)}({join(VALUES, a)}));"]
        if p.chance(0.3):
            out.append(f'{v}.add(() -> System.out.println("last"));')
        return [*out, f"for ({c.use(i)} command : {v}) {{", "command.execute();", "}"]

    return use


@shape()
def template_hooks(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    b = p.java("HookedConsumer", "abstract class")
    t = client_type(b, k)
    b.add(
        f"protected void before({t} consumer) throws Exception {{\n}}\n\n"
        f"protected void after({t} consumer) throws Exception {{\n}}"
    )
    b.add(
        "protected abstract String group();\n\nprotected abstract String topic();\n\n"
        "protected boolean autoStart() {\nreturn true;\n}"
    )
    body = [
        *new(p, b, k, "consumer", "group()"),
        "before(consumer);",
        f'consumer.subscribe(topic(), "{p.choose("*", "H")}");',
        "after(consumer);",
    ]
    b.method(
        "public final void launch() throws Exception", [*body, "if (autoStart()) {", "consumer.start();", "}"]
    )

    def use(c: Java, inst: Texts) -> list[str]:
        sub = p.java(camel(inst["word"]) + "Hooked")
        sub.head = f" extends {sub.use(b)}"
        for n in ("group", "topic"):
            sub.override(f"protected String {n}()", f"return {p.val(sub, inst[n])};")
        ts = client_type(sub, k)
        if p.chance(0.4):
            sub.override(
                f"protected void before({ts} consumer)",
                f"consumer.setMessageModel({sub.imp(MODEL)}.BROADCASTING);",
            )
        if p.chance(0.4):
            sub.override(
                f"protected void after({ts} consumer) throws Exception",
                f'consumer.subscribe("{p.word()}-hook", "h");',
            )
        if p.chance(0.2):
            sub.override("protected boolean autoStart()", f"return {inst['flag']};")
        return [f"new {c.use(sub)}().launch();"]

    return use


@shape()
def observer(p: JavaProgram) -> Use:
    k = client_kind(p)
    i = p.java("ReadyListener", "interface")
    i.add("void onReady(String topic) throws Exception;")
    bus = p.java(p.choose("EventBus", "Lifecycle"))
    bus.add(
        f"private final {bus.imp('java.util.List')}<{bus.use(i)}> listeners = new {bus.imp('java.util.ArrayList')}<>();"
    )
    bus.method(f"public void register({bus.use(i)} listener)", ["listeners.add(listener);"])
    bus.method(
        "public void fire(String topic) throws Exception",
        [f"for ({bus.use(i)} each : listeners) {{", "each.onReady(topic);", "}"],
    )
    o = p.java("ConsumingListener")
    o.head = f" implements {o.use(i)}"
    o.add("private final String group;\nprivate final String tags;")
    o.method(f"public {o.name}(String group, String tags)", ["this.group = group;", "this.tags = tags;"])
    o.add(
        "@Override\npublic void onReady(String topic) throws Exception {\n"
        + lines(whole(p, o, k, {n: n for n in VALUES}))
        + "\n}"
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v = p.uid("bus")
        out = [
            *pre,
            f"{c.use(bus)} {v} = new {c.use(bus)}();",
            f"{v}.register(new {c.use(o)}({a['group']}, {a['tags']}));",
        ]
        if p.chance(0.3):
            other = p.instance()
            out.append(f"{v}.register(new {c.use(o)}({lit(other['group'])}, {lit(other['tags'])}));")
        return out if p.chance(0.15) else [*out, f"{v}.fire({a['topic']});"]

    return use


@shape()
def supplier_registry(p: JavaProgram) -> Use:
    """A map of names to suppliers of clients; some are asked for."""
    k = client_kind(p, False)

    def use(c: Java, inst: Texts) -> list[str]:
        t, n = client_type(c, k), p.uid("MAKERS")
        m, s = c.imp("java.util.Map"), c.imp("java.util.function.Supplier")
        other = p.instance()
        body = f'"{inst["word"]}", () -> new {t}({p.val(c, inst["group"])}), '
        body += f'"{other["word"]}", () -> new {t}({lit(other["group"])})'
        c.add(f"private static final {m}<String, {s}<{t}>> {n} = {m}.of({body});")
        pre, a = actuals(p, c, inst, ["topic", "tags"])
        v = p.uid("consumer")
        out = [*pre, f'{t} {v} = {n}.get("{p.choose(inst["word"], other["word"])}").get();']
        return [*out, f"{v}.subscribe({a['topic']}, {a['tags']});", f"{v}.start();"]

    return use


@shape()
def delegating_client(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    i = p.java("Endpoint", "interface")
    i.add("void listen(String topic, String tags) throws Exception;\n\nvoid open() throws Exception;")
    real, around = p.java("RealEndpoint"), p.java(p.choose("LoggingEndpoint", "PrefixEndpoint"))
    t = client_type(real, k)
    real.head = f" implements {real.use(i)}"
    real.add(f"private final {t} consumer;")
    real.method(f"public {real.name}(String group)", [f"consumer = new {t}(group);"])
    real.override(
        "public void listen(String topic, String tags) throws Exception", "consumer.subscribe(topic, tags);"
    )
    real.override("public void open() throws Exception", "consumer.start();")
    around.head = f" implements {around.use(i)}"
    around.add(f"private final {around.use(i)} inner;")
    around.method(f"public {around.name}({around.use(i)} inner)", ["this.inner = inner;"])
    topic = p.choose("topic", '"d-" + topic')
    around.override(
        "public void listen(String topic, String tags) throws Exception", f"inner.listen({topic}, tags);"
    )
    around.add(
        "@Override\npublic void open() throws Exception {\n" + 'System.out.println("open");\ninner.open();\n}'
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v, made = p.uid("endpoint"), f"new {c.use(real)}({a['group']})"
        for _ in range(p.rng.randint(0, 2)):
            made = f"new {c.use(around)}({made})"
        return [*pre, f"{c.use(i)} {v} = {made};", f"{v}.listen({a['topic']}, {a['tags']});", f"{v}.open();"]

    return use


@shape()
def anonymous_subclass(p: JavaProgram) -> Use:
    k = client_kind(p)
    b = p.java("InlineWorker", "abstract class")
    b.add(
        'protected abstract String group();\n\nprotected abstract String topic();\n\nprotected String tags() {\nreturn "*";\n}'
    )
    b.method("public void work() throws Exception", whole(p, b, k, {n: f"{n}()" for n in VALUES}))

    def use(c: Java, inst: Texts) -> list[str]:
        out = [f"new {c.use(b)}() {{"]
        for n in VALUES[: 3 if p.chance(0.5) else 2]:
            out += ["@Override", f"protected String {n}() {{", f"return {p.val(c, inst[n])};", "}"]
        return [*out, "}.work();"]

    return use


@shape()
def consumer_customizer(p: JavaProgram) -> Use:
    """Customizers of java.util.function, alone or composed."""
    k = client_kind(p, False)
    o = p.java("Tuning")
    t, f = client_type(o, k), o.imp("java.util.function.Consumer")
    o.method(
        f"public static void run(String group, {f}<{t}> customizer) throws Exception",
        [*new(p, o, k, "consumer", "group"), "customizer.accept(consumer);", "consumer.start();"],
    )
    error = o.imp("org.apache.rocketmq.client.exception.MQClientException")
    o.method(
        f"public static {f}<{t}> topic(String topic, String tags)",
        [
            "return consumer -> {",
            "try {",
            "consumer.subscribe(topic, tags);",
            f"}} catch ({error} e) {{",
            "throw new IllegalStateException(e);",
            "}",
            "};",
        ],
    )
    o.method(
        f"public static {f}<{t}> broadcast()",
        [f"return consumer -> consumer.setMessageModel({o.imp(MODEL)}.BROADCASTING);"],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        n = c.use(o)
        made = f"{n}.topic({a['topic']}, {a['tags']})"
        if p.chance(0.4):
            made += f".andThen({n}.broadcast())"
        if p.chance(0.3):
            made += f'.andThen({n}.topic("{p.word()}-then", "*"))'
        return [*pre, f"{n}.run({a['group']}, {made});"]

    return use


@shape()
def callback_later(p: JavaProgram) -> Use:
    """A Runnable that is kept; it may never run."""
    k = client_kind(p)
    o = p.java("Hooks")
    o.add(
        f"private static final {o.imp('java.util.List')}<Runnable> KEPT = new {o.imp('java.util.ArrayList')}<>();"
    )
    o.method("public static void later(Runnable task)", ["KEPT.add(task);"])
    o.method("public static void runAll()", ["KEPT.forEach(Runnable::run);", "KEPT.clear();"])
    w = p.java("HookedWorker")
    w.method(
        f"public static void open({signature(VALUES)})",
        [
            "try {",
            *whole(p, w, k, {n: n for n in VALUES}),
            "} catch (Exception e) {",
            "throw new IllegalStateException(e);",
            "}",
        ],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        exprs = {n: p.val(c, inst[n]) for n in VALUES}
        out = [f"{c.use(o)}.later(() -> {c.use(w)}.open({join(VALUES, exprs)}));"]
        return out if p.chance(0.2) else [*out, f"{c.use(o)}.runAll();"]

    return use


@shape()
def default_method_start(p: JavaProgram) -> Use:
    k = client_kind(p)
    i = p.java("Startable", "interface")
    i.add('String group();\n\nString topic();\n\ndefault String tags() {\nreturn "*";\n}')
    body = whole(p, i, k, {n: f"{n}()" for n in VALUES})
    i.add("default void start() throws Exception {\n" + lines(body) + "\n}")

    def use(c: Java, inst: Texts) -> list[str]:
        o = p.java(camel(inst["word"]) + "Startable")
        o.head = f" implements {o.use(i)}"
        for n in VALUES[: 3 if p.chance(0.5) else 2]:
            o.override(f"public String {n}()", f"return {p.val(o, inst[n])};")
        return [f"new {c.use(o)}().start();"]

    return use


@shape()
def polymorphic_list(p: JavaProgram) -> Use:
    k = client_kind(p)
    b = p.java("Unit", "abstract class")
    b.add("public abstract void open() throws Exception;")

    def use(c: Java, inst: Texts) -> list[str]:
        made = []
        for x in [inst, *p.instances(1, 2)]:
            sub = p.java(camel(x["word"]) + "Unit")
            sub.head = f" extends {sub.use(b)}"
            s = {n: p.val(sub, x[n]) for n in VALUES}
            sub.add("@Override\npublic void open() throws Exception {\n" + lines(whole(p, sub, k, s)) + "\n}")
            made.append(f"new {c.use(sub)}()")
        used = made if p.chance(0.7) else made[:-1]
        many = c.imp("java.util.List")
        return [f"for ({c.use(b)} unit : {many}.of({', '.join(used)})) {{", "unit.open();", "}"]

    return use


@shape()
def template_parameters(p: JavaProgram) -> Use:
    """A base class that gets its values by constructor, its subclasses by arguments of their own."""
    k, names = client_kind(p), formals(p)
    b = p.java("ParameterBase", "abstract class")
    b.add(lines([f"protected {'boolean' if n == 'flag' else 'String'} {n};" for n in names]))
    b.method(f"protected {b.name}({signature(names)})", [f"this.{n} = {n};" for n in names])
    b.method("public void up() throws Exception", whole(p, b, k, {n: n for n in names}))
    sub = p.java("ParameterSub")
    sub.head = f" extends {sub.use(b)}"
    passed = join(names, {n: n for n in names} | ({"group": '"sub-" + group'} if p.chance(0.5) else {}))
    sub.method(f"public {sub.name}({signature(names)})", [f"super({passed});"])

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, names)
        return [*pre, f"new {c.use(sub)}({join(names, a)}).up();"]

    return use


@shape()
def listener_class(p: JavaProgram) -> Use:
    """A listener with a class of its own, which names what it wants."""
    k = client_kind(p, False)
    b = p.java("Wanting", "interface")
    b.add("String wantedTopic();")
    o = p.java("WantingRunner")
    s = {"topic": "wanting.wantedTopic()", "tags": lit(p.choose("*", "W"))}
    o.method(
        f"public static void run({o.use(b)} wanting, String group) throws Exception",
        [*new(p, o, k, "consumer", "group"), *configure(p, o, k, "consumer", s), "consumer.start();"],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        group = p.val(c, inst["group"])
        if p.chance(0.5):
            return [f"{c.use(o)}.run(() -> {p.val(c, inst['topic'])}, {group});"]
        v = p.uid("wanting")
        return [f"{c.use(b)} {v} = () -> {p.val(c, inst['topic'])};", f"{c.use(o)}.run({v}, {group});"]

    return use
