"""The backward slice over names: which methods can reach a client library.

A method is in the slice if it touches a client library, or calls by name what is in the slice.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from subdrift.linter.clients.apis import JAVA_CONSUMERS, JAVA_FACTORIES
from subdrift.linter.model import ir
from subdrift.linter.model.location import Origin

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.declarations import Class, File, Method

ROUNDS_MAX = 32
"""Passes of the slice over the names of a deployable."""

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

_SEEN = "<function>"
"""The bearer of functions outside of classes, or on a receiver: they are called without naming what declares them."""

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
        makers, operations = marks.makers, marks.operations
        self.touches = False
        self.operates = False
        calls: list[tuple[str, Any]] = []
        types: dict[str, str] = {}  # of parameters and local variables
        made: set[str] = set()
        qualified: set[str] = set()
        chained = False
        implies = language != "java"
        stack: list[Any] = list(parts)
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is tuple:
                stack.extend(node)
                continue
            if implies:
                calls += _implied(node, language)
            if kind is ir.Call or kind is ir.MethodRef:
                calls.append((node.name, node.target))
                if node.name in makers:
                    self.touches = True
                elif node.name in operations:
                    self.operates = True
                elif node.name == "<init>" and above:
                    chained = True
            elif kind is ir.New:
                _, dot, simple = node.type.name.rpartition(".")
                made.add(simple)
                if dot:
                    qualified.add(simple)
                if simple in makers:
                    self.touches = True
            elif kind is ir.Name:
                if node.name[:1].isupper():
                    made.add(node.name)
                continue
            elif kind is ir.Let or kind is ir.Param or kind is ir.FieldDecl:
                _declare(types, node.name, node.type)
            elif kind is ir.ForEach and type(node.target) is ir.Name:
                _declare(types, node.target.name, node.type)
            elif kind is ir.InstanceOf and node.name:
                _declare(types, node.name, node.type)
            elif kind is ir.Resource and type(node.target) is ir.Name:
                _declare(types, node.target.name, node.type)
            for name in PARTS[kind]:
                part = getattr(node, name)
                if part:
                    stack.append(part)
        self.called = made | {name for name, _ in calls}
        known = fields or {}
        if chained:
            made.add(above)
            qualified.add(above)
        self.qualified = frozenset(qualified)
        self.calls = frozenset(
            {(name, _receiver(target, types, known)) for name, target in calls} | {(one, one) for one in made}
        )
        self.operated = frozenset(type_ for name, type_ in self.calls if name in operations)
        self.configures = any(name in marks.settings and type_ in marks.types for name, type_ in self.calls)


def received(one: Class, method: Method) -> Iterator[tuple[ir.Call, str, bool]]:
    """The calls in a method of a class, with the simple name of the receiver's declared type (`ANY` where none is
    declared), and whether the receiver is a variable that the method makes. Calls without a receiver are left out."""
    fields = {name: _simple(decl.type) for each in one.lexical() for name, decl in each.fields.items()}
    types: dict[str, str] = {}
    made: set[str] = set()
    calls: list[ir.Call] = []
    stack: list[Any] = [method.decl.params, method.decl.body or ()]
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is tuple:
            stack.extend(node)
            continue
        if kind is ir.Call and node.target is not None:
            calls.append(node)
        elif kind is ir.Let or kind is ir.Param:
            _declare(types, node.name, node.type)
            if kind is ir.Let:
                made.add(node.name)
        elif kind is ir.ForEach and type(node.target) is ir.Name:
            _declare(types, node.target.name, node.type)
        stack.extend(part for part in (getattr(node, name) for name in PARTS[kind]) if part)
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
    bodies.append((None, tuple(_parts(one.decl))))
    for method, body in bodies:
        types: dict[str, ir.TypeRef | None] = {}
        calls: list[ir.Call] = []
        stack: list[Any] = [body]
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is tuple:
                stack.extend(node)
                continue
            if kind is ir.Call and node.name in names:
                calls.append(node)
            elif kind is ir.Let or kind is ir.Param or kind is ir.FieldDecl:
                made = node.value.type if kind is ir.Let and type(node.value) is ir.New else None
                types[node.name] = node.type if _simple(node.type) else made
            elif kind is ir.ForEach and type(node.target) is ir.Name:
                types[node.target.name] = node.type
            stack.extend(part for part in (getattr(node, name) for name in PARTS[kind]) if part)
        yield from ((method, call, types) for call in calls)


def _declare(types: dict[str, str], name: str, ref: ir.TypeRef | None) -> None:
    simple = _simple(ref)
    types[name] = simple if types.get(name, simple) == simple else ANY


def _simple(ref: ir.TypeRef | None) -> str:
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
        return _simple(target.type)
    return ANY


class _FieldNames(dict[type, tuple[str, ...]]):
    def __missing__(self, kind: type) -> tuple[str, ...]:
        skipped = ("at", "name_at", "name", "operator", "kind", "label", "simple")
        fields: tuple[str, ...] = (
            getattr(kind, "__struct_fields__", ()) if issubclass(kind, ir.Record) else ()
        )
        found = tuple(each for each in fields if each not in skipped)
        self[kind] = found
        return found


PARTS = _FieldNames()
"""By kind of record the names of its fields that may hold further ones."""


def nodes(body: Any) -> Iterator[Any]:
    """Every record inside some lowered code."""
    stack: list[Any] = [body]
    while stack:
        node = stack.pop()
        if type(node) is tuple:
            stack.extend(node)
        elif isinstance(node, ir.Record):
            yield node
            stack.extend(part for name in PARTS[type(node)] if (part := getattr(node, name)))


def assigned_names(body: Iterable[Any]) -> frozenset[str]:
    """The names that code assigns, of variables and of any object's fields alike."""
    every = nodes(tuple(body))
    return frozenset(getattr(node.target, "name", "") for node in every if type(node) is ir.Assign)


class Slice:
    """The methods of some files that can reach a client library, by name."""

    def __init__(
        self,
        files: Iterable[File],
        known: dict[Method | Class, Names] | None = None,
        marks: Marks = SUBSCRIBING,
    ) -> None:
        self.marks = marks
        self._known = {} if known is None else known  # of the rounds before
        self.methods: dict[Method, Names] = {}
        self.bodies: dict[Class, Names] = {}
        self.classes: list[Class] = []
        self._knowing: dict[File, bool] = {}
        self._reaching: dict[File, tuple[list[str], list[tuple[str, str]]]] = {}
        for file in files:
            if file.machinery:
                continue
            for one in file.all_classes():
                self._class(one)
        self.hot: set[Method] = set()
        self.names: set[str] = set()
        self.families = self._families()
        if marks.telling:  # the call by which a message is sent is all there is to come to
            for method, found in self.methods.items():
                found.touches = self.operates(found, method.owner)
            for one, found in self.bodies.items():
                found.touches = self.operates(found, one)
        self.givers = self._givers()
        self._close()
        self.callers: dict[str, list[Method]] = {}  # a called name -> the methods of the slice that call it
        self.touching: dict[str, set[Origin]] = {}  # a name -> files with methods of it that touch a client
        for method, found in self.methods.items():
            if method in self.hot:
                for name in found.called:
                    self.callers.setdefault(name, []).append(method)
                if found.touches:
                    self.touching.setdefault(called_as(method), set()).add(method.owner.origin)

    def reaching(self, file: File) -> tuple[list[str], list[tuple[str, str]]]:
        """What of a file can reach a client library, as texts; and what its methods call of the names of the slice, each as
        a text with the name."""
        found = self._reaching.get(file)
        if found is None:
            marks: list[str] = []
            calls: list[tuple[str, str]] = []
            for one in file.all_classes():
                mark = f"{file.origin.repo}\0{file.origin.path}\0{one.name}"
                if one in self.made:
                    marks.append(mark)
                for method in (each for methods in one.methods.values() for each in methods):
                    if method in self.hot:
                        marks.append(f"{mark}\0{method.name}\0{method.number}")
                    names = self.methods.get(method)
                    if names is not None:
                        calls += ((f"{mark}\0\0{name}", name) for name in names.called & self.names)
            found = self._reaching[file] = marks, calls
        return found

    def _class(self, one: Class) -> None:
        self.classes.append(one)
        known = self._known
        own = known.get(one)
        if own is None:
            language = one.file.language
            fields = {
                name: _simple(decl.type) for each in one.lexical() for name, decl in each.fields.items()
            }
            variables = {name for each in one.lexical() for name in each.variables}
            fields = {name: ANY if simple in variables else simple for name, simple in fields.items()}
            above = one.decl.supers[0].name.rpartition(".")[2] if one.decl.supers else ANY
            own = known[one] = Names(_parts(one.decl), fields, marks=self.marks, language=language)
            for methods in one.methods.values():
                for method in methods:
                    parts = (method.decl.body or (), method.decl.params)
                    known[method] = Names(parts, fields, above, self.marks, language)
        self.bodies[one] = own
        self.methods.update((method, known[method]) for found in one.methods.values() for method in found)

    def operates(self, found: Names, owner: Class) -> bool:
        """Whether code of a class may subscribe a consumer: what is declared as one, or, in a file that knows a client
        library, something of a type that nobody sees. Much else has a method `subscribe`."""
        if not found.operates:
            return False
        distinct = self.marks.distinct
        if not found.operated.isdisjoint(distinct):
            return True
        if self.marks.telling:
            if not found.called.isdisjoint(self.marks.telling) and ANY in found.operated:
                return True
            own = (owner.simple,) if OWN in found.operated else ()
            families = self.families
            if any(not distinct.isdisjoint(families.get(name, ())) for name in (*own, *found.operated)):
                return True  # a class of the program's own that extends one
            lent = (
                (OWN,) if owner.file.language == "kotlin" else ()
            )  # what a function extends, or `with` takes
            return not found.operated.isdisjoint((ANY, "Producer", *lent)) and self._knows(owner.file)
        return not found.operated.isdisjoint((ANY, OWN, "Consumer")) and self._knows(owner.file)

    def is_client(self, one: Class) -> bool:
        """Whether a class extends a client library's consumer: making one makes a consumer."""
        return any(ref.name.rpartition(".")[2] in self.marks.makers for ref in one.decl.supers)

    def touched(self, body: Iterable[Any]) -> bool:
        """Whether code makes a consumer, or, of a slice of what sends, may send."""
        found = Names(body, marks=self.marks)
        return found.touches or (bool(self.marks.telling) and found.operates)

    def _knows(self, file: File) -> bool:
        """Whether a file names anything of a client library."""
        knows = self._knowing.get(file)
        if knows is None:
            unit = file.unit
            knows = self._knowing[file] = (
                f"{unit.package}.".startswith(self.marks.libraries)
                or any(one.path.startswith(self.marks.libraries) for one in unit.imports)
                or not self.marks.distinct.isdisjoint(unit.names)
            )
        return knows

    def _families(self) -> dict[str, frozenset[str]]:
        """Simple name of a type -> the simple names of those above and below it, and its own."""
        above: dict[str, set[str]] = {}
        below: dict[str, set[str]] = {}
        for one in self.classes:
            for ref in one.decl.supers:
                simple = ref.name.rpartition(".")[2]
                above.setdefault(one.simple, set()).add(simple)
                below.setdefault(simple, set()).add(one.simple)
        return {
            one.simple: frozenset({one.simple, *_closure(one.simple, above), *_closure(one.simple, below)})
            for one in self.classes
        }

    def _givers(self) -> dict[str, set[str]]:
        """Simple name of a class -> those of the types whose users have its objects without naming it: types around it,
        and those with a method that makes one and returns it as something it is."""
        found: dict[str, set[str]] = {}
        for one in self.classes:
            around = {each.simple for each in one.lexical()} - {one.simple}
            if around:
                found.setdefault(one.simple, set()).update(around)
        for method, names in self.methods.items():
            given = _simple(method.decl.returns)
            if not given:
                continue
            for name, receiver in names.calls:
                if name == receiver and given in self.families.get(name, ()):
                    found.setdefault(name, set()).update(each.simple for each in method.owner.lexical())
        return found

    def _seen_in(self, files: Collection[File]) -> dict[int, set[str]]:
        """By file the simple names of the types whose objects its code may have: those it names or declares; in Kotlin,
        where neither variables nor functions need a type, also those of its package and of packages it imports from."""
        packages: dict[str, set[str]] = {}
        for file in files:
            packages.setdefault(file.unit.package, set()).update(each.simple for each in file.all_classes())
        found: dict[int, set[str]] = {}
        for file in files:
            seen = found[id(file)] = {*file.unit.names, *(each.simple for each in file.all_classes())}
            if file.language == "kotlin":
                imported = (path.rpartition(".")[0] for path in file.single.values())
                for package in (file.unit.package, *file.wildcards, *imported):
                    seen |= packages.get(package, set())
        return found

    def _close(self) -> None:
        names = self.names
        made: set[Class] = set()
        declared = {one.simple for one in self.classes}
        lent = {
            one.simple
            for one in self.classes
            if any(_simple(ref) not in declared for ref in one.decl.supers) and one.file.language == "java"
        }
        families, givers = self.families, self.givers
        seen_in = self._seen_in({id(one.file): one.file for one in self.classes}.values())
        own_of = {
            one: {each.simple for each in one.lexical()} | _static_imports(one.file) for one in self.classes
        }
        bearers: dict[str, set[str]] = {}  # a name of the slice -> types that have a member of it, or are it
        making: dict[
            str, set[Class]
        ] = {}  # the same where it is the name of types, of which somebody is to make an object

        fresh: set[str] = set()  # the names that have got bearers in this round, and in the one before
        older: set[str] = set()

        def bear(name: str, owner: Class, on: ir.TypeRef | None = None) -> None:
            names.add(name)
            fresh.add(name)
            if name == owner.simple:
                making.setdefault(name, set()).add(owner)
            bearing = bearers.setdefault(name, set())
            bearing.update(families[owner.simple], givers.get(owner.simple, ()))
            if on is not None:
                bearing.update((_SEEN, *families.get(_simple(on), (_simple(on),))))
            elif owner.kind == "module" and owner.file.language == "kotlin":
                bearing.add(_SEEN)

        def reaches(found: Names, owner: Class, own: str = "") -> bool:
            if found.called.isdisjoint(fresh) and found.called.isdisjoint(older):
                return False
            for name, receiver in found.calls:
                bearing = bearers.get(name)
                if bearing is None or name == own:
                    continue
                if name == receiver and name in making and name not in found.qualified:
                    above = {each for one in owner.lexical() for each in families.get(one.simple, ())}
                    if not any(_may_mean(owner, one, above) for one in making[name]):
                        continue  # another type of that name
                if (
                    _SEEN in bearing
                    and owner.file.language == "kotlin"
                    and (receiver is ANY or receiver is OWN or ANY in bearing)
                ):
                    return True
                if receiver is ANY:
                    if not bearing.isdisjoint(seen_in[id(owner.file)]):
                        return True
                elif receiver is OWN:
                    if not bearing.isdisjoint(own_of[owner]):
                        return True
                elif receiver in bearing:
                    return True
            return False

        for one in self.classes:
            if self.is_client(one):
                made.add(one)
                for name in (one.simple, *self.marks.operations):
                    bear(name, one)
        for _ in range(ROUNDS_MAX):
            before = len(names) + len(self.hot)
            for method, found in self.methods.items():
                if method in self.hot or not (
                    found.touches
                    or found.configures
                    or reaches(found, method.owner)
                    or self.operates(found, method.owner)
                ):
                    continue
                self.hot.add(method)
                bear(called_as(method), method.owner, method.decl.receiver)
                if method.name != "<init>" and method.owner.simple in lent:
                    bear(method.owner.simple, method.owner)  # a library calls it that is handed the object
            for one, found in self.bodies.items():
                if one not in made and (
                    found.touches or reaches(found, one, one.simple) or self.operates(found, one)
                ):
                    made.add(one)
                    bear(one.simple, one)
                    for field in one.decl.fields:
                        if field.getter is not None or field.delegate is not None:
                            bear(field.name, one)
            if len(names) + len(self.hot) == before:
                break
            older, fresh = fresh, set()
        self.made = made


def _may_mean(owner: Class, one: Class, above: Container[str]) -> bool:
    """Whether a class that writes the simple name of another may mean this one: in Java it has it in its file or package,
    imports it, or inherits it (`above`: what its types are)."""
    here, there = owner.file, one.file
    if here is there or here.language != "java" or there.language != "java":
        return True
    imported = here.single.get(one.simple) or here.members.get(one.simple)
    if imported is not None:
        return imported == one.name
    if one.outer is None:
        return here.unit.package == there.unit.package or there.unit.package in here.wildcards
    return one.outer.simple in above or one.outer.name in (*here.wildcards, *here.member_wildcards)


def _static_imports(file: File) -> set[str]:
    """The simple names of the types whose members a file imports by name."""
    owners = (*(path.rpartition(".")[0] for path in file.members.values()), *file.member_wildcards)
    return {owner.rpartition(".")[2] for owner in owners}


def _parts(decl: ir.ClassDecl) -> Iterator[Any]:
    """What runs when a class is prepared or an object of it is made, constructors apart."""
    for one in decl.fields:
        yield from (part for part in (one.value, one.getter, one.setter, one.delegate) if part is not None)
    yield from (block.body for block in decl.initialisers)
    yield from (each.value for each in decl.delegates)
    for constant in decl.constants:
        yield constant.args
        if constant.body is not None:
            yield constant.body


def called_as(method: Method) -> str:
    """The name a call of a method is written with."""
    return method.owner.simple if method.name == "<init>" else method.name


def _closure(start: str, edges: Mapping[str, set[str]]) -> set[str]:
    """Every name that can be reached from one."""
    found: set[str] = set()
    stack = [start]
    while stack:
        for each in edges.get(stack.pop(), ()):
            if each not in found:
                found.add(each)
                stack.append(each)
    return found
