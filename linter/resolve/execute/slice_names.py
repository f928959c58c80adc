"""Names that code calls, and on what: what a slice goes by."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from subdrift.linter.clients.apis import JAVA_CONSUMERS, JAVA_FACTORIES
from subdrift.linter.model import ir
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.spring.beans import REGISTERING

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.declarations import Class, Method


MAKERS = frozenset(name.rpartition(".")[2] for row in JAVA_CONSUMERS for name in row.types) | frozenset(
    factory.method for factory in JAVA_FACTORIES
)

_OPERATIONS = frozenset(
    name
    for row in JAVA_CONSUMERS
    for name, operation in row.operations.items()
    if operation.action.value in ("subscribe", "table", "table-all", "topics", "topic")
)

_SETTINGS = frozenset(name for row in JAVA_CONSUMERS for name in row.operations) - _OPERATIONS

_CONSUMERS = frozenset(
    name.rpartition(".")[2] for row in JAVA_CONSUMERS for name in (*row.types, *row.interfaces)
)

_DISTINCT = _CONSUMERS - {"Consumer"}  # the standard library and other queues have one, too

_LIBRARIES = tuple(
    sorted(
        {
            ".".join(name.split(".")[:3]) + "."
            for row in JAVA_CONSUMERS
            for name in (*row.types, *row.interfaces)
        }
    )
)


STANDS_FOR = {
    "Callable": "call", "Runnable": "run", "Supplier": "get", "Consumer": "accept", "BiConsumer": "accept",
    "Function": "apply", "BiFunction": "apply", "UnaryOperator": "apply", "BinaryOperator": "apply",
    "Predicate": "test", "BiPredicate": "test", "Comparator": "compare",
}  # fmt: skip
"""Functional interfaces of the library, and the method of each that an object of them stands for."""


class Marks(Struct, frozen=True):
    """What code that is looked for calls: `makers` make what it is about, `operations` are what is done with it, on what is
    of one of `types`, of which the `distinct` are no other library's; `settings` prepare it. `libraries`: how the names of
    the packages begin. Of messages `telling` are the operations that no other library has, and `known` the full names of
    the types; `python` are the operations there."""

    makers: frozenset[str]
    operations: frozenset[str]
    settings: frozenset[str]
    types: frozenset[str]
    distinct: frozenset[str]
    libraries: tuple[str, ...]
    telling: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    python: frozenset[str] = frozenset()


SUBSCRIBING = Marks(MAKERS, _OPERATIONS, _SETTINGS, _CONSUMERS, _DISTINCT, _LIBRARIES)
"""Code that makes and subscribes consumers."""

OWN = "this"
"""The receiver of a call without one, or on `this`."""

ANY = ""
"""The receiver of a call of which the source at hand does not tell the type."""

_OPERATORS = {
    "+": "plus", "-": "minus", "*": "times", "/": "div", "%": "rem", "in": "contains", "!in": "contains",
    "<": "compareTo", ">": "compareTo", "<=": "compareTo", ">=": "compareTo",
}  # fmt: skip

_SIGNS = {"+": "unaryPlus", "-": "unaryMinus", "!": "not"}


def _implied(node: Any, language: str) -> Iterator[tuple[str, Any]]:
    """The functions that a language calls without naming them, with what they are called on."""
    kind = type(node)
    if language == "python":
        if kind is ir.Call and node.target is None and not node.name[:1].isupper():
            yield "__call__", ir.Name(node.name, node.at)
        elif kind is ir.Await:
            yield "__await__", node.value
    elif language != "kotlin":
        return
    elif kind is ir.Call:
        if node.target is None:
            yield "invoke", ir.Name(node.name, node.at)
        elif not node.name:
            yield "invoke", node.target
    elif kind is ir.Binary:
        if node.operator in _OPERATORS:
            on = node.right if node.operator in ("in", "!in") else node.left
            yield _OPERATORS[node.operator], on
    elif kind is ir.Unary:
        if node.operator in _SIGNS:
            yield _SIGNS[node.operator], node.operand
    elif kind is ir.Index:
        yield "get", node.target
    elif kind is ir.Assign:
        if node.operator in _OPERATORS:
            yield f"{_OPERATORS[node.operator]}Assign", node.target
            yield _OPERATORS[node.operator], node.target
        if type(node.target) is ir.Index:
            yield "set", node.target.target
    elif kind is ir.ForEach:
        yield "iterator", node.source
    elif kind is ir.Attribute:
        yield node.name, node.target
    elif kind is ir.Name:
        yield node.name, None


class Names:
    """What a body calls, makes or refers to: `calls` as pairs of a name and the simple name of the receiver's type.

    `fields` are the declared types of the fields in sight, by name; `above` the superclass, for `super(…)`. `touches`: it
    makes a consumer, `operates`: it may subscribe one (`operated` are the receivers' types), `configures`: it sets or starts
    what is declared as one. `qualified` are the types it makes that are not written with their simple names alone.
    """

    __slots__ = ("called", "calls", "configures", "operated", "operates", "qualified", "touches")

    def __init__(
        self,
        parts: Iterable[Any],
        fields: Mapping[str, str] | None = None,
        above: str = ANY,
        marks: Marks = SUBSCRIBING,
        language: str = "java",
    ) -> None:
        self.touches = False
        self.operates = False
        calls: list[tuple[str, Any]] = []
        types: dict[str, str] = {}  # of parameters and local variables
        made: set[str] = set()
        qualified: set[str] = set()
        implies = language != "java"
        for node in nodes(*parts):
            kind = type(node)
            if implies:
                calls += _implied(node, language)
            if kind is ir.Call or kind is ir.MethodRef:
                calls.append((node.name, node.target))
                if node.name in REGISTERING and kind is ir.Call:
                    made |= _classes_in(node)
                if node.name in marks.makers:
                    self.touches = True
                elif node.name in marks.operations:
                    self.operates = True
                elif node.name == "<init>" and above:
                    made.add(above)
                    qualified.add(above)
            elif kind is ir.New:
                _, dot, simple = node.type.name.rpartition(".")
                made.add(simple)
                if dot:
                    qualified.add(simple)
                if simple in marks.makers:
                    self.touches = True
                elif simple in REGISTERING:
                    made |= _classes_in(node)
            elif kind is ir.Name:
                if node.name[:1].isupper():
                    made.add(node.name)
            elif kind in _DECLARING:
                _declare(types, node if kind in _BY_ITSELF else node.target, node.type)
        known = fields or {}
        self.called = made | {name for name, _ in calls}
        self.qualified = frozenset(qualified)
        self.calls = frozenset(
            {(name, _receiver(target, types, known)) for name, target in calls} | {(one, one) for one in made}
        )
        self.operated = frozenset(type_ for name, type_ in self.calls if name in marks.operations)
        self.configures = any(name in marks.settings and type_ in marks.types for name, type_ in self.calls)


def _classes_in(node: ir.Call | ir.New) -> set[str]:
    """The simple names of the classes that code hands to a container, which makes objects of them."""
    return {simple_of(each.type) for each in nodes(node.args) if type(each) is ir.TypeLiteral}


def received(one: Class, method: Method) -> Iterator[tuple[ir.Call, str, bool]]:
    """The calls in a method of a class, with the simple name of the receiver's declared type (`ANY` where none is
    declared), and whether the receiver is a variable that the method makes. Calls without a receiver are left out."""
    fields = {name: simple_of(decl.type) for each in one.lexical() for name, decl in each.fields.items()}
    types: dict[str, str] = {}
    made: set[str] = set()
    calls: list[ir.Call] = []
    for node in nodes((method.decl.params, method.decl.body or ())):
        kind = type(node)
        if kind is ir.Call and node.target is not None:
            calls.append(node)
        elif kind is ir.Let or kind is ir.Param:
            _declare(types, node, node.type)
            if kind is ir.Let:
                made.add(node.name)
        elif kind is ir.ForEach:
            _declare(types, node.target, node.type)
    for call in calls:
        receiver = _receiver(call.target, types, fields)
        if receiver is not OWN:
            yield call, receiver, type(call.target) is ir.Name and call.target.name in made


def calls_of(
    one: Class, names: Container[str]
) -> Iterator[tuple[Method | None, ir.Call, Mapping[str, ir.TypeRef | None]]]:
    """The calls of some names in the code of a class, each with its method (None: outside of methods) and the declared types
    of the variables in sight."""
    bodies: list[tuple[Method | None, Any]] = [
        (method, (method.decl.params, method.decl.body or ()))
        for methods in one.methods.values()
        for method in methods
    ]
    bodies.append((None, tuple(parts_of(one.decl))))
    for method, body in bodies:
        types: dict[str, ir.TypeRef | None] = {}
        calls: list[ir.Call] = []
        for node in nodes(body):
            kind = type(node)
            if kind is ir.Call and node.name in names:
                calls.append(node)
            elif kind is ir.Let or kind is ir.Param or kind is ir.FieldDecl:
                made = node.value.type if kind is ir.Let and type(node.value) is ir.New else None
                types[node.name] = node.type if simple_of(node.type) else made
            elif kind is ir.ForEach and type(node.target) is ir.Name:
                types[node.target.name] = node.type
        yield from ((method, call, types) for call in calls)


_BY_ITSELF = frozenset({ir.Let, ir.Param, ir.FieldDecl, ir.InstanceOf})
_DECLARING = _BY_ITSELF | {ir.ForEach, ir.Resource}
"""What declares a variable with its type: by a name of its own, or by its target."""


def _declare(types: dict[str, str], target: Any, ref: ir.TypeRef | None) -> None:
    name = getattr(target, "name", "") if type(target) is ir.Name or type(target) in _BY_ITSELF else ""
    if name:
        simple = simple_of(ref)
        types[name] = simple if types.get(name, simple) == simple else ANY


def simple_of(ref: ir.TypeRef | None) -> str:
    """The simple name of a declared type; a type variable can be any."""
    if ref is None or ref.name in ("var", "val", "Object", "Any", "?"):
        return ANY
    simple = ref.name.rpartition(".")[2]
    return ANY if len(simple) <= 2 and simple.isupper() else simple


def _receiver(target: Any, types: Mapping[str, str], fields: Mapping[str, str]) -> str:
    kind = type(target)
    if target is None or kind is ir.This or kind is ir.Super:
        return OWN
    if kind is ir.Name:
        if target.name in types:
            return types[target.name]
        if target.name in fields:
            return fields[target.name]
        return target.name if target.name[:1].isupper() else ANY
    if kind is ir.Attribute and type(target.target) is ir.This:
        return fields.get(target.name, ANY)
    if kind is ir.New or kind is ir.Cast:
        return simple_of(target.type)
    return ANY


def assigned_names(body: Iterable[Any]) -> frozenset[str]:
    """The names that code assigns, of variables and of any object's fields alike."""
    every = nodes(tuple(body))
    return frozenset(getattr(node.target, "name", "") for node in every if type(node) is ir.Assign)


def parts_of(decl: ir.ClassDecl) -> Iterator[Any]:
    """What runs when a class is prepared or an object of it is made, constructors apart."""
    for one in decl.fields:
        yield from (part for part in (one.value, one.getter, one.setter, one.delegate) if part is not None)
    yield from (block.body for block in decl.initialisers)
    yield from (each.value for each in decl.delegates)
    for constant in decl.constants:
        yield constant.args
        if constant.body is not None:
            yield constant.body
