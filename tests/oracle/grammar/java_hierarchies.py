"""Consumers of Java programs behind several levels of inheritance, default methods, decorators, trees and iterators."""

from __future__ import annotations

from tests.oracle.frame import Texts, lit
from tests.oracle.grammar.java_flows import opener
from tests.oracle.grammar.java_registries import imports
from tests.oracle.java import Java, JavaProgram, Use, shape
from tests.oracle.java_arguments import actuals
from tests.oracle.java_client import client_kind, client_type, lines, listener, whole

VALUES = ["group", "topic", "tags"]


@shape()
def three_levels(p: JavaProgram) -> Use:
    """Each level adds to what the one above did, by calls of `super`."""
    k = client_kind(p, False)
    base = p.java("RootConsumer", "abstract class")
    t = client_type(base, k)
    base.write(
        """
        protected final String group;

        protected $n(String group) {
        this.group = group;
        }

        protected void subscribe($t consumer) throws Exception {
        consumer.subscribe(topic(), tags());
        }

        protected abstract String topic();

        protected String tags() {
        return "*";
        }

        public void start() throws Exception {
        $t consumer = new $t(group);
        subscribe(consumer);
        $listener
        consumer.start();
        }
        """,
        n=base.name,
        t=t,
        listener=lines(listener(p, base, k, "consumer")),
    )
    middle = p.java("MiddleConsumer", "abstract class")
    middle.head = f" extends {middle.use(base)}"
    middle.method(
        f"protected {middle.name}(String group)",
        [f"super({p.choose('group', chr(34) + 'm-' + chr(34) + ' + group')});"],
    )
    extra = p.choose("", f'consumer.subscribe("{p.word()}-middle", "m");')
    middle.override(
        f"protected void subscribe({client_type(middle, k)} consumer) throws Exception",
        lines(["super.subscribe(consumer);", *([extra] if extra else [])]),
    )
    middle.override("protected String tags()", 'return "middle";')

    def use(c: Java, inst: Texts) -> list[str]:
        leaf = p.java("LeafConsumer")
        leaf.head = f" extends {leaf.use(middle)}"
        leaf.method(f"public {leaf.name}()", [f"super({lit(inst['group'])});"])
        leaf.override("protected String topic()", f"return {p.val(leaf, inst['topic'])};")
        if p.chance(0.5):
            leaf.override(
                "protected String tags()",
                f"return {p.choose('super.tags()', 'super.tags() + ' + lit(' || leaf'), lit(inst['tags']))};",
            )
        if p.chance(0.4):
            body = ["super.subscribe(consumer);", f'consumer.subscribe("{p.word()}-leaf", tags());']
            if p.chance(0.3):
                body = body[1:]
            leaf.override(
                f"protected void subscribe({client_type(leaf, k)} consumer) throws Exception", lines(body)
            )
        return [f"new {c.use(leaf)}().start();"]

    return use


@shape()
def final_template(p: JavaProgram) -> Use:
    """`start` is final and calls hooks, some of which have defaults."""
    k = client_kind(p, False)
    base = p.java("TemplateConsumer", "abstract class")
    t = client_type(base, k)
    imports(base, "List")
    base.write(
        """
        public final void start() throws Exception {
        if (!enabled()) {
        return;
        }
        $t consumer = new $t(groupPrefix() + getClass().getSimpleName());
        for (String topic : topics()) {
        consumer.subscribe(topic, tagsOf(topic));
        }
        customize(consumer);
        $listener
        consumer.start();
        }

        protected abstract List<String> topics();

        protected String tagsOf(String topic) {
        return "*";
        }

        protected boolean enabled() {
        return true;
        }

        protected String groupPrefix() {
        return "";
        }

        protected void customize($t consumer) throws Exception {
        }
        """,
        t=t,
        listener=lines(listener(p, base, k, "consumer")),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        leaf = p.java("Templated")
        leaf.head = f" extends {leaf.use(base)}"
        imports(leaf, "List")
        many = ", ".join([p.val(leaf, inst["topic"]), *(lit(x["topic"]) for x in p.instances(0, 1))])
        leaf.override("protected List<String> topics()", f"return List.of({many});")
        if p.chance(0.5):
            leaf.override(
                "protected String tagsOf(String topic)",
                f"return topic.equals({lit(inst['topic'])}) ? {lit(inst['tags'])} : super.tagsOf(topic);",
            )
        if p.chance(0.3):
            leaf.override(
                "protected boolean enabled()", f"return {p.choose('false', 'topics().size() > 1')};"
            )
        if p.chance(0.4):
            leaf.override("protected String groupPrefix()", f'return "{p.word()}-";')
        if p.chance(0.3):
            leaf.override(
                f"protected void customize({client_type(leaf, k)} consumer) throws Exception",
                f'consumer.subscribe("{p.word()}-custom", "*");',
            )
        return [f"new {c.use(leaf)}().start();"]

    return use


@shape()
def constructor_calls_override(p: JavaProgram) -> Use:
    """The constructor of the base calls a method of the subclass before its fields have values."""
    o = opener(p, client_kind(p))
    base = p.java("EarlyBase", "abstract class")
    base.write(
        """
        protected final String seen;

        protected $n() {
        seen = topic();
        }

        protected abstract String topic();

        public void open(String group) {
        $o.open(group, seen == null ? "early-null" : seen, topic());
        }
        """,
        n=base.name,
        o=base.use(o),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        leaf = p.java("EarlyLeaf")
        leaf.head = f" extends {leaf.use(base)}"
        kind = p.choose("private String", "private final String", "private static final String")
        leaf.add(
            f"{kind} name = {p.choose(lit(inst['topic']), 'String.valueOf(' + lit(inst['topic']) + ')')};"
        )
        leaf.override("protected String topic()", "return name;")
        pre, a = actuals(p, c, inst, ["group"])
        return [*pre, f"new {c.use(leaf)}().open({a['group']});"]

    return use


@shape()
def default_methods(p: JavaProgram) -> Use:
    """An interface whose default method opens; records and classes implement it."""
    i = p.java(p.choose("Subscribable", "Listens"), "interface")
    names = {"group": "group()", "topic": "topic()", "tags": "tags()"}
    i.write(
        """
        String topic();

        default String group() {
        return topic() + $suffix;
        }

        default String tags() {
        return defaultTags();
        }

        static String defaultTags() {
        return $tags;
        }

        default void open() throws Exception {
        $body
        }
        """,
        suffix=lit("-" + p.word()),
        tags=lit(p.choose("*", "d1 || d2")),
        body=lines(whole(p, i, client_kind(p), names)),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        form = p.rng.randint(0, 3)
        if form == 0:
            r = p.java("Subscribing", "record")
            r.head = f"(String topic, String tags) implements {r.use(i)}"
            return [f"new {c.use(r)}({p.val(c, inst['topic'])}, {lit(inst['tags'])}).open();"]
        if form == 1:
            n = c.use(i)
            c.add(
                f"private static final {n} {p.uid('ONE')} = new {n}() {{\n@Override\npublic String topic() {{\n"
                f"return {lit(inst['topic'])};\n}}\n}};"
            )
            v = c.members[-1].split(" = ")[0].rsplit(" ", 1)[1]
            return [f"{v}.open();"]
        if form == 2:
            v = p.uid("subscribing")
            return [f"{c.use(i)} {v} = () -> {p.val(c, inst['topic'])};", f"{v}.open();"]
        e = p.java("SubscribingKind", "enum", "")
        e.head = f" implements {e.use(i)}"
        e.lead = f"{inst['word'].upper()}, OTHER;"
        e.override("public String topic()", 'return name().toLowerCase() + "-events";')
        if p.chance(0.5):
            e.override("public String group()", f"return {e.use(i)}.super.group().toUpperCase();")
        return [f"{c.use(e)}.{inst['word'].upper()}.open();"]

    return use


@shape()
def two_defaults(p: JavaProgram) -> Use:
    """Two interfaces with a default of one name: the class says which, and how."""
    o = opener(p, client_kind(p))
    first, second = p.java("NamedTopic", "interface"), p.java("SuffixedTopic", "interface")
    first.method("default String topic(String base)", [f'return base + "-{p.word()}";'])
    second.method("default String topic(String base)", ["return base.toUpperCase();"])
    both = p.java("BothTopics")
    both.head = f" implements {both.use(first)}, {both.use(second)}"
    a, b = f"{both.use(first)}.super.topic(base)", f"{both.use(second)}.super.topic(base)"
    both.override(
        "public String topic(String base)",
        f"return {p.choose(a, b, a + ' + ' + b, both.use(second) + '.super.topic(' + a + ')')};",
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, x = actuals(p, c, inst, VALUES)
        return [*pre, f"{c.use(o)}.open({x['group']}, new {c.use(both)}().topic({x['topic']}), {x['tags']});"]

    return use


@shape()
def stacked_decorators(p: JavaProgram) -> Use:
    """Decorators of one interface around each other, each changing what it passes on."""
    o = opener(p, client_kind(p))
    i = p.java(p.choose("Gate", "Port"), "interface")
    i.add("void open(String group, String topic, String tags);")
    inner = p.java("PlainGate")
    inner.head = f" implements {inner.use(i)}"
    inner.override(
        "public void open(String group, String topic, String tags)",
        f"{inner.use(o)}.open(group, topic, tags);",
    )
    base = p.java("ForwardingGate", "abstract class")
    base.head = f" implements {base.use(i)}"
    base.write(
        """
        private final $i delegate;

        protected $n($i delegate) {
        this.delegate = delegate;
        }

        @Override
        public void open(String group, String topic, String tags) {
        delegate.open(group, topic, tags);
        }
        """,
        i=base.use(i),
        n=base.name,
    )
    decorators = []
    for name, call in (
        ("PrefixGate", '"p-" + group, topic, tags'),
        ("TaggedGate", 'group, topic, "*".equals(tags) ? "tagged" : tags'),
        ("LowerGate", "group, topic.toLowerCase(), tags"),
        ("DoubleGate", ""),
    ):
        d = p.java(name)
        d.head = f" extends {d.use(base)}"
        d.method(f"public {d.name}({d.use(i)} delegate)", ["super(delegate);"])
        body = [f"super.open({call});"]
        if not call:
            body = ["super.open(group, topic, tags);", 'super.open(group + "-2", topic, tags);']
        d.override("public void open(String group, String topic, String tags)", lines(body))
        decorators.append(d)

    def use(c: Java, inst: Texts) -> list[str]:
        made = f"new {c.use(inner)}()"
        for d in p.rng.sample(decorators, p.rng.randint(1, 3)):
            made = f"new {c.use(d)}({made})"
        pre, a = actuals(p, c, inst, VALUES)
        return [*pre, f"{made}.open({a['group']}, {a['topic']}, {a['tags']});"]

    return use


@shape()
def generic_handler(p: JavaProgram) -> Use:
    """A generic base; anonymous and nested subclasses say the type and the rest."""
    base = p.java("Handler", "abstract class")
    base.head = "<T>"
    names = {"group": "group", "topic": "topic()", "tags": "type().getSimpleName()"}
    base.write(
        """
        private final String group;

        protected $n(String group) {
        this.group = group;
        }

        protected abstract Class<T> type();

        protected abstract String topic();

        protected void handle(T message) {
        }

        public void start() throws Exception {
        $body
        }
        """,
        n=base.name,
        body=lines(whole(p, base, client_kind(p), names)),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        n, kind = c.use(base), p.choose("String", "Integer")
        members = lines(
            [
                f"@Override\nprotected Class<{kind}> type() {{\nreturn {kind}.class;\n}}",
                f"@Override\nprotected String topic() {{\nreturn {lit(inst['topic'])};\n}}",
            ]
        )
        if p.chance(0.5):
            return [f"new {n}<{kind}>({p.val(c, inst['group'])}) {{", *members.split("\n"), "}.start();"]
        name = p.uid("NestedHandler")
        c.add(
            f"private static class {name} extends {n}<{kind}> {{\n{name}() {{\nsuper({lit(inst['group'])});\n}}\n{members}\n}}"
        )
        return [f"new {name}().start();"]

    return use


@shape()
def inherited_fields(p: JavaProgram) -> Use:
    """Protected fields with defaults, assigned anew by initialisers and constructors of subclasses."""
    base = p.java("FieldBase", "abstract class")
    base.add(
        f'protected String group = "{p.word()}-base-cg";\n'
        f'protected String topic = "{p.word()}-base";\nprotected String tags = "*";'
    )
    base.method(
        "public void start() throws Exception", whole(p, base, client_kind(p), {n: n for n in VALUES})
    )

    def use(c: Java, inst: Texts) -> list[str]:
        leaf = p.java("FieldLeaf", package=base.package)
        leaf.head = f" extends {leaf.use(base)}"
        form = p.rng.randint(0, 4)
        if form == 0:
            leaf.method(
                f"public {leaf.name}()",
                [f"group = {p.val(leaf, inst['group'])};", f"this.topic = {lit(inst['topic'])};"],
            )
        elif form == 1:
            leaf.add(f"{{\ngroup = {lit(inst['group'])};\n}}")
            leaf.method(f"public {leaf.name}()", ['super.topic = topic + "-of-leaf";'])
        elif form == 2:
            leaf.add(f"private String topic = {lit(inst['topic'])};")  # hides, changes nothing
            leaf.method(f"public {leaf.name}()", [f"this.group = {lit(inst['group'])};"])
        elif form == 3:
            leaf.override(
                "public void start() throws Exception",
                lines([f"tags = {lit(inst['tags'])};", "super.start();"]),
            )
        else:
            leaf.method(
                f"public {leaf.name} with(String group, String topic)",
                ["this.group = group;", "this.topic = topic;", "return this;"],
            )
            return [
                f"new {c.use(leaf)}().with({p.val(c, inst['group'])}, {p.val(c, inst['topic'])}).start();"
            ]
        return [f"new {c.use(leaf)}().start();"]

    return use


@shape()
def outer_of_inner(p: JavaProgram) -> Use:
    """An inner object reads the fields of the outer one that made it, when it runs."""
    w = p.java(p.choose("OuterStation", "Yard"))
    names = {"group": "group", "topic": f"{w.name}.this.topic", "tags": "tags"}
    w.write(
        """
        private final String group;
        private String topic;

        public $n(String group, String topic) {
        this.group = group;
        this.topic = topic;
        }

        public void rename(String topic) {
        this.topic = topic;
        }

        public Inner inner(String tags) {
        return new Inner(tags);
        }

        public class Inner {
        private final String tags;

        Inner(String tags) {
        this.tags = tags;
        }

        public void open() throws Exception {
        $body
        }
        }
        """,
        n=w.name,
        body=lines(whole(p, w, client_kind(p), names)),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        v, n, inner = p.uid("yard"), c.use(w), p.uid("inner")
        out = [*pre, f"{n} {v} = new {n}({a['group']}, {a['topic']});"]
        out.append(f"{n}.Inner {inner} = {p.choose(f'{v}.inner', f'{v}.inner')}({a['tags']});")
        if p.chance(0.5):
            out.append(f'{v}.rename("{p.word()}-renamed");')
        return [*out, f"{inner}.open();"]

    return use


@shape()
def tree_of_nodes(p: JavaProgram) -> Use:
    """A tree is walked by recursion; what is passed down grows."""
    o = opener(p, client_kind(p))
    w = p.java(p.choose("Node", "Branch"))
    imports(w, "List", "ArrayList")
    w.write(
        """
        private final String name;
        private final List<$n> children = new ArrayList<>();

        public $n(String name, $n... children) {
        this.name = name;
        for ($n each : children) {
        this.children.add(each);
        }
        }

        public void open(String path, String tags) {
        String here = path.isEmpty() ? name : path + $sep + name;
        if (children.isEmpty()) {
        $o.open(here + "-cg", here, tags);
        }
        for ($n each : children) {
        each.open(here, tags);
        }
        }
        """,
        n=w.name,
        o=w.use(o),
        sep=lit(p.choose("-", "_")),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["topic", "tags"])
        n = c.use(w)
        made = p.choose(
            f"new {n}({a['topic']})",
            f'new {n}({a["topic"]}, new {n}("left"), new {n}("right"))',
            f'new {n}("root", new {n}({a["topic"]}, new {n}("deep")), new {n}("{p.word()}"))',
        )
        return [*pre, f'{made}.open("", {a["tags"]});']

    return use


@shape()
def own_iterable(p: JavaProgram) -> Use:
    """A class of the program that can be walked: its iterator counts, skips or ends early."""
    o = opener(p, client_kind(p))
    w = p.java(p.choose("TopicRange", "Walkable"))
    imports(w, "Iterator", "NoSuchElementException")
    w.head = " implements Iterable<String>"
    w.write(
        """
        private final String[] names;

        public $n(String... names) {
        this.names = names;
        }

        @Override
        public Iterator<String> iterator() {
        return new Iterator<String>() {
        private int at = $first;

        @Override
        public boolean hasNext() {
        return at < names.length;
        }

        @Override
        public String next() {
        if (!hasNext()) {
        throw new NoSuchElementException();
        }
        String found = names[at];
        at += $step;
        return found;
        }
        };
        }
        """,
        n=w.name,
        first=p.choose("0", "0", "1"),
        step=p.choose("1", "2"),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "tags"])
        g, x = p.uid("inGroup"), p.uid("withTags")
        names = ", ".join(lit(one["topic"]) for one in [inst, *p.instances(0, 2)])
        out = [*pre, f"String {g} = {a['group']};", f"String {x} = {a['tags']};"]
        if p.chance(0.3):
            return [
                *out,
                f'new {c.use(w)}({names}).forEach(each -> {c.use(o)}.open({g} + "-" + each, each, {x}));',
            ]
        out += [f"for (String each : new {c.use(w)}({names})) {{"]
        return [*out, f'{c.use(o)}.open({g} + "-" + each, each, {x});', "}"]

    return use


@shape()
def overloads(p: JavaProgram) -> Use:
    """One name, several parameter lists, that call each other."""
    o = opener(p, client_kind(p))
    r = p.java("Asked", "record", "(String group, String topic)")
    w = p.java(p.choose("Overloaded", "OpensAnything"))
    imports(w, "List", "Map")
    w.write(
        """
        public static void open(String topic) {
        open("$word-default-cg", topic);
        }

        public static void open(String group, String topic) {
        open(group, topic, "*");
        }

        public static void open(String group, String topic, String tags) {
        $o.open(group, topic, tags);
        }

        public static void open($r one) {
        open(one.group(), one.topic(), "asked");
        }

        public static void open(List<$r> many) {
        many.forEach($n::open);
        }

        public static void open(String group, int number) {
        open(group + number, group + "-topic-" + number, "n");
        }

        public static void open(String group, Map<String, String> topics) {
        topics.forEach((topic, tags) -> open(group, topic, tags));
        }

        public static void open(Object other) {
        open("object-cg", other.toString());
        }
        """,
        word=p.word(),
        o=w.use(o),
        r=w.use(r),
        n=w.name,
    )
    w.members = [
        m.replace(
            f"many.forEach({w.name}::open)", f"for ({w.use(r)} each : many) {{\nopen(each);\n}}"
        ).replace("}\n;", "}")
        for m in w.members
    ]

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        n, one = c.use(w), f"new {c.use(r)}({a['group']}, {a['topic']})"
        imports(c, "List", "Map")
        call = p.choose(
            a["topic"],
            f"{a['group']}, {a['topic']}",
            f"{a['group']}, {a['topic']}, {a['tags']}",
            one,
            f"List.of({one})",
            f"{a['group']}, 7",
            f"{a['group']}, Map.of({a['topic']}, {a['tags']})",
            f"(Object) {lit(inst['topic'])}",
            f"new StringBuilder({lit(inst['topic'])})",
        )
        return [*pre, f"{n}.open({call});"]

    return use


@shape()
def covariant_parts(p: JavaProgram) -> Use:
    """A subclass gives a narrower settings object, whose methods answer otherwise."""
    settings = p.java("PartSettings")
    settings.write(
        """
        public String topic() {
        return $base;
        }

        public String tags() {
        return "*";
        }
        """,
        base=lit(p.word() + "-parts"),
    )
    base = p.java("PartsBase")
    body = whole(
        p,
        base,
        client_kind(p),
        {"group": "group", "topic": "settings().topic()", "tags": "settings().tags()"},
    )
    base.method(f"protected {base.use(settings)} settings()", [f"return new {base.use(settings)}();"])
    base.method("public void start(String group) throws Exception", body)

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group"])
        if p.chance(0.25):
            return [*pre, f"new {c.use(base)}().start({a['group']});"]
        narrow = p.java("NarrowSettings")
        narrow.head = f" extends {narrow.use(settings)}"
        narrow.override(
            "public String topic()",
            f"return {p.choose(lit(inst['topic']), 'super.topic() + ' + lit('-narrow'))};",
        )
        leaf = p.java("PartsLeaf")
        leaf.head = f" extends {leaf.use(base)}"
        leaf.override(f"protected {leaf.use(narrow)} settings()", f"return new {leaf.use(narrow)}();")
        return [*pre, f"new {c.use(leaf)}().start({a['group']});"]

    return use


@shape()
def sealed_kinds(p: JavaProgram) -> Use:
    """A sealed interface of records, told apart by patterns."""
    o = opener(p, client_kind(p))
    i = p.java("Demand", "sealed interface")
    i.write(
        """
        record One(String group, String topic) implements $n {
        }

        record Many(String group, String... topics) implements $n {
        }

        record Nothing() implements $n {
        }

        static void open($n demand) {
        if (demand instanceof One one) {
        $o.open(one.group(), one.topic(), "*");
        } else if (demand instanceof Many many && many.topics().length > 0) {
        for (String each : many.topics()) {
        $o.open(many.group() + "-" + each, each, "many");
        }
        } else if (!(demand instanceof Nothing)) {
        $o.open("none-cg", "none", "*");
        }
        }
        """,
        n=i.name,
        o=i.use(o),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic"])
        n = c.use(i)
        made = p.choose(
            f"new {n}.One({a['group']}, {a['topic']})",
            f'new {n}.Many({a["group"]}, {a["topic"]}, "{p.word()}-two")',
            f"new {n}.Many({a['group']})",
            f"new {n}.Nothing()",
        )
        return [*pre, f"{n}.open({made});"]

    return use


@shape()
def delegated_client(p: JavaProgram) -> Use:
    """A wrapper hands out parts of itself; what is done on a part is done on the one client."""
    k = client_kind(p, False)
    w = p.java(p.choose("ClientHandle", "Managed"))
    t = client_type(w, k)
    w.write(
        """
        private final $t delegate;

        private $n($t delegate) {
        this.delegate = delegate;
        }

        public static $n of(String group) {
        return wrap(new $t(group));
        }

        public static $n wrap($t delegate) {
        return new $n(delegate);
        }

        public Topics topics() {
        return new Topics();
        }

        public $t unwrap() {
        return delegate;
        }

        public class Topics {
        public Topics add(String topic, String tags) throws Exception {
        unwrap().subscribe(topic, tags);
        return this;
        }

        public Topics drop(String topic) {
        delegate.unsubscribe(topic);
        return this;
        }

        public $n done() {
        return $n.this;
        }
        }
        """,
        n=w.name,
        t=t,
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        t, made = client_type(c, k), f"{c.use(w)}.of({a['group']})"
        if p.chance(0.3):
            made = f"{c.use(w)}.wrap(new {t}({a['group']}))"
        calls = f".topics().add({a['topic']}, {a['tags']})"
        if p.chance(0.4):
            other = lit(p.word() + "-part")
            calls += f'.add({other}, "*")' + p.choose("", f".drop({other})")
        return [*pre, f"{made}{calls}.done().unwrap().start();"]

    return use
