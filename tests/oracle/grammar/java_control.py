"""Consumers of Java programs under exceptions, retries, queues, recursion, jumps and states."""

from __future__ import annotations

from tests.oracle.frame import Texts, lit
from tests.oracle.grammar.java_flows import opener
from tests.oracle.grammar.java_registries import imports
from tests.oracle.java import Java, JavaProgram, Use, shape, value
from tests.oracle.java_arguments import actuals
from tests.oracle.java_client import client_kind, client_type, lines, listener

VALUES = ["group", "topic", "tags"]
_RETRIES = (
    """while (true) {
    try {
    attempt(group, topic);
    break;
    } catch (IllegalStateException e) {
    continue;
    }
    }""",
    """for (int i = 0; i < 3; i++) {
    try {
    attempt(group, topic);
    return;
    } catch (RuntimeException e) {
    if (i == 2) {
    throw e;
    }
    }
    }""",
    """boolean done = false;
    do {
    try {
    attempt(group, topic);
    done = true;
    } catch (IllegalStateException e) {
    done = false;
    }
    } while (!done);""",
)


@shape()
def carrying_exception(p: JavaProgram) -> Use:
    """An exception carries what the handler uses; `finally` does the rest."""
    o = opener(p, client_kind(p))
    e = p.java("MissingRouteException", "class", " extends Exception")
    e.write(
        """
        private final String fallback;

        public $n(String message, String fallback) {
        super(message);
        this.fallback = fallback;
        }

        public String getFallback() {
        return fallback;
        }
        """,
        n=e.name,
    )
    w = p.java(p.choose("RouteFinder", "Routing"))
    w.write(
        """
        public static String find(String name, boolean known) throws $e {
        if (!known) {
        throw new $e("no route " + name, $other);
        }
        return name;
        }

        public static void open(String group, String topic, boolean known) {
        String tags = "*";
        String found = null;
        try {
        found = find(topic, known);
        tags = "found";
        } catch ($e missing) {
        found = $caught;
        } finally {
        $o.open(group, found, tags);
        }
        }
        """,
        e=w.use(e),
        other=lit(p.word() + "-fallback"),
        caught=p.choose("missing.getFallback()", 'missing.getMessage().replace(" ", "-")'),
        o=w.use(o),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic"])
        return [*pre, f"{c.use(w)}.open({a['group']}, {a['topic']}, {inst['flag']});"]

    return use


@shape()
def retried(p: JavaProgram) -> Use:
    """The first attempts fail; the one that does not opens."""
    o = opener(p, client_kind(p))
    w = p.java(p.choose("Retrying", "Attempts"))
    w.write(
        """
        private int attempts;

        private void attempt(String group, String topic) {
        attempts++;
        if (attempts < $least) {
        throw new IllegalStateException("not yet");
        }
        $o.open(group + "-" + attempts, topic, "*");
        }

        public void run(String group, String topic) {
        $loop
        }
        """,
        least=p.choose("1", "2", "3"),
        o=w.use(o),
        loop=p.rng.choice(_RETRIES),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic"])
        return [*pre, f"new {c.use(w)}().run({a['group']}, {a['topic']});"]

    return use


@shape()
def worked_queue(p: JavaProgram) -> Use:
    """A queue of names is worked off; some put others in."""
    o = opener(p, client_kind(p))

    def use(c: Java, inst: Texts) -> list[str]:
        imports(c, "Deque", "Queue", "ArrayDeque", "LinkedList", "Set", "HashSet")
        v, seen, one = p.uid("pending"), p.uid("seen"), p.uid("next")
        first, second = lit(inst["topic"]), lit(p.word() + "-queued")
        out = [
            f"Deque<String> {v} = new {p.choose('ArrayDeque', 'LinkedList')}<>();",
            f"Set<String> {seen} = new HashSet<>();",
        ]
        out += [f"{v}.{p.choose('add', 'offer', 'push', 'addLast')}({first});"]
        if p.chance(0.5):
            out.append(f"{v}.{p.choose('add', 'push', 'offerFirst')}({second});")
        out.append(f"String {one};") if p.chance(0) else None
        out += [
            f"while (!{v}.isEmpty()) {{",
            f"String {one} = {v}.{p.choose('poll', 'pop', 'removeFirst', 'pollLast')}();",
        ]
        out += [f"if (!{seen}.add({one})) {{", "continue;", "}"]
        if p.chance(0.5):
            out += [f"if ({one}.equals({first})) {{", f'{v}.add({one} + "-child");', f"{v}.add({one});", "}"]
        out.append(f'{c.use(o)}.open({p.val(c, inst["group"])} + "-" + {one}, {one}, {lit(inst["tags"])});')
        return [*out, "}"]

    return use


@shape()
def conditional_client(p: JavaProgram) -> Use:
    """Which of two clients is meant, is decided by an expression."""
    k = client_kind(p, False)

    def use(c: Java, inst: Texts) -> list[str]:
        t, other = client_type(c, k), p.instance()
        a, b = p.uid("primary"), p.uid("secondary")
        pre, x = actuals(p, c, inst, VALUES)
        out = [*pre, f"{t} {a} = new {t}({x['group']});", f"{t} {b} = new {t}({lit(other['group'])});"]
        form = p.rng.randint(0, 3)
        if form == 0:
            out.append(f"({inst['flag']} ? {a} : {b}).subscribe({x['topic']}, {x['tags']});")
        elif form == 1:
            v = p.uid("chosen")
            out += [
                f"{t} {v} = {a};",
                f"if ({inst['flag']}) {{",
                f"{v} = {b};",
                "}",
                f"{v}.subscribe({x['topic']}, {x['tags']});",
            ]
        elif form == 2:
            which = f'each == {a} ? {x["topic"]} : "{p.word()}-b"'
            out += [f"for ({t} each : new {t}[] {{{a}, {b}}}) {{", f'each.subscribe({which}, "*");', "}"]
        else:
            v = p.uid("picked")
            out += [
                f'{t} {v} = switch ("{inst["kind"]}") {{',
                f'case "A", "B" -> {a};',
                "default -> {",
                f'{b}.subscribe("{p.word()}-sw", "*");',
                f"yield {b};",
                "}",
                "};",
                f"{v}.subscribe({x['topic']}, {x['tags']});",
            ]
        out.append(f"{a}.start();")
        return [*out, f"{b}.start();"] if p.chance(0.8) else out

    return use


@shape()
def guarded_returns(p: JavaProgram) -> Use:
    """Early returns for what is missing, before anything is made."""
    k = client_kind(p, False)
    w = p.java(p.choose("Guarding", "Cautious"))
    t = client_type(w, k)
    w.write(
        """
        private static boolean blank(String text) {
        return text == null || text.trim().length() == 0;
        }

        public static $t open(String group, String topic, String tags, int instances) throws Exception {
        if (blank(group) || blank(topic)) {
        return null;
        }
        if (instances <= 0) {
        System.out.println("disabled " + group);
        return null;
        }
        $t consumer = new $t(group);
        consumer.subscribe(topic, blank(tags) ? "*" : tags);
        $listener
        if (instances == 1) {
        consumer.start();
        return consumer;
        }
        consumer.setInstanceName("of-" + instances);
        consumer.start();
        return consumer;
        }
        """,
        t=t,
        listener=lines(listener(p, w, k, "consumer")),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        group = p.choose(a["group"], a["group"], '""', "null")
        tags = p.choose(a["tags"], '" "', "null")
        count = p.choose("0", "1", "2")
        call = f"{c.use(w)}.open({group}, {a['topic']}, {tags}, {count})"
        if p.chance(0.4):
            v = p.uid("opened")
            also = f'{v}.subscribe("{p.word()}-late", "*");'
            return [*pre, f"{client_type(c, k)} {v} = {call};", f"if ({v} != null) {{", also, "}"]
        return [*pre, f"{call};"]

    return use


@shape()
def counted_down(p: JavaProgram) -> Use:
    """Recursion that counts, and two methods that call each other."""
    o = opener(p, client_kind(p))
    w = p.java(p.choose("Countdown", "Alternating"))
    w.write(
        """
        public static void down(String name, int left) {
        if (left == 0) {
        return;
        }
        $o.open(name + "-cg-" + left, name, left % 2 == 0 ? "even" : "odd");
        down(name, left - 1);
        }

        public static void ping(String name, int left) {
        if (left > 0) {
        pong(name + "i", left - 1);
        } else {
        $o.open(name + "-cg", name, "ping");
        }
        }

        private static void pong(String name, int left) {
        if (left > 0) {
        ping(name + "o", left - 1);
        } else {
        $o.open(name + "-cg", name, "pong");
        }
        }

        public static String path(String[] parts, int at) {
        return at == parts.length - 1 ? parts[at] : parts[at] + "." + path(parts, at + 1);
        }
        """,
        o=w.use(o),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        n = c.use(w)
        form = p.rng.randint(0, 2)
        if form == 0:
            return [*pre, f"{n}.down({a['topic']}, {p.rng.randint(0, 3)});"]
        if form == 1:
            return [*pre, f"{n}.ping({a['topic']}, {p.rng.randint(0, 3)});"]
        path = f'{n}.path(new String[] {{"{inst["word"]}", {a["topic"]}, "end"}}, {p.choose("0", "1")})'
        return [*pre, f"{c.use(o)}.open({a['group']}, {path}, {a['tags']});"]

    return use


@shape()
def state_walk(p: JavaProgram) -> Use:
    """States of an enum, each with its successor, are walked until the last one."""
    k = client_kind(p, False)
    e = p.java("Phase", "enum")
    e.lead = lines(
        [
            "CREATED {",
            "@Override",
            "public Phase next() {",
            "return SUBSCRIBED;",
            "}",
            "},",
            "SUBSCRIBED {",
            "@Override",
            "public Phase next() {",
            "return STARTED;",
            "}",
            "},",
            "STARTED;",
        ]
    ).replace("Phase", e.name)
    e.method(f"public {e.name} next()", ["return this;"])
    w = p.java("PhaseRunner")
    t = client_type(w, k)
    body = [
        f"{w.use(e)} phase = {w.use(e)}.CREATED;",
        f"{t} consumer = null;",
        "boolean running = true;",
        "while (running) {",
    ]
    body += ["switch (phase) {", "case CREATED:", f"consumer = new {t}(group);", "break;", "case SUBSCRIBED:"]
    body += ["consumer.subscribe(topic, tags);", "break;", "default:"]
    body += [
        *listener(p, w, k, "consumer"),
        "consumer.start();",
        "running = false;",
        "}",
        "phase = phase.next();",
        "}",
    ]
    w.method("public static void run(String group, String topic, String tags) throws Exception", body)

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        return [*pre, f"{c.use(w)}.run({a['group']}, {a['topic']}, {a['tags']});"]

    return use


@shape()
def two_resources(p: JavaProgram) -> Use:
    """Resources of one `try`: closed when it ends, the last one first; what they say is used."""
    o = opener(p, client_kind(p))
    r = p.java("Scope", "class", " implements AutoCloseable")
    imports(r, "List", "ArrayList")
    r.write(
        """
        static final List<String> CLOSED = new ArrayList<>();
        private final String name;

        public $n(String name) {
        this.name = name;
        }

        public String name() {
        return name;
        }

        public static String closed() {
        return String.join("-", CLOSED);
        }

        @Override
        public void close() {
        CLOSED.add(name);
        }
        """,
        n=r.name,
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        n, x, y = c.use(r), p.uid("outerScope"), p.uid("innerScope")
        out = [*pre, f'try ({n} {x} = new {n}({a["topic"]}); {n} {y} = new {n}({x}.name() + "-in")) {{']
        out += [f"{c.use(o)}.open({a['group']}, {p.choose(x, y)}.name(), {a['tags']});", "}"]
        if p.chance(0.4):
            out.append(f'{c.use(o)}.open("{p.word()}-closed-cg", {n}.closed(), "c");')
        return out

    return use


@shape()
def parallel_arrays(p: JavaProgram) -> Use:
    """Arrays of one length, walked by an index that steps, jumps or runs backwards."""
    o = opener(p, client_kind(p))

    def use(c: Java, inst: Texts) -> list[str]:
        rows = [inst, *p.instances(1, 2)]
        imports(c, "Arrays")
        g, t = p.uid("GROUP_NAMES"), p.uid("TOPIC_NAMES")
        c.add(f"private static final String[] {g} = {{{', '.join(lit(x['group']) for x in rows)}}};")
        c.add(
            f"private static final String[] {t} = new String[] {{{', '.join(lit(x['topic']) for x in rows)}}};"
        )
        loop = p.choose(
            f"for (int i = {g}.length - 1; i >= 0; i--) {{",
            f"for (int i = 0, n = {g}.length; i < n; i += 2) {{",
            f"for (int i = 1; i < Math.min({g}.length, 2); ++i) {{",
        )
        at = p.choose("i", f"{t}.length - 1 - i", f"(i + 1) % {t}.length")
        if p.chance(0.3):
            v = p.uid("copied")
            return [
                f"String[] {v} = Arrays.copyOfRange({t}, 0, {p.choose('1', '2')});",
                f'{v}[0] = {v}[0] + "-copy";',
                f"for (String each : {v}) {{",
                f'{c.use(o)}.open({g}[0] + each.length(), each, {t}[0].equals(each) ? "same" : "other");',
                "}",
            ]
        return [loop, f"{c.use(o)}.open({g}[i], {t}[{at}], {p.val(c, inst['tags'])});", "}"]

    return use


@shape()
def bits(p: JavaProgram) -> Use:
    """Flags in a number say which topics are wanted."""
    k = client_kind(p, False)
    w = p.java(p.choose("FlaggedTopics", "TopicMask"))
    t = client_type(w, k)
    w.write(
        """
        public static final int ORDERS = 1;
        public static final int PAYMENTS = 1 << 1;
        public static final int REFUNDS = 0x4;

        public static void start(String group, int wanted) throws Exception {
        $t consumer = new $t(group);
        if ((wanted & ORDERS) != 0) {
        consumer.subscribe("orders", "*");
        }
        if ((wanted & PAYMENTS) == PAYMENTS) {
        consumer.subscribe("payments", "paid");
        }
        consumer.subscribe((wanted & REFUNDS) > 0 ? "refunds" : "no-refunds", "*");
        $listener
        consumer.start();
        }
        """,
        t=t,
        listener=lines(listener(p, w, k, "consumer")),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        n = c.use(w)
        wanted = p.choose(
            f"{n}.ORDERS", f"{n}.ORDERS | {n}.REFUNDS", "6", f"~{n}.ORDERS & 7", f"{n}.PAYMENTS ^ 3", "0"
        )
        return [f"{n}.start({p.val(c, inst['group'])}, {wanted});"]

    return use


@shape()
def early_statics(p: JavaProgram) -> Use:
    """Static fields and blocks run in the order of their text, when the class is first used."""
    o = opener(p, client_kind(p))
    w = p.java(p.choose("StaticOrder", "Boot"))
    w.write(
        """
        private static String current = "first";
        static final String EARLY = describe();
        private static String later = $topic;
        static final String LATE = describe();

        static {
        current = current + "-block";
        }

        static final String LAST = current;

        private static String describe() {
        return current + "-" + later;
        }

        public static void open(String group) {
        $o.open(group + "-cg", $which, "*");
        }
        """,
        topic=lit(p.word() + "-later"),
        o=w.use(o),
        which=p.choose("EARLY", "LATE", "LAST", 'LAST + "." + LATE'),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group"])
        return [*pre, f"{c.use(w)}.open({a['group']});"]

    return use


@shape()
def hooked_shutdown(p: JavaProgram) -> Use:
    """A shutdown hook, a stop method nobody calls, or one that is called and followed by a new start."""
    k = client_kind(p, False)
    w = p.java(p.choose("Lifecycle", "ServerMain"))
    t = client_type(w, k)
    w.write(
        """
        private $t consumer;
        private volatile boolean running;

        public void start(String group, String topic) throws Exception {
        if (running) {
        return;
        }
        consumer = new $t(group);
        consumer.subscribe(topic, "*");
        $listener
        consumer.start();
        running = true;
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
        }

        public void stop() {
        if (consumer != null) {
        consumer.unsubscribe("gone");
        consumer.shutdown();
        consumer = null;
        }
        running = false;
        }
        """,
        t=t,
        listener=lines(listener(p, w, k, "consumer")),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic"])
        v, other = p.uid("server"), p.instance()
        out = [*pre, f"{c.use(w)} {v} = new {c.use(w)}();", f"{v}.start({a['group']}, {a['topic']});"]
        if p.chance(0.5):
            if p.chance(0.5):
                out.append(f"{v}.stop();")
            out.append(f"{v}.start({lit(other['group'])}, {lit(other['topic'])});")
        return out

    return use


@shape()
def read_properties(p: JavaProgram) -> Use:
    """Properties from a text of the program, with defaults, prefixes and lists in values."""
    o = opener(p, client_kind(p))
    w = p.java(p.choose("PropertyStart", "Configured"))
    imports(w, "Properties")
    w.imp("java.io.StringReader")
    w.write(
        """
        public static void start(String text, String name) throws Exception {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        String group = properties.getProperty(name + ".group", name + "-cg");
        if (!Boolean.parseBoolean(properties.getProperty(name + ".enabled", "true"))) {
        return;
        }
        for (String topic : properties.getProperty(name + ".topics", "").split(",")) {
        if (!topic.isEmpty()) {
        $o.open(group + "-" + topic.trim(), topic.trim(), properties.getProperty("tags"));
        }
        }
        }
        """,
        o=w.use(o),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        name, n = inst["word"], p.uid("TEXT")
        rows = [
            f"{name}.topics={inst['topic']}" + p.choose("", f", {p.word()}-p"),
            f"tags = {p.choose('*', 'a || b')}",
        ]
        if p.chance(0.5):
            rows.append(f"{name}.group={inst['group']}")
        if p.chance(0.3):
            rows.insert(0, f"{name}.enabled={inst['flag']}")
        if p.chance(0.3):
            rows.insert(0, "# comment")
        c.add(f'private static final String {n} = """\n' + "\n".join(rows) + '\n""";')
        return [f'{c.use(w)}.start({n}, "{name}");']

    return use


@value()
def labelled_search(p: JavaProgram, c: Java, text: str, d: int) -> str:
    """A text found in nested loops with labels."""
    name, inner = p.uid("search"), p.val(c, text, d + 1)
    c.add(
        f"private static String {name}(String wanted) {{\n"
        + 'String found = "none";\n'
        + "outer:\nfor (int i = 0; i < 3; i++) {\nfor (int j = 0; j < 3; j++) {\n"
        + "if (j > i) {\ncontinue outer;\n}\n"
        + f'found = wanted + "-" + i + j;\nif (i + j == {p.rng.randint(0, 5)}) {{\nbreak outer;\n}}\n'
        + "}\n}\nreturn found;\n}"
    )
    return f"{name}({inner})"


@value()
def char_cases(p: JavaProgram, c: Java, text: str, d: int) -> str:
    """A text built character by character, with a switch over them."""
    name, inner = p.uid("encode"), p.val(c, text, d + 1)
    c.add(
        f"private static String {name}(String text) {{\nStringBuilder out = new StringBuilder();\n"
        + "for (char each : text.toCharArray()) {\nswitch (each) {\ncase '-':\ncase '_':\nout.append('x');\nbreak;\n"
        + "case 'o':\nout.append(0);\nbreak;\ndefault:\n"
        + "out.append(Character.isUpperCase(each) ? Character.toLowerCase(each) : each);\n}\n}\nreturn out.toString();\n}"
    )
    return f"{name}({inner})"


@value()
def ternary_null(p: JavaProgram, c: Java, text: str, d: int) -> str:
    imports(c, "Objects")
    inner, other = p.val(c, text, d + 1), lit(p.word())
    return p.choose(
        f"Objects.requireNonNullElse(null, {inner})",
        f"Objects.requireNonNull({inner})",
        f"(Objects.equals({other}, {inner}) ? {other} : {inner})",
        f"Objects.toString(null, {inner})",
        f"(Objects.isNull({inner}) ? {other} : {inner})",
        f"Objects.requireNonNullElseGet(null, () -> {inner})",
    )
