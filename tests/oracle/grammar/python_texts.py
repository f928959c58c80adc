"""Values of Python programs made by string methods, formats, and what the standard library does with texts."""

from __future__ import annotations

from tests.oracle.frame import const, lit
from tests.oracle.grammar.python_values import computed
from tests.oracle.python import Module, PythonProgram, value


@value()
def format_spec(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("NUMBER")
    m.top(f"{name} = {p.rng.randint(1, 40)}")
    return p.rng.choice(
        [
            f'f"{text}-{{{name}:03d}}"',
            f'f"{text}-{{{name} + 1}}"',
            f'f"{text}-{{{name}:x}}"',
            f'f"{text}{{{name}!r}}"',
            f"f\"{text}-{{'{p.word()}'.upper()}}\"",
        ]
    )


@value()
def percent_format(p: PythonProgram, m: Module, text: str, d: int) -> str:
    inner = p.val(m, text, d + 1)
    n = p.rng.randint(1, 9)
    return p.rng.choice(
        [
            f'"%s-%02d" % ({inner}, {n})',
            f'"%(name)s_%(n)d" % {{"name": {inner}, "n": {n}}}',
            f'"v{n}-%s" % ({inner})',
        ]
    )


@value()
def format_method(p: PythonProgram, m: Module, text: str, d: int) -> str:
    inner = p.val(m, text, d + 1)
    return p.rng.choice(
        [
            f'"{{name}}-{{n}}".format(name={inner}, n={p.rng.randint(1, 9)})',
            f'"{{1}}.{{0}}".format("{p.word()}", {inner})',
            f'"{{0}}{{0}}".format({inner})',
            f'"{{n:02d}}-{{name}}".format(**{{"name": {inner}, "n": {p.rng.randint(1, 9)}}})',
        ]
    )


@value()
def join_split(p: PythonProgram, m: Module, text: str, d: int) -> str:
    other = p.word()
    return p.rng.choice(
        [
            f'"{other},{text}".split(",")[1]',
            f'"{text};{other}".partition(";")[0]',
            f'"-".join(["{other}", {p.val(m, text, d + 1)}])',
            f'"-".join({lit(text)}.split("_"))',
            f'"{other}:{text}".rsplit(":", 1)[-1]',
        ]
    )


@value()
def slices(p: PythonProgram, m: Module, text: str, d: int) -> str:
    return p.rng.choice(
        [
            f'"mq:{text}"[3:]',
            f'"{text}__"[:-2]',
            f"{lit(text)}[::-1]",
            f"{lit(text)}[:{p.rng.randint(3, 5)}]",
            f'["{p.word()}", {lit(text)}][-1]',
        ]
    )


@value()
def more_string_methods(p: PythonProgram, m: Module, text: str, d: int) -> str:
    return p.rng.choice(
        [
            f'"pre_{text}".removeprefix("pre_")',
            f'"{text}.old".removesuffix(".old")',
            f"{lit(text)}.title()",
            f"{lit(text)}.capitalize()",
            f'{lit(text)}.swapcase().replace("-", "")',
            f'"{p.rng.randint(1, 9)}".zfill(3) + {lit(text)}',
            f'"  {text} ".strip()',
            f'"x" * {p.rng.randint(0, 2)} + {lit(text)}',
            f'{lit(text)}.lower().replace("_", "-").strip("-")',
        ]
    )


@value()
def comprehension_join(p: PythonProgram, m: Module, text: str, d: int) -> str:
    return p.rng.choice(
        [
            f'"".join(each for each in {lit(text)} if each != "-")',
            f'"-".join(part.upper() for part in ["{p.word()}", {lit(text)}])',
            f'"".join([c.lower() for c in {lit(text)}])',
            f'"_".join(sorted({{{lit(text)}, "{p.word()}"}}))',
            f'"".join(reversed({lit(text)}))',
            f'"-".join(str(n) for n in range({p.rng.randint(1, 3)})) + {lit(text)}',
        ]
    )


@value()
def map_filter(p: PythonProgram, m: Module, text: str, d: int) -> str:
    return p.rng.choice(
        [
            f'"-".join(map(str.lower, ["{p.word().upper()}", {lit(text)}]))',
            f'"".join(filter(str.isalpha, {lit(text)}))',
            f'next(filter(None, ["", None, {lit(text)}]))',
            f'list(map(lambda each: each + "-m", [{lit(text)}]))[0]',
            f'max(["a", {lit(text)}], key=len)',
            f'sorted([{lit(text)}, "{p.word()}"])[0]',
        ]
    )


@value()
def next_generator(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("CANDIDATES")
    rows = [p.word(), text, p.word() + "-z"]
    p.rng.shuffle(rows)
    m.top(f"{name} = [{', '.join(map(lit, rows))}]")
    return f'next((each for each in {name} if each.startswith("{text[:3]}")), "none-{p.word()}")'


@value()
def zip_dict(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("TABLE")
    keys = p.choose('["a", "b"]', '("a", "b")', '"ab"')
    m.top(f'{name} = dict(zip({keys}, [{lit(text)}, "{p.word()}"]))')
    return p.choose(f'{name}["a"]', f'{name}["b"]', f'{name}.get("c", {lit(text)})')


@value()
def dict_comprehension(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("NAMES")
    m.top(f'{name} = {{each: each + "-d" for each in ({lit(text)}, "{p.word()}") if each}}')
    return f"{name}[{lit(text)}]"


@value()
def dict_merge(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("MERGED")
    base, over = f'{{"name": "{p.word()}-base", "kind": "k"}}', f'{{"name": {lit(text)}}}'
    forms = [
        f"{base} | {over}",
        f"{{**{base}, **{over}}}",
        f"dict({base}, name={lit(text)})",
        f"{{**{over}, **{base}}}",
    ]
    m.top(f"{name} = {p.rng.choice(forms)}")
    return f'{name}["name"]'


@value()
def dict_updates(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("settings")
    body = [f'{name} = {{"name": "{p.word()}-first"}}']
    body += p.rng.choice(
        [
            [f'{name}.update({{"name": {lit(text)}}})'],
            [f'{name}.setdefault("name", {lit(text)})'],
            [f'{name}["name"] = {lit(text)}', f'{name}["name"] += "-more"'],
            [f'del {name}["name"]', f'{name}.setdefault("name", {lit(text)})'],
            [f"{name}.update(name={p.val(m, text, d + 1)})"],
            [f'{name}.pop("name")'],
        ]
    )
    return computed(p, m, [*body, f'return {name}.get("name", "gone")'])


@value()
def list_operations(p: PythonProgram, m: Module, text: str, d: int) -> str:
    body = [f'parts = ["{p.word()}"]', f"parts.append({p.val(m, text, d + 1)})"]
    body += p.rng.choice(
        [
            ["parts.reverse()"],
            [f'parts.insert(0, "{p.word()}")'],
            ['parts += ["x", "y"]'],
            ["parts.pop(0)"],
            ['parts.extend(("z",))'],
        ]
    )
    return computed(p, m, [*body, p.choose('return "-".join(parts)', "return parts[0]", "return parts[-1]")])


@value()
def star_unpack(p: PythonProgram, m: Module, text: str, d: int) -> str:
    body = p.rng.choice(
        [
            [f'first, *rest = ["{p.word()}", {lit(text)}, "z"]', 'return "-".join(rest)'],
            [f'_, name, _ = ("a", {lit(text)}, "c")', "return name"],
            [f'one, two = "{p.word()}", {p.val(m, text, d + 1)}', "one, two = two, one", "return one"],
            [f'(name, _), last = ({lit(text)}, 1), "{p.word()}"', 'return name + "-" + last'],
        ]
    )
    return computed(p, m, body)


@value()
def or_default(p: PythonProgram, m: Module, text: str, d: int) -> str:
    inner = p.val(m, text, d + 1)
    return p.rng.choice(
        [
            f"(None or {inner})",
            f'("" or {inner})',
            f'({inner} or "unused")',
            f'({inner} and "both-{p.word()}")',
            f'(0 or "" or {inner})',
        ]
    )


@value()
def module_level_build(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name, base = p.uid(const(text) + "_NAME"), p.uid("BASE")
    head, tail = p.cut(text)
    m.top(f"{base} = {lit(head)}", f"{name} = {base} + {lit(tail)}")
    m.top(
        *p.rng.choice(
            [
                [],
                [f'{name} += "-lvl"'],
                [f"if len({name}) > 8:", f"    {name} = {name}.lower()"],
                [f'{name} = f"{{{name}}}-{{{base}}}"'],
            ]
        )
    )
    return name


@value()
def environ_or(p: PythonProgram, m: Module, text: str, d: int) -> str:
    m.imp("import os")
    key = f"APP_{p.word().upper()}"
    return p.rng.choice(
        [
            f'(os.environ.get("{key}") or {lit(text)})',
            f'os.environ.get("{key}", {lit(text)}).strip()',
            f'(os.environ["{key}"] if "{key}" in os.environ else {lit(text)})',
        ]
    )
