"""Consumers of Java programs made in streams, loops, threads, recursion, and states that change between calls."""

from __future__ import annotations

from tests.oracle.frame import Texts, const, join, lit
from tests.oracle.java import Java, JavaProgram, Use, shape
from tests.oracle.java_arguments import actuals, formals, signature
from tests.oracle.java_client import (
    MODEL,
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
UTIL = "java.util."


def opener(p: JavaProgram, kind: str) -> Java:
    """A class whose `open(group, topic, tags)` makes and starts a consumer, and throws nothing checked."""
    o = p.java(p.choose("Opener", "Listening", "Receiving"))
    body = whole(p, o, kind, {n: n for n in VALUES})
    failed = ["} catch (Exception e) {", "throw new IllegalStateException(e);", "}"]
    o.method(f"public static void open({signature(VALUES)})", ["try {", *body, *failed])
    return o


def route_record(p: JavaProgram) -> Java:
    return p.java("Entry", "record", "(String group, String topic, String tags, boolean on)")


def routes(p: JavaProgram, c: Java, r: Java, rows: list[Texts]) -> str:
    made = [
        f"new {c.use(r)}({p.val(c, x['group'])}, {p.val(c, x['topic'])}, {lit(x['tags'])}, {x['flag']})"
        for x in rows
    ]
    return ", ".join(made)


@shape()
def stream_for_each(p: JavaProgram) -> Use:
    k = client_kind(p)
    o, r = opener(p, k), route_record(p)

    def use(c: Java, inst: Texts) -> list[str]:
        rows = routes(p, c, r, [inst, *p.instances(0, 2)])
        source = p.choose(
            f"{c.imp(UTIL + 'Arrays')}.asList({rows}).stream()", f"{c.imp(UTIL + 'stream.Stream')}.of({rows})"
        )
        step = p.choose(
            "",
            f".filter({c.use(r)}::on)",
            ".filter(each -> !each.on())",
            ".skip(1)",
            ".limit(1)",
            f'.filter(each -> each.topic().startsWith("{inst["topic"][:2]}"))',
        )
        return [
            f"{source}{step}",
            f".forEach(each -> {c.use(o)}.open(each.group(), each.topic(), each.tags()));",
        ]

    return use


@shape()
def stream_map_collect(p: JavaProgram) -> Use:
    """Names become routes in a stream, the list is walked later."""
    k = client_kind(p)
    o, r = opener(p, k), route_record(p)

    def use(c: Java, inst: Texts) -> list[str]:
        v, collectors = p.uid("entries"), c.imp(UTIL + "stream.Collectors")
        many, stream = c.imp(UTIL + "List"), c.imp(UTIL + "stream.Stream")
        names = ", ".join(lit(x["topic"]) for x in [inst, *p.instances(0, 2)])
        group = p.choose('each + "-cg"', lit(inst["group"]), '"G_" + each.toUpperCase()')
        end = p.choose(f".collect({collectors}.toList())", ".toList()")
        return [
            f"{many}<{c.use(r)}> {v} = {stream}.of({names})",
            f".map(each -> new {c.use(r)}({group}, each, {lit(inst['tags'])}, true))",
            f"{end};",
            f"for ({c.use(r)} each : {v}) {{",
            f"{c.use(o)}.open(each.group(), each.topic(), each.tags());",
            "}",
        ]

    return use


@shape()
def stream_consumers(p: JavaProgram) -> Use:
    """The clients themselves are made in a stream and started in a loop."""
    k = client_kind(p, False)

    def use(c: Java, inst: Texts) -> list[str]:
        t, v = client_type(c, k), p.uid("clients")
        groups = ", ".join(lit(x["group"]) for x in [inst, *p.instances(0, 1)])
        made = p.choose(f"{t}::new", f"group -> new {t}(group)")
        if made.endswith("::new"):
            made = f"(java.util.function.Function<String, {t}>) {t}::new"
        return [
            f"{c.imp(UTIL + 'List')}<{t}> {v} = {c.imp(UTIL + 'stream.Stream')}.of({groups}).map({made})",
            f".collect({c.imp(UTIL + 'stream.Collectors')}.toList());",
            f"for ({t} each : {v}) {{",
            f"each.subscribe({p.val(c, inst['topic'])}, {p.val(c, inst['tags'])});",
            "each.start();",
            "}",
        ]

    return use


@shape()
def map_for_each(p: JavaProgram) -> Use:
    k = client_kind(p)
    o = opener(p, k)

    def use(c: Java, inst: Texts) -> list[str]:
        m, v, other = c.imp(UTIL + "Map"), p.uid("byTopic"), p.instance()
        if p.chance(0.5):
            made = f"{m}.of({lit(inst['topic'])}, {lit(inst['group'])}, {lit(other['topic'])}, {lit(other['group'])})"
        else:
            collectors = c.imp(UTIL + "stream.Collectors")
            rows = f'"{inst["word"]}", "{other["word"]}"'
            stream = f"{c.imp(UTIL + 'stream.Stream')}.of({rows})"
            made = f'{stream}.collect({collectors}.toMap(each -> each + "-topic", each -> "GID_" + each))'
        return [
            f"{m}<String, String> {v} = {made};",
            f"{v}.forEach((topic, group) -> {c.use(o)}.open(group, topic, {p.val(c, inst['tags'])}));",
        ]

    return use


@shape()
def compute_if_absent(p: JavaProgram) -> Use:
    """One client a group, made when it is first asked for."""
    k = client_kind(p, False)
    o = p.java(p.choose("ClientPool", "GroupRegistry"))
    t = client_type(o, k)
    kind = o.imp(UTIL + p.choose("HashMap", "LinkedHashMap", "concurrent.ConcurrentHashMap"))
    o.add(f"private final {o.imp(UTIL + 'Map')}<String, {t}> clients = new {kind}<>();")
    made = p.choose(f"{t}::new", f"name -> new {t}(name)")
    if p.chance(0.3):
        body = [
            f"{t} found = clients.get(group);",
            "if (found == null) {",
            f"found = new {t}(group);",
            "clients.put(group, found);",
            "}",
            "return found;",
        ]
        o.method(f"public {t} of(String group)", body)
    else:
        if made.endswith("::new"):
            made = f"name -> new {t}(name)"
        o.method(f"public {t} of(String group)", [f"return clients.computeIfAbsent(group, {made});"])
    o.method(
        "public void startAll() throws Exception",
        [f"for ({t} each : clients.values()) {{", "each.start();", "}"],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        v = p.uid("pool")
        out = [f"{c.use(o)} {v} = new {c.use(o)}();"]
        for x in [inst, *p.instances(0, 1)]:
            pre, a = actuals(p, c, x, ["topic", "tags"])
            group = lit(x["group"])
            out += [*pre, f"{v}.of({group}).subscribe({a['topic']}, {a['tags']});"]
            if p.chance(0.6):
                out.append(f'{v}.of({group}).subscribe("{p.word()}-again", "*");')
        return [*out, f"{v}.startAll();"]

    return use


@shape()
def thread_join(p: JavaProgram) -> Use:
    k = client_kind(p)
    o = opener(p, k)

    def use(c: Java, inst: Texts) -> list[str]:
        exprs = {n: p.val(c, inst[n]) for n in VALUES}
        v = p.uid("thread")
        call = f"{c.use(o)}.open({join(VALUES, exprs)})"
        out = [f"Thread {v} = new Thread(() -> {call});"]
        if p.chance(0.1):
            return [*out, f"System.out.println({v}.getName().length());"]
        return [*out, f"{v}.start();", f"{v}.join();"]

    return use


@shape()
def executor_submit(p: JavaProgram) -> Use:
    k = client_kind(p)
    o = opener(p, k)

    def use(c: Java, inst: Texts) -> list[str]:
        t, v = c.imp(UTIL + "concurrent.ExecutorService"), p.uid("pool")
        maker = c.imp(UTIL + "concurrent.Executors")
        out = [f"{t} {v} = {maker}.newSingleThreadExecutor();"]
        for x in [inst, *p.instances(0, 1)]:
            exprs = {n: p.val(c, x[n]) for n in VALUES}
            call = f"() -> {c.use(o)}.open({join(VALUES, exprs)})"
            out.append(p.choose(f"{v}.submit({call}).get();", f"{v}.execute({call});"))
        out += [
            f"{v}.shutdown();",
            f"{v}.awaitTermination(3, {c.imp(UTIL + 'concurrent.TimeUnit')}.SECONDS);",
        ]
        return out

    return use


@shape()
def runnable_class(p: JavaProgram) -> Use:
    k = client_kind(p)
    w = p.java("ConsumeTask", head=" implements Runnable")
    w.add(lines([f"private final String {n};" for n in VALUES]))
    w.method(f"public {w.name}({signature(VALUES)})", [f"this.{n} = {n};" for n in VALUES])
    body = [
        "try {",
        *whole(p, w, k, {n: n for n in VALUES}),
        "} catch (Exception e) {",
        "throw new IllegalStateException(e);",
        "}",
    ]
    w.override("public void run()", lines(body))

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v = p.uid("task")
        out = [*pre, f"{c.use(w)} {v} = new {c.use(w)}({join(VALUES, a)});"]
        if p.chance(0.5):
            return [*out, f"{v}.run();"]
        t = p.uid("thread")
        return [*out, f"Thread {t} = new Thread({v}, {lit(p.word())});", f"{t}.start();", f"{t}.join();"]

    return use


@shape()
def restart(p: JavaProgram) -> Use:
    """Shut down and made again, sometimes with other values."""
    k = client_kind(p, False)

    def use(c: Java, inst: Texts) -> list[str]:
        v, t = p.uid("consumer"), client_type(c, k)
        pre, a = actuals(p, c, inst, VALUES)
        out = [
            *pre,
            f"{t} {v} = new {t}({a['group']});",
            f"{v}.subscribe({a['topic']}, {a['tags']});",
            f"{v}.start();",
            f"{v}.shutdown();",
        ]
        out += [f"{v} = new {t}({lit(p.choose(inst['group'], inst['group'] + '-next'))});"]
        out += [
            f"{v}.subscribe({lit(p.choose(inst['topic'], p.word() + '-next'))}, {lit(p.choose('*', 'R'))});"
        ]
        return out if p.chance(0.15) else [*out, f"{v}.start();"]

    return use


@shape()
def unsubscribe_orders(p: JavaProgram) -> Use:
    k = client_kind(p, False)

    def use(c: Java, inst: Texts) -> list[str]:
        v = p.uid("consumer")
        pre, a = actuals(p, c, inst, VALUES)
        topic = p.uid("topicName")
        other = lit(p.word() + "-u")
        out = [*pre, f"String {topic} = {a['topic']};", *new(p, c, k, v, a["group"])]
        forms = [
            [
                f"{v}.subscribe({topic}, {a['tags']});",
                f"{v}.unsubscribe({topic});",
                f'{v}.subscribe({topic}, "again");',
            ],
            [f"{v}.subscribe({topic}, {a['tags']});", f"{v}.unsubscribe({other});"],
            [
                f'{v}.subscribe({other}, "*");',
                f"{v}.subscribe({topic}, {a['tags']});",
                f"{v}.unsubscribe({topic});",
            ],
            [f"{v}.unsubscribe({topic});", f"{v}.subscribe({topic}, {a['tags']});"],
        ]
        out += p.rng.choice(forms)
        out.append(f"{v}.start();")
        if p.chance(0.2):
            out.append(f"{v}.unsubscribe({topic});")
        return out

    return use


@shape()
def state_between_calls(p: JavaProgram) -> Use:
    """A wrapper whose current tags and prefix are set between subscriptions."""
    k = client_kind(p, False)
    w = p.java(p.choose("StatefulClient", "Session"))
    t = client_type(w, k)
    w.add(
        f'private final {t} consumer;\nprivate String tags = "*";\nprivate String prefix = "";\nprivate int count;'
    )
    w.method(f"public {w.name}(String group)", [f"consumer = new {t}(group);"])
    w.method(f"public {w.name} tags(String tags)", ["this.tags = tags;", "return this;"])
    w.method(f"public {w.name} prefix(String prefix)", ["this.prefix = prefix;", "return this;"])
    sub = p.choose(
        "consumer.subscribe(prefix + topic, tags);",
        'consumer.subscribe(prefix + topic + (count++ == 0 ? "" : "-" + count), tags);',
    )
    w.method(f"public {w.name} on(String topic) throws Exception", [sub, "return this;"])
    w.method("public void go() throws Exception", [*listener(p, w, k, "consumer"), "consumer.start();"])

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v = p.uid("session")
        out = [*pre, f"{c.use(w)} {v} = new {c.use(w)}({a['group']});"]
        if p.chance(0.5):
            out.append(f"{v}.tags({a['tags']}).on({a['topic']});")
        else:
            out += [f"{v}.tags({a['tags']});", f"{v}.on({a['topic']});"]
        if p.chance(0.6):
            out.append(f'{v}.{p.choose("tags", "prefix")}("{p.word()}_").on("{p.word()}-state");')
        return [*out, f"{v}.go();"]

    return use


@shape()
def numbered_groups(p: JavaProgram) -> Use:
    """A static counter is part of the names."""
    k = client_kind(p)
    f = p.java(p.choose("NumberedFactory", "Shards"))
    f.add(f"private static int next = {p.rng.randint(0, 2)};")
    group = p.choose('base + "-" + next++', "base + (++next)")
    body = [f"String group = {group};", *whole(p, f, k, {n: n for n in VALUES})]
    f.method("public static void open(String base, String topic, String tags) throws Exception", body)

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        return [*pre, f"{c.use(f)}.open({join(VALUES, a)});"]

    return use


@shape()
def iterator_loop(p: JavaProgram) -> Use:
    k = client_kind(p)
    r = route_record(p)

    def use(c: Java, inst: Texts) -> list[str]:
        rows = routes(p, c, r, [inst, *p.instances(0, 2)])
        v, it = p.uid("entries"), p.uid("it")
        s = {"group": "each.group()", "topic": "each.topic()", "tags": "each.tags()", "flag": "each.on()"}
        many = c.imp(UTIL + "List")
        out = [f"{many}<{c.use(r)}> {v} = new {c.imp(UTIL + 'ArrayList')}<>({many}.of({rows}));"]
        if p.chance(0.5):
            out += [
                f"{c.imp(UTIL + 'Iterator')}<{c.use(r)}> {it} = {v}.iterator();",
                f"while ({it}.hasNext()) {{",
                f"{c.use(r)} each = {it}.next();",
            ]
        elif p.chance(0.5):
            out += [f"int {it} = 0;", f"while ({it} < {v}.size()) {{", f"{c.use(r)} each = {v}.get({it}++);"]
        else:
            out += [
                f"int {it} = 0;",
                "do {",
                f"{c.use(r)} each = {v}.get({it});",
                *whole(p, c, k, s),
                f"{it}++;",
                f"}} while ({it} < {v}.size());",
            ]
            return out
        if p.chance(0.3):
            out += ["if (!each.on()) {", p.choose("continue;", "break;"), "}"]
        return [*out, *whole(p, c, k, s), "}"]

    return use


@shape()
def nested_loops(p: JavaProgram) -> Use:
    k = client_kind(p, False)

    def use(c: Java, inst: Texts) -> list[str]:
        groups = ", ".join(lit(x["group"]) for x in [inst, p.instance()])
        topics = ", ".join(lit(t) for t in (inst["topic"], p.word() + "-n2", "skip"))
        v = p.uid("consumer")
        skip = p.choose("continue;", "break;", "continue groups;")
        return [
            "groups:",
            f"for (String group : new String[] {{{groups}}}) {{",
            *new(p, c, k, v, "group"),
            f"for (String topic : new String[] {{{topics}}}) {{",
            'if (topic.equals("skip")) {',
            skip,
            "}",
            f"{v}.subscribe(topic, {lit(inst['tags'])});",
            "}",
            f"{v}.start();",
            "}",
        ]

    return use


@shape()
def recursive_open(p: JavaProgram) -> Use:
    k = client_kind(p)
    o = p.java("RecursiveOpener")
    s = {"group": "rows[at][0]", "topic": "rows[at][1]", "tags": "rows[at][2]"}
    o.method(
        "public static void open(String[][] rows, int at) throws Exception",
        ["if (at >= rows.length) {", "return;", "}", *whole(p, o, k, s), "open(rows, at + 1);"],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        rows = [inst, *p.instances(0, 2)]
        table = ", ".join("{" + ", ".join(p.val(c, x[n]) for n in VALUES) + "}" for x in rows)
        return [f"{c.use(o)}.open(new String[][] {{{table}}}, {p.rng.randint(0, 1)});"]

    return use


@shape()
def exception_fallback(p: JavaProgram) -> Use:
    """What is thrown decides which topic is subscribed."""
    k = client_kind(p)
    o = p.java("Validating")
    o.method(
        "public static String checked(String topic)",
        [
            f"if (topic.length() > {p.rng.randint(7, 11)}) {{",
            'throw new IllegalArgumentException("long-" + topic);',
            "}",
            "return topic;",
        ],
    )
    body = ["String chosen;", "try {", "chosen = checked(topic);", "} catch (IllegalArgumentException e) {"]
    body += [p.choose("chosen = e.getMessage();", f'chosen = "{p.word()}-fallback";', "return;"), "}"]
    if p.chance(0.4):
        body[-1] = '} finally {\nSystem.out.println("checked");\n}'
    o.method(
        f"public static void open({signature(VALUES)}) throws Exception",
        [*body, *whole(p, o, k, {"group": "group", "topic": "chosen", "tags": "tags"})],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        return [*pre, f"{c.use(o)}.open({join(VALUES, a)});"]

    return use


@shape()
def optional_subscription(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    o = p.java("OptionalSetup")
    t = client_type(o, k)
    optional = o.imp(UTIL + "Optional")
    body = [f"{t} consumer = new {t}(group);", f"{optional}<String> chosen = {optional}.ofNullable(topic);"]
    tail = f'consumer.subscribe(chosen.orElse("{p.word()}-none"), {optional}.ofNullable(tags).orElseGet(() -> "*"));'
    if p.chance(0.5):
        tail = 'if (chosen.isPresent()) {\nconsumer.subscribe(chosen.get(), tags == null ? "*" : tags);\n}'
    o.method(
        f"public static void open({signature(VALUES)}) throws Exception", [*body, tail, "consumer.start();"]
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        for n in ("topic", "tags"):
            if p.chance(0.25):
                a[n] = "null"
        return [*pre, f"{c.use(o)}.open({join(VALUES, a)});"]

    return use


@shape()
def enum_routes(p: JavaProgram) -> Use:
    """An enum whose constants override what they give, walked or taken one by one."""
    k = client_kind(p)
    o = opener(p, k)

    def use(c: Java, inst: Texts) -> list[str]:
        e = p.java("Feed", "enum")
        rows = [inst, *p.instances(1, 2)]
        made = []
        for x in rows:
            own = f"@Override\npublic String topic() {{\nreturn {lit(x['topic'])};\n}}\n"
            if p.chance(0.4):
                own += f"\n@Override\npublic String tags() {{\nreturn {lit(x['tags'])};\n}}\n"
            made.append(f"{const(x['word'])} {{\n{own}}}")
        e.lead = ", ".join(made) + ";"
        e.add(
            'public abstract String topic();\n\npublic String tags() {\nreturn "*";\n}\n\n'
            'public String group() {\nreturn "cg-" + name().toLowerCase();\n}'
        )
        n = c.use(e)
        if p.chance(0.5):
            return [
                f"for ({n} feed : {n}.values()) {{",
                f"{c.use(o)}.open(feed.group(), feed.topic(), feed.tags());",
                "}",
            ]
        v = p.uid("feed")
        one = p.choose(
            f"{n}.{const(rows[0]['word'])}", f'{n}.valueOf("{const(rows[0]["word"])}")', f"{n}.values()[1]"
        )
        return [f"{n} {v} = {one};", f"{c.use(o)}.open({v}.group(), {v}.topic(), {v}.tags());"]

    return use


@shape()
def properties_driven(p: JavaProgram) -> Use:
    k = client_kind(p)
    o = p.java("PropertiesConsumer")
    s = {
        "group": 'settings.getProperty("group")',
        "topic": 'settings.getProperty("topic", "no-topic")',
        "tags": 'settings.getProperty("tags", "*")',
    }
    o.method(
        f"public static void open({o.imp(UTIL + 'Properties')} settings) throws Exception", whole(p, o, k, s)
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        t, v = c.imp(UTIL + "Properties"), p.uid("settings")
        names = VALUES[: 3 if p.chance(0.6) else 2]
        out = [*pre, f"{t} {v} = new {t}();", *(f'{v}.setProperty("{n}", {a[n]});' for n in names)]
        return [*out, f"{c.use(o)}.open({v});"]

    return use


@shape()
def map_settings(p: JavaProgram) -> Use:
    k = client_kind(p)
    o = p.java("MapConsumer")
    m = o.imp(UTIL + "Map")
    s = {
        "group": 'settings.get("group")',
        "topic": 'settings.get("topic")',
        "tags": 'settings.getOrDefault("tags", "*")',
    }
    o.method(f"public static void open({m}<String, String> settings) throws Exception", whole(p, o, k, s))

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        names = VALUES[: 3 if p.chance(0.6) else 2]
        if p.chance(0.5):
            pairs = ", ".join(f'"{n}", {a[n]}' for n in names)
            return [*pre, f"{c.use(o)}.open({c.imp(UTIL + 'Map')}.of({pairs}));"]
        v = p.uid("settings")
        out = [*pre, f"{c.imp(UTIL + 'Map')}<String, String> {v} = new {c.imp(UTIL + 'HashMap')}<>();"]
        out += [f'{v}.put("{n}", {a[n]});' for n in names]
        if p.chance(0.3):
            out.append(f'{v}.put("group", {lit(inst["group"] + "-over")});')
        return [*out, f"{c.use(o)}.open({v});"]

    return use


@shape()
def switch_client(p: JavaProgram) -> Use:
    """A switch expression gives the group and decides what else is done."""
    k = client_kind(p, False)
    o = p.java("SwitchSetup")
    t = client_type(o, k)
    m = o.imp(MODEL)
    o.method(
        "public static void open(String kind, String group, String topic, String tags) throws Exception",
        [
            "String name = switch (kind) {",
            'case "A" -> group;',
            'case "B" -> {',
            'String made = group + "-b";',
            "yield made;",
            "}",
            'default -> "other-" + group;',
            "};",
            f"{t} consumer = new {t}(name);",
            "switch (kind) {",
            'case "A", "C" -> consumer.subscribe(topic, tags);',
            "default -> {",
            'consumer.subscribe(topic + "-x", "*");',
            f"consumer.setMessageModel({m}.BROADCASTING);",
            "}",
            "}",
            "consumer.start();",
        ],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["kind", *VALUES])
        return [*pre, f"{c.use(o)}.open({join(['kind', *VALUES], a)});"]

    return use


@shape()
def static_block_consumer(p: JavaProgram) -> Use:
    """A class that starts its consumer when it is initialised: if anybody touches it."""
    k = client_kind(p)

    def use(c: Java, inst: Texts) -> list[str]:
        w = p.java("AutoStarted")
        s = {n: p.val(w, inst[n]) for n in VALUES}
        body = [
            "try {",
            *whole(p, w, k, s),
            "} catch (Exception e) {",
            "throw new ExceptionInInitializerError(e);",
            "}",
        ]
        w.add("static {\n" + lines(body) + "\n}")
        w.method("public static void touch()", [])
        if p.chance(0.2):
            p.tag("static-block-untouched")
            return [f'System.out.println("{w.name}");']
        return [f"{c.use(w)}.touch();"]

    return use


@shape()
def instance_inner_class(p: JavaProgram) -> Use:
    """An inner class that reads the fields of the object around it."""
    k = client_kind(p)
    o = p.java("Outer")
    o.add("private final String prefix;\nprivate String tags;")
    o.method(f"public {o.name}(String prefix, String tags)", ["this.prefix = prefix;", "this.tags = tags;"])
    body = whole(p, o, k, {"group": 'prefix + "-cg"', "topic": "topic", "tags": "tags"})
    o.add(
        "private class Inner {\nprivate final String topic;\n\nInner(String topic) {\nthis.topic = topic;\n}\n\n"
        "void open() throws Exception {\n" + lines(body) + "\n}\n}"
    )
    o.method("public void open(String topic) throws Exception", ["new Inner(topic).open();"])

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["topic", "tags"])
        v = p.uid("outer")
        out = [
            *pre,
            f"{c.use(o)} {v} = new {c.use(o)}({lit(inst['word'])}, {a['tags']});",
            f"{v}.open({a['topic']});",
        ]
        return [*out, f'{v}.open("{p.word()}-inner");'] if p.chance(0.3) else out

    return use


@shape()
def array_of_consumers(p: JavaProgram) -> Use:
    k = client_kind(p, False)

    def use(c: Java, inst: Texts) -> list[str]:
        t, v, n = client_type(c, k), p.uid("all"), p.rng.randint(2, 3)
        out = [f"{t}[] {v} = new {t}[{n}];", f"for (int i = 0; i < {v}.length; i++) {{"]
        out += [
            f'{v}[i] = new {t}({p.val(c, inst["group"])} + "-" + i);',
            f"{v}[i].subscribe({p.val(c, inst['topic'])}, {lit(inst['tags'])});",
            "}",
        ]
        if p.chance(0.7):
            return [*out, f"for ({t} each : {v}) {{", "each.start();", "}"]
        return [*out, f"{v}[{p.rng.randint(0, n - 1)}].start();"]

    return use


@shape()
def lite_assign(p: JavaProgram) -> Use:
    """A lite pull consumer that takes its queues itself subscribes to nothing."""
    p.tag("lite-pull")

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic"])
        v = p.uid("consumer")
        return [
            *pre,
            *new(p, c, "lite", v, a["group"]),
            f"{v}.start();",
            f"{v}.assign({v}.fetchMessageQueues({a['topic']}));",
        ]

    return use


@shape()
def lite_poll_loop(p: JavaProgram) -> Use:
    p.tag("lite-pull")

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v, n = p.uid("consumer"), p.uid("turn")
        return [
            *pre,
            *new(p, c, "lite", v, a["group"]),
            f"{v}.setAutoCommit(false);",
            f"{v}.subscribe({a['topic']}, {a['tags']});",
            f"{v}.start();",
            f"for (int {n} = 0; {n} < 2; {n}++) {{",
            f"System.out.println({v}.poll(10).size());",
            "}",
        ]

    return use


@shape()
def varargs_pairs(p: JavaProgram) -> Use:
    """Topic and tags alternate in one variable argument list."""
    k = client_kind(p, False)
    o = p.java("Pairs")
    body = [
        *new(p, o, k, "consumer", "group"),
        "for (int i = 0; i + 1 < pairs.length; i += 2) {",
        "consumer.subscribe(pairs[i], pairs[i + 1]);",
        "}",
        "consumer.start();",
    ]
    o.method("private static void open(String group, String[] pairs) throws Exception", body)
    o.method(
        "public static void listen(String group, String... pairs) throws Exception", ["open(group, pairs);"]
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        more = "".join(f', "{p.word()}-pair", "{p.choose("*", "P")}"' for _ in range(p.rng.randint(0, 2)))
        return [*pre, f"{c.use(o)}.listen({join(VALUES, a)}{more});"]

    return use


@shape()
def consumer_returned_in_holder(p: JavaProgram) -> Use:
    """A factory gives a record of the client and its topic; the caller subscribes."""
    k = client_kind(p, False)
    f = p.java("HolderFactory")
    t = client_type(f, k)
    f.add(f"public record Held({t} client, String topic) {{\n}}")
    f.method(
        "public static Held create(String group, String topic)", [f"return new Held(new {t}(group), topic);"]
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v = p.uid("held")
        out = [*pre, f"{c.use(f)}.Held {v} = {c.use(f)}.create({a['group']}, {a['topic']});"]
        return [*out, f"{v}.client().subscribe({v}.topic(), {a['tags']});", f"{v}.client().start();"]

    return use


@shape()
def flag_fields(p: JavaProgram) -> Use:
    """Boolean and int fields decide about subscriptions and start."""
    k, names = client_kind(p, False), formals(p, 0)
    w = p.java("Flagged")
    w.add(
        f"private boolean extra;\nprivate int level = {p.rng.randint(0, 3)};\nprivate boolean enabled = true;"
    )
    for n, kind in (("extra", "boolean"), ("level", "int"), ("enabled", "boolean")):
        w.method(f"public {w.name} {n}({kind} {n})", [f"this.{n} = {n};", "return this;"])
    body = [
        *new(p, w, k, "consumer", "group"),
        "consumer.subscribe(topic, tags);",
        "if (extra && level > 1) {",
    ]
    body += [
        'consumer.subscribe(topic + "-extra", "*");',
        "}",
        "if (!enabled) {",
        "return;",
        "}",
        *start(p, w, k, "consumer", {}),
    ]
    w.method(f"public void open({signature(names)}) throws Exception", body)

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, names)
        calls = f".extra({inst['flag']})" if p.chance(0.7) else ""
        calls += f".level({p.rng.randint(0, 3)})" if p.chance(0.5) else ""
        calls += f".enabled({p.choose('true', 'true', 'false')})" if p.chance(0.3) else ""
        return [*pre, f"new {c.use(w)}(){calls}.open({join(names, a)});"]

    return use


@shape()
def passed_array(p: JavaProgram) -> Use:
    """Routes as one colon separated text each."""
    k = client_kind(p)
    o = p.java("TextRoutes")
    s = {"group": "parts[0]", "topic": "parts[1]", "tags": 'parts.length > 2 ? parts[2] : "*"'}
    o.method(
        "public static void open(String route) throws Exception",
        [
            'String[] parts = route.split(":");',
            *(["if (parts.length < 2) {", "return;", "}"] if p.chance(0.5) else []),
            *whole(p, o, k, s),
        ],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        def route(x: Texts) -> str:
            return ":".join(x[n] for n in (VALUES if p.chance(0.6) else VALUES[:2]))

        if p.chance(0.5):
            return [f"{c.use(o)}.open({lit(route(inst))});"]
        every = ",".join(route(x) for x in [inst, *p.instances(0, 2)])
        return [f'for (String each : {lit(every)}.split(",")) {{', f"{c.use(o)}.open(each);", "}"]

    return use


@shape()
def configured_elsewhere(p: JavaProgram) -> Use:
    """Setting up and starting in two methods of another class, through a field of an object that holds the client."""
    k = client_kind(p, False)
    h = p.java("ClientContext")
    h.add(f"public {client_type(h, k)} client;\npublic String topic;")
    o = p.java("Phases")
    s = {"topic": "held.topic", "tags": "tags"}
    o.method(
        f"public static void make({o.use(h)} held, String group)",
        [f"held.client = new {client_type(o, k)}(group);"],
    )
    o.method(
        f"public static void setup({o.use(h)} held, String tags) throws Exception",
        configure(p, o, k, "held.client", s),
    )
    o.method(f"public static void up({o.use(h)} held) throws Exception", ["held.client.start();"])

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v, n = p.uid("held"), c.use(o)
        out = [
            *pre,
            f"{c.use(h)} {v} = new {c.use(h)}();",
            f"{v}.topic = {a['topic']};",
            f"{n}.make({v}, {a['group']});",
        ]
        out.append(f"{n}.setup({v}, {a['tags']});")
        return out if p.chance(0.1) else [*out, f"{n}.up({v});"]

    return use
