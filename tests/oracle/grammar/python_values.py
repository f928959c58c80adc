"""Values of Python programs."""

from __future__ import annotations

from tests.oracle.frame import const, lit
from tests.oracle.python import Module, PythonProgram, indent, value


def settings_module(p: PythonProgram) -> Module:
    """A module of settings."""
    return p.shared("settings", 0.7) or p.module(p.choose("settings", "config", "constants"), "settings")


@value(2)
def const_own(p: PythonProgram, m: Module, text: str, d: int) -> str:
    n = p.uid(const(text))
    m.top(f"{n} = {lit(text)}")
    return n


@value(2)
def settings(p: PythonProgram, m: Module, text: str, d: int) -> str:
    o = settings_module(p)
    if o is m:
        return lit(text)
    n = p.uid(const(text))
    o.top(f"{n} = {lit(text)}")
    return p.use(m, o, n)


@value()
def settings_class(p: PythonProgram, m: Module, text: str, d: int) -> str:
    o = settings_module(p)
    c, n = p.uid("Config"), const(text)
    o.add(f"class {c}:", f"    {n} = {lit(text)}", '    OTHER = "other"')
    return f"{p.use(m, o, c)}.{n}" if o is not m else f"{c}.{n}"


@value(2)
def fstring(p: PythonProgram, m: Module, text: str, d: int) -> str:
    n = p.uid("PREFIX")
    k = p.rng.randint(1, max(1, len(text) - 1))
    m.top(f"{n} = {lit(text[:k])}")
    return f'f"{{{n}}}{text[k:]}"'


@value()
def concat(p: PythonProgram, m: Module, text: str, d: int) -> str:
    k = p.rng.randint(1, max(1, len(text) - 1))
    return p.rng.choice(
        [
            f"{lit(text[:k])} + {p.val(m, text[k:], d + 1)}",
            f'"%s%s" % ({lit(text[:k])}, {lit(text[k:])})',
            f'"{{}}{{}}".format({lit(text[:k])}, {lit(text[k:])})',
            f'"".join([{lit(text[:k])}, {lit(text[k:])}])',
        ]
    )


@value()
def string_method(p: PythonProgram, m: Module, text: str, d: int) -> str:
    return lit(text) + p.rng.choice([".upper()", ".lower()", ".strip()", '.replace("-", "_")'])


@value(1.5)
def dict_value(p: PythonProgram, m: Module, text: str, d: int) -> str:
    n = p.uid("MQ")
    m.top(f'{n} = {{"name": {lit(text)}, "other": "{p.word()}"}}')
    return p.rng.choice([f'{n}["name"]', f'{n}.get("name")', f'{n}.get("absent", {lit(text)})'])


@value()
def environ_default(p: PythonProgram, m: Module, text: str, d: int) -> str:
    m.imp("import os")
    return p.rng.choice(
        [
            f'os.environ.get("APP_{p.word().upper()}", {lit(text)})',
            f'os.getenv("APP_{p.word().upper()}", {lit(text)})',
        ]
    )


@value(0.4)
def unknown_env(p: PythonProgram, m: Module, text: str, d: int) -> str:
    m.imp("import os")
    return f'os.environ["{p.rng.choice(["MQ_GROUP", "MQ_TOPIC", "MQ_TAGS"])}"]'


@value()
def function(p: PythonProgram, m: Module, text: str, d: int) -> str:
    f = p.uid("name_of")
    if p.chance(0.5):
        m.early(f"def {f}(base, v2=False):", "    if v2:", '        return base + "_v2"', "    return base")
        return f"{f}({lit(text)}{p.rng.choice(['', ', True', ', v2=True', ', False'])})"
    m.early(f"def {f}():", f"    return {lit(text)}")
    return f"{f}()"


@value()
def ternary(p: PythonProgram, m: Module, text: str, d: int) -> str:
    n = p.uid("DEBUG")
    m.top(f"{n} = {p.rng.choice(['True', 'False'])}")
    return f"({lit(text)} if {n} else {lit(text + '-prod')})"


def computed(p: PythonProgram, m: Module, body: list[str], parameters: str = "", arguments: str = "") -> str:
    """A call of a new function that gives a text, good at class level too."""
    name = p.uid(p.choose("text_of", "resolve", "compute"))
    m.early(f"def {name}({parameters}):", *indent(body))
    return f"{name}({arguments})"
