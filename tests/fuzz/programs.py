"""Programs nobody wrote: units of `linter.model.ir` made at random or changed at random, and what becomes of them.

Both go by the types of the records alone, so what is added to them is met here without a change. Only what the
docstrings of `ir` promise of every lowering (words of enumerations, targets of assignments, the shape of a Python file)
is kept.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast, get_args

import msgspec
from msgspec import Struct
from msgspec import inspect as types
from msgspec.structs import replace

from subdrift.linter import stages
from subdrift.linter.extract import read
from subdrift.linter.model import ir
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.execute.guards import GUARD_MAX
from subdrift.linter.resolve.programs import run_programs

DEPTH_MAX = 9
"""Records inside one another in what is made at random; what is deeper has as few parts as it may."""

NAMES = (
    "a", "b", "c", "it", "self", "A", "B", "Worker", "String", "Object", "List", "Map", "main", "<init>", "<module>", "run",
    "start", "subscribe", "setConsumerGroup", "setNamespace", "shutdown", "DefaultMQPushConsumer", "PushConsumer", "builder",
    "build", "add", "put", "get", "of", "append", "join", "split", "format", "stream", "map", "forEach", "collect", "items",
    "equals", "length", "size", "value", "let", "apply", "with", "Exception", "System", "getenv", "getProperty", "exit",
    "range", "len", "str", "int", "dict", "open", "print", "sorted", "lambda", "Thread", "submit", "next", "iterator", "",
    "org.apache.rocketmq.client.consumer.DefaultMQPushConsumer", "rocketmq.client", "java.util.List",
)  # fmt: skip
TEXTS = (
    "",
    "g",
    "T",
    "a || b",
    "*",
    "${k:d}",
    "${",
    "%s-%d",
    "{}",
    "{0!r:>{1}}",
    "\0",
    "\ud800",
    "x" * 300,
    "1",
    "true",
)
NUMBERS = (0, 1, -1, 2, 3, 63, 64, 255, 1 << 31, 1 << 63, -(1 << 63), 10**30)
WORDS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("Binary", "operator"): (
        "+", "-", "*", "/", "%", "==", "!=", "===", "!==", "<", "<=", ">", ">=", "&&", "||", "&", "|", "^", "<<", ">>", ">>>",
        "in", "!in", "//", "**", "@",
    ),
    ("Unary", "operator"): ("!", "-", "+", "~", "!!"),
    ("Assign", "operator"): ("", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>", "//", "**", "@"),
    ("Argument", "spread"): ("", "", "*", "**"),
    ("Sequence", "kind"): ("list", "tuple", "set", "array"),
    ("Comprehension", "kind"): ("list", "set", "dict", "generator"),
    ("Pattern", "kind"): ("value", "capture", "sequence", "mapping", "class", "or", "star", "as"),
    ("Scope", "kind"): ("global", "nonlocal"),
    ("Param", "kind"): ("", "", "", "...", "**", "*", "/"),
    ("ClassDecl", "kind"): ("class", "class", "interface", "enum", "record", "annotation", "object", "companion"),
    ("Opaque", "what"): ("slice", "subject", "too-many", "yield"),
    ("Format", "conversion"): ("", "r", "s", "a"),
}  # fmt: skip
LANGUAGES = ("java", "kotlin", "python")
PATHS = {"java": "src/main/java/A.java", "kotlin": "src/main/kotlin/A.kt", "python": "a.py"}
_TARGETS = (ir.Name, ir.Attribute, ir.Index, ir.Sequence)
_AT: ir.At = (1, 1, 1, 2)


class Maker:
    """Makes records of any type of `ir` by their fields. `pool` holds parts of real programs to take instead."""

    def __init__(self, choose: random.Random, language: str, pool: Sequence[Any] = ()) -> None:
        self.choose = choose
        self.language = language
        self.line = 0
        self.pool: dict[type, list[Any]] = {}
        for each in pool:
            self.pool.setdefault(type(each), []).append(each)

    def record(self, kind: type[Any], depth: int) -> Any:
        if kind in self.pool and self.choose.random() < 0.5:
            return self.choose.choice(self.pool[kind])
        if kind is ir.Pattern:
            return self._pattern(depth)
        return kind(
            **{name: self.value(type_, depth + 1, (kind.__name__, name)) for name, type_ in _fields(kind)}
        )

    def _pattern(self, depth: int) -> ir.Pattern:
        """A pattern with as many parts as its kind has."""
        kind = self.choose.choice(WORDS["Pattern", "kind"])
        least = 1 if kind in ("value", "as") else 0
        if kind == "value":
            parts: tuple[Any, ...] = (self.record(ir.Const, depth + 1),)
        else:
            most = 0 if kind in ("capture", "star") or depth >= DEPTH_MAX else 2
            parts = tuple(self._pattern(depth + 1) for _ in range(max(least, self.choose.randint(0, most))))
        keys = tuple(self.choose.choice(("", "a")) for _ in parts) if kind in ("mapping", "class") else ()
        return ir.Pattern(kind, self.choose.choice(("", "_", "a")), keys, parts, _AT)

    def value(self, type_: types.Type, depth: int, where: tuple[str, str]) -> Any:
        choose = self.choose
        match type_:
            case types.UnionType(types=options):
                if where in _TARGET_FIELDS:
                    options = tuple(one for one in options if getattr(one, "cls", None) in _TARGETS)
                if depth >= DEPTH_MAX:
                    small = [one for one in options if _is_small(one)]
                    options = tuple(small) or options
                return self.value(choose.choice(options), depth, where)
            case types.StructType(cls=kind):
                return self.record(kind, depth)
            case types.VarTupleType(item_type=item):
                if where == ("Unit", "calls"):
                    return ()
                most = 0 if depth >= DEPTH_MAX else choose.choice((0, 0, 1, 1, 2, 3))
                return tuple(self.value(item, depth, where) for _ in range(most))
            case types.TupleType(item_types=items):
                if where[1] in ("at", "name_at") or where == ("Unit", "broken"):
                    self.line += choose.randint(0, 1)
                    return (self.line + 1, 1, self.line + 1, 2)
                return tuple(self.value(item, depth, where) for item in items)
            case types.StrType():
                return choose.choice(WORDS.get(where) or (TEXTS if where[0] == "Const" else NAMES))
            case types.IntType():
                return choose.choice(NUMBERS if where[0] == "Const" else (0, 0, 0, 1, 2))
            case types.FloatType():
                return choose.choice((0.0, 1.5, -1e300, float("inf"), float("nan")))
            case types.BoolType():
                return choose.random() < 0.3
            case types.NoneType():
                return None
            case _:
                raise TypeError(f"{where}: {type_}")

    # -- whole files ----------------------------------------------------------------------------------------

    def unit(self) -> ir.Unit:
        """A file of its language with a `main` and a few types."""
        body = self.body()
        if self.language == "python":
            module = ir.MethodDecl("<module>", (), None, body, _AT, _AT, static=True)
            declared: tuple[ir.ClassDecl, ...] = (ir.ClassDecl("~", "module", _AT, _AT, methods=(module,)),)
        else:
            strings = ir.TypeRef("[]", (ir.TypeRef("String"),))
            main = ir.MethodDecl("main", (ir.Param("args", strings, _AT),), None, body, _AT, _AT, static=True)
            declared = (
                ir.ClassDecl("Main", "class", _AT, _AT, methods=(main,), static=True),
                *(self.record(ir.ClassDecl, 4) for _ in range(self.choose.randint(0, 2))),
            )
            if self.language == "kotlin":
                declared = (ir.ClassDecl("MainKt", "module", _AT, _AT, methods=(main,)), *declared[1:])
        imports = (
            ir.Import(
                "org.apache.rocketmq.client.consumer.DefaultMQPushConsumer", "DefaultMQPushConsumer", _AT
            )
            if self.language != "python"
            else ir.Import("rocketmq.client", "PushConsumer", _AT, member="PushConsumer"),
        )
        return ir.Unit(self.language, "", imports, declared, (), ())

    def body(self) -> tuple[ir.Stmt, ...]:
        """Statements, among them a consumer that is made, started and subscribed with whatever comes up."""
        name, made = "consumer", "PushConsumer" if self.language == "python" else "DefaultMQPushConsumer"
        new: ir.Expr = ir.New(ir.TypeRef(made), self.arguments(), _AT)
        if self.language == "python":
            new = ir.Call(None, made, self.arguments(), _AT, _AT)
        target = ir.Name(name, _AT)
        own: list[ir.Stmt] = [
            ir.Do(ir.Assign(target, new, _AT), _AT)
            if self.language == "python"
            else ir.Let(name, ir.TypeRef(made), new, _AT),
            ir.Do(ir.Call(target, "subscribe", self.arguments(), _AT, _AT), _AT),
            ir.Do(ir.Call(target, "start", (), _AT, _AT), _AT),
        ]
        kinds = get_args(ir.Stmt)
        for _ in range(self.choose.randint(1, 6)):
            own.insert(self.choose.randint(0, len(own)), self.record(self.choose.choice(kinds), 2))
        return tuple(own)

    def arguments(self) -> tuple[ir.Argument, ...]:
        return tuple(self.record(ir.Argument, 4) for _ in range(self.choose.choice((1, 2, 2, 3))))

    # -- changes --------------------------------------------------------------------------------------------

    def changed(self, node: Any, rate: float) -> Any:
        """A record with some of its parts replaced, left out, doubled or in another order."""
        kind = type(node)
        new: dict[str, Any] = {}
        for name, type_ in _fields(kind):
            old = getattr(node, name)
            where = (kind.__name__, name)
            if name in ("at", "name_at", "language") or (name == "name" and old in ("<module>", "~")):
                continue
            if kind is ir.Unit and name != "types":
                continue
            if where == ("Unit", "types") or (where == ("ClassDecl", "methods") and node.name == "~"):
                new[name] = tuple(self.changed(one, rate) for one in old)
                continue
            if where == ("ClassDecl", "kind") and old == "module":
                continue
            if self.choose.random() < rate:
                new[name] = self.another(old, type_, where)
            elif isinstance(old, ir.Record):
                new[name] = self.changed(old, rate)
            elif isinstance(old, tuple):
                new[name] = tuple(
                    self.changed(one, rate) if isinstance(one, ir.Record) else one for one in old
                )
        return msgspec.structs.replace(node, **new) if new else node

    def another(self, old: Any, type_: types.Type, where: tuple[str, str]) -> Any:
        if isinstance(old, tuple) and len(old) > 0 and isinstance(old[0], ir.Record):
            parts = list(old)
            at = self.choose.randrange(len(parts))
            match self.choose.randrange(4):
                case 0:
                    del parts[at]
                case 1:
                    parts.insert(at, self.choose.choice(parts))
                case 2:
                    self.choose.shuffle(parts)
                case _:
                    parts[at] = self.choose.choice(self.pool.get(type(parts[at])) or [parts[at]])
            return tuple(parts)
        return self.value(type_, DEPTH_MAX - 2, where)


_FIELDS: dict[type, tuple[tuple[str, types.Type], ...]] = {}


def _fields(kind: type) -> tuple[tuple[str, types.Type], ...]:
    if kind not in _FIELDS:
        found = types.type_info(kind)
        assert isinstance(found, types.StructType)
        _FIELDS[kind] = tuple((one.name, one.type) for one in found.fields)
    return _FIELDS[kind]


_TARGET_FIELDS = frozenset(
    (("Assign", "target"), ("ForEach", "target"), ("Clause", "target"), ("Delete", "targets"))
)
_SMALL = (ir.Const, ir.Name, ir.This, ir.Break, ir.Continue, ir.TypeLiteral)


def _is_small(type_: types.Type) -> bool:
    return not isinstance(type_, types.StructType) or type_.cls in _SMALL


def parts_of(unit: ir.Unit) -> Iterator[Any]:
    """All records of a file below its types."""
    stack: list[Any] = list(unit.types)
    while stack:
        node = stack.pop()
        if isinstance(node, ir.Record):
            yield node
            stack.extend(getattr(node, name) for name in node.__struct_fields__)
        elif type(node) is tuple:
            stack.extend(node)


# -- what becomes of it ---------------------------------------------------------------------------------------------


RAISES = True
"""Whether a bug of the engine is raised; otherwise it stays what it is in a run, a diagnostic."""


class InternalError(Exception):
    """A bug of ours that cost a program or a consumer."""


class UnboundedError(Exception):
    """A run went on beyond its bound."""


class Done(Struct, frozen=True):
    """What consuming some files gave. `steps` of all runs together."""

    consumed: tuple[stages.Consumers, ...]
    steps: int
    runs: int

    @property
    def consumers(self) -> int:
        return sum(len(one.consumers) for one in self.consumed)


def consume(files: Mapping[str, FileFacts]) -> Done:
    """Runs and consumes facts of files as one repository. Raises what the engine raises, and `UnboundedError`."""
    placed = [Placed(Origin("r", path), facts) for path, facts in files.items()]
    starts = [one.origin for one in placed if one.facts.runs]
    known = stages.Known.of(placed, starts, ["r"])
    found, steps, runs = [], 0, 0
    for deployable in known.deployables():
        executed = run_programs(
            known.world, known.world.program, deployable, known.files_of(deployable)
        ).executed
        for name, run, _ in executed.runs:
            steps += run.steps
            runs += 1
            if run.failed is not None and RAISES:
                raise run.failed
            if run.total and run.steps > run.total + 2 * GUARD_MAX:  # none are left where its time was over
                raise UnboundedError(f"{name}: {run.steps:,} of {run.total:,} steps")
        consumed = stages.consume(known, deployable, lambda address: "")
        for problem in consumed.diagnostics:
            if problem.name == "internal-error" and RAISES:
                raise InternalError(str(problem.message))
        found.append(consumed)
    return Done(tuple(found), steps, runs)


def facts_of(unit: ir.Unit) -> FileFacts:
    """The facts of a file that has this unit and says nothing else."""
    facts = read(PATHS[unit.language], _SHELL[unit.language])
    assert facts is not None
    return replace(facts, unit=unit)


_SHELL = {
    "java": b"import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;\nclass Main {\n"
    b" public static void main(String[] args) throws Exception {\n"
    b'  DefaultMQPushConsumer c = new DefaultMQPushConsumer("g"); c.subscribe("T", "a"); c.start(); } }\n',
    "kotlin": b"import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer\nfun main(args: Array<String>) {\n"
    b' val c = DefaultMQPushConsumer("g"); c.subscribe("T", "a"); c.start() }\n',
    "python": b"from rocketmq.client import PushConsumer\nif __name__ == '__main__':\n c = PushConsumer('g')\n"
    b" c.subscribe('T', print, 'a')\n c.start()\n",
}


def ran(language: str) -> Callable[[bytes], Done | None]:
    """Reads a file of a language from bytes and runs it."""

    def take(content: bytes) -> Done | None:
        facts = read(PATHS[language], content)
        return None if facts is None else consume({PATHS[language]: facts})

    return take


def made(language: str, choose: random.Random) -> FileFacts:
    """A file made at random."""
    return facts_of(Maker(choose, language).unit())


def mended(content: bytes, language: str, choose: random.Random, others: Sequence[bytes] = ()) -> FileFacts:
    """A real file, changed at random, with parts of it and of others in it."""
    facts = read(PATHS[language], content)
    assert facts is not None
    if facts.unit is None:
        return facts
    pool = list(parts_of(facts.unit))
    for other in others:
        more = read(PATHS[language], other)
        if more is not None and more.unit is not None:
            pool += parts_of(more.unit)
    rate = choose.choice((0.003, 0.01, 0.03, 0.1))
    unit = cast(ir.Unit, Maker(choose, language, pool).changed(facts.unit, rate))
    return replace(facts, unit=unit)
