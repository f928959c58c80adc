"""Consumers of Java programs at the end of streams, function pipelines, and texts that are taken apart."""

from __future__ import annotations

from tests.oracle.frame import Texts, lit
from tests.oracle.grammar.java_flows import opener, route_record, routes
from tests.oracle.grammar.java_registries import imports
from tests.oracle.java import Java, JavaProgram, Use, shape, value
from tests.oracle.java_arguments import actuals
from tests.oracle.java_client import client_kind, client_type, lines, listener

VALUES = ["group", "topic", "tags"]


@shape()
def grouped_routes(p: JavaProgram) -> Use:
    """Routes grouped by their group: a client a group, a subscription a route."""
    k = client_kind(p, False)
    r = route_record(p)
    g = p.java(p.choose("GroupedStart", "RouteStarter"))
    t = client_type(g, k)
    imports(g, "Map", "List", "LinkedHashMap", "stream.Collectors")
    g.write(
        """
        public static void start(List<$r> routes) throws Exception {
        Map<String, List<$r>> grouped = $grouped;
        for (Map.Entry<String, List<$r>> each : grouped.entrySet()) {
        $t consumer = new $t(each.getKey());
        for ($r route : each.getValue()) {
        consumer.subscribe(route.topic(), route.tags());
        }
        $listener
        consumer.start();
        }
        }
        """,
        r=g.use(r),
        t=t,
        grouped=p.choose(
            f"routes.stream().collect(Collectors.groupingBy({g.use(r)}::group))",
            f"routes.stream().filter({g.use(r)}::on)"
            ".collect(Collectors.groupingBy(route -> route.group(), LinkedHashMap::new, Collectors.toList()))",
        ),
        listener=lines(listener(p, g, k, "consumer")),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        rows = [inst, *p.instances(1, 2)]
        if p.chance(0.7):
            rows[-1] = {**rows[-1], "group": inst["group"]}
        imports(c, "List")
        return [f"{c.use(g)}.start(List.of({routes(p, c, r, rows)}));"]

    return use


@shape()
def joined_tags(p: JavaProgram) -> Use:
    """A list of tags becomes an expression, in one of the ways people write it."""
    o = opener(p, client_kind(p))
    h = p.java(p.choose("TagJoiner", "Expressions"))
    imports(h, "List", "StringJoiner", "stream.Collectors")
    body = p.rng.choice(
        [
            ['return String.join(" || ", tags);'],
            ['return tags.stream().map(String::trim).collect(Collectors.joining("||"));'],
            [
                'return tags.stream().filter(tag -> !tag.isEmpty()).distinct().sorted().collect(Collectors.joining(" || "));'
            ],
            [
                'StringJoiner joiner = new StringJoiner(" || ");',
                "for (String tag : tags) {",
                "joiner.add(tag);",
                "}",
                "return joiner.toString();",
            ],
            [
                "StringBuilder out = new StringBuilder();",
                "for (String tag : tags) {",
                "if (out.length() > 0) {",
                'out.append(" || ");',
                "}",
                "out.append(tag);",
                "}",
                "return out.toString();",
            ],
            [
                "StringBuilder out = new StringBuilder();",
                "for (int i = 0; i < tags.size(); i++) {",
                'out.append(tags.get(i)).append(i < tags.size() - 1 ? "||" : "");',
                "}",
                "return out.toString();",
            ],
            [
                'String out = "";',
                "for (String tag : tags) {",
                'out += tag + "||";',
                "}",
                'return out.isEmpty() ? "*" : out.substring(0, out.length() - 2);',
            ],
            ['return tags.stream().reduce((left, right) -> left + " || " + right).orElse("*");'],
        ]
    )
    h.method("public static String of(List<String> tags)", body)

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group", "topic"])
        imports(c, "List", "Arrays")
        names = ", ".join(
            lit(tag) for tag in p.rng.sample(["b", "a", "c", "paid", "created"], p.rng.randint(1, 3))
        )
        many = p.choose(
            f"List.of({names})", f"Arrays.asList({names})", f"Arrays.asList(new String[] {{{names}}})"
        )
        return [*pre, f"{c.use(o)}.open({a['group']}, {a['topic']}, {c.use(h)}.of({many}));"]

    return use


@value()
def function_pipeline(p: JavaProgram, c: Java, text: str, d: int) -> str:
    imports(c, "function.Function", "function.UnaryOperator")
    n = p.uid("NAMING")
    steps = p.rng.sample(
        ['s -> s + "-x"', "String::toLowerCase", f's -> "{p.word()}." + s', "String::trim"], 2
    )
    first, second = (f"(({'Function<String, String>'}) {step})" for step in steps)
    made = p.choose(
        f"{first}.andThen({second})",
        f"{first}.compose({second})",
        f"Function.<String>identity().andThen({first})",
    )
    c.add(f"private static final Function<String, String> {n} = {made};")
    return f"{n}.apply({p.val(c, text, d + 1)})"


@value()
def stream_pick(p: JavaProgram, c: Java, text: str, d: int) -> str:
    """One of several texts, chosen by a stream."""
    imports(c, "stream.Stream", "Comparator", "Objects")
    inner, other = p.val(c, text, d + 1), lit(p.word())
    return p.choose(
        f'Stream.of({other}, {inner}).filter(s -> s.contains("{text[-2:]}")).findFirst().orElse("none")',
        f"Stream.of({inner}, {other}).min(Comparator.naturalOrder()).get()",
        f"Stream.of({inner}, {other}).max(Comparator.comparingInt(String::length)).get()",
        f"Stream.<String>of(null, {inner}).filter(Objects::nonNull).findFirst().get()",
        f"Stream.of({other}, {inner}).reduce((left, right) -> right).get()",
        f"Stream.concat(Stream.of({inner}), Stream.of({other})).skip(1).findAny().get()",
    )


@shape()
def curried(p: JavaProgram) -> Use:
    """A function that gives a function that opens."""
    o = opener(p, client_kind(p))
    f = p.java(p.choose("Curried", "Openings"))
    imports(f, "function.Function", "function.Consumer", "function.BiConsumer")
    f.write(
        """
        public static Function<String, Consumer<String>> in(String group) {
        return topic -> tags -> $o.open(group, topic, tags);
        }

        public static BiConsumer<String, String> grouped(String group) {
        return (topic, tags) -> $o.open(group, topic, tags);
        }
        """,
        o=f.use(o),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        n = c.use(f)
        if p.chance(0.4):
            return [*pre, f"{n}.grouped({a['group']}).accept({a['topic']}, {a['tags']});"]
        if p.chance(0.5):
            v = p.uid("inGroup")
            imports(c, "function.Function", "function.Consumer")
            out = [*pre, f"Function<String, Consumer<String>> {v} = {n}.in({a['group']});"]
            out.append(f"{v}.apply({a['topic']}).accept({a['tags']});")
            return [*out, f'{v}.apply("{p.word()}-cur").accept("*");']
        return [*pre, f"{n}.in({a['group']}).apply({a['topic']}).accept({a['tags']});"]

    return use


@shape()
def folded_customizers(p: JavaProgram) -> Use:
    """A list of changes is applied to settings, one after the other."""
    o = opener(p, client_kind(p))
    s = p.java("Wanted", "record", "(String group, String topic, String tags)")
    s.write(
        """
        public $n withTopic(String topic) {
        return new $n(group, topic, tags);
        }

        public $n withTags(String tags) {
        return new $n(group, topic, tags);
        }
        """,
        n=s.name,
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        imports(c, "List", "function.UnaryOperator")
        n, v, w = c.use(s), p.uid("changes"), p.uid("wanted")
        changes = p.rng.sample(
            [
                'one -> one.withTopic(one.topic() + "-v2")',
                'one -> one.withTags("changed")',
                'one -> one.tags().equals("*") ? one.withTags("all") : one',
                f"one -> new {n}(one.group(), one.topic().toLowerCase(), one.tags())",
            ],
            2,
        )
        out = [*pre, f"List<UnaryOperator<{n}>> {v} = List.of({', '.join(changes)});"]
        out.append(f"{n} {w} = new {n}({a['group']}, {a['topic']}, {a['tags']});")
        out += [f"for (UnaryOperator<{n}> each : {v}) {{", f"{w} = each.apply({w});", "}"]
        return [*out, f"{c.use(o)}.open({w}.group(), {w}.topic(), {w}.tags());"]

    return use


@shape()
def optional_client(p: JavaProgram) -> Use:
    k = client_kind(p, False)
    w = p.java(p.choose("OptionalStart", "MaybeConsumer"))
    t = client_type(w, k)
    imports(w, "Optional")
    w.write(
        """
        public static Optional<$t> make(String group) {
        return Optional.ofNullable(group).filter(name -> !name.isBlank()).map($t::new);
        }

        public static void begin(String group, String topic, String tags) {
        make(group).ifPresent(consumer -> {
        try {
        consumer.subscribe(topic, Optional.ofNullable(tags).orElse("*"));
        $listener
        consumer.start();
        } catch (Exception e) {
        throw new IllegalStateException(e);
        }
        });
        }
        """,
        t=t,
        listener=lines(listener(p, w, k, "consumer")),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        group = p.choose(a["group"], a["group"], a["group"], '" "', "null")
        tags = p.choose(a["tags"], "null")
        return [*pre, f"{c.use(w)}.begin({group}, {a['topic']}, {tags});"]

    return use


@shape()
def flat_mapped(p: JavaProgram) -> Use:
    """Groups to lists of topics, flattened into calls."""
    o = opener(p, client_kind(p))

    def use(c: Java, inst: Texts) -> list[str]:
        imports(c, "Map", "List", "LinkedHashMap", "stream.Stream")
        v, other = p.uid("byGroup"), p.instance()
        out = [f"Map<String, List<String>> {v} = new LinkedHashMap<>();"]
        out.append(f"{v}.put({p.val(c, inst['group'])}, List.of({lit(inst['topic'])}));")
        topics = p.choose("", lit(other["topic"]))
        out.append(f"{v}.put({lit(other['group'])}, List.of({topics}));")
        form = p.rng.randint(0, 2)
        if form == 0:
            out.append(
                f'{v}.forEach((group, topics) -> topics.forEach(topic -> {c.use(o)}.open(group + topics.size(), topic, "*")));'
            )
        elif form == 1:
            out += [
                f"{v}.entrySet().stream()",
                ".flatMap(each -> each.getValue().stream().map(topic -> new String[] {each.getKey(), topic}))",
                f'.forEach(row -> {c.use(o)}.open(row[0], row[1], "f"));',
            ]
        else:
            out += [
                f"for (String group : {v}.keySet()) {{",
                f"for (String topic : {v}.get(group)) {{",
                f'{c.use(o)}.open(group, topic, {v}.size() > 1 ? "many" : "one");',
                "}",
                "}",
            ]
        return out

    return use


@shape()
def numbered_stream(p: JavaProgram) -> Use:
    o = opener(p, client_kind(p))

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["tags"])
        n, w = c.use(o), inst["word"]
        imports(c, "stream.IntStream", "stream.Stream")
        v = p.uid("shardTags")
        out = [*pre, f"final String {v} = {a['tags']};"]
        form = p.rng.randint(0, 3)
        if form == 0:
            out.append(
                f'IntStream.rangeClosed(1, 2).forEach(i -> {n}.open("{w}-cg-" + i, "{w}-topic-" + i, {v}));'
            )
        elif form == 1:
            out.append(
                f'IntStream.range(0, 4).filter(i -> i % 2 == 1).mapToObj(i -> "{w}" + i)'
                f'.forEach(s -> {n}.open(s + "-cg", s, {v}));'
            )
        elif form == 2:
            out.append(
                f'Stream.iterate(1, i -> i * 2).limit(2).forEach(i -> {n}.open("{w}-cg" + i, "{w}", {v}));'
            )
        else:
            out += [
                "for (char shard = 'a'; shard <= 'b'; shard++) {",
                f'{n}.open("{w}-" + shard, "{w}-topic-" + shard, {v});',
                "}",
            ]
        return out

    return use


@shape()
def partitioned(p: JavaProgram) -> Use:
    o, r = opener(p, client_kind(p)), route_record(p)

    def use(c: Java, inst: Texts) -> list[str]:
        imports(c, "Map", "List", "stream.Collectors", "stream.Stream")
        v, n = p.uid("split"), c.use(r)
        rows = routes(p, c, r, [inst, *p.instances(1, 2)])
        test = p.choose(f"{n}::on", 'each -> each.tags().equals("*")', "each -> each.topic().length() > 9")
        out = [f"Map<Boolean, List<{n}>> {v} = Stream.of({rows}).collect(Collectors.partitioningBy({test}));"]
        out += [f"for ({n} each : {v}.get({p.choose('true', 'false')})) {{"]
        return [*out, f"{c.use(o)}.open(each.group(), each.topic(), each.tags());", "}"]

    return use


@shape()
def predicates(p: JavaProgram) -> Use:
    o, r = opener(p, client_kind(p)), route_record(p)

    def use(c: Java, inst: Texts) -> list[str]:
        imports(c, "List", "function.Predicate")
        v, n = p.uid("wantedRoute"), c.use(r)
        rows = routes(p, c, r, [inst, *p.instances(0, 2)])
        test = p.choose(
            "is_on.and(tagged)",
            "is_on.negate()",
            "is_on.or(tagged)",
            "Predicate.not(tagged)",
            "tagged.negate().and(is_on)",
        )
        is_on, tagged = p.uid("is_on"), p.uid("tagged")
        test = test.replace("is_on", is_on).replace("tagged", tagged)
        out = [
            f"Predicate<{n}> {is_on} = {n}::on;",
            f'Predicate<{n}> {tagged} = one -> !one.tags().equals("*");',
        ]
        out.append(f"Predicate<{n}> {v} = {test};")
        out += [f"for ({n} each : List.of({rows})) {{", f"if ({v}.test(each)) {{"]
        return [*out, f"{c.use(o)}.open(each.group(), each.topic(), each.tags());", "}", "}"]

    return use


@shape()
def text_table(p: JavaProgram) -> Use:
    """Rows of a text block or of one line, taken apart by separators."""
    o = opener(p, client_kind(p))
    q = p.java(p.choose("TextTable", "RouteParser"))
    imports(q, "Map", "LinkedHashMap", "Scanner")
    form = p.rng.randint(0, 3)
    loops = [
        [
            'for (String line : text.split("\\\\n")) {',
            'if (line.isBlank() || line.startsWith("#")) {',
            "continue;",
            "}",
        ],
        ['for (String line : text.split(";")) {'],
        ["for (String line : text.lines().toList()) {", "if (line.trim().isEmpty()) {", "continue;", "}"],
        [
            "Scanner scanner = new Scanner(text);",
            "while (scanner.hasNextLine()) {",
            "String line = scanner.nextLine();",
        ],
    ]
    q.method(
        "public static void open(String text)",
        [
            *loops[form],
            'String[] cells = line.trim().split("\\\\s*[,:]\\\\s*");',
            f'{q.use(o)}.open(cells[0], cells[1], cells.length > 2 ? cells[2] : "*");',
            "}",
        ],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        rows = [inst, *p.instances(0, 2)]
        texts = []
        for x in rows:
            cells = [x["group"], x["topic"], *([p.choose("a", "a || b")] if p.chance(0.5) else [])]
            texts.append(p.choose(":", ", ", " , ").join(cells))
        if form == 1:
            return [f'{c.use(q)}.open("{";".join(texts)}");']
        if form == 3:
            return [f"{c.use(q)}.open({lit_lines(texts)});"]
        n = p.uid("TABLE")
        head = "# group, topic, tags\n" if form == 0 and p.chance(0.5) else ""
        c.add(f'private static final String {n} = """\n{head}' + "\n".join(texts) + '\n""";')
        return [f"{c.use(q)}.open({n});"]

    return use


def lit_lines(texts: list[str]) -> str:
    """A literal whose lines these are."""
    return '"' + "\\n".join(texts) + '"'


@shape()
def own_higher_order(p: JavaProgram) -> Use:
    """A method of the program calls back for each of its rows."""
    o = opener(p, client_kind(p))
    w = p.java(p.choose("Topology", "Catalog"))
    rows = p.instances(1, 3)
    w.add("public interface Visitor {\nvoid visit(String group, String topic) throws Exception;\n}")
    w.method(
        "public static void each(Visitor visitor) throws Exception",
        [f"visitor.visit({p.val(w, x['group'])}, {p.val(w, x['topic'])});" for x in rows],
    )

    def use(c: Java, inst: Texts) -> list[str]:
        body = f"{c.use(o)}.open(group, topic, {lit(inst['tags'])})"
        if p.chance(0.5):
            return [f"{c.use(w)}.each((group, topic) -> {body});"]
        pick = rows[0]["word"]
        if p.chance(0.5):
            return [
                f"{c.use(w)}.each((group, topic) -> {{",
                f'if (topic.toLowerCase().contains("{pick}")) {{',
                f"{body};",
                "}",
                "});",
            ]
        return [
            f"{c.use(w)}.each(new {c.use(w)}.Visitor() {{",
            "@Override",
            "public void visit(String group, String topic) {",
            f"{body};",
            "}",
            "});",
        ]

    return use


@shape()
def chained_customizers(p: JavaProgram) -> Use:
    """`java.util.function.Consumer` of a client, composed with `andThen`."""
    k = client_kind(p, False)
    w = p.java(p.choose("Customizing", "ClientSetup"))
    t = client_type(w, k)
    imports(w, "function.Consumer")
    w.write(
        """
        public static Consumer<$t> topic(String topic, String tags) {
        return client -> {
        try {
        client.subscribe(topic, tags);
        } catch (Exception e) {
        throw new IllegalArgumentException(topic, e);
        }
        };
        }

        public static Consumer<$t> unit(int number) {
        return client -> client.setInstanceName("unit-" + number);
        }

        public static void start(String group, Consumer<$t> setup) throws Exception {
        $t made = new $t(group);
        setup.accept(made);
        $listener
        made.start();
        }
        """,
        t=t,
        listener=lines(listener(p, w, k, "made")),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        n = c.use(w)
        setup = f"{n}.topic({a['topic']}, {a['tags']})"
        if p.chance(0.5):
            setup += f".andThen({n}.unit({p.rng.randint(1, 9)}))"
        if p.chance(0.4):
            setup += f'.andThen({n}.topic("{p.word()}-then", "*"))'
        return [*pre, f"{n}.start({a['group']}, {setup});"]

    return use


@shape()
def completed_runs(p: JavaProgram) -> Use:
    """Runs that are handed to futures and pools, and waited for."""
    o = opener(p, client_kind(p))

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, VALUES)
        g, t, x = (p.uid(name) for name in ("toGroup", "toTopic", "toTags"))
        out = [
            *pre,
            f"final String {g} = {a['group']};",
            f"final String {t} = {a['topic']};",
            f"final String {x} = {a['tags']};",
        ]
        call = f"{c.use(o)}.open({g}, {t}, {x})"
        imports(
            c,
            "concurrent.CompletableFuture",
            "concurrent.Executors",
            "concurrent.ExecutorService",
            "concurrent.TimeUnit",
            "concurrent.CountDownLatch",
            "List",
            "concurrent.Callable",
        )
        form = p.rng.randint(0, 4)
        if form == 0:
            return [*out, f"CompletableFuture.runAsync(() -> {call}).join();"]
        if form == 1:
            return [*out, f"CompletableFuture.allOf(CompletableFuture.runAsync(() -> {call})).get();"]
        v = p.uid("workers")
        if form == 2:
            out += [f"ExecutorService {v} = Executors.newFixedThreadPool(2);", f"{v}.execute(() -> {call});"]
            return [*out, f"{v}.shutdown();", f"{v}.awaitTermination(5, TimeUnit.SECONDS);"]
        if form == 3:
            out += [f"ExecutorService {v} = Executors.newSingleThreadExecutor();"]
            out += [
                f"List<Callable<String>> {v}Tasks = List.of(() -> {{",
                f"{call};",
                'return "done";',
                "});",
            ]
            return [*out, f"{v}.invokeAll({v}Tasks);", f"{v}.shutdownNow();"]
        out += [
            f"CountDownLatch {v} = new CountDownLatch(1);",
            "new Thread(() -> {",
            f"{call};",
            f"{v}.countDown();",
        ]
        return [*out, "}).start();", f"{v}.await();"]

    return use


@shape()
def bound_references(p: JavaProgram) -> Use:
    """Method references: of an object, of a constructor, of a type."""
    o = opener(p, client_kind(p))
    w = p.java(p.choose("Referring", "Station"))
    imports(w, "List", "function.Function", "function.BiFunction")
    w.write(
        """
        private final String group;
        private final String prefix;

        public $n(String group, String prefix) {
        this.group = group;
        this.prefix = prefix;
        }

        private void open(String topic) {
        $o.open(group, prefix + topic, "*");
        }

        private String named(String topic) {
        return prefix + topic;
        }

        public void all(List<String> topics) {
        topics.$how;
        }
        """,
        n=w.name,
        o=w.use(o),
        how=p.choose("forEach(this::open)", "stream().map(this::named).forEach(this::open)"),
    )

    def use(c: Java, inst: Texts) -> list[str]:
        pre, a = actuals(p, c, inst, ["group"])
        imports(c, "List", "function.BiFunction")
        topics = ", ".join(lit(x["topic"]) for x in [inst, *p.instances(0, 1)])
        n, v = c.use(w), p.uid("station")
        if p.chance(0.5):
            return [*pre, f'new {n}({a["group"]}, "{p.choose("", "p-")}").all(List.of({topics}));']
        out = [*pre, f"BiFunction<String, String, {n}> {v} = {n}::new;"]
        return [*out, f'{v}.apply({a["group"]}, "q-").all(List.of({topics}));']

    return use


@shape()
def list_views(p: JavaProgram) -> Use:
    """A list is sorted, reversed, cut and cleaned before it is walked."""
    o = opener(p, client_kind(p))

    def use(c: Java, inst: Texts) -> list[str]:
        imports(c, "List", "ArrayList", "Collections", "Comparator", "ListIterator")
        v = p.uid("topics")
        names = ", ".join(lit(x["topic"]) for x in [inst, *p.instances(1, 2)])
        step = p.rng.choice(
            [
                [f"Collections.sort({v});"],
                [f"Collections.reverse({v});", f"{v}.remove(0);"],
                [f"{v}.sort(Comparator.reverseOrder());", f"{v} = {v}.subList(0, 1);"],
                [f'{v}.removeIf(each -> each.contains("{inst["word"]}"));'],
                [
                    f'Collections.addAll({v}, "{p.word()}-added", "{p.word()}-last");',
                    f"{v}.set(0, {v}.get(1));",
                ],
                [f"{v}.replaceAll(each -> each.toLowerCase());"],
                [f"{v}.retainAll(List.of({lit(inst['topic'])}));"],
                [f"{v} = Collections.unmodifiableList(new ArrayList<>({v}.subList(1, {v}.size())));"],
                [f"{v}.add(0, {v}.remove({v}.size() - 1));"],
            ]
        )
        out = [f"List<String> {v} = new ArrayList<>(List.of({names}));", *step]
        g, tags = p.uid("base"), p.val(c, inst["tags"])
        out.append(f"String {g} = {p.val(c, inst['group'])};")
        if p.chance(0.4):
            it = p.uid("walk")
            out += [f"ListIterator<String> {it} = {v}.listIterator();", f"while ({it}.hasNext()) {{"]
            return [
                *out,
                f"int at = {it}.nextIndex();",
                f'{c.use(o)}.open({g} + "-" + at, {it}.next(), {tags});',
                "}",
            ]
        out += [f"for (int i = 0; i < {v}.size(); i++) {{"]
        return [*out, f"{c.use(o)}.open(i == 0 ? {g} : {g} + i, {v}.get(i), {tags});", "}"]

    return use
