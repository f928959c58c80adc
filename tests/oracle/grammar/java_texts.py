"""Values of Java programs made by the methods of strings and numbers."""

from __future__ import annotations

from tests.oracle.frame import lit
from tests.oracle.grammar.java_values import function, helper
from tests.oracle.java import Java, JavaProgram, local, paren, value


@value()
def string_join(p: JavaProgram, c: Java, text: str, d: int) -> str:
    head, tail = p.cut(text)
    parts = f"{p.val(c, head, d + 1)}, {p.val(c, tail, d + 1)}"
    if p.chance(0.4):
        return f'String.join("{p.choose("-", "_", "")}", {c.imp("java.util.Arrays")}.asList({parts}))'
    return f'String.join("{p.choose("-", "_", ".")}", {parts})'


@value()
def string_substring(p: JavaProgram, c: Java, text: str, d: int) -> str:
    if p.chance(0.5):
        return f'"mq:{text}".substring(3)'
    return f"{lit('<' + text + '>')}.substring(1, {len(text) + 1})"


@value()
def string_split(p: JavaProgram, c: Java, text: str, d: int) -> str:
    other = p.word()
    if p.chance(0.5):
        return f'"{other},{text}".split(",")[1]'
    return f'"{text};{other};".split(";")[0]'


@value()
def char_concat(p: JavaProgram, c: Java, text: str, d: int) -> str:
    inner = p.val(c, text, d + 1)
    return p.rng.choice(
        [f"{inner} + '-' + 'x'", f"'x' + \"-\" + {inner}", f"{inner} + (char) ('a' + {p.rng.randint(0, 5)})"]
    )


@value()
def int_concat(p: JavaProgram, c: Java, text: str, d: int) -> str:
    inner, n = p.val(c, text, d + 1), p.rng.randint(1, 9)
    return p.rng.choice(
        [
            f"{inner} + {n} + 2",
            f'{n} + 2 + "-" + {inner}',
            f"{inner} + ({n} * 2 - 1)",
            f'{inner} + "-" + {n} % 4',
        ]
    )


@value()
def text_block(p: JavaProgram, c: Java, text: str, d: int) -> str:
    return f'"""\n            {text}\n            """' + p.choose(
        ".trim()", ".strip()", '.replace("\\n", "")'
    )


@value()
def string_formatted(p: JavaProgram, c: Java, text: str, d: int) -> str:
    inner, n = p.val(c, text, d + 1), p.rng.randint(1, 99)
    return p.rng.choice(
        [
            f'"%s-%d".formatted({inner}, {n})',
            f'String.format("%s-%03d", {inner}, {n})',
            f'String.format("%2$s_%1$s", "v{n}", {inner})',
            f'String.format("%s-%s", {inner}, {p.choose("true", "false")})',
        ]
    )


@value(1.5)
def string_builder(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    head, tail = p.cut(text)
    a, b = p.val(o, head, d + 1), p.val(o, tail, d + 1)
    body = p.rng.choice(
        [
            [f"return new StringBuilder({a}).append({b}).toString();"],
            [
                "StringBuilder out = new StringBuilder();",
                f"out.append({a});",
                f"out.append('-').append({b});",
            ],
            [f"StringBuilder out = new StringBuilder({b});", f"out.insert(0, {a});"],
            [f"StringBuilder out = new StringBuilder({a});", f"out.append({b}).append(1).append(true);"],
            [f'StringBuilder out = new StringBuilder({a} + ",");', "out.setLength(out.length() - 1);"],
        ]
    )
    return function(p, c, o, body if len(body) == 1 else [*body, "return out.toString();"])


@value()
def string_builder_loop(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    head, tail = p.cut(text)
    parts = f"{p.val(o, head, d + 1)}, {p.val(o, tail, d + 1)}"
    body = ["StringBuilder out = new StringBuilder();", f"for (String part : new String[] {{{parts}}}) {{"]
    body += p.rng.choice(
        [
            ["out.append(part);", "}"],
            ["if (out.length() > 0) {", 'out.append("-");', "}", "out.append(part);", "}"],
        ]
    )
    return function(p, c, o, [*body, "return out.toString();"])


@value()
def string_repeat(p: JavaProgram, c: Java, text: str, d: int) -> str:
    return f'"{p.choose("x", "ab", "-")}".repeat({p.rng.randint(0, 3)}) + {p.val(c, text, d + 1)}'


@value()
def string_strip(p: JavaProgram, c: Java, text: str, d: int) -> str:
    return f"{lit('  ' + text + ' ')}{p.choose('.strip()', '.trim()', '.stripLeading()', '.stripTrailing()')}.trim()"


@value()
def string_index_of(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    inner = p.val(o, f"{text}#{p.word()}", d + 1)
    cut = p.choose("raw.substring(0, raw.indexOf('#'))", 'raw.substring(raw.lastIndexOf("#") + 1)')
    return function(p, c, o, [f"String raw = {inner};", f'return raw.contains("#") ? {cut} : raw;'])


@value()
def string_tests(p: JavaProgram, c: Java, text: str, d: int) -> str:
    inner = paren(p.val(c, text, d + 1))
    test = p.rng.choice(
        [
            f'.startsWith("{text[:2]}")',
            ".isEmpty()",
            ".isBlank()",
            f'.endsWith("{text[-2:]}")',
            f'.contains("{text[1:3]}")',
            f'.equalsIgnoreCase("{text.upper()}")',
            ".length() > 6",
            '.compareTo("m") < 0',
            f".charAt(0) == '{text[0]}'",
        ]
    )
    return f'({inner}{test} ? {p.val(c, text, d + 1)} : "plain-{p.word()}")'


@value()
def string_chars(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    inner = p.val(o, text, d + 1)
    loop = p.rng.choice(
        [
            ["for (char each : raw.toCharArray()) {", "if (each != '-') {", "out += each;", "}", "}"],
            ["for (int i = 0; i < raw.length(); i++) {", "out += Character.toUpperCase(raw.charAt(i));", "}"],
            ["for (int i = raw.length() - 1; i >= 0; i--) {", "out = raw.charAt(i) + out;", "}"],
        ]
    )
    return function(p, c, o, [f"String raw = {inner};", 'String out = "";', *loop, "return out;"])


@value()
def char_array(p: JavaProgram, c: Java, text: str, d: int) -> str:
    return p.rng.choice(
        [f"new String({lit(text)}.toCharArray())", f"String.valueOf({lit(text)}.toCharArray())"]
    )


@value()
def parse_number(p: JavaProgram, c: Java, text: str, d: int) -> str:
    n = p.rng.randint(1, 50)
    inner = p.val(c, text, d + 1)
    return p.rng.choice(
        [
            f'{inner} + "-" + (Integer.parseInt("{n}") + 1)',
            f'{inner} + Integer.valueOf("{n}")',
            f'(Boolean.parseBoolean("{p.choose("true", "false", "yes")}") ? {inner} : "off-{p.word()}")',
            f"{inner} + Integer.toString({n}) + Math.max({n}, 7)",
        ]
    )


@value()
def replace_all(p: JavaProgram, c: Java, text: str, d: int) -> str:
    inner = paren(p.val(c, text, d + 1))
    return inner + p.choose('.replaceAll("-", "_")', '.replaceFirst("_", "-")', '.replace("e", "")')


@local()
def compound_append(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    name = p.uid("text")
    head, tail = p.cut(text)
    return [
        f"String {name} = {p.val(c, head, 1)};",
        f"{name} += {p.val(c, tail, 1)};",
        p.choose(f"{name} = {name} + 1;", f'{name} = {name}.concat("-c");', f"{name} += 'c';"),
    ], name


@local()
def local_builder(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    name = p.uid("builder")
    head, tail = p.cut(text)
    return [
        f"StringBuilder {name} = new StringBuilder({p.val(c, head, 1)});",
        f"{name}.append({p.val(c, tail, 1)});",
    ], f"{name}.toString()"


@local()
def var_local(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    name = p.uid("value")
    return [f"{p.choose('', 'final ')}var {name} = {p.val(c, text, 1)};"], name
