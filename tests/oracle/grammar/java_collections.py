"""Values of Java programs kept in collections, or made by streams and Optional."""

from __future__ import annotations

from tests.oracle.frame import lit
from tests.oracle.grammar.java_values import function, helper
from tests.oracle.java import Java, JavaProgram, local, paren, value

UTIL = "java.util."


@value()
def list_get(p: JavaProgram, c: Java, text: str, d: int) -> str:
    inner, other = p.val(c, text, d + 1), lit(p.word())
    n = p.uid("LIST")
    many = c.imp(UTIL + "List")
    made = p.rng.choice(
        [
            f"{many}.of({other}, {inner})",
            f"{c.imp(UTIL + 'Arrays')}.asList({other}, {inner})",
            f"new {c.imp(UTIL + 'ArrayList')}<>({many}.of({other}, {inner}))",
        ]
    )
    c.add(f"static final {many}<String> {n} = {made};")
    return p.choose(f"{n}.get(1)", f"{n}.get({n}.size() - 1)", f"{n}.get(0)")


@value()
def singleton_collections(p: JavaProgram, c: Java, text: str, d: int) -> str:
    of, inner = c.imp(UTIL + "Collections"), p.val(c, text, d + 1)
    return p.rng.choice(
        [
            f'{of}.singletonMap("k", {inner}).get("k")',
            f"{of}.singletonList({inner}).get(0)",
            f"{of}.singleton({inner}).iterator().next()",
        ]
    )


@value()
def static_block_map(p: JavaProgram, c: Java, text: str, d: int) -> str:
    n, inner = p.uid("SETTINGS"), p.val(c, text, d + 1)
    c.add(
        f"private static final {c.imp(UTIL + 'Map')}<String, String> {n} = new {c.imp(UTIL + 'HashMap')}<>();"
    )
    block = [f'{n}.put("name", "early-{p.word()}");', f'{n}.put("name", {inner});', f'{n}.put("other", "o");']
    c.add("static {\n" + "\n".join(block) + "\n}")
    return p.choose(f'{n}.get("name")', f'{n}.getOrDefault("name", "none")', f'{n}.get("other")')


@value()
def static_block_field(p: JavaProgram, c: Java, text: str, d: int) -> str:
    n, inner = p.uid("COMPUTED"), p.val(c, text, d + 1)
    c.add(f"static final String {n};")
    block = p.rng.choice(
        [
            [f"{n} = {inner};"],
            [f"String base = {inner};", f'{n} = base + "-s";'],
            [
                f"if ({p.choose('true', 'false')}) {{",
                f"{n} = {inner};",
                "} else {",
                f'{n} = "else-{p.word()}";',
                "}",
            ],
        ]
    )
    c.add("static {\n" + "\n".join(block) + "\n}")
    return n


@value()
def map_compute(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    inner = p.val(o, text, d + 1)
    body = [f"{o.imp(UTIL + 'Map')}<String, String> known = new {o.imp(UTIL + 'HashMap')}<>();"]
    body += p.rng.choice(
        [
            [f'return known.computeIfAbsent("k", key -> {inner} + key);'],
            [
                f'known.putIfAbsent("k", {inner});',
                'known.putIfAbsent("k", "second");',
                'return known.get("k");',
            ],
            [
                f'known.put("k", {inner});',
                'known.merge("k", "-m", String::concat);',
                'return known.get("k");',
            ],
            [
                f'known.put("k", {inner});',
                'known.computeIfPresent("k", (key, old) -> old + key);',
                'return known.get("k");',
            ],
            [f'known.put("k", {inner});', 'known.remove("k");', 'return known.getOrDefault("k", "gone");'],
        ]
    )
    return function(p, c, o, body)


@value()
def map_contains(p: JavaProgram, c: Java, text: str, d: int) -> str:
    n, inner, m = p.uid("ROUTING"), p.val(c, text, d + 1), c.imp(UTIL + "Map")
    key = p.choose("a", "zz")
    c.add(f'static final {m}<String, String> {n} = {m}.of("a", "mapped-{p.word()}");')
    return f'({n}.containsKey("{key}") ? {n}.get("{key}") : {inner})'


@value()
def enum_map(p: JavaProgram, c: Java, text: str, d: int) -> str:
    e = p.java("Zone", "enum")
    e.lead = "EAST, WEST;"
    o = helper(p)
    n = o.use(e)
    body = [f"{o.imp(UTIL + 'Map')}<{n}, String> names = new {o.imp(UTIL + 'EnumMap')}<>({n}.class);"]
    body += [
        f"names.put({n}.WEST, {p.val(o, text, d + 1)});",
        f'names.put({n}.EAST, "{p.word()}-east");',
        "return names.get(zone);",
    ]
    return function(p, c, o, body, f"{n} zone", f"{c.use(e)}.{p.choose('EAST', 'WEST')}")


@value()
def properties_object(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    t, inner = o.imp(UTIL + "Properties"), p.val(o, text, d + 1)
    body = [f"{t} settings = new {t}();", f'settings.setProperty("mq.name", {inner});']
    body.append(
        p.rng.choice(
            [
                'return settings.getProperty("mq.name");',
                f'return settings.getProperty("mq.absent", "default-{p.word()}");',
                'return settings.getProperty("mq.name", "unused").trim();',
            ]
        )
    )
    return function(p, c, o, body)


@value()
def deque(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    inner, t = p.val(o, text, d + 1), o.imp(UTIL + "ArrayDeque")
    body = [
        f"{t}<String> queue = new {t}<>();",
        f"queue.add({inner});",
        f'queue.addFirst("{p.word()}-front");',
    ]
    body.append(p.choose("return queue.pollLast();", "return queue.poll();", "return queue.peekLast();"))
    return function(p, c, o, body)


@value()
def ordered_set(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    head, tail = p.cut(text)
    kind = o.imp(UTIL + p.choose("LinkedHashSet", "TreeSet"))
    body = [f"{o.imp(UTIL + 'Set')}<String> parts = new {kind}<>();", f"parts.add({p.val(o, head, d + 1)});"]
    body += [
        f"parts.add({p.val(o, tail, d + 1)});",
        f"parts.add({lit(head)});",
        'return String.join("-", parts);',
    ]
    return function(p, c, o, body)


@value()
def explicit_iterator(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    rows = ", ".join(p.rng.sample([lit(p.word()), p.val(o, text, d + 1)], 2))
    body = [f"{o.imp(UTIL + 'Iterator')}<String> it = {o.imp(UTIL + 'List')}.of({rows}).iterator();"]
    body += p.rng.choice(
        [
            ["it.next();", "return it.next();"],
            ['String last = "none";', "while (it.hasNext()) {", "last = it.next();", "}", "return last;"],
        ]
    )
    return function(p, c, o, body)


@value(1.5)
def stream_joining(p: JavaProgram, c: Java, text: str, d: int) -> str:
    head, tail = p.cut(text)
    parts = f"{p.val(c, head, d + 1)}, {p.val(c, tail, d + 1)}"
    source = p.rng.choice(
        [
            f"{c.imp(UTIL + 'stream.Stream')}.of({parts})",
            f"{c.imp(UTIL + 'Arrays')}.asList({parts}).stream()",
            f"{c.imp(UTIL + 'List')}.of({parts}).stream()",
            f"{c.imp(UTIL + 'Arrays')}.stream(new String[] {{{parts}}})",
        ]
    )
    step = p.choose(
        "",
        ".map(String::trim)",
        '.map(each -> each + "x")',
        ".filter(each -> each.length() > 1)",
        ".map(String::toUpperCase)",
    )
    return f'{source}{step}.collect({c.imp(UTIL + "stream.Collectors")}.joining("{p.choose("", "-", "_")}"))'


@value()
def stream_find(p: JavaProgram, c: Java, text: str, d: int) -> str:
    rows = ", ".join(p.rng.sample([lit(p.word()), p.val(c, text, d + 1), lit(p.word() + "-z")], 3))
    test = p.rng.choice(
        [f'each -> each.startsWith("{text[:3]}")', "each -> each.length() > 5", "each -> true"]
    )
    return (
        f"{c.imp(UTIL + 'stream.Stream')}.of({rows}).filter({test}).findFirst().orElse({lit('none-' + text)})"
    )


@value()
def stream_reduce(p: JavaProgram, c: Java, text: str, d: int) -> str:
    head, tail = p.cut(text)
    source = f"{c.imp(UTIL + 'stream.Stream')}.of({p.val(c, head, d + 1)}, {p.val(c, tail, d + 1)})"
    return source + p.choose(
        '.reduce("", String::concat)', '.reduce("r", (a, b) -> a + "-" + b)', ".skip(1).findFirst().get()"
    )


@value()
def stream_range(p: JavaProgram, c: Java, text: str, d: int) -> str:
    inner = p.val(c, text, d + 1)
    ints, collectors = c.imp(UTIL + "stream.IntStream"), c.imp(UTIL + "stream.Collectors")
    n = p.rng.randint(1, 3)
    return f'{ints}.rangeClosed(1, {n}).mapToObj(i -> {inner} + i).collect({collectors}.joining("-"))'


@value()
def stream_to_map(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    inner = p.val(o, text, d + 1)
    source = f'{o.imp(UTIL + "stream.Stream")}.of("a={p.word()}", "b=" + {paren(inner)})'
    body = [f"{o.imp(UTIL + 'Map')}<String, String> found = {source}", '.map(each -> each.split("="))']
    body += [f".collect({o.imp(UTIL + 'stream.Collectors')}.toMap(each -> each[0], each -> each[1]));"]
    return function(p, c, o, [*body, f'return found.get("{p.choose("a", "b")}");'])


@value(1.5)
def optional_value(p: JavaProgram, c: Java, text: str, d: int) -> str:
    t, inner = c.imp(UTIL + "Optional"), p.val(c, text, d + 1)
    other = lit("else-" + text)
    return p.rng.choice(
        [
            f'{t}.of({inner}).map(each -> each + "-o").orElse({other})',
            f"{t}.<String>empty().orElse({inner})",
            f"{t}.ofNullable((String) null).orElseGet(() -> {inner})",
            f"{t}.ofNullable({inner}).filter(each -> each.length() > 6).orElse({other})",
            f"{t}.of({inner}).or(() -> {t}.of({other})).get()",
            f"{t}.of({inner}).flatMap(each -> {t}.of(each.trim())).orElseThrow()",
        ]
    )


@value()
def objects_default(p: JavaProgram, c: Java, text: str, d: int) -> str:
    t, inner = c.imp(UTIL + "Objects"), p.val(c, text, d + 1)
    return p.rng.choice(
        [
            f"{t}.requireNonNullElse((String) null, {inner})",
            f"{t}.toString(null, {inner})",
            f"{t}.requireNonNull({inner})",
            f'({t}.equals({inner}, "x") ? "same" : {inner})',
        ]
    )


@value()
def array_of_arrays(p: JavaProgram, c: Java, text: str, d: int) -> str:
    n, inner = p.uid("GRID"), p.val(c, text, d + 1)
    c.add(f'static final String[][] {n} = {{{{"{p.word()}"}}, {{"x", {inner}}}}};')
    return p.choose(f"{n}[1][1]", f"{n}[{n}.length - 1][1]", f"{n}[1][{n}[1].length - 1]", f"{n}[0][0]")


@value()
def array_filled(p: JavaProgram, c: Java, text: str, d: int) -> str:
    o = helper(p)
    inner = p.val(o, text, d + 1)
    body = [
        "String[] all = new String[3];",
        "for (int i = 0; i < all.length; i++) {",
        f"all[i] = {inner} + i;",
        "}",
    ]
    return function(p, c, o, [*body, f"return all[{p.rng.randint(0, 2)}];"])


@local()
def local_list(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    name = p.uid("names")
    lines = [f"{c.imp(UTIL + 'List')}<String> {name} = new {c.imp(UTIL + 'ArrayList')}<>();"]
    lines += [f"{name}.add({p.val(c, text, 1)});", f'{name}.add(0, "{p.word()}-l");']
    lines += p.rng.choice(
        [
            [],
            [f"{name}.remove(0);", f"{name}.add({lit('tail-' + text)});"],
            [f'{name}.set(0, "{p.word()}-set");'],
        ]
    )
    return lines, f"{name}.get({p.choose('0', '1')})"


@local()
def local_map(p: JavaProgram, c: Java, text: str) -> tuple[list[str], str]:
    name = p.uid("known")
    lines = [f"{c.imp(UTIL + 'Map')}<String, String> {name} = new {c.imp(UTIL + 'HashMap')}<>();"]
    lines += [f'{name}.put("n", {p.val(c, text, 1)});']
    lines += p.rng.choice(
        [[], [f'{name}.put("n", {name}.get("n") + "-2");'], [f'{name}.putIfAbsent("n", "late");']]
    )
    return lines, f'{name}.get("n")'
