"""Lowered files -> the places where a consumer is made, whether a run came there or not.

"No consumer" needs proof: a place that makes one, and that no run came through, is told as a row of which nothing is
known. Only what the tables of client libraries name by its full name counts, so that no other library's class does.
A place that was come through may be come through again by a call that nobody could follow: `Leads` says by which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from msgspec import Struct

from subdrift.linter.clients import python as tables
from subdrift.linter.clients.apis import JAVA_FACTORIES
from subdrift.linter.model import ir
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.placed import scope_of
from subdrift.linter.model.walk import PARTS, nodes
from subdrift.linter.resolve.execute.clients import java_class, java_factory
from subdrift.linter.resolve.execute.declarations import Class, File, Method
from subdrift.linter.resolve.execute.scope import Scope
from subdrift.linter.resolve.execute.slice_names import MAKERS

ANY_FUNCTION = ""
"""The name of a call of a function value."""
TO_A_TOPIC = "subscribe(topic)"
"""What a call of `subscribe` is called beside that, unless it is one of a stream of events, which takes no topic."""


class Leads:
    """By which names code of some files comes to a place: those of the methods around it, and of what calls these."""

    def __init__(self, files: Iterable[File]) -> None:
        self._around: dict[Origin, Mapping[ir.At, frozenset[str]]] = {}
        self._called: dict[str, set[str]] = {}  # by what is called the names of the code that calls it
        for file in files:
            if scope_of(file.origin.path) == "test":
                continue
            if file.leading is None:
                file.leading = _leading(file)
            self._around[file.origin], called = file.leading
            for name, callers in called.items():
                self._called.setdefault(name, set()).update(callers)

    def to(self, origin: Origin, at: ir.At) -> Set[str]:
        """The names that lead to a place; `ANY_FUNCTION` where a function value does."""
        return self.callers_of(self._around.get(origin, {}).get(at, frozenset()))

    def callers_of(self, names: Set[str]) -> Set[str]:
        """These names, and those of the code that calls what has one of them."""
        found = set(names)
        stack = list(found)
        while stack:
            fresh = self._called.get(stack.pop(), set()) - found
            found |= fresh
            stack += fresh
        return found

    def beyond(self, names: Set[str]) -> Set[str]:
        """The names that code of some names calls, and what that calls."""
        found: set[str] = set()
        fresh = set(names)
        while fresh:
            fresh = {name for name, callers in self._called.items() if not callers.isdisjoint(fresh)} - found
            found |= fresh
        return found


def _leading(file: File) -> tuple[Mapping[ir.At, frozenset[str]], Mapping[str, Set[str]]]:
    """Of the code of a file: by place of a call the names of the methods around it, and by what is called those of the code
    that calls it."""
    around: dict[ir.At, frozenset[str]] = {}
    every: dict[str, set[str]] = {}
    stack: list[tuple[Any, frozenset[str], str]] = [(tuple(file.unit.types), frozenset(), "")]
    while stack:
        node, names, near = stack.pop()
        kind = type(node)
        if kind is tuple:
            stack += [(each, names, near) for each in node]
            continue
        if kind is ir.ClassDecl:
            near = node.name if node.kind != "module" else ""
            names = frozenset({near} if near else ())
        elif kind is ir.MethodDecl:
            name = near if node.name == "<init>" else node.name
            if node.annotations and file.language == "python":
                every.setdefault(name, set()).add(ANY_FUNCTION)  # its decorator has it
            names = frozenset({name})
        elif kind is ir.Lambda:
            names |= {ANY_FUNCTION}
        called = ""
        if kind is ir.Call or kind is ir.New:
            around[node.at] = names
            called = (node.name if kind is ir.Call else node.type.name).rpartition(".")[2]
        elif kind is ir.MethodRef:
            around[node.at] = names | {ANY_FUNCTION}
            called, names = node.name, names | {ANY_FUNCTION}
            if called == "<init>":
                called = getattr(node.target, "name", "")
        elif file.language == "python" and (kind is ir.Name or kind is ir.Attribute):
            called, names = node.name, names | {ANY_FUNCTION}
        if called:
            every.setdefault(called, set()).update(names)
        if called == "subscribe" and kind is ir.Call and _begins_with_a_value(node):
            every.setdefault(TO_A_TOPIC, set()).update(names)
        stack += [(part, names, near) for field in PARTS[kind] if (part := getattr(node, field))]
    return around, every


def _begins_with_a_value(call: ir.Call) -> bool:
    return bool(call.args) and type(call.args[0].value) not in (ir.Lambda, ir.MethodRef)


class Construction(Struct, frozen=True):
    """A place that makes a consumer: by which API, in which class ("" for a module) and under which name; `method` is the
    declared method around it. `referred`: by a reference, so that it makes one wherever that is called. `given`: in a function
    of Python that takes something, or in a loop over what other code may have filled."""

    api: str
    at: Location
    owner: str
    symbol: str
    written: ir.At
    method: Method | None = None
    referred: bool = False
    given: bool = False


def constructions(scope: Scope, files: Iterable[File]) -> Iterator[Construction]:
    """The places of some files that make consumers; those of tests and of client libraries' own code are left out."""
    for file in files:
        if scope_of(file.origin.path) == "test" or scope.program.is_machinery(file):
            continue
        if file.language == "python":
            yield from _of_module(file)
        elif not MAKERS.isdisjoint(name for name, _ in file.unit.calls):
            if file.making is None:
                file.making = tuple(each for one in file.all_classes() for each in _of_class(file, one))
            for one, method, node in file.making:
                api = _jvm_api(scope, one, node)
                if api:
                    symbol = method.symbol if method is not None else one.name
                    referred = type(node) is ir.MethodRef
                    yield Construction(api, file.at(node.at), one.name, symbol, node.at, method, referred)


def _of_class(file: File, one: Class) -> Iterator[tuple[Class, Method | None, ir.Record]]:
    """What may make a consumer in a class, as far as names tell."""
    decl = one.decl
    every = [each for methods in one.methods.values() for each in methods]
    bodies: list[tuple[Method | None, Any]] = [(each, (each.decl.body, each.decl.params)) for each in every]
    bodies += [(None, (each.value, each.delegate)) for each in decl.fields]
    bodies += [(None, block.body) for block in decl.initialisers]
    bodies += [(None, each.args) for each in decl.constants]
    for method, body in bodies:
        for node in nodes(body):
            kind = type(node)
            if (
                (kind is ir.New and node.type.name.rpartition(".")[2] in MAKERS)
                or (kind is ir.Call and node.name in MAKERS)
                or (kind is ir.MethodRef and node.name == "<init>")
            ):
                yield one, method, node


def _jvm_api(scope: Scope, near: Class, node: Any) -> str:
    """The API of the consumer that an expression makes, "" for another."""
    if type(node) is ir.New:
        written = node.type.name
    elif type(node) is ir.MethodRef:
        written = getattr(node.target, "name", "")
    elif type(node) is ir.Call and node.target is None and node.name[:1].isupper():
        written = node.name  # Kotlin
    elif type(node) is ir.Call and node.target is not None:
        owners: list[Class | str] = [*_imported(near.file), ""]
        if isinstance(node.target, ir.Name) and node.target.name[:1].isupper():
            owners = [scope.named(node.target.name, near)]
        for owner in owners:
            factory = java_factory(node.name, owner, len(node.args)) if isinstance(owner, str) else None
            if factory is not None and (not owner or owner in factory.owners):
                return factory.api
        return ""
    else:
        return ""
    if written.rpartition(".")[2] not in MAKERS:
        return ""
    named = scope.named(written, near)
    row = java_class(named) if isinstance(named, str) else None
    return row.api if row is not None and row.constructors else ""


def _imported(file: File) -> list[str]:
    """The library classes with factory methods that a file imports: a variable of one may be any expression's value."""
    owners = (owner for factory in JAVA_FACTORIES for owner in factory.owners)
    imported = {*file.single.values()}
    return [each for each in owners if each in imported or each.rpartition(".")[0] in file.wildcards]


def _of_module(file: File) -> Iterator[Construction]:
    known: dict[str, str] = {}
    calls: list[ir.Call] = []
    taking: list[ir.At] = []
    for node in nodes(tuple(file.unit.types)):
        if type(node) is ir.Import and not node.level:
            known[node.name or node.path.partition(".")[0]] = (
                f"{node.path}.{node.member}" if node.member else node.path if node.name else node.name
            )
        elif type(node) is ir.Call:
            calls.append(node)
        elif (
            type(node) is ir.MethodDecl and node.params
        ):  # the object of a method may be of a class that is not here
            taking.append(node.at)
        elif type(node) is ir.ForEach and type(node.source) is not ir.Sequence:
            taking.append(node.at)
    for call in calls:
        full = _full_name(call, known)
        maker = tables.maker(full) if full else None
        if maker is not None:
            given = any(at[:2] <= call.at[:2] < at[2:] for at in taking)
            yield Construction(maker.api, file.at(call.at), "", full, call.at, given=given)


def _full_name(call: ir.Call, known: dict[str, str]) -> str:
    if call.target is None:
        return known.get(call.name, "")
    parts = [call.name]
    node: Any = call.target
    while type(node) is ir.Attribute:
        parts.append(node.name)
        node = node.target
    if type(node) is not ir.Name or node.name not in known:
        return ""
    return ".".join((known[node.name] or node.name, *reversed(parts)))
