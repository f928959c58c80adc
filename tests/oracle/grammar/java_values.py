"""Values and local variables of Java programs."""

from __future__ import annotations

from tests.oracle.frame import const, lit
from tests.oracle.java import Java, JavaProgram, local, paren, value


@value(2)
def const_own(p: JavaProgram, c: Java, text: str, d: int) -> str:
    n = p.uid(const(text))
    inner = p.val(c, text, d + 1) if c.kind != "interface" else lit(text)
    if c.kind in ("enum", "record"):
        c.add(f"static final String {n} = {lit(text)};")
    else:
        c.add(
            f"private static final String {n} = {inner};"
            if c.kind != "interface"
            else f"String {n} = {lit(text)};"
        )
        if c.kind != "interface":
            c.members.insert(0, c.members.pop())
            if inner != lit(text):  # what it is made of must stand first
                c.members.append(c.members.pop(0))
    return f"{c.name}.{n}" if p.chance(0.2) else n


def constants(p: JavaProgram, kind: str = "class") -> Java:
    """A class or interface that holds constants."""
    names = ("MqConstants", "Topics", "Const", "RocketConstants", "Names")
    role = "constants-" + kind
    return p.shared(role, 0.7) or p.java(p.choose(*names), kind, role=role)


@value(2)
def const_other(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = constants(p)
    n = p.uid(const(text))
    o.add(f"public static final String {n} = {lit(text)};")
    return f"{c.use(o)}.{n}"


@value()
def const_interface(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = constants(p, "interface")
    n = p.uid(const(text))
    o.add(f"String {n} = {lit(text)};")
    return f"{c.use(o)}.{n}"


@value()
def static_import(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = constants(p)
    n = p.uid(const(text))
    o.add(f"public static final String {n} = {lit(text)};")
    if o is c or any(n in m for m in c.members):
        return f"{c.use(o)}.{n}"
    c.static_import(o, p.rng.choice([n, "*"]))
    return n


@value()
def const_nested(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = constants(p, "class")
    n = p.uid(const(text))
    g = p.uid(p.rng.choice(["Group", "Topic", "Keys", "Inner"]))
    o.add(f"public static class {g} {{\npublic static final String {n} = {lit(text)};\n}}")
    return f"{c.use(o)}.{g}.{n}"


@value(1.5)
def enum_field(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java(p.rng.choice(["MqTopic", "Channel", "RouteEnum", "MessageType"]), "enum")
    n, other = const(text), "OTHER"
    rows = [f"{n}({lit(text)}, 1)", f'{other}("other-{p.word()}", 2)']
    p.rng.shuffle(rows)
    o.lead = ", ".join(rows) + ";"
    o.add("private final String value;\nprivate final int code;")
    o.add(f"{o.name}(String value, int code) {{\nthis.value = value;\nthis.code = code;\n}}")
    o.add("public String getValue() {\nreturn value;\n}")
    return f"{c.use(o)}.{n}.getValue()"


@value()
def enum_name(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = p.java("Kind", "enum")
    n = const(text)
    o.lead = f"{n}, SPARE;"
    return f"{c.use(o)}.{n}." + p.rng.choice(["name()", "name().toLowerCase()", "toString()"])


@value(2)
def string_concat(p: JavaProgram, c: Java, text: str, d: int) -> str:
    k = p.rng.randint(1, max(1, len(text) - 1))
    return f"{p.val(c, text[:k], d + 1)} + {p.val(c, text[k:], d + 1)}"


@value()
def string_format(p: JavaProgram, c: Java, text: str, d: int) -> str:
    k = p.rng.randint(1, max(1, len(text) - 1))
    return f'String.format("%s%s", {p.val(c, text[:k], d + 1)}, {p.val(c, text[k:], d + 1)})'


@value()
def string_case(p: JavaProgram, c: Java, text: str, d: int) -> str:
    return paren(p.val(c, text, d + 1)) + p.rng.choice([".toUpperCase()", ".toLowerCase()", ".trim()"])


@value()
def string_replace(p: JavaProgram, c: Java, text: str, d: int) -> str:
    return paren(p.val(c, text, d + 1)) + p.rng.choice(
        ['.replace("-", "_")', ".replace('_', '-')", '.concat("_x")']
    )


@value()
def string_valueof(p: JavaProgram, c: Java, text: str, d: int) -> str:
    return p.rng.choice(
        [
            f'{p.val(c, text, d + 1)} + "_" + String.valueOf({p.rng.randint(1, 9)})',
            f"String.valueOf({p.val(c, text, d + 1)})",
        ]
    )


@value()
def ternary_constant(p: JavaProgram, c: Java, text: str, d: int) -> str:
    n = p.uid("USE_V2")
    v = p.rng.choice(["true", "false"])
    c.add(f"static final boolean {n} = {v};")
    a, b = p.val(c, text, d + 1), lit(text + "-v2")
    return f"({n} ? {a} : {b})"


@value(1.5)
def static_method(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    n = p.uid("name")
    k = p.rng.choice(["plain", "suffix", "if", "early"])
    if k == "plain":
        o.method(f"public static String {n}()", [f"return {p.val(o, text, d + 1)};"])
        return f"{c.use(o)}.{n}()"
    if k == "suffix":
        o.method(f"public static String {n}(String s)", [f"return s + {lit('-' + p.word())};"])
        return f"{c.use(o)}.{n}({p.val(c, text, d + 1)})"
    p.tag("if-on-argument")
    if k == "if":
        o.method(
            f"public static String {n}(String s, boolean v2)",
            ["if (v2) {", 'return s + "_v2";', "}", "return s;"],
        )
    else:
        p.tag("early-return")
        o.method(
            f"public static String {n}(String s, boolean plain)",
            ["if (plain) {", "return s;", "}", f'String prefix = "{p.word()}_";', "return prefix + s;"],
        )
    return f"{c.use(o)}.{n}({p.val(c, text, d + 1)}, {p.rng.choice(['true', 'false'])})"


def helper(p: JavaProgram) -> Java:
    """A class of static methods."""
    return p.shared("helper", 0.6) or p.java(p.choose("MqUtil", "NameUtils", "Helper", "Env"), role="helper")


def function(
    p: JavaProgram, c: Java, o: Java, body: list[str], parameters: str = "", arguments: str = ""
) -> str:
    """A call from `c` of a new static method of `o` that gives a text."""
    name = p.uid(p.choose("name", "textOf", "resolve", "compute"))
    o.method(f"public static String {name}({parameters})", body)
    return f"{c.use(o)}.{name}({arguments})"


@value()
def system_property_default(p: JavaProgram, c: Java, text: str, d: int) -> str:
    return f'System.getProperty("mq.{p.word()}.name", {lit(text)})'


@value()
def array_element(p: JavaProgram, c: Java, text: str, d: int) -> str:
    n = p.uid("NAMES")
    c.add(f'static final String[] {n} = {{"{p.word()}-a", {lit(text)}, "{p.word()}-c"}};')
    return f"{n}[1]"


@value()
def map_get(p: JavaProgram, c: Java, text: str, d: int) -> str:
    m = c.imp("java.util.Map")
    n = p.uid("TABLE")
    c.add(f'static final {m}<String, String> {n} = {m}.of("a", {lit(text)}, "b", "b-{p.word()}");')
    return p.rng.choice(
        [f'{n}.get("a")', f'{n}.getOrDefault("a", "none")', f'{n}.getOrDefault("zz", {lit(text)})']
    )


@value(0.4)
def unknown_env(p: JavaProgram, c: Java, text: str, d: int) -> str:
    return f'System.getenv("{p.rng.choice(["MQ_GROUP", "MQ_TOPIC", "MQ_TAGS"])}")'


@value(0.4)
def unknown_random(p: JavaProgram, c: Java, text: str, d: int) -> str:
    p.random_values = True
    u = c.imp("java.util.UUID")
    return f"{p.val(c, text, d + 1)} + {u}.randomUUID().toString()"


@local(2)
def local_variable(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    v = p.uid("name")
    return [f"String {v} = {p.val(c, text, 1)};"], v


@local()
def string_append(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    v = p.uid("text")
    return [f"String {v} = {p.val(c, text, 1)};", f'{v} += "-{p.word()}";'], v


@local()
def if_constant(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    v, n = p.uid("value"), p.uid("ENABLED")
    c.add(f"private static final boolean {n} = {p.rng.choice(['true', 'false'])};")
    return [
        f"String {v};",
        f"if ({n}) {{",
        f"{v} = {p.val(c, text, 1)};",
        "} else {",
        f"{v} = {lit('else-' + text)};",
        "}",
    ], v


@local()
def switch_constant(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    v, n = p.uid("value"), p.uid("MODE")
    c.add(f'private static final String {n} = "{p.rng.choice(["dev", "prod", "none"])}";')
    return [
        f"String {v};",
        f"switch ({n}) {{",
        'case "dev":',
        f"{v} = {lit('dev-' + text)};",
        "break;",
        'case "prod":',
        f"{v} = {p.val(c, text, 1)};",
        "break;",
        "default:",
        f"{v} = {lit('default-' + text)};",
        "}",
    ], v


@local()
def reassigned_local(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    v = p.uid("value")
    return [f"String {v} = {lit('old-' + text)};", f"{v} = {p.val(c, text, 1)};"], v
