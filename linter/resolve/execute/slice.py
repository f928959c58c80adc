"""The backward slice over names: which methods can reach a client library.

A method is in the slice if it touches a client library, or calls by name what is in the slice.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.location import Origin
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute.slice_names import (
    ANY,
    OWN,
    STANDS_FOR,
    SUBSCRIBING,
    Marks,
    Names,
    parts_of,
    simple_of,
)
from subdrift.linter.resolve.spring.beans import PUBLISHERS, PUBLISHING

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.declarations import Class, File, Method
    from subdrift.linter.resolve.execute.given_up import Changes


ROUNDS_MAX = 32
"""Passes of the slice over the names of a deployable."""

_SEEN = "<function>"
"""The bearer of functions outside of classes, or on a receiver: they are called without naming what declares them."""


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
        self.changes: dict[object, Changes] = {}  # of methods that were given up, and of the bodies of loops
        self.by_name: dict[str, list[Method]] = {}
        for method in self.methods:
            self.by_name.setdefault(called_as(method), []).append(method)
        self._followers: dict[Method, tuple[Method, ...]] = {}
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
                name: simple_of(decl.type) for each in one.lexical() for name, decl in each.fields.items()
            }
            variables = {name for each in one.lexical() for name in each.variables}
            fields = {name: ANY if simple in variables else simple for name, simple in fields.items()}
            above = one.decl.supers[0].name.rpartition(".")[2] if one.decl.supers else ANY
            own = known[one] = Names(parts_of(one.decl), fields, marks=self.marks, language=language)
            for methods in one.methods.values():
                for method in methods:
                    parts = (method.decl.body or (), method.decl.params)
                    known[method] = Names(parts, fields, above, self.marks, language)
        self.bodies[one] = own
        self.methods.update((method, known[method]) for found in one.methods.values() for method in found)

    def meant(self, owner: Class | None, calls: Iterable[tuple[str, str]]) -> Iterator[Method]:
        """The methods that calls in the code of a class may mean, by name and the receiver's declared type; some twice."""
        around = {each.simple for each in owner.lexical()} if owner is not None else set()
        lends = (
            owner is not None and owner.file.language == "kotlin"
        )  # code that names no receiver may run on one
        for name, receiver in calls:
            found = self.by_name.get(name, ())
            if receiver is ANY or (lends and receiver is OWN) or not found:
                yield from found
                continue
            of = self.families.get(receiver, (receiver,))
            for one in found:
                simple = one.owner.simple
                if simple in of or (receiver is OWN and not around.isdisjoint(self.families.get(simple, ()))):
                    yield one

    def followers(self, method: Method) -> tuple[Method, ...]:
        """The methods that the code of one may call, as `meant`."""
        found = self._followers.get(method)
        if found is None:
            names = self.methods.get(method)
            owner = method.owner
            calls = set(names.calls) if names is not None else set()
            if owner.kind == "enum":  # a constant may have a body that overrides it
                calls |= self.bodies[owner].calls
            found = self._followers[method] = tuple(dict.fromkeys(self.meant(owner, calls)))
        return found

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
            given = simple_of(method.decl.returns)
            if not given:
                continue
            for name, receiver in names.calls:
                if name == receiver and given in self.families.get(name, ()):
                    found.setdefault(name, set()).update(each.simple for each in method.owner.lexical())
        return found

    def _seen_in(self, files: Collection[File]) -> dict[int, set[str]]:
        """By file the simple names of the types whose objects its code may have: those it names or declares, and those that
        functions are given for interfaces that it names, or that methods of what it names take; in Kotlin, where neither
        variables nor functions need a type, also those of its package and of packages it imports from."""
        functions: dict[str, set[str]] = {}  # by interface, what its function is given
        for one in self.classes:
            if (method := function_of(one)) is not None:
                given = functions.setdefault(one.simple, set())
                given.update(simple_of(each.type) for each in method.decl.params)
        taken: dict[str, set[str]] = {}
        for method in self.methods:
            for name in functions.keys() & {simple_of(param.type) for param in method.decl.params}:
                taken.setdefault(method.owner.simple, set()).update(functions[name])
        packages: dict[str, set[str]] = {}
        for file in files:
            packages.setdefault(file.unit.package, set()).update(each.simple for each in file.all_classes())
        found: dict[int, set[str]] = {}
        for file in files:
            seen = found[id(file)] = {*file.unit.names, *(each.simple for each in file.all_classes())}
            for by_name in (functions, taken):
                seen |= {each for name in by_name.keys() & seen for each in by_name[name]}
            if file.language == "kotlin":
                imported = (path.rpartition(".")[0] for path in file.single.values())
                for package in (file.unit.package, *file.wildcards, *imported):
                    seen |= packages.get(package, set())
        return found

    def _close(self) -> None:
        """Goes on from what is known to reach a client to what calls it, until nothing comes anew."""
        closing = _Closing(self)
        for one in self.classes:
            if self.is_client(one):
                closing.made.add(one)
                for name in (one.simple, *self.marks.operations):
                    closing.bear(name, one)
        for _ in range(ROUNDS_MAX):
            before = len(self.names) + len(self.hot)
            for method, found in self.methods.items():
                self._close_method(closing, method, found)
            for one, found in self.bodies.items():
                if one not in closing.made and (
                    found.touches or closing.reaches(found, one, one.simple) or self.operates(found, one)
                ):
                    closing.made.add(one)
                    closing.bear(one.simple, one)
                    bare = one.kind == "module"  # its properties are named without it
                    for field in one.decl.fields:
                        lends = bare and type(field.value) not in (ir.Const, type(None))
                        if lends or field.getter is not None or field.delegate is not None:
                            closing.bear(field.name, one)
            if len(self.names) + len(self.hot) == before:
                break
            closing.older, closing.fresh = closing.fresh, set()
        self.made = closing.made

    def _close_method(self, closing: _Closing, method: Method, found: Names) -> None:
        owner = method.owner
        if method in self.hot or not (
            found.touches or found.configures or closing.reaches(found, owner) or self.operates(found, owner)
        ):
            return
        self.hot.add(method)
        closing.bear(called_as(method), owner, method.decl.receiver)
        if method.annotation("Bean") is not None and _makes_functions(method.decl.body or ()):
            closing.bear_functions(simple_of(method.decl.returns))  # others are handed what it gives
        if hears(method):
            closing.bear(PUBLISHING, owner)
            closing.bearers[PUBLISHING] |= PUBLISHERS
        if method.name != "<init>" and owner.simple in closing.lent:
            closing.bear(owner.simple, owner)  # a library calls it that is handed the object


class _Closing:
    """The names that may lead to a client so far, and on which types."""

    def __init__(self, of: Slice) -> None:
        declared = {one.simple for one in of.classes}
        self.of = of
        self.interfaces: dict[str, list[Class]] = {}
        for one in of.classes:
            if one.is_interface:
                self.interfaces.setdefault(one.simple, []).append(one)
        self.made: set[Class] = set()
        self.lent = {
            one.simple
            for one in of.classes
            if any(simple_of(ref) not in declared for ref in one.decl.supers) and one.file.language == "java"
        }
        self.seen_in = of._seen_in({id(one.file): one.file for one in of.classes}.values())
        self.own_of = {
            one: {each.simple for each in one.lexical()} | _static_imports(one.file) for one in of.classes
        }
        self.bearers: dict[
            str, set[str]
        ] = {}  # a name of the slice -> types that have a member of it, or are it
        self.making: dict[str, set[Class]] = {}
        """The same where it is the name of types, of which somebody is to make an object."""
        self.fresh: set[str] = set()  # the names that have got bearers in this round, and in the one before
        self.older: set[str] = set()

    def bear(self, name: str, owner: Class, on: ir.TypeRef | None = None) -> None:
        families = self.of.families
        self.of.names.add(name)
        self.fresh.add(name)
        if name == owner.simple:
            self.making.setdefault(name, set()).add(owner)
        bearing = self.bearers.setdefault(name, set())
        bearing.update(families[owner.simple], self.of.givers.get(owner.simple, ()))
        if on is not None:
            bearing.update((_SEEN, *families.get(simple_of(on), (simple_of(on),))))
        elif owner.kind == "module" and owner.file.language == "kotlin":
            bearing.add(_SEEN)

    def bear_functions(self, interface: str) -> None:
        """The methods by which a function that stands for an interface may be called."""
        if (called := STANDS_FOR.get(interface)) is not None:
            self.of.names.add(called)
            self.fresh.add(called)
            self.bearers.setdefault(called, set()).add(interface)
        for one in self.interfaces.get(interface, ()):
            for method in (each for methods in one.methods.values() for each in methods if each.abstract):
                self.bear(method.name, one)

    def reaches(self, found: Names, owner: Class, own: str = "") -> bool:
        if found.called.isdisjoint(self.fresh) and found.called.isdisjoint(self.older):
            return False
        families, making = self.of.families, self.making
        for name, receiver in found.calls:
            bearing = self.bearers.get(name)
            if bearing is None or name == own:
                continue
            if name == receiver and name in making and name not in found.qualified:
                above = {each for one in owner.lexical() for each in families.get(one.simple, ())}
                if not any(_may_mean(owner, one, above) for one in making[name]):
                    continue  # another type of that name
            if self._is_borne(bearing, receiver, owner):
                return True
        return False

    def _is_borne(self, bearing: set[str], receiver: str, owner: Class) -> bool:
        """Whether what a name is called on may be one of the types that have it."""
        anywhere = receiver is ANY or receiver is OWN or ANY in bearing
        if _SEEN in bearing and owner.file.language == "kotlin" and anywhere:
            return True
        if receiver is ANY or (
            receiver is OWN and owner.file.language == "kotlin"
        ):  # it may run on a receiver
            return not bearing.isdisjoint(self.seen_in[id(owner.file)])
        if receiver is OWN:
            return not bearing.isdisjoint(self.own_of[owner])
        return receiver in bearing


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


def function_of(one: Class) -> Method | None:
    """The method that a function stands for which is one of an interface; None of what no function can be."""
    abstract = [each for methods in one.methods.values() for each in methods if each.abstract]
    return abstract[0] if one.is_interface and len(abstract) == 1 else None


@remembered
def _makes_functions(body: tuple[ir.Stmt, ...]) -> bool:
    """Whether code makes a function, or an object of a class without a name."""
    return any(
        isinstance(node, ir.Lambda | ir.MethodRef) or (isinstance(node, ir.New) and node.body is not None)
        for node in nodes(body)
    )


def called_as(method: Method) -> str:
    """The name a call of a method is written with."""
    return method.owner.simple if method.name == "<init>" else method.name


def hears(method: Method) -> bool:
    """Whether a method listens to events."""
    marked = method.annotation("EventListener", "TransactionalEventListener") is not None
    return marked or (method.name == "onApplicationEvent" and method.arity == 1)


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
