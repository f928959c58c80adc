"""Values of Python programs that branches, loops, exceptions, closures and decorators decide."""

from __future__ import annotations

from tests.oracle.frame import lit
from tests.oracle.grammar.python_values import computed
from tests.oracle.python import Module, PythonProgram, indent, value


@value()
def walrus(p: PythonProgram, m: Module, text: str, d: int) -> str:
    body = [
        f"if (size := len({p.val(m, text, d + 1)})) > {p.rng.randint(5, 12)}:",
        f'    return "long-{p.word()}"',
        f"return {lit(text)} + str(size)",
    ]
    return computed(p, m, body)


@value()
def match_text(p: PythonProgram, m: Module, text: str, d: int) -> str:
    body = [
        "match mode:",
        '    case "dev" | "test":',
        f"        return {lit('dev-' + text)}",
        '    case "prod":',
    ]
    body += [f"        return {p.val(m, text, d + 1)}", "    case _:", '        return "mode-" + mode']
    return computed(p, m, body, "mode", f'"{p.choose("dev", "test", "prod", "other")}"')


@value()
def match_shape(p: PythonProgram, m: Module, text: str, d: int) -> str:
    body = [
        "match it:",
        "    case [first, second]:",
        '        return first + "-" + second',
        '    case {"name": name}:',
        "        return name",
    ]
    body += [
        "    case str():",
        '        return it + "-s"',
        "    case int() if it > 3:",
        '        return f"big-{it}"',
        "    case _:",
        f"        return {lit(text)}",
    ]
    argument = p.rng.choice(
        [
            f'["{p.word()}", {lit(text)}]',
            f'{{"name": {lit(text)}}}',
            lit(text),
            str(p.rng.randint(1, 6)),
            "None",
        ]
    )
    return computed(p, m, body, "it", argument)


@value()
def try_except_value(p: PythonProgram, m: Module, text: str, d: int) -> str:
    inner = p.val(m, text, d + 1)
    form = p.rng.choice(
        [
            ["try:", '    return f"n-{int(number)}"', "except ValueError:", f"    return {inner}"],
            [
                "try:",
                "    value = int(number)",
                "except ValueError as error:",
                '    return "bad-" + type(error).__name__',
                "else:",
                f"    return {inner} + str(value)",
            ],
            ['out = "none"', "try:", f"    out = {inner}", "    return out", "finally:", '    out = "late"'],
            [
                "try:",
                '    if number == "x":',
                f"        raise KeyError({lit(text)})",
                f'    return "fine-{p.word()}"',
                "except KeyError as error:",
                "    return error.args[0]",
            ],
        ]
    )
    return computed(p, m, form, "number", f'"{p.choose("7", "x", "12")}"')


@value()
def lookup_error(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("KNOWN")
    m.top(f'{name} = {{"a": {lit(text)}}}')
    body = ["try:", f"    return {name}[key]", "except KeyError:", '    return "absent-" + key']
    return computed(p, m, body, "key", f'"{p.choose("a", "b")}"')


@value()
def global_counter(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("next_number")
    m.top(f"{name} = {p.rng.randint(0, 3)}")
    return computed(
        p,
        m,
        [f"global {name}", f"{name} += 1", f'return f"{{base}}-{{{name}}}"'],
        "base",
        p.val(m, text, d + 1),
    )


@value()
def nonlocal_closure(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("counter")
    m.early(
        "def make_" + name + "(base):",
        "    count = 0",
        "",
        "    def step():",
        "        nonlocal count",
        "        count += 1",
        '        return f"{base}{count}"',
        "",
        "    return step",
    )
    return computed(
        p,
        m,
        [
            f"step = make_{name}({p.val(m, text, d + 1)})",
            *(["step()"] if p.chance(0.5) else []),
            "return step()",
        ],
    )


@value()
def closure(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("prefixed")
    m.early(
        f"def {name}(prefix):",
        p.choose(
            '    return lambda text: prefix + "-" + text',
            '    def add(text, end=""):\n        return prefix + text + end\n\n    return add',
        ),
    )
    return f'{name}("{p.word()}")({p.val(m, text, d + 1)})'


@value()
def lambda_value(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("decorate")
    body = p.choose("text + end", "end.strip() + text", "text if len(text) > 8 else text + end")
    m.top(f"{name} = lambda text, end={lit('-' + p.word())}: {body}")
    return f"{name}({p.val(m, text, d + 1)}{p.choose('', ', ' + lit('-e'), ', end=' + lit('_k'))})"


@value()
def partial_value(p: PythonProgram, m: Module, text: str, d: int) -> str:
    m.imp("from functools import partial")
    base, name = p.uid("glue"), p.uid("glued")
    m.early(f'def {base}(first, second, separator="-"):', "    return first + separator + second")
    body = [
        f"{name} = partial({base}, {p.rng.choice([lit(p.word()), lit(p.word()) + ', separator=' + lit('_')])})"
    ]
    return computed(p, m, [*body, f"return {name}({p.val(m, text, d + 1)})"])


@value()
def decorated(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name, deco = p.uid("named"), p.uid("suffixed")
    m.imp("import functools")
    with_arguments = p.chance(0.5)
    m.early(
        f"{'@' + deco + '(' + lit('-' + p.word()) + ')' if with_arguments else '@' + deco}",
        f"def {name}(text):",
        "    return text",
    )
    wrapper = ["@functools.wraps(function)", "def inner(*args, **kwargs):"]
    if with_arguments:
        wrapper += ["    return function(*args, **kwargs) + suffix", "", "return inner"]
        m.early(
            f"def {deco}(suffix):", "    def around(function):", *indent(wrapper, 2), "", "    return around"
        )
    else:
        wrapper += ['    return function(*args, **kwargs) + "-w"', "", "return inner"]
        m.early(f"def {deco}(function):", *indent(wrapper))
    return f"{name}({p.val(m, text, d + 1)})"


@value()
def lru_cached(p: PythonProgram, m: Module, text: str, d: int) -> str:
    m.imp("import functools")
    name = p.uid("cached")
    m.early(
        f"@functools.{p.choose('lru_cache(maxsize=None)', 'cache', 'lru_cache')}",
        f"def {name}():",
        f"    return {p.val(m, text, d + 1)}",
    )
    return f"{name}()"


@value()
def star_args(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("joined")
    m.early(
        f'def {name}(*parts, separator="-", **extra):',
        '    return separator.join(parts) + extra.get("end", "")',
    )
    head, tail = p.cut(text)
    arguments = f"{p.val(m, head, d + 1)}, {p.val(m, tail, d + 1)}"
    if p.chance(0.4):
        return f"{name}(*[{arguments}]{p.choose('', ', end=' + lit('-e'))})"
    return f"{name}({arguments}{p.choose('', ', separator=' + lit('_'), ', **{' + lit('end') + ': ' + lit('-x') + '}')})"


@value()
def forwarded_args(p: PythonProgram, m: Module, text: str, d: int) -> str:
    inner, outer = p.uid("inner_name"), p.uid("outer_name")
    m.early(f"def {outer}(*args, **kwargs):", f"    return {inner}(*args, **kwargs)")
    m.early(
        f'def {inner}(base, end="-i", upper=False):',
        "    return (base + end).upper() if upper else base + end",
    )
    return f"{outer}({p.val(m, text, d + 1)}{p.choose('', ', ' + lit('-p'), ', upper=True', ', end=' + lit('-k'))})"


@value()
def yielding(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("parts_of")
    m.early(
        f"def {name}(text):",
        *p.rng.choice(
            [
                ['    yield "g"', "    yield text"],
                ['    for each in ("a", text):', '        if each != "a":', "            yield each"],
                ['    yield from ["y", text, "z"]'],
            ]
        ),
    )
    call = f"{name}({p.val(m, text, d + 1)})"
    return p.choose(f'"-".join({call})', f"list({call})[-1]", f"next({call})")


@value()
def while_search(p: PythonProgram, m: Module, text: str, d: int) -> str:
    rows = [p.word(), text, p.word() + "-w"]
    p.rng.shuffle(rows)
    body = [f"rows = [{', '.join(map(lit, rows))}]"]
    body += p.rng.choice(
        [
            [
                "index = 0",
                f'while not rows[index].startswith("{text[:3]}"):',
                "    index += 1",
                "return rows[index]",
            ],
            [
                "for index, row in enumerate(rows):",
                f"    if row == {lit(text)}:",
                '        return f"{row}-{index}"',
                'return "none"',
            ],
            [
                "for row in rows:",
                f"    if len(row) > {len(text)}:",
                "        break",
                "else:",
                '    return "no-longer"',
                "return row",
            ],
            [
                "while rows:",
                "    row = rows.pop()",
                f"    if row == {lit(text)}:",
                "        break",
                "return row",
            ],
        ]
    )
    return computed(p, m, body)


@value()
def recursion(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("nested")
    m.early(
        f"def {name}(text, depth):",
        "    if depth == 0:",
        "        return text",
        f'    return {name}(text + "x", depth - 1)',
    )
    return f"{name}({p.val(m, text, d + 1)}, {p.rng.randint(0, 3)})"


@value()
def chained_comparison(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("SIZE")
    m.top(f"{name} = {p.rng.randint(1, 30)}")
    inner = p.val(m, text, d + 1)
    return p.rng.choice(
        [
            f'({inner} if 5 < {name} <= 20 else "out-{p.word()}")',
            f'({inner} if {name} > 20 else "mid-{p.word()}" if {name} > 10 else {lit(text + "-s")})',
            f"({inner} if {name} in (1, 3, 5, 7, 9) or {name} > 25 else {lit('even-' + text)})",
            f"({inner} if not {name} % 2 == 0 else {lit('mod-' + text)})",
        ]
    )


@value()
def type_dispatch(p: PythonProgram, m: Module, text: str, d: int) -> str:
    body = p.rng.choice(
        [
            ["if isinstance(it, str):", "    return it", 'return f"n{it}"'],
            ["if type(it) is int:", '    return f"i{it}"', 'return it + "-t"'],
            ['return {str: "s-", int: "i-"}[type(it)] + str(it)'],
            ["if callable(it):", "    return it()", "return str(it)"],
        ]
    )
    return computed(
        p, m, body, "it", p.rng.choice([lit(text), str(p.rng.randint(1, 9)), p.val(m, text, d + 1)])
    )


@value()
def conditional_import(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("HAS_EXTRA")
    module = p.choose("json", "no_such_module_here")
    m.top("try:", f"    import {module}", f"    {name} = True", "except ImportError:", f"    {name} = False")
    return f"({p.val(m, text, d + 1)} if {name} else {lit(text + '-plain')})"


@value()
def dict_dispatch(p: PythonProgram, m: Module, text: str, d: int) -> str:
    a, b, name = p.uid("first_form"), p.uid("second_form"), p.uid("FORMS")
    m.early(f'{name} = {{"a": {a}, "b": {b}}}')
    m.early(f"def {a}(text):", '    return text + "-a"')
    m.early(f"def {b}(text):", '    return "b-" + text')
    return f'{name}["{p.choose("a", "b")}"]({p.val(m, text, d + 1)})'


@value()
def augmented_local(p: PythonProgram, m: Module, text: str, d: int) -> str:
    head, tail = p.cut(text)
    body = [f"out = {p.val(m, head, d + 1)}", f"out += {lit(tail)}"]
    body += p.rng.choice(
        [
            [],
            ["for n in range(2):", "    out += str(n)"],
            ["out = out * 2"],
            ["if len(out) > 7:", "    out = out[:7]"],
        ]
    )
    return computed(p, m, [*body, "return out"])


@value()
def context_value(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("naming")
    m.imp("from contextlib import contextmanager")
    m.early("@contextmanager", f"def {name}(text):", '    yield text + "-ctx"')
    return computed(p, m, [f"with {name}({p.val(m, text, d + 1)}) as found:", "    return found"])


@value()
def nested_default(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("DEFAULTS")
    m.top(f'{name} = {{"mq": {{"name": {lit(text)}, "list": ["{p.word()}", {lit(text + "-l")}]}}}}')
    return p.choose(
        f'{name}["mq"]["name"]',
        f'{name}["mq"]["list"][1]',
        f'{name}.get("mq", {{}}).get("none", {lit(text)})',
        f'{name}["mq"].get("name", "unused")',
    )
