"""Python programs being written: modules, values, what they do with the clients, and the tables of features."""

from __future__ import annotations

from collections.abc import Callable
from string import Template

from tests.oracle.frame import Draft, Table, Texts, lit

Use = Callable[["Module", Texts], list[str]]

value: Table[Callable[[PythonProgram, Module, str, int], str]] = Table("py-")
shape: Table[Callable[[PythonProgram], Use]] = Table("py-")
wrap: Table[Callable[[PythonProgram, Module, list[str]], list[str]]] = Table("py-")


class Module:
    """One file; `constants` are statements at module level that stand before functions and classes."""

    def __init__(self, p: PythonProgram, name: str, role: str = "") -> None:
        self.p, self.name, self.role = p, name, role
        self.imports: list[str] = []
        self.constants: list[str] = []
        self.lines: list[str] = []
        self.tail: list[str] = []
        self.known: dict[str, str] = {}
        """Names imported from other modules of the program."""

    @property
    def is_main(self) -> bool:
        return self.role == "main"

    def imp(self, line: str) -> None:
        if line not in self.imports:
            self.imports.append(line)

    def add(self, *lines: str) -> None:
        """A function or class behind the others."""
        self.lines += ["", "", *lines]

    def write(self, text: str, **names: str) -> None:
        """Add functions and classes from a text in which `$name` stands for what is given: a statement block keeps
        the indentation of its `$name`.
        """
        lines: list[str] = []
        for line in text.strip("\n").split("\n"):
            filled = Template(line).substitute(names)
            margin = line[: len(line) - len(line.lstrip())]
            lines += [part if at == 0 else margin + part for at, part in enumerate(filled.split("\n"))]
        self.add(*lines)

    def early(self, *lines: str) -> None:
        """A function or class before the others: one that constants of classes may call."""
        self.lines[:0] = ["", "", *lines]

    def top(self, *lines: str) -> None:
        self.constants += lines

    def text(self) -> str:
        imports = sorted(self.imports, key=lambda line: (not line.startswith("import"), line))
        constants = ["", *self.constants] if self.constants else []
        return "\n".join([*imports, *constants, *self.lines, *self.tail]).lstrip("\n") + "\n"


class PythonProgram(Draft):
    """A folder of modules, perhaps with a package; the mains are scripts beside it."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(name, seed)
        self.modules: list[Module] = []
        self.package = "" if self.chance(0.6) else self.choose("app", "mq", "service")
        self.reexports: list[str] = []
        """Lines of the package's own `__init__.py`."""

    def module(self, base: str, role: str = "") -> Module:
        made = Module(self, self.uid(base), role)
        self.modules.append(made)
        return made

    def shared(self, role: str, share: float) -> Module | None:
        return next((one for one in self.modules if one.role == role and self.chance(share)), None)

    def dotted(self, m: Module) -> str:
        return m.name if not self.package or m.is_main else f"{self.package}.{m.name}"

    def use(self, m: Module, other: Module, name: str) -> str:
        """How `m` says `name` of another module."""
        if m is other:
            return name
        full = f"{self.dotted(other)}.{name}"
        if self.chance(0.7) and m.known.setdefault(name, full) == full:
            m.imp(f"from {self.dotted(other)} import {name}")
            return name
        self.tag("py-module-import")
        if self.package and not other.is_main:
            m.imp(f"from {self.package} import {other.name}")
        else:
            m.imp(f"import {other.name}")
        return f"{other.name}.{name}"

    def val(self, m: Module, text: str, depth: int = 0) -> str:
        """An expression for the text, or for something made of it."""
        if depth > 2 or not self.chance(0.65 * self.density):
            return lit(text)
        return self.pick(value)(self, m, text, depth)

    def finish(self) -> dict[str, str]:
        files = {self.dotted(m).replace(".", "/") + ".py": m.text() for m in self.modules}
        if self.package:
            files[f"{self.package}/__init__.py"] = "".join(line + "\n" for line in self.reexports)
        return {**files, "requirements.txt": "rocketmq-client-python==2.0.0\n"}


def indent(lines: list[str], levels: int = 1) -> list[str]:
    return ["    " * levels + line if line else line for line in lines]


def subscribe(p: PythonProgram, m: Module, var: str, s: Texts) -> list[str]:
    """Statements that subscribe `var`; `s` holds topic, tags, and perhaps flag."""
    rich = p.chance(0.2 + 0.8 * p.density)
    form = (
        p.choose("positional", "keyword", "twice-topics", "default", "flag", "loop") if rich else "positional"
    )
    callback = "lambda msg: ConsumeStatus.CONSUME_SUCCESS" if p.chance(0.3) else "on_message"
    if callback == "on_message" and not any("def on_message" in line for line in m.lines):
        m.early("def on_message(msg):", "    return ConsumeStatus.CONSUME_SUCCESS")
    m.imp("from rocketmq.client import PushConsumer, ConsumeStatus")
    plain = f"{var}.subscribe({s['topic']}, {callback}, {s['tags']})"
    if form == "keyword":
        p.tag("py-keyword")
        return [f"{var}.subscribe(topic={s['topic']}, callback={callback}, expression={s['tags']})"]
    if form == "default":
        return [f"{var}.subscribe({s['topic']}, {callback})"]
    if form == "twice-topics":
        p.tag("py-two-topics")
        return [plain, f'{var}.subscribe("{p.word()}-second", {callback})']
    if form == "flag" and s.get("flag"):
        p.tag("py-subscribe-under-flag")
        return [plain, f"if {s['flag']}:", f'    {var}.subscribe("{p.word()}-extra", {callback}, "x")']
    if form == "loop":
        p.tag("py-subscribe-loop")
        return [
            f'for each in ({s["topic"]}, "{p.word()}-l1"):',
            f"    {var}.subscribe(each, {callback}, {s['tags']})",
        ]
    return [plain]


def make(p: PythonProgram, m: Module, var: str, group: str) -> list[str]:
    """Statements that make a consumer of the group."""
    m.imp("from rocketmq.client import PushConsumer, ConsumeStatus")
    if p.chance(0.2):
        p.tag("py-broadcast")
        m.imp("from rocketmq.client import MessageModel")
        return [f"{var} = PushConsumer({group}, message_model=MessageModel.BROADCASTING)"]
    return [f"{var} = PushConsumer({group})"]


def start(p: PythonProgram, var: str, s: Texts | None = None) -> list[str]:
    form = p.rng.random()
    if form < 0.06:
        p.tag("py-never-started")
        return []
    if form < 0.14 and s and s.get("flag"):
        p.tag("py-start-under-flag")
        return [f"if {s['flag']}:", f"    {var}.start()"]
    return [f"{var}.start()"]


def whole(p: PythonProgram, m: Module, s: Texts, var: str = "consumer") -> list[str]:
    """Statements for a consumer from its making to its start; sometimes of the 5.x client."""
    if p.chance(0.15):
        p.tag("py-v5")
        m.imp("from rocketmq import ClientConfiguration, FilterExpression, SimpleConsumer")
        settings, topic, filtered = (
            'ClientConfiguration("localhost:8081")',
            s["topic"],
            f"FilterExpression({s['tags']})",
        )
        if p.chance(0.5):
            return [
                f"{var} = SimpleConsumer({settings}, {s['group']})",
                f"{var}.startup()",
                f"{var}.subscribe({topic}, {filtered})",
            ]
        return [
            f"{var} = SimpleConsumer({settings}, {s['group']}, {{{topic}: {filtered}}})",
            f"{var}.startup()",
        ]
    address = [f'{var}.set_name_server_address("localhost:9876")'] if p.chance(0.6) else []
    return make(p, m, var, s["group"]) + address + subscribe(p, m, var, s) + start(p, var, s)
