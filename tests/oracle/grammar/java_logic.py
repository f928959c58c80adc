"""Values of Java programs that a branch, a loop, a recursion or an exception decides."""

from __future__ import annotations

from tests.oracle.frame import const, lit
from tests.oracle.grammar.java_values import function, helper
from tests.oracle.java import Java, JavaProgram, local, value


@value()
def switch_expression(p: JavaProgram, c: Java, text: str, d: int) -> str:
    mode = p.uid("MODE")
    inner, other = p.val(c, text, d + 1), p.val(c, p.word() + "-dev", d + 1)
    c.add(f'static final String {mode} = "{p.choose("dev", "prod", "none")}";')
    return f'(switch ({mode}) {{ case "dev", "test" -> {other}; case "prod" -> {inner}; default -> {lit("d-" + text)}; }})'


@value()
def switch_yield(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    inner = p.val(o, text, d + 1)
    body = [
        "return switch (level) {",
        f"case 1 -> {inner};",
        "case 2 -> {",
        f'String suffix = "{p.word()}-";',
        f"yield suffix + {inner};",
        "}",
        'default -> "level-" + level;',
        "};",
    ]
    return function(p, c, o, body, "int level", str(p.rng.randint(1, 3)))


@value()
def switch_enum(p: JavaProgram, c: Java, text: str, d: int) -> str:
    e = p.java(p.choose("Stage", "Region", "Level"), "enum")
    e.lead = "DEV, PROD, SPARE;"
    o = helper(p)
    n = o.use(e)
    body = [
        "switch (at) {",
        "case DEV:",
        f"return {lit('dev-' + text)};",
        "case PROD:",
        f"return {p.val(o, text, d + 1)};",
    ]
    body += ["default:", 'return "other-" + at;', "}"]
    return function(p, c, o, body, f"{n} at", f"{c.use(e)}.{p.choose('DEV', 'PROD', 'SPARE')}")


@value()
def switch_fall_through(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    body = [f"String out = {p.val(o, text, d + 1)};", "switch (n) {", "case 0:", 'out += "-zero";', "case 1:"]
    body += [
        'out += "-one";',
        "break;",
        "case 2:",
        'out += "-two";',
        "default:",
        'out += "-end";',
        "}",
        "return out;",
    ]
    return function(p, c, o, body, "int n", str(p.rng.randint(0, 3)))


@value()
def ternary_chain(p: JavaProgram, c: Java, text: str, d: int) -> str:
    n = p.uid("SIZE")
    inner = p.val(c, text, d + 1)
    c.add(f"static final int {n} = {p.rng.randint(1, 30)};")
    return f'({n} > 20 ? "big-{p.word()}" : {n} > 10 ? {inner} : "small-{p.word()}")'


@value()
def pattern_instanceof(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    body = p.rng.choice(
        [
            ["if (it instanceof String s) {", "return s;", "}", 'return "number-" + it;'],
            ["if (it instanceof String s && s.length() > 5) {", "return s;", "}", 'return "short-" + it;'],
            ["if (!(it instanceof String)) {", 'return "none-" + it;', "}", "return (String) it;"],
        ]
    )
    argument = p.val(c, text, d + 1) if p.chance(0.75) else str(p.rng.randint(1, 9))
    return function(p, c, o, body, "Object it", argument)


@value()
def recursion(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    name, n = p.uid("nested"), p.rng.randint(0, 3)
    body = p.rng.choice(
        [
            ["if (depth == 0) {", "return text;", "}", f'return {name}(text + "x", depth - 1);'],
            [f'return depth <= 0 ? text : "n" + {name}(text, depth - 1);'],
        ]
    )
    o.method(f"public static String {name}(String text, int depth)", body)
    return f"{c.use(o)}.{name}({p.val(c, text, d + 1)}, {n})"


@value()
def loop_search(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    rows = [p.word() + "-a", text, p.word() + "-c"]
    p.rng.shuffle(rows)
    table = ", ".join(map(lit, rows))
    body = [f"String[] all = {{{table}}};"]
    body += p.rng.choice(
        [
            [
                "for (String each : all) {",
                f"if (each.equals({lit(text)})) {{",
                "return each;",
                "}",
                "}",
                'return "absent";',
            ],
            ["int i = 0;", f'while (!all[i].startsWith("{text[:3]}")) {{', "i++;", "}", "return all[i];"],
            [
                "int i = -1;",
                "do {",
                "i++;",
                f"}} while (i < 2 && all[i].length() < {len(text)});",
                "return all[i];",
            ],
            [
                "String longest = all[0];",
                "for (String each : all) {",
                "if (each.length() > longest.length()) {",
                "longest = each;",
                "}",
                "}",
                "return longest;",
            ],
        ]
    )
    return function(p, c, o, body)


@value()
def labeled_loop(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    head, tail = p.cut(text)
    rows = [[head, tail], ["skip", p.word()]]
    p.rng.shuffle(rows)
    table = ", ".join("{" + ", ".join(map(lit, row)) + "}" for row in rows)
    body = [f"String[][] all = {{{table}}};", 'String out = "";', "outer:", "for (String[] row : all) {"]
    body += ["for (String cell : row) {", 'if (cell.equals("skip")) {']
    body += [p.choose("continue outer;", "break outer;"), "}", "out += cell;", "}", "}"]
    return function(p, c, o, [*body, f"return out.isEmpty() ? {lit(text)} : out;"])


@value()
def try_catch_value(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    inner = p.val(o, text, d + 1)
    body = ["try {", 'return text + "-" + Integer.parseInt(number);', "} catch (NumberFormatException e) {"]
    return function(
        p,
        c,
        o,
        [*body, f"return {inner};", "}"],
        "String text, String number",
        f'"n", "{p.choose("7", "x", "12")}"',
    )


@value()
def try_finally_value(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    inner = p.val(o, text, d + 1)
    body = p.rng.choice(
        [
            [
                'String out = "none";',
                "try {",
                f"out = {inner};",
                "return out;",
                "} finally {",
                'out = "late";',
                "}",
            ],
            [
                "String out;",
                "try {",
                f"out = {inner};",
                "} finally {",
                'System.out.println("done");',
                "}",
                "return out;",
            ],
        ]
    )
    return function(p, c, o, body)


@value()
def exception_message(p: JavaProgram, c: Java, text: str, d: int) -> str:
    e = p.java(p.choose("NotFound", "RouteException"), head=" extends RuntimeException")
    e.method(f"public {e.name}(String message)", ["super(message);"])
    o = helper(p)
    body = [
        "try {",
        "if (fail) {",
        f"throw new {o.use(e)}({p.val(o, text, d + 1)});",
        "}",
        f'return "fine-{p.word()}";',
    ]
    body += [f"}} catch ({o.use(e)} e) {{", "return e.getMessage();", "}"]
    return function(p, c, o, body, "boolean fail", p.choose("true", "false"))


@value()
def null_pointer_default(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    body = [
        "try {",
        "return text.trim();",
        "} catch (NullPointerException e) {",
        f"return {lit('null-' + text)};",
        "}",
    ]
    return function(p, c, o, body, "String text", p.val(c, text, d + 1) if p.chance(0.6) else "null")


@value()
def bit_flags(p: JavaProgram, c: Java, text: str, d: int) -> str:
    mask, bit = p.uid("FLAGS"), p.uid("BIT")
    inner = p.val(c, text, d + 1)
    c.add(f"static final int {bit} = 1 << {p.rng.randint(0, 2)};\nstatic final int {mask} = 1 | 4;")
    return f'(({mask} & {bit}) != 0 ? {inner} : "unset-{p.word()}")'


@value()
def boolean_logic(p: JavaProgram, c: Java, text: str, d: int) -> str:
    a, b = p.uid("ON"), p.uid("DRY")
    inner = p.val(c, text, d + 1)
    c.add(
        f"static final boolean {a} = {p.choose('true', 'false')};\nstatic boolean {b} = {p.choose('true', 'false')};"
    )
    test = p.choose(f"{a} && !{b}", f"{a} || {b}", f"{a} ^ {b}", f"!({a} && {b})", f"{a} == {b}")
    return f"({test} ? {inner} : {lit('logic-' + text)})"


@value()
def static_counter(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    n = p.uid("next")
    o.add(f"private static int {n} = {p.rng.randint(0, 3)};")
    return function(
        p,
        c,
        o,
        [p.choose(f'return base + "-" + {n}++;', f"return base + (++{n});")],
        "String base",
        p.val(c, text, d + 1),
    )


@value()
def loop_sum(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    body = ["int sum = 0;", f"for (int i = 1; i <= {p.rng.randint(2, 6)}; i++) {{", "if (i % 2 == 0) {"]
    body += [p.choose("continue;", "sum += 1;"), "}", "sum += i;", "}", "return text + sum;"]
    return function(p, c, o, body, "String text", p.val(c, text, d + 1))


@value()
def null_coalesce(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    body = p.rng.choice(
        [
            ["return text == null || text.isEmpty() ? fallback : text;"],
            ["if (text != null) {", "return text;", "}", "return fallback;"],
        ]
    )
    first = p.choose("null", '""', lit("first-" + text))
    return function(p, c, o, body, "String text, String fallback", f"{first}, {p.val(c, text, d + 1)}")


@value()
def varargs_forward(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    inner = p.uid("joined")
    o.method(
        f"private static String {inner}(String separator, String... parts)",
        p.rng.choice(
            [
                ["return String.join(separator, parts);"],
                ['return parts.length > 1 ? parts[0] + separator + parts[1] : "one";'],
            ]
        ),
    )
    head, tail = p.cut(text)
    arguments = f"{p.val(c, head, d + 1)}, {p.val(c, tail, d + 1)}"
    return function(p, c, o, [f'return {inner}("{p.choose("-", "")}", parts);'], "String... parts", arguments)


@local()
def if_else_chain(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    name, n = p.uid("value"), p.uid("LIMIT")
    c.add(f"private static final int {n} = {p.rng.randint(1, 9)};")
    lines = [
        f"String {name} = {lit('before-' + text)};",
        f"if ({n} > 6) {{",
        f"{name} = {p.val(c, text, 1)};",
    ]
    lines += [f"}} else if ({n} > 3) {{", f'{name} = {name} + "-mid";', "}"]
    return lines, name


@local()
def local_array(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    name = p.uid("parts")
    lines = [
        f"String[] {name} = new String[2];",
        f"{name}[0] = {p.val(c, text, 1)};",
        f'{name}[1] = {name}[0] + "-b";',
    ]
    return lines, f"{name}[{p.choose('0', '1', f'{name}.length - 1')}]"


@local()
def local_while(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    name = p.uid("grown")
    lines = [
        f"String {name} = {p.val(c, text, 1)};",
        f"while ({name}.length() < {len(text) + 3}) {{",
        f'{name} = {name} + "z";',
    ]
    return [*lines, "}"], name


@local()
def local_class(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    name = p.uid("Local" + const(text).title().replace("_", ""))
    if p.chance(0.5):
        return [
            f"record {name}(String value, int code) {{",
            "}",
        ], f"new {name}({p.val(c, text, 1)}, 1).value()"
    return [
        f"class {name} {{",
        "final String value;",
        f"{name}(String value) {{",
        "this.value = value;",
        "}",
        "}",
    ], (f"new {name}({p.val(c, text, 1)}).value")
