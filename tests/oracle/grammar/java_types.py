"""Values of Java programs that objects, inheritance, enums, generics and lambdas give."""

from __future__ import annotations

from tests.oracle.frame import camel, const, lit
from tests.oracle.grammar.java_values import function, helper
from tests.oracle.java import Java, JavaProgram, value

FUNCTION = "java.util.function."


@value()
def enum_abstract_method(p: JavaProgram, c: Java, text: str, d: int) -> str:
    e = p.java(p.choose("Channel", "Flavor"), "enum")
    one, two = const(text), "SPARE"
    e.lead = ", ".join(
        f"{name} {{\n@Override\npublic String label() {{\nreturn {body};\n}}\n}}"
        for name, body in ((one, lit(text)), (two, f'name().toLowerCase() + "-{p.word()}"'))
    )
    e.lead += ";"
    e.add("public abstract String label();")
    return f"{c.use(e)}.{p.choose(one, one, two)}.label()"


@value()
def enum_switch_method(p: JavaProgram, c: Java, text: str, d: int) -> str:
    e = p.java("Mode", "enum")
    e.lead = "FAST, SLOW;"
    body = [
        "switch (this) {",
        "case FAST:",
        f"return {lit(text)};",
        "default:",
        f'return name() + "-{p.word()}";',
        "}",
    ]
    e.method("public String topic()", body)
    return f"{c.use(e)}.{p.choose('FAST', 'SLOW')}.topic()"


@value()
def enum_lookup(p: JavaProgram, c: Java, text: str, d: int) -> str:
    e = p.java(p.choose("Code", "BizType"), "enum")
    rows = [("FIRST", 1, text), ("SECOND", 2, p.word() + "-s")]
    e.lead = ", ".join(f"{name}({code}, {lit(label)})" for name, code, label in rows) + ";"
    e.add("private final int code;\nprivate final String label;")
    e.method(f"{e.name}(int code, String label)", ["this.code = code;", "this.label = label;"])
    e.method("public String getLabel()", ["return label;"])
    n = c.use(e)
    if p.chance(0.5):
        return f'{n}.valueOf("{p.choose("FIRST", "SECOND")}").getLabel()'
    body = [
        f"for ({e.name} each : values()) {{",
        "if (each.code == code) {",
        "return each.label;",
        "}",
        "}",
        "return null;",
    ]
    e.method("public static String byCode(int code)", body)
    return f"{n}.byCode({p.rng.randint(1, 2)})"


@value()
def enum_constant_static(p: JavaProgram, c: Java, text: str, d: int) -> str:
    e = p.java("Env", "enum")
    e.lead = "LOCAL, CLOUD;"
    e.add(f"public static final {e.name} CURRENT = {p.choose('LOCAL', 'CLOUD')};")
    e.method("public String prefix(String text)", ['return this == CLOUD ? "c-" + text : text + ordinal();'])
    return f"{c.use(e)}.CURRENT.prefix({p.val(c, text, d + 1)})"


@value()
def inner_enum(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java(p.choose("Catalog", "Dictionary"))
    n = const(text)
    o.add(
        f'public enum Entry {{\n{n}({lit(text)}), REST("{p.word()}-r");\n\npublic final String text;\n\n'
        "Entry(String text) {\nthis.text = text;\n}\n}"
    )
    return f"{c.use(o)}.Entry.{p.choose(n, n, 'REST')}.text"


@value()
def generic_box(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java(p.choose("Box", "Holder", "Ref"), head="<T>")
    o.add(f"private {p.choose('', 'final ')}T value;")
    o.method(f"public {o.name}(T value)", ["this.value = value;"])
    o.method("public T get()", ["return value;"])
    return f"new {c.use(o)}<>({p.val(c, text, d + 1)}).get()"


@value()
def generic_pair(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("Pair", head="<A, B>")
    o.add("public final A left;\npublic final B right;")
    o.method(f"public {o.name}(A left, B right)", ["this.left = left;", "this.right = right;"])
    o.method(
        f"public static <A, B> {o.name}<A, B> of(A left, B right)", [f"return new {o.name}<>(left, right);"]
    )
    n, inner = c.use(o), p.val(c, text, d + 1)
    return p.rng.choice(
        [f"{n}.of({inner}, 1).left", f'{n}.of("{p.word()}", {inner}).right', f"new {n}<>({inner}, 2).left"]
    )


@value()
def generic_method(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    name = p.uid("pick")
    inner = p.val(c, text, d + 1)
    if p.chance(0.4):
        o.method(f"public static <T> T {name}(T one, T two, boolean first)", ["return first ? one : two;"])
        return f"{c.use(o)}.{name}({inner}, {lit(p.word())}, {p.choose('true', 'false')})"
    if p.chance(0.5):
        o.method(
            f"public static <T extends CharSequence> String {name}(T text)",
            ['return text + "-" + text.length();'],
        )
        return f"{c.use(o)}.{name}({inner})"
    o.add("@SafeVarargs\n" + f"public static <T> T {name}(T... all) {{\nreturn all[all.length - 1];\n}}")
    return f"{c.use(o)}.{name}({lit(p.word())}, {inner})"


@value()
def singleton_eager(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java(p.choose("Settings", "Registry"))
    o.add(f"private static final {o.name} INSTANCE = new {o.name}();")
    o.add(f"private final String name = {lit(text)};")
    o.method(f"private {o.name}()", [])
    o.method(f"public static {o.name} getInstance()", ["return INSTANCE;"])
    o.method("public String getName()", ["return name;"])
    return f"{c.use(o)}.getInstance().getName()"


@value()
def singleton_lazy(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java(p.choose("LazySettings", "AppContext"))
    o.add(f"private static {o.name} instance;\nprivate String name;")
    inner = p.val(o, text, d + 1)
    guard = p.chance(0.5)
    body = [
        "if (instance == null) {",
        f"instance = new {o.name}();",
        f"instance.name = {inner};",
        "}",
        "return instance;",
    ]
    o.method(f"public static {'synchronized ' if guard else ''}{o.name} get()", body)
    o.method("public String name()", ["return name;"])
    return f"{c.use(o)}.get().name()"


@value()
def singleton_holder(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("HolderSettings")
    inner = p.val(o, text, d + 1)
    o.add("private final String name;")
    o.method(f"private {o.name}(String name)", ["this.name = name;"])
    o.add(f"private static final class Lazy {{\nstatic final {o.name} VALUE = new {o.name}({inner});\n}}")
    o.method("public static String name()", ["return Lazy.VALUE.name;"])
    return f"{c.use(o)}.name()"


@value()
def singleton_enum(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("GlobalSettings", "enum")
    o.lead = "INSTANCE;"
    o.add(f"private String name = {lit(text)};")
    o.method("public String getName()", ["return name;"])
    o.method(
        "public GlobalSettings named(String text)".replace("GlobalSettings", o.name),
        ["name = text;", "return this;"],
    )
    n = f"{c.use(o)}.INSTANCE"
    return p.choose(f"{n}.getName()", f"{n}.named({lit(text + '-set')}).getName()")


@value()
def shadowed_field(p: JavaProgram, c: Java, text: str, d: int) -> str:
    base = p.java("Parent")
    base.add(f'public String name = "parent-{p.word()}";')
    base.method("public String parentName()", ["return name;"])
    sub = p.java("Child")
    sub.head = f" extends {sub.use(base)}"
    sub.add(f"public String name = {lit(text)};")
    sub.method("public String both()", ["return super.name + name;"])
    made = f"new {c.use(sub)}()"
    return p.choose(
        f"{made}.name", f"(({c.use(base)}) {made}).name", f"{made}.parentName()", f"{made}.both()"
    )


@value()
def super_call(p: JavaProgram, c: Java, text: str, d: int) -> str:
    base = p.java("BaseNamer")
    base.method("public String name()", [f"return {p.val(base, text, d + 1)};"])
    middle = p.java("MiddleNamer")
    middle.head = f" extends {middle.use(base)}"
    if p.chance(0.5):
        middle.add("@Override\npublic String name() {\n" + 'return "m-" + super.name();' + "\n}")
    sub = p.java("LeafNamer")
    sub.head = f" extends {sub.use(middle)}"
    if p.chance(0.7):
        sub.add("@Override\npublic String name() {\n" + f'return super.name() + "-{p.word()}";' + "\n}")
    return f"new {c.use(sub)}().name()"


@value()
def chained_constructors(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("Naming")
    o.add("private final String text;")
    o.method(f"public {o.name}()", [f"this({lit('none-' + text)});"])
    o.method(f"public {o.name}(String text)", [f'this(text, "{p.choose("-", "_")}");'])
    o.method(
        f"public {o.name}(String text, String separator)", [f'this.text = text + separator + "{p.word()}";']
    )
    o.method("public String text()", ["return text;"])
    inner = p.val(c, text, d + 1)
    arguments = p.choose("", inner, f'{inner}, "."')
    return f"new {c.use(o)}({arguments}).text()"


@value()
def copy_constructor(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("Spec")
    o.add('private String name;\nprivate String other = "o";')
    o.method(f"public {o.name}(String name)", ["this.name = name;"])
    o.method(
        f"public {o.name}({o.name} from)", ["this.name = from.name;", 'this.other = from.other + "-copy";']
    )
    o.method(f"public {o.name} rename(String text)", ["this.name = text;", "return this;"])
    o.method("public String name()", ["return name;"])
    n, inner = c.use(o), p.val(c, text, d + 1)
    return p.choose(
        f"new {n}(new {n}({inner})).name()", f'new {n}(new {n}("x-{p.word()}")).rename({inner}).name()'
    )


@value()
def instance_block(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("Prepared")
    o.add(f"private String name = {lit('field-' + text)};")
    o.add("{\n" + f"name = {p.val(o, text, d + 1)};" + "\n}")
    body = [] if p.chance(0.5) else ['name = name + "-ctor";']
    o.method(f"public {o.name}()", body)
    o.method("public String name()", ["return name;"])
    return f"new {c.use(o)}().name()"


@value()
def delegate(p: JavaProgram, c: Java, text: str, d: int) -> str:
    i = p.java(p.choose("Namer", "TopicResolver"), "interface")
    i.add("String resolve(String key);")
    a = p.java("PlainResolver")
    a.head = f" implements {a.use(i)}"
    a.add("@Override\npublic String resolve(String key) {\n" + "return key;" + "\n}")
    b = p.java("PrefixResolver")
    b.head = f" implements {b.use(i)}"
    b.add(f"private final {b.use(i)} inner;\nprivate final String prefix;")
    b.method(
        f"public {b.name}({b.use(i)} inner, String prefix)", ["this.inner = inner;", "this.prefix = prefix;"]
    )
    b.add("@Override\npublic String resolve(String key) {\n" + "return prefix + inner.resolve(key);" + "\n}")
    inner = f"new {c.use(a)}()"
    for _ in range(p.rng.randint(0, 2)):
        inner = f'new {c.use(b)}({inner}, "{p.choose("p-", "q_", "")}")'
    return f"{inner}.resolve({p.val(c, text, d + 1)})"


@value()
def anonymous_class(p: JavaProgram, c: Java, text: str, d: int) -> str:
    i = p.java("NameSource", p.choose("interface", "abstract class"))
    i.add("String name();" if i.kind == "interface" else "public abstract String name();")
    i.add(
        ("default " if i.kind == "interface" else "public ") + 'String full() {\nreturn "full-" + name();\n}'
    )
    n, inner = p.uid("SOURCE"), p.val(c, text, d + 1)
    c.add(
        f"static final {c.use(i)} {n} = new {c.use(i)}() {{\n@Override\npublic String name() {{\nreturn {inner};\n}}\n}};"
    )
    return p.choose(f"{n}.name()", f"{n}.full()")


@value()
def own_functional_interface(p: JavaProgram, c: Java, text: str, d: int) -> str:
    i = p.java("Rename", "interface")
    i.add("String apply(String text, int n);")
    n = p.uid("RENAME")
    body = p.choose(
        '(text, n) -> text + "-" + n',
        "(text, n) -> n > 3 ? text : text + n",
        '(text, n) -> {\nreturn "r" + n + text;\n}',
    )
    c.add(f"static final {c.use(i)} {n} = {body};")
    return f"{n}.apply({p.val(c, text, d + 1)}, {p.rng.randint(1, 6)})"


@value()
def supplier_field(p: JavaProgram, c: Java, text: str, d: int) -> str:
    n, inner = p.uid("SUPPLIER"), p.val(c, text, d + 1)
    c.add(f"static final {c.imp(FUNCTION + 'Supplier')}<String> {n} = () -> {inner};")
    return f"{n}.get()"


@value()
def function_composition(p: JavaProgram, c: Java, text: str, d: int) -> str:
    t, n, m = c.imp(FUNCTION + "Function"), p.uid("WRAP"), p.uid("UP")
    c.add(f'static final {t}<String, String> {n} = text -> "w-" + text;')
    c.add(f"static final {t}<String, String> {m} = {p.choose('String::toUpperCase', 'String::trim')};")
    inner = p.val(c, text, d + 1)
    return p.rng.choice(
        [
            f"{n}.andThen({m}).apply({inner})",
            f"{n}.compose({m}).apply({inner})",
            f"{m}.apply({inner})",
            f"{t}.<String>identity().andThen({n}).apply({inner})",
        ]
    )


@value()
def method_reference_value(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    name = p.uid("decorate")
    o.method(f"public static String {name}(String text)", [f'return text + "-{p.word()}";'])
    inner = p.val(c, text, d + 1)
    call = f"{c.imp('java.util.Optional')}.of({inner}).map({c.use(o)}::{name}).get()"
    unary = c.imp(FUNCTION + "UnaryOperator")
    field = p.uid("DECORATE")
    if p.chance(0.5):
        return call
    c.add(f"static final {unary}<String> {field} = {c.use(o)}::{name};")
    return f"{field}.apply({inner})"


@value()
def function_argument(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    t = o.imp(FUNCTION + "Function")
    body = ["return how.apply(text);"] if p.chance(0.6) else ["return how.apply(how.apply(text));"]
    how = p.choose(
        'each -> each + "-f"', "String::toLowerCase", 'each -> each.replace("-", "")', "each -> each"
    )
    return function(p, c, o, body, f"String text, {t}<String, String> how", f"{p.val(c, text, d + 1)}, {how}")


@value()
def bifunction_map(p: JavaProgram, c: Java, text: str, d: int) -> str:
    n, m = p.uid("MAKERS"), c.imp("java.util.Map")
    t = c.imp(FUNCTION + "BiFunction")
    body = '"a", (x, y) -> x + y, "b", (x, y) -> y + "-" + x'
    c.add(f"static final {m}<String, {t}<String, String, String>> {n} = {m}.of({body});")
    head, tail = p.cut(text)
    return f'{n}.get("{p.choose("a", "b")}").apply({p.val(c, head, d + 1)}, {p.val(c, tail, d + 1)})'


@value()
def interface_default(p: JavaProgram, c: Java, text: str, d: int) -> str:
    i = p.java("Named", "interface")
    i.add(
        "String base();\n\ndefault String full() {\n"
        + "return base() + suffix();"
        + "\n}\n\ndefault String suffix() {\n"
        + f'return "-{p.word()}";'
        + "\n}"
    )
    o = p.java(camel(p.word()) + "Named")
    o.head = f" implements {o.use(i)}"
    o.override("public String base()", f"return {p.val(o, text, d + 1)};")
    if p.chance(0.5):
        o.override("public String suffix()", 'return "_own";')
    return f"new {c.use(o)}().full()"


@value()
def interface_static(p: JavaProgram, c: Java, text: str, d: int) -> str:
    i = p.java("Names", "interface")
    i.add(f'String PREFIX = "{p.word()}-";\n\nstatic String of(String text) {{\nreturn PREFIX + text;\n}}')
    return f"{c.use(i)}.of({p.val(c, text, d + 1)})"


@value()
def interface_constants(p: JavaProgram, c: Java, text: str, d: int) -> str:
    i, n = p.java("Keys", "interface"), p.uid(const(text))
    i.add(f"String {n} = {lit(text)};")
    o = p.java("KeyUser")
    o.head = f" implements {o.use(i)}"
    o.method("public static String key()", [f"return {n};"])
    return p.choose(f"{c.use(o)}.key()", f"{c.use(o)}.{n}")


@value()
def record_compact(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("Title", "record", "(String text, int size)")
    check = p.rng.choice(
        ['text = text.trim() + "-" + size;', 'if (size > 3) {\ntext = text + "-big";\n}', "size = size + 1;"]
    )
    o.add(f"public {o.name} {{\n{check}\n}}")
    o.add(f"public static {o.name} of(String text) {{\nreturn new {o.name}(text, {p.rng.randint(1, 6)});\n}}")
    o.add("public String label() {\nreturn text + size;\n}")
    inner, n = p.val(c, text, d + 1), c.use(o)
    return p.choose(f"{n}.of({inner}).text()", f"new {n}({inner}, 5).label()", f"{n}.of({inner}).label()")


@value()
def record_with(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("Draft", "record", "(String topic, String tag)")
    o.add(f'public {o.name}(String topic) {{\nthis(topic, "*");\n}}')
    o.add(f"public {o.name} withTag(String tag) {{\nreturn new {o.name}(topic, tag);\n}}")
    n, inner = c.use(o), p.val(c, text, d + 1)
    return p.choose(
        f'new {n}({inner}).withTag("t").topic()', f'new {n}("t-{p.word()}").withTag({inner}).tag()'
    )


@value()
def nested_counter(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("Sequence")
    o.add(
        "public static final class Counter {\nprivate int value;\n\npublic int next() {\nreturn ++value;\n}\n}"
    )
    o.add("private static final Counter COUNTER = new Counter();")
    o.method("public static String name(String base)", ['return base + "-" + COUNTER.next();'])
    return f"{c.use(o)}.name({p.val(c, text, d + 1)})"


@value()
def own_iterator(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("Parts", head=" implements java.util.Iterator<String>")
    o.add("private final String[] all;\nprivate int at;")
    o.method(f"public {o.name}(String... all)", ["this.all = all;"])
    o.override("public boolean hasNext()", "return at < all.length;")
    o.override("public String next()", "return all[at++];")
    o.method(
        "public String last()",
        ['String found = "none";', "while (hasNext()) {", "found = next();", "}", "return found;"],
    )
    return f"new {c.use(o)}({lit(p.word())}, {p.val(c, text, d + 1)}).{p.choose('last()', 'next()')}"


@value()
def linked_nodes(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("Node")
    o.add("private final String part;\nprivate final " + o.name + " next;")
    o.method(f"public {o.name}(String part, {o.name} next)", ["this.part = part;", "this.next = next;"])
    o.method("public String path()", ['return next == null ? part : part + "-" + next.path();'])
    head, tail = p.cut(text)
    n = c.use(o)
    return f"new {n}({p.val(c, head, d + 1)}, new {n}({p.val(c, tail, d + 1)}, null)).path()"


@value()
def mutable_state(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("State")
    o.add("private String current;")
    o.method(f"public {o.name}(String current)", ["this.current = current;"])
    o.method(
        f"public {o.name} step(String next)",
        [f"current = {p.choose('current + next', 'next')};", "return this;"],
    )
    o.method("public String current()", ["return current;"])
    steps = "".join(f'.step("-{p.word()}")' for _ in range(p.rng.randint(0, 2)))
    return f"new {c.use(o)}({p.val(c, text, d + 1)}){steps}.current()"


@value()
def polymorphic_call(p: JavaProgram, c: Java, text: str, d: int) -> str:
    base = p.java("Shape", "abstract class")
    base.add("public abstract String title();")
    o = helper(p)
    made = []
    for suffix in ("One", "Two"):
        sub = p.java("Title" + suffix)
        sub.head = f" extends {sub.use(base)}"
        body = p.val(sub, text, d + 1) if suffix == "One" else lit(p.word() + "-two")
        sub.override("public String title()", f"return {body};")
        made.append(sub)
    test = [f'return it.title() + (it instanceof {o.use(made[1])} ? "-2" : "");']
    return function(p, c, o, test, f"{o.use(base)} it", f"new {c.use(p.rng.choice(made))}()")


@value()
def to_string_override(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("Label")
    o.add("private final String text;")
    o.method(f"public {o.name}(String text)", ["this.text = text;"])
    o.add("@Override\npublic String toString() {\n" + 'return "l-" + text;' + "\n}")
    made = f"new {c.use(o)}({p.val(c, text, d + 1)})"
    return p.choose(f"{made}.toString()", f'"" + {made}', f"String.valueOf({made})")
