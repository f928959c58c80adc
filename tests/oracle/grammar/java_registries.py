"""Consumers of Java programs behind staged builders, registries, locators, enums that open, and keyed look-ups."""

from __future__ import annotations

from tests.oracle.frame import Texts, join, lit
from tests.oracle.grammar.java_flows import opener
from tests.oracle.java import Java, JavaProgram, Use, shape
from tests.oracle.java_arguments import actuals
from tests.oracle.java_client import client_kind, client_type, lines, listener, whole

VALUES = ["group", "topic", "tags"]
SAME = {name: name for name in VALUES}
UTIL = "java.util."


def imports(c: Java, *names: str) -> None:
    """Import classes of `java.util`; the program has none of these names."""
    for name in names:
        c.imp(UTIL + name)


@shape()
def staged_builder(p: JavaProgram) -> Use:
    """Each step is an interface, one private class implements all."""
    w = p.java(p.choose("StagedConsumer", "GuidedListener"))
    last = p.choose("Final", "Ready")
    body = lines(whole(p, w, client_kind(p), SAME))
    w.write(
        """
        public interface NeedsGroup {
        NeedsTopic group(String group);
        }

        public interface NeedsTopic {
        $last topic(String topic);
        }

        public interface $last {
        $last tags(String... tags);
        void open() throws Exception;
        }

        public static NeedsGroup begin() {
        return new Steps();
        }

        private static final class Steps implements NeedsGroup, NeedsTopic, $last {
        private String group;
        private String topic;
        private String tags = "*";

        @Override
        public NeedsTopic group(String group) {
        this.group = group;
        return this;
        }

        @Override
        public $last topic(String topic) {
        this.topic = topic;
        return this;
        }

        @Override
        public $last tags(String... tags) {
        this.tags = String.join(" || ", tags);
        return this;
        }

        @Override
        public void open() throws Exception {
        $body
        }
        }
        """,
        last=last,
        body=body,
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        tags = p.choose("", f".tags({a['tags']})", f'.tags("a", {lit("b-" + p.word())})')
        if p.chance(0.3):
            v = p.uid("step")
            out = [*pre, f"{c.use(w)}.NeedsTopic {v} = {c.use(w)}.begin().group({a['group']});"]
            return [*out, f"{v}.topic({a['topic']}){tags}.open();"]
        return [*pre, f"{c.use(w)}.begin().group({a['group']}).topic({a['topic']}){tags}.open();"]

    return use


@shape()
def self_typed_builder(p: JavaProgram) -> Use:
    base = p.java("AbstractSpec", "abstract class", "<T extends AbstractSpec<T>>")
    base.head = base.head.replace("AbstractSpec", base.name)
    base.write(
        """
        protected String group;
        protected String topic;
        protected String tags = $fallback;

        protected abstract T self();

        public T group(String group) {
        this.group = group;
        return self();
        }

        public T topic(String topic) {
        this.topic = topic;
        return self();
        }

        public T tags(String tags) {
        this.tags = tags;
        return self();
        }
        """,
        fallback=lit(p.choose("*", "base")),
    )
    made = p.java(p.choose("PushSpec", "FluentSpec"))
    made.head = f" extends {made.use(base)}<{made.name}>"
    made.write(
        """
        @Override
        protected $name self() {
        return this;
        }

        public $name prefixed(String prefix) {
        topic = prefix + topic;
        return this;
        }

        public void start() throws Exception {
        $body
        }
        """,
        name=made.name,
        body=lines(whole(p, made, client_kind(p), SAME)),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        calls = [f".group({a['group']})", f".topic({a['topic']})"]
        if p.chance(0.5):
            p.rng.shuffle(calls)
        if p.chance(0.6):
            calls.append(f".tags({a['tags']})")
        if p.chance(0.3):
            calls.append('.prefixed("pre-")')
        return [*pre, f"new {c.use(made)}(){''.join(calls)}.start();"]

    return use


@shape()
def copying_builder(p: JavaProgram) -> Use:
    """An immutable value with `toBuilder()`; two of them share what was not changed."""
    w = p.java(p.choose("ListenSpec", "RouteSpec"))
    w.write(
        """
        private final String group;
        private final String topic;
        private final String tags;

        private $name(Builder builder) {
        this.group = builder.group;
        this.topic = builder.topic;
        this.tags = builder.tags == null ? "*" : builder.tags;
        }

        public Builder toBuilder() {
        return new Builder(this);
        }

        public void open() throws Exception {
        $body
        }

        public static class Builder {
        private String group;
        private String topic;
        private String tags;

        public Builder() {
        }

        private Builder(final $name from) {
        group = from.group;
        topic = from.topic;
        tags = from.tags;
        }

        public Builder group(final String value) {
        group = value;
        return this;
        }

        public Builder topic(final String value) {
        topic = value;
        return this;
        }

        public Builder tags(final String value) {
        tags = value;
        return this;
        }

        public $name build() {
        return new $name(this);
        }
        }
        """,
        name=w.name,
        body=lines(whole(p, w, client_kind(p), SAME)),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v, n = p.uid("spec"), c.use(w)
        tags = p.choose("", f".tags({a['tags']})")
        out = [*pre, f"{n} {v} = new {n}.Builder().group({a['group']}).topic({a['topic']}){tags}.build();"]
        out.append(f"{v}.open();")
        if p.chance(0.6):
            other = p.instance()
            changed = p.choose(f".group({lit(other['group'])})", f".tags({lit(other['tags'])})")
            out.append(f"{v}.toBuilder(){changed}.topic({lit(other['topic'])}).build().open();")
        return out

    return use


@shape()
def named_registry(p: JavaProgram) -> Use:
    """Names to suppliers of clients in a static map; what is not there is an error that is caught."""
    k = client_kind(p, False)
    r = p.java(p.choose("ConsumerTypes", "ClientCatalog"))
    t = client_type(r, k)
    imports(r, "Map", "HashMap", "function.Supplier")
    first, second = p.instance(), p.instance()
    r.write(
        """
        private static final Map<String, Supplier<$t>> MAKERS = new HashMap<>();

        static {
        MAKERS.put("$a", () -> new $t($ga));
        MAKERS.put("$b", $name::second);
        }

        private static $t second() {
        return new $t($gb);
        }

        public static $t create(String name) {
        Supplier<$t> maker = MAKERS.get(name);
        if (maker == null) {
        throw new IllegalArgumentException("no consumer " + name);
        }
        return maker.get();
        }
        """,
        t=t,
        name=r.name,
        a=first["word"],
        b=second["word"],
        ga=lit(first["group"]),
        gb=p.val(r, second["group"]),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        v = p.uid("client")
        key = p.choose(first["word"], second["word"])
        pre, a = actuals(p, c, inst, ["topic", "tags"])
        made = client_type(c, k)
        if p.chance(0.25):
            return [
                *pre,
                f"{made} {v};",
                "try {",
                f'{v} = {c.use(r)}.create("missing");',
                "} catch (IllegalArgumentException missing) {",
                f'{v} = {c.use(r)}.create("{key}");',
                "}",
                f"{v}.subscribe({a['topic']}, {a['tags']});",
                f"{v}.start();",
            ]
        out = [
            *pre,
            f'{made} {v} = {c.use(r)}.create("{key}");',
            f"{v}.subscribe({a['topic']}, {a['tags']});",
        ]
        return [*out, f"{v}.start();"]

    return use


@shape()
def class_keyed_locator(p: JavaProgram) -> Use:
    """Objects under their class, taken out with a generic method and a cast."""
    o = p.java(p.choose("Services", "Beans", "Locator"))
    imports(o, "Map", "HashMap")
    o.write(
        """
        private final Map<Class<?>, Object> known = new HashMap<>();

        public <T> $name put(Class<T> type, T one) {
        known.put(type, one);
        return this;
        }

        public <T> T get(Class<T> type) {
        return $taken;
        }
        """,
        name=o.name,
        taken=p.choose("type.cast(known.get(type))", "(T) known.get(type)"),
    )
    settings = p.java(p.choose("TopicSettings", "LocatedSettings"), "record", "(String topic, String tags)")
    runner = p.java("LocatedRunner")
    runner.head = ""
    runner.write(
        """
        private final String group;

        public $name(String group) {
        this.group = group;
        }

        public void run($locator beans) throws Exception {
        $settings settings = beans.get($settings.class);
        $body
        }
        """,
        name=runner.name,
        locator=runner.use(o),
        settings=runner.use(settings),
        body=lines(
            whole(
                p,
                runner,
                client_kind(p),
                {"group": "group", "topic": "settings.topic()", "tags": "settings.tags()"},
            )
        ),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v, s, r = p.uid("beans"), c.use(settings), c.use(runner)
        out = [*pre, f"{c.use(o)} {v} = new {c.use(o)}();"]
        out.append(
            f"{v}.put({s}.class, new {s}({a['topic']}, {a['tags']})).put({r}.class, new {r}({a['group']}));"
        )
        return [*out, f"{v}.get({r}.class).run({v});"]

    return use


@shape()
def bus_subscriptions(p: JavaProgram) -> Use:
    """Handlers register topics and tags with a bus, which joins the tags of one topic and subscribes when it starts."""
    k = client_kind(p, False)
    b = p.java(p.choose("MessageBus", "HandlerBus"))
    t = client_type(b, k)
    imports(b, "Map", "List", "ArrayList", p.choose("LinkedHashMap", "TreeMap"))
    kind = "LinkedHashMap" if UTIL + "LinkedHashMap" in b.imports else "TreeMap"
    b.write(
        """
        private final String group;
        private final Map<String, List<String>> tags = new $kind<>();

        public $name(String group) {
        this.group = group;
        }

        public $name on(String topic, String... names) {
        List<String> known = tags.computeIfAbsent(topic, key -> new ArrayList<>());
        for (String each : names) {
        if (!known.contains(each)) {
        known.add(each);
        }
        }
        return this;
        }

        public void start() throws Exception {
        $t consumer = new $t(group);
        for (Map.Entry<String, List<String>> each : tags.entrySet()) {
        consumer.subscribe(each.getKey(), each.getValue().isEmpty() ? "*" : String.join(" || ", each.getValue()));
        }
        $listener
        consumer.start();
        }
        """,
        kind=kind,
        name=b.name,
        t=t,
        listener=lines(listener(p, b, k, "consumer")),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic"])
        v = p.uid("bus")
        out = [*pre, f"{c.use(b)} {v} = new {c.use(b)}({a['group']});"]
        out.append(f"{v}.on({a['topic']}" + p.choose("", ', "a"', ', "a", "b"', ', "b", "b"') + ");")
        if p.chance(0.6):
            out.append(f'{v}.on({p.choose(a["topic"], lit(p.word() + "-bus"))}, "c").on("{p.word()}-more");')
        return [*out, f"{v}.start();"]

    return use


@shape()
def enum_opens(p: JavaProgram) -> Use:
    """Constants with constructor values and a method that opens; all, some, or one of them do."""
    e = p.java(p.choose("Feed", "Inlet", "Source"), "enum")
    rows = p.instances(2, 3)
    names = [x["word"].upper() for x in rows]
    e.lead = (
        ",\n".join(
            f"{n}({lit(x['group'])}, {lit(x['topic'])}, {x['flag']})"
            for n, x in zip(names, rows, strict=True)
        )
        + ";"
    )
    failing = "throw new IllegalStateException(e);"
    body = lines(
        whole(p, e, client_kind(p), {"group": "group", "topic": "topic", "tags": p.choose('"*"', "label()")})
    )
    e.write(
        """
        private final String group;
        private final String topic;
        private final boolean enabled;

        $name(String group, String topic, boolean enabled) {
        this.group = group;
        this.topic = topic;
        this.enabled = enabled;
        }

        public boolean enabled() {
        return enabled;
        }

        public String label() {
        return name().toLowerCase() + ordinal();
        }

        public void open() {
        try {
        $body
        } catch (Exception e) {
        $failing
        }
        }
        """,
        name=e.name,
        body=body,
        failing=failing,
    )

    def use(c: Java, inst: Texts) -> list[str]:
        n, one = c.use(e), p.rng.choice(names)
        form = p.rng.randint(0, 6)
        if form == 0:
            return [f"for ({n} each : {n}.values()) {{", "if (each.enabled()) {", "each.open();", "}", "}"]
        if form == 1:
            return [f'{n}.valueOf("{one}").open();']
        if form == 2:
            step = p.choose(f".filter({n}::enabled)", "")
            return [f"{c.imp(UTIL + 'Arrays')}.stream({n}.values()){step}.forEach({n}::open);"]
        if form == 3:
            made = p.choose(
                f"of({n}.{one})",
                f"allOf({n}.class)",
                f"complementOf({c.imp(UTIL + 'EnumSet')}.of({n}.{one}))",
            )
            return [f"for ({n} each : {c.imp(UTIL + 'EnumSet')}.{made}) {{", "each.open();", "}"]
        if form == 4:
            return [f"{n}.values()[{p.rng.randint(0, len(rows) - 1)}].open();"]
        if form == 5:
            skipped = p.choose(
                f"each == {n}.{one}",
                f"each.ordinal() > {n}.{one}.ordinal()",
                f"each.compareTo({n}.{one}) < 0",
            )
            return [
                f"for ({n} each : {n}.values()) {{",
                f"if ({skipped}) {{",
                "continue;",
                "}",
                "each.open();",
                "}",
            ]
        return [f"{n}.{one}.open();"]

    return use


@shape()
def enum_with_lambda(p: JavaProgram) -> Use:
    """Constants that hold a function of their own."""
    o = opener(p, client_kind(p))
    e = p.java(p.choose("Opening", "Mode"), "enum")
    e.imp(UTIL + "function.UnaryOperator")
    group = p.word()
    e.lead = lines(
        [
            'PLAIN(topic -> topic, "*"),',
            'UPPER(String::toUpperCase, "up"),',
            f'PREFIXED(topic -> "{p.word()}-" + topic, null);',
        ]
    )
    e.write(
        """
        private final UnaryOperator<String> naming;
        private final String tags;

        $name(UnaryOperator<String> naming, String tags) {
        this.naming = naming;
        this.tags = tags;
        }

        public void open(String topic) {
        $opener.open("$group-" + name().toLowerCase(), naming.apply(topic), tags == null ? "*" : tags);
        }
        """,
        name=e.name,
        opener=e.use(o),
        group=group,
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["topic"])
        n = c.use(e)
        if p.chance(0.4):
            return [*pre, f"for ({n} each : {n}.values()) {{", f"each.open({a['topic']});", "}"]
        return [*pre, f"{n}.{p.choose('PLAIN', 'UPPER', 'PREFIXED')}.open({a['topic']});"]

    return use


@shape()
def registered_with_singleton(p: JavaProgram) -> Use:
    """A singleton collects what classes register in static blocks or by calls, and opens them together."""
    o = opener(p, client_kind(p))
    r = p.java(p.choose("Listeners", "Installations"))
    imports(r, "List", "ArrayList")
    r.write(
        """
        private static final $name INSTANCE = new $name();
        private final List<String[]> rows = new ArrayList<>();

        private $name() {
        }

        public static $name get() {
        return INSTANCE;
        }

        public void register(String... row) {
        rows.add(row);
        }

        public void openAll() {
        for (String[] row : rows) {
        $opener.open(row[0], row[1], row.length > 2 ? row[2] : "*");
        }
        rows.clear();
        }
        """,
        name=r.name,
        opener=r.use(o),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        names = VALUES[: p.rng.randint(2, 3)]
        pre, a = actuals(p, c, inst, names)
        n = c.use(r)
        out = [*pre, f"{n}.get().register({join(names, a)});"]
        if p.chance(0.4):
            other = p.instance()
            out.append(f"{n}.get().register({lit(other['group'])}, {lit(other['topic'])});")
        return [*out, f"{n}.get().openAll();"] if p.chance(0.85) else out

    return use


@shape()
def keyed_by_value(p: JavaProgram) -> Use:
    """A map whose keys are records or own classes with `equals`; equal ones are one entry."""
    o = opener(p, client_kind(p))
    form = p.choose("record", "class")
    key = p.java(p.choose("RouteKey", "Address"), "record" if form == "record" else "final class")
    if form == "record":
        key.head = "(String group, String topic)"
    else:
        key.imp(UTIL + "Objects")
        key.write(
            """
            private final String group;
            private final String topic;

            public $name(String group, String topic) {
            this.group = group;
            this.topic = topic;
            }

            public String group() {
            return group;
            }

            public String topic() {
            return topic;
            }

            @Override
            public boolean equals(Object other) {
            if (this == other) {
            return true;
            }
            if (!(other instanceof $name)) {
            return false;
            }
            $name that = ($name) other;
            return Objects.equals(group, that.group) && topic.equals(that.topic);
            }

            @Override
            public int hashCode() {
            return Objects.hash(group, topic);
            }
            """,
            name=key.name,
        )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic"])
        n, v = c.use(key), p.uid("tagsOf")
        imports(c, "Map", "LinkedHashMap")
        out = [*pre, f"Map<{n}, String> {v} = new LinkedHashMap<>();"]
        out.append(f"{v}.put(new {n}({a['group']}, {a['topic']}), {lit(inst['tags'])});")
        if p.chance(0.6):
            same = p.choose(a["topic"], lit(p.word() + "-else"))
            out.append(f'{v}.{p.choose("put", "putIfAbsent")}(new {n}({a["group"]}, {same}), "again");')
        out += [f"for (Map.Entry<{n}, String> each : {v}.entrySet()) {{"]
        out.append(f"{c.use(o)}.open(each.getKey().group(), each.getKey().topic(), each.getValue());")
        return [*out, "}"]

    return use


@shape()
def memoized_supplier(p: JavaProgram) -> Use:
    """A generic lazy value around the client: it is made once, whenever it is asked for first."""
    k = client_kind(p, False)
    z = p.java("Lazy", "final class", "<T>")
    imports(z, "function.Supplier")
    z.write(
        """
        private final Supplier<? extends T> maker;
        private T made;
        private boolean done;

        public $name(Supplier<? extends T> maker) {
        this.maker = maker;
        }

        public T get() {
        if (!done) {
        made = maker.get();
        done = true;
        }
        return made;
        }
        """,
        name=z.name,
    )

    def use(c: Java, inst: Texts) -> list[str]:
        t, v, n = client_type(c, k), p.uid("lazily"), c.use(z)
        group = p.val(c, inst["group"])
        out = [f"{n}<{t}> {v} = new {n}<>(() -> new {t}({group}));"]
        out.append(f"{v}.get().subscribe({p.val(c, inst['topic'])}, {p.val(c, inst['tags'])});")
        if p.chance(0.4):
            out.append(f'{v}.get().subscribe("{p.word()}-lz", "*");')
        return [*out, f"{v}.get().start();"]

    return use


@shape()
def first_that_supports(p: JavaProgram) -> Use:
    """Plugins are asked in order which of them takes a kind."""
    o = opener(p, client_kind(p))
    i = p.java(p.choose("Plugin", "Contributor"), "interface")
    i.add("boolean supports(String kind);")
    i.add("void open(String topic);")
    plugins = []
    for accepted in p.rng.sample(['"A".equals(kind)', '"B".equals(kind) || kind.isEmpty()', "true"], 3):
        c = p.java(p.choose("FirstPlugin", "SpecialPlugin", "AnyPlugin"))
        c.head = f" implements {c.use(i)}"
        c.override("public boolean supports(String kind)", f"return {accepted};")
        row = p.instance()
        c.override(
            "public void open(String topic)",
            f"{c.use(o)}.open({p.val(c, row['group'])}, topic, {lit(row['tags'])});",
        )
        plugins.append(c)
    host = p.java("PluginHost")
    imports(host, "List")
    made = ", ".join(f"new {host.use(c)}()" for c in plugins)
    n = host.use(i)
    if p.chance(0.5):
        body = [
            f"for ({n} each : plugins) {{",
            "if (each.supports(kind)) {",
            "each.open(topic);",
            "return;",
            "}",
            "}",
        ]
    else:
        body = [
            "plugins.stream().filter(each -> each.supports(kind)).findFirst().ifPresent(each -> each.open(topic));"
        ]
    host.add(f"private final List<{n}> plugins = List.of({made});")
    host.method("public void open(String kind, String topic)", body)

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["topic"])
        return [*pre, f'new {c.use(host)}().open("{p.choose("A", "B", "C", "")}", {a["topic"]});']

    return use


@shape()
def nested_settings(p: JavaProgram) -> Use:
    """Settings that hold settings of static nested classes, with defaults, and chained getters."""
    w = p.java(p.choose("AppSettings", "MqConfiguration"))
    w.write(
        """
        private final Consumer consumer = new Consumer();
        private final Filter filter = new Filter();

        public Consumer getConsumer() {
        return consumer;
        }

        public Filter getFilter() {
        return filter;
        }

        public static class Consumer {
        private String group = $group;
        private Topic topic = new Topic();

        public String getGroup() {
        return group;
        }

        public void setGroup(String group) {
        this.group = group;
        }

        public Topic getTopic() {
        return topic;
        }

        public static class Topic {
        private String name;
        private String prefix = "";

        public String fullName() {
        return prefix.isEmpty() ? name : prefix + "-" + name;
        }

        public void setName(String name) {
        this.name = name;
        }

        public void setPrefix(String prefix) {
        this.prefix = prefix;
        }
        }
        }

        public static class Filter {
        String tags = "*";
        }
        """,
        group=lit(p.word() + "-fallback-cg"),
    )
    r = p.java("SettingsRunner", package=w.package)
    s = {
        "group": "settings.getConsumer().getGroup()",
        "topic": "settings.getConsumer().getTopic().fullName()",
        "tags": "settings.getFilter().tags",
    }
    r.method(f"public static void run({r.use(w)} settings) throws Exception", whole(p, r, client_kind(p), s))
    r.method(
        f"public static void tags({r.use(w)} settings, String tags)", ["settings.getFilter().tags = tags;"]
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v, n = p.uid("settings"), c.use(w)
        out = [*pre, f"{n} {v} = new {n}();", f"{v}.getConsumer().getTopic().setName({a['topic']});"]
        if p.chance(0.7):
            out.append(f"{v}.getConsumer().setGroup({a['group']});")
        if p.chance(0.3):
            out.append(f'{v}.getConsumer().getTopic().setPrefix("{p.word()}");')
        if p.chance(0.5):
            out.append(f"{c.use(r)}.tags({v}, {a['tags']});")
        return [*out, f"{c.use(r)}.run({v});"]

    return use


@shape()
def double_brace(p: JavaProgram) -> Use:
    """Collections filled in the initialiser of an anonymous subclass."""
    o = opener(p, client_kind(p))

    def use(c: Java, inst: Texts) -> list[str]:
        imports(c, "Map", "LinkedHashMap")
        n, other = p.uid("TOPICS"), p.instance()
        c.add(
            f"private static final Map<String, String> {n} = new LinkedHashMap<String, String>() {{\n{{\n"
            f"put({lit(inst['topic'])}, {lit(inst['group'])});\n"
            + (f"put({lit(other['topic'])}, {lit(other['group'])});\n" if p.chance(0.5) else "")
            + "}\n};"
        )
        return [
            f"for (String each : {n}.keySet()) {{",
            f"{c.use(o)}.open({n}.get(each), each, {p.val(c, inst['tags'])});",
            "}",
        ]

    return use
