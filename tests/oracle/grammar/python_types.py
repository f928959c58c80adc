"""Values of Python programs that classes, enums, dataclasses and named tuples give."""

from __future__ import annotations

from tests.oracle.frame import const, lit
from tests.oracle.grammar.python_values import computed, settings_module
from tests.oracle.python import Module, PythonProgram, value


@value()
def named_tuple(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("Pair")
    if p.chance(0.5):
        m.imp("from collections import namedtuple")
        m.early(f'{name} = namedtuple("{name}", "left right"{p.choose("", ", defaults=(3,)")})')
    else:
        m.imp("from typing import NamedTuple")
        m.early(
            f"class {name}(NamedTuple):",
            "    left: str",
            '    right: str = "r"',
            "",
            "    def both(self):",
            '        return f"{self.left}-{self.right}"',
        )
    inner = p.val(m, text, d + 1)
    return p.rng.choice(
        [
            f"{name}({inner}, 1).left",
            f'{name}("x", {inner}).right',
            f"{name}({inner}, 2)[0]",
            f"{name}(left={inner}, right=1)._replace(right={lit(text)}).right",
        ]
    )


@value(1.5)
def enum_value(p: PythonProgram, m: Module, text: str, d: int) -> str:
    o = settings_module(p) if p.chance(0.5) else m
    name, member = p.uid("Topic"), const(text)
    kind = p.choose("Enum", "StrEnum", "str, Enum")
    o.imp("from enum import " + kind.rsplit(" ", 1)[-1])
    o.early(
        f"class {name}({kind}):",
        f"    {member} = {lit(text)}",
        f'    OTHER = "{p.word()}-o"',
        "",
        "    def label(self):",
        '        return self.value + "-" + self.name',
    )
    n = p.use(m, o, name)
    return p.rng.choice(
        [
            f"{n}.{member}.value",
            f'{n}["{member}"].value',
            f"{n}({lit(text)}).value",
            f"{n}.{member}.name",
            f"{n}.{member}.label()",
            f"list({n})[1].value",
        ]
    )


@value()
def int_enum(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("Level")
    m.imp("from enum import IntEnum")
    m.early(f"class {name}(IntEnum):", "    LOW = 1", "    HIGH = 5")
    inner = p.val(m, text, d + 1)
    return p.rng.choice(
        [
            f'({inner} if {name}.{p.choose("LOW", "HIGH")} > 2 else "low-{p.word()}")',
            f'f"{text}-{{{name}.HIGH.name}}"',
            f"{inner} + str({name}.LOW.value)",
        ]
    )


@value(1.5)
def dataclass_value(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("Settings")
    m.imp("from dataclasses import dataclass, field, replace")
    inner = p.val(m, text, d + 1)
    form = p.choose("plain", "post", "factory", "frozen")
    if form == "plain":
        m.early("@dataclass", f"class {name}:", "    name: str", '    tag: str = "*"')
        return p.choose(
            f"{name}({inner}).name", f'{name}(name={inner}, tag="t").name', f'{name}("n", {inner}).tag'
        )
    if form == "post":
        m.early(
            "@dataclass",
            f"class {name}:",
            "    base: str",
            '    name: str = ""',
            "",
            "    def __post_init__(self):",
            '        self.name = self.name or self.base + "-post"',
        )
        return p.choose(f"{name}({inner}).name", f'{name}("b", {inner}).name')
    if form == "factory":
        m.early(
            "@dataclass", f"class {name}:", f"    names: list = field(default_factory=lambda: [{lit(text)}])"
        )
        return p.choose(f"{name}().names[0]", f'{name}(["{p.word()}"]).names[0]')
    m.early(
        "@dataclass(frozen=True)",
        f"class {name}:",
        "    name: str",
        "",
        "    @property",
        "    def full(self):",
        '        return f"full-{self.name}"',
    )
    return p.choose(f"{name}({inner}).full", f'replace({name}("x"), name={inner}).full')


@value()
def class_attribute(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("Defaults")
    body = [
        "class " + name + ":",
        f"    name = {lit(text)}",
        '    other = name + "-o"',
        "",
        "    def rename(self, text):",
        "        self.name = text",
        "        return self",
    ]
    m.early(*body)
    return p.rng.choice(
        [
            f"{name}.name",
            f"{name}.other",
            f"{name}().name",
            f'{name}().rename("{p.word()}-set").name',
            f'getattr({name}, "name")',
            f'getattr({name}, "absent", {lit(text)})',
        ]
    )


@value()
def class_attribute_inherited(p: PythonProgram, m: Module, text: str, d: int) -> str:
    a, b = p.uid("BaseNames"), p.uid("SubNames")
    m.early(
        f"class {b}({a}):",
        *p.rng.choice([["    pass"], [f"    name = {lit(text)}"], ['    suffix = "-sub"']]),
    )
    m.early(
        f"class {a}:",
        f"    name = {lit('base-' + text)}",
        '    suffix = "-base"',
        "",
        "    def full(self):",
        "        return self.name + self.suffix",
    )
    return p.choose(f"{b}.name", f"{b}().full()", f"{a}().full()")


@value()
def property_value(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("Namer")
    m.early(
        f"class {name}:",
        "    def __init__(self, base):",
        "        self._base = base",
        "",
        "    @property",
        "    def name(self):",
        '        return self._base + "-p"',
        "",
        "    @name.setter",
        "    def name(self, text):",
        "        self._base = text",
    )
    inner = p.val(m, text, d + 1)
    if p.chance(0.5):
        return f"{name}({inner}).name"
    return computed(p, m, [f'it = {name}("{p.word()}")', f"it.name = {inner}", "return it.name"])


@value()
def class_and_static_method(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("Names")
    m.early(
        f"class {name}:",
        f'    prefix = "{p.word()}-"',
        "",
        "    def __init__(self, text):",
        "        self.text = text",
        "",
        "    @classmethod",
        "    def of(cls, text):",
        "        return cls(cls.prefix + text)",
        "",
        "    @staticmethod",
        "    def plain(text):",
        '        return text + "-s"',
    )
    inner = p.val(m, text, d + 1)
    return p.choose(f"{name}.of({inner}).text", f"{name}.plain({inner})", f"{name}({inner}).plain({inner})")


@value()
def callable_object(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("Suffixer")
    m.early(
        f"class {name}:",
        "    def __init__(self, end):",
        "        self.end = end",
        "        self.count = 0",
        "",
        "    def __call__(self, text):",
        "        self.count += 1",
        '        return f"{text}{self.end}{self.count}"',
    )
    return f'{name}("-{p.word()}")({p.val(m, text, d + 1)})'


@value()
def dunder_methods(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("Label")
    m.early(
        f"class {name}:",
        "    def __init__(self, text):",
        "        self.text = text",
        "",
        "    def __str__(self):",
        '        return "l-" + self.text',
        "",
        "    def __getitem__(self, key):",
        '        return f"{self.text}-{key}"',
        "",
        "    def __add__(self, other):",
        "        return self.text + other",
    )
    made = f"{name}({p.val(m, text, d + 1)})"
    return p.choose(f"str({made})", f"f\"{{{name}('{text}')}}\"", f'{made}["k"]', f'{made} + "-plus"')


@value()
def super_call(p: PythonProgram, m: Module, text: str, d: int) -> str:
    a, b = p.uid("ParentName"), p.uid("ChildName")
    m.early(
        f"class {b}({a}):",
        "    def __init__(self, text):",
        f"        super().__init__({p.choose('text', lit('c-') + ' + text')})",
        "",
        "    def name(self):",
        '        return super().name() + "-child"',
    )
    m.early(
        f"class {a}:",
        "    def __init__(self, text):",
        "        self.text = text",
        "",
        "    def name(self):",
        "        return self.text",
    )
    return f"{p.choose(a, b, b)}({p.val(m, text, d + 1)}).name()"


@value()
def mixin(p: PythonProgram, m: Module, text: str, d: int) -> str:
    a, b, c = p.uid("UpperMixin"), p.uid("SuffixMixin"), p.uid("MixedName")
    order = p.rng.choice([f"{a}, {b}", f"{b}, {a}"])
    m.early(f"class {c}({order}):", "    def __init__(self, text):", "        self.text = text")
    m.early(f"class {a}:", "    def name(self):", "        return self.text.upper()")
    m.early(
        f"class {b}:",
        "    def name(self):",
        '        return self.text + "-mix"',
        "",
        "    def other(self):",
        '        return self.name() + "-o"',
    )
    return f"{c}({p.val(m, text, d + 1)}).{p.choose('name()', 'other()')}"


@value()
def abstract_name(p: PythonProgram, m: Module, text: str, d: int) -> str:
    a, b = p.uid("AbstractName"), p.uid("ConcreteName")
    m.imp("from abc import ABC, abstractmethod")
    m.early(f"class {b}({a}):", "    def base(self):", f"        return {p.val(m, text, d + 1)}")
    m.early(
        f"class {a}(ABC):",
        "    @abstractmethod",
        "    def base(self):",
        "        ...",
        "",
        "    def full(self):",
        '        return "abc-" + self.base()',
    )
    return f"{b}().full()"


@value()
def singleton_object(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("Registry")
    form = p.choose("new", "module", "classmethod")
    if form == "new":
        m.early(
            f"class {name}:",
            "    _instance = None",
            "",
            "    def __new__(cls):",
            "        if cls._instance is None:",
            "            cls._instance = super().__new__(cls)",
            f"            cls._instance.name = {lit(text)}",
            "        return cls._instance",
        )
        return f"{name}().name"
    if form == "module":
        m.early(f"{name.lower()}_instance = {name}()")
        m.early(f"class {name}:", "    def __init__(self):", f"        self.name = {lit(text)}")
        return f"{name.lower()}_instance.name"
    m.early(
        f"class {name}:",
        "    _one = None",
        "",
        "    @classmethod",
        "    def get(cls):",
        "        if cls._one is None:",
        "            cls._one = cls()",
        "        return cls._one",
        "",
        "    def name(self):",
        f"        return {lit(text)}",
    )
    return f"{name}.get().name()"


@value()
def attributes_set(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("Bag")
    m.early(
        f"class {name}:",
        "    def __init__(self, **values):",
        "        for key, value in values.items():",
        "            setattr(self, key, value)",
    )
    inner = p.val(m, text, d + 1)
    return p.choose(
        f"{name}(name={inner}, n=1).name",
        f'getattr({name}(name={inner}), "name")',
        f'getattr({name}(other={inner}), "name", {lit(text)})',
        f'vars({name}(name={inner}))["name"]',
    )


@value()
def simple_namespace(p: PythonProgram, m: Module, text: str, d: int) -> str:
    m.imp("from types import SimpleNamespace")
    return f"SimpleNamespace(name={p.val(m, text, d + 1)}, n=1).name"


@value()
def package_reexport(p: PythonProgram, m: Module, text: str, d: int) -> str:
    """A constant that the package's `__init__` gives on; without a package, a constant of another module, renamed."""
    o = settings_module(p)
    if o is m:
        return lit(text)
    name = p.uid(const(text))
    o.top(f"{name} = {lit(text)}")
    if not p.package:
        alias = p.uid(name + "_ALIAS")
        m.imp(f"from {p.dotted(o)} import {name} as {alias}")
        return alias
    if m.is_main and p.chance(0.6):
        p.reexports.append(f"from .{o.name} import {name}")
        m.imp(f"from {p.package} import {name}")
        return name
    alias = p.uid("cfg")
    m.imp(f"import {p.package}.{o.name} as {alias}")
    return f"{alias}.{name}"


@value()
def relative_import(p: PythonProgram, m: Module, text: str, d: int) -> str:
    o = settings_module(p)
    if o is m or not p.package or m.is_main:
        return lit(text)
    name = p.uid(const(text))
    o.top(f"{name} = {lit(text)}")
    if p.chance(0.5):
        m.imp(f"from . import {o.name}")
        return f"{o.name}.{name}"
    m.imp(f"from .{o.name} import {name}")
    return name


@value()
def nested_class(p: PythonProgram, m: Module, text: str, d: int) -> str:
    name = p.uid("Config")
    m.early(
        f"class {name}:",
        "    class Mq:",
        f"        NAME = {lit(text)}",
        f'        FULL = NAME + "-{p.word()}"',
    )
    return p.choose(f"{name}.Mq.NAME", f"{name}.Mq.FULL")


@value()
def delegate(p: PythonProgram, m: Module, text: str, d: int) -> str:
    a, b = p.uid("PlainNamer"), p.uid("PrefixNamer")
    m.early(
        f"class {b}:",
        "    def __init__(self, inner, prefix):",
        "        self.inner, self.prefix = inner, prefix",
        "",
        "    def resolve(self, key):",
        "        return self.prefix + self.inner.resolve(key)",
    )
    m.early(f"class {a}:", "    def resolve(self, key):", "        return key")
    made = f"{a}()"
    for _ in range(p.rng.randint(0, 2)):
        made = f'{b}({made}, "{p.word()}-")'
    return f"{made}.resolve({p.val(m, text, d + 1)})"
