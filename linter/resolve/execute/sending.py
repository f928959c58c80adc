"""What of a program's code sends messages: the tables of `linter.clients.sends` by name.

A send is kept as a `Client` of its own, made where the call stands, whose one subscription is the topic with the tag: what
asks for further sources, and what tells alternatives apart, is the same for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from subdrift.linter.clients.sends import (
    JAVA_MESSAGES,
    JAVA_SENDERS,
    PYTHON_SENDS,
    PYTHON_TELLING,
    TELLING,
    JavaMessage,
    JavaSender,
    python_api,
)
from subdrift.linter.model import ir
from subdrift.linter.model.location import Location
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute.declarations import Class, File, Method
from subdrift.linter.resolve.execute.scope import Scope
from subdrift.linter.resolve.execute.slice_names import Marks, calls_of

DESTINATION = "destination"
"""The type of an event whose one value holds topic and tag, parted by a colon."""
BINDING = "binding"
"""The type of an event whose first value is the name of a binding of Spring Cloud Stream: configuration gives its topic."""

STREAMING = frozenset({"stream-bridge", "stream-channel"})
"""The APIs by which calls send by a binding."""


def _library_of(name: str) -> str:
    """How the names of a library begin, by the full name of one of its types: those of Spring are many."""
    return ".".join(name.split(".")[: 4 if name.startswith("org.springframework.") else 3]) + "."


_SIMPLE = frozenset(name.rpartition(".")[2] for row in JAVA_SENDERS for name in row.types)

SENDING = Marks(
    frozenset(),
    frozenset(name for row in JAVA_SENDERS for name in row.methods),
    frozenset(name for row in JAVA_SENDERS for name in row.settings),
    _SIMPLE,
    _SIMPLE - {"Producer"},
    tuple(sorted({_library_of(name) for row in JAVA_SENDERS for name in row.types})),
    TELLING,
    frozenset(name for row in JAVA_SENDERS for name in row.types)
    | frozenset(name for row in JAVA_MESSAGES for name in row.types)
    | frozenset(row.maker for row in JAVA_SENDERS if row.maker),
    PYTHON_SENDS,
)
"""Code that sends messages."""


@cache
def _senders() -> Mapping[str, JavaSender]:
    return {name: row for row in JAVA_SENDERS for name in row.types}


@cache
def _messages() -> Mapping[str, JavaMessage]:
    return {name: row for row in JAVA_MESSAGES for name in row.types}


def java_sender(name: str) -> JavaSender | None:
    """The row of a class or interface whose objects send, by its full name."""
    return _senders().get(name)


def java_message(name: str) -> JavaMessage | None:
    """The row of a class of messages, or of their builders, by its full name."""
    return _messages().get(name)


@cache
def by_api(api: str) -> JavaSender:
    return next(row for row in JAVA_SENDERS if row.api == api)


def sender_of(scope: Scope, declared: Class) -> JavaSender | None:
    """The row of the library class that a class of the program extends."""
    return next((row for above in scope.library_supers(declared) if (row := java_sender(above))), None)


class Place(Struct, frozen=True, eq=False):
    """A call that sends by the declared type of what it is called on: in which class and method (None: outside of methods)."""

    api: str
    at: Location
    owner: Class
    method: Method | None
    whole: Location  # of the expression, which begins with what it is called on


class Written:
    """The calls in some code that send by the declared types of what they are called on."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._files: dict[File, dict[Location, Place]] = {}

    def at(self, place: Location) -> JavaSender | None:
        """What a call at a place sends by, as far as declarations tell."""
        file = self.scope.program.file(place.origin)
        found = None if file is None else self.of(file).get(place)
        return None if found is None else by_api(found.api)

    def of(self, file: File) -> Mapping[Location, Place]:
        """The calls of a file that send, by place."""
        found = self._files.get(file)
        if found is None:
            found = self._files[file] = {}
            for one in file.all_classes():
                for method, call, types in calls_of(one, SENDING.operations):
                    at = file.at(call.name_at)
                    receiver = None if method is None else method.decl.receiver
                    for row in self._rows(one, call, types, receiver):
                        if call.name in row.methods:
                            found[at] = Place(row.api, at, one, method, file.at(call.at))
        return found

    def calls(self, file: File, wrappers: Mapping[str, Mapping[Method, str]]) -> Iterator[Place]:
        """The calls of a file that mean one of some methods, by the declared type of what they are called on; those by name,
        each with the API it sends by."""
        for one in file.all_classes():
            for method, call, types in calls_of(one, wrappers):
                on = call.target
                plain = on is None or type(on) in (ir.This, ir.Super)
                owners = one.lexical() if plain else (type_of(self.scope, one, on, types),)
                found = (each for each in owners if isinstance(each, Class))
                api = next((api for each in found if (api := self._wraps(each, call, wrappers))), "")
                if api:
                    yield Place(api, file.at(call.name_at), one, method, file.at(call.at))

    def _wraps(self, owner: Class, call: ir.Call, wrappers: Mapping[str, Mapping[Method, str]]) -> str:
        """The API by which a call on an object of a class sends: of the method it means, or of one that implements it."""
        held = wrappers[call.name]
        meant = set(self.scope.methods(owner, call.name, len(call.args)))
        for method, api in held.items():
            same = len(method.decl.params) == len(call.args)
            if method in meant or (same and owner in self.scope.supers(method.owner)):
                return api
        return ""

    def _rows(
        self, one: Class, call: ir.Call, types: Mapping[str, ir.TypeRef | None], receiver: ir.TypeRef | None
    ) -> Iterator[JavaSender]:
        """What a call sends by: the row of the type of what it is called on, and of a type nobody knows that of the method,
        where no other library has one of its name."""
        if call.target is None or type(call.target) is ir.Super:
            extended = () if receiver is None else (self.scope.named(receiver.name, one),)
            owners: Iterable[Class | str | None] = (*extended, *one.lexical())
        else:
            owners = (type_of(self.scope, one, call.target, types),)
        for owner in owners:
            if owner is None or (isinstance(owner, str) and self.scope.is_absent(owner)):
                given = type_of(self.scope, one, call.args[0].value, types) if call.args else None
                message = java_message(given) if isinstance(given, str) else None
                if message is not None:
                    yield by_api(message.api)
                elif owner is None and call.name in TELLING:
                    yield from (row for row in JAVA_SENDERS if call.name in row.methods)
            elif isinstance(owner, str):
                row = java_sender(owner)
                if row is not None:
                    yield row
            else:
                own = self.scope.methods(owner, call.name, len(call.args))
                written = type(call.target) is not ir.Super and not all(each.abstract for each in own)
                row = None if own and written else sender_of(self.scope, owner)
                if row is not None:
                    yield row


TYPE_DEPTH_MAX = 8
"""Calls on what calls give that are followed for the type they have."""


def type_of(
    scope: Scope, one: Class, node: ir.Expr | None, types: Mapping[str, ir.TypeRef | None], depth: int = 0
) -> Class | str | None:
    """The declared type of an expression in a class, None where none is declared; a library's by its full name."""
    kind = type(node)
    if depth > TYPE_DEPTH_MAX or node is None or kind is ir.This:
        return one if kind is ir.This or node is None else None
    if isinstance(node, ir.Name):
        if node.name in types:
            ref = types[node.name]
            return None if ref is None else scope.named(ref.name, one)
        for around in one.lexical():
            found = _field_type(scope, around, node.name)
            if found is not None:
                return found
        return scope.named(node.name, one) if node.name[:1].isupper() else None
    if isinstance(node, ir.New | ir.Cast):
        return scope.named(node.type.name, one)
    if isinstance(node, ir.Attribute):
        owner = type_of(scope, one, node.target, types, depth + 1)
        return _field_type(scope, owner, node.name) if isinstance(owner, Class) else None
    if isinstance(node, ir.Call):
        owners = (
            tuple(one.lexical())
            if node.target is None
            else (type_of(scope, one, node.target, types, depth + 1),)
        )
        for each in owners:
            if isinstance(each, str):
                row = java_sender(each)
                return row.gives.get(node.name) if row is not None else None
            for method in scope.methods(each, node.name, len(node.args)) if each is not None else ():
                ref = method.decl.returns
                return None if ref is None else scope.named(ref.name, method.owner)
            getter = node.name[3:4].lower() + node.name[4:] if node.name.startswith("get") else ""
            if each is not None and getter and not node.args:
                return _field_type(scope, each, getter)
    return None


def _field_type(scope: Scope, owner: Class, name: str) -> Class | str | None:
    found = scope.field(owner, name)
    if found is None or found[1].type is None:
        return None
    return scope.named(found[1].type.name, found[0])


def written_in_python(file: File) -> Iterator[Place]:
    """The calls of a Python file that send by their names, where it knows a client library."""
    unit = file.unit
    api = next((found for one in unit.imports if (found := python_api(one.path))), "")
    if not api:
        return
    names = SENDING.python if "Producer" in unit.names else PYTHON_TELLING
    (module,) = file.classes.values()
    for node in nodes(tuple(unit.types)):
        if type(node) is ir.Call and node.target is not None and node.name in names:
            yield Place(api, file.at(node.name_at), module, None, file.at(node.at))
