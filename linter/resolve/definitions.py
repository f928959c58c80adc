"""Absolute name -> what defines it, nearest first.

The nearest definition wins: the same file, the same module, the modules taken in, the same repository, another
repository the build declares, any other repository. Two at one distance that disagree are ambiguous, not a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum

from msgspec import Struct

from subdrift.linter.model import ir
from subdrift.linter.model.facts import Field, Method, Type, TypeKind
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed, python_module, scope_of
from subdrift.linter.resolve.modules import Deployable, ModuleKey, Modules

SUPERTYPES_MAX = 64
"""Supertypes looked at for one member."""


class Distance(IntEnum):
    """How far a definition is from the place that uses it."""

    FILE = 0
    MODULE = 1
    TAKEN_IN = 2
    REPOSITORY = 3
    DEPENDENCY = 4
    ELSEWHERE = 5


class TypeDef(Struct, frozen=True, eq=False):
    """A type and the file it stands in; compared by identity."""

    placed: Placed
    type: Type

    @property
    def name(self) -> str:
        return self.type.name

    @property
    def key(self) -> tuple[Origin, str]:
        return (self.placed.origin, self.type.name)

    def says_the_same(self, other: TypeDef) -> bool:
        """Whether two declarations of one name are copies of each other, with what their code does."""
        return self.type == other.type and self.declaration == other.declaration

    @property
    def declaration(self) -> ir.ClassDecl | None:
        """The declaration in the lowered file, None where there is none."""
        unit = self.placed.facts.unit
        if unit is None:
            return None
        prefix = f"{unit.package}." if unit.package else ""
        found: ir.ClassDecl | None = None
        types = (*unit.types, *(inner for one in unit.types if not one.name for inner in one.types))
        for part in self.type.name.removeprefix(prefix).split("."):
            found = next((one for one in types if one.name == part), None)
            types = found.types if found is not None else ()
        return found

    def field(self, name: str) -> Field | None:
        return next((field for field in self.type.fields if field.name == name), None)

    def methods(self, name: str) -> tuple[Method, ...]:
        return tuple(method for method in self.type.methods if method.name == name)


class Found(Struct, frozen=True):
    """A definition and how far it is."""

    type: TypeDef
    distance: Distance


class Ambiguous(Exception):
    """Several definitions at one distance; `places` are their files."""

    def __init__(self, name: str, places: tuple[Origin, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.places = places


class Definitions:
    """The index of all types of a run.

    `missing` collects the names that were asked for and not found (modules of Python, which execution looks for, with a
    leading dot), `extended` the simple names of types whose subtypes were asked for: the next round of reading looks for
    both. `asked` collects the keys (see `keys_of`) under which files of other repositories could have changed an answer,
    `looked` every name that was asked for.
    """

    def __init__(self, files: Iterable[Placed], modules: Modules) -> None:
        self.modules = modules
        self._types: dict[str, list[TypeDef]] = {}
        self._own: dict[tuple[Origin, str], TypeDef] = {}
        self._outside: dict[str, list[TypeDef]] = {}  # a Kotlin name outside of types -> the files' classes
        self._subtypes: dict[str, list[TypeDef]] = {}
        self._annotated: dict[str, list[TypeDef]] = {}
        self._memory: dict[tuple[str, Origin, ModuleKey], Found | Ambiguous | None] = {}
        self._above: dict[tuple[tuple[Origin, str], ModuleKey], tuple[TypeDef, ...]] = {}
        self.missing: set[str] = set()
        self.asked: set[str] = set()
        self.extended: set[str] = set()
        self.looked: set[str] = set()
        for placed in files:
            for type_ in placed.facts.types:
                found = TypeDef(placed, type_)
                self._own[placed.origin, type_.name] = found
                self._types.setdefault(type_.name, []).append(found)
                for name in _outside(placed, type_):
                    self._outside.setdefault(name, []).append(found)
                for candidates in type_.supers:
                    for simple in {_simple(candidate) for candidate in candidates}:
                        self._subtypes.setdefault(simple, []).append(found)
                for use in type_.annotations:
                    for simple in {_simple(candidate) for candidate in use.candidates}:
                        self._annotated.setdefault(simple, []).append(found)

    def own(self, origin: Origin, name: str) -> TypeDef | None:
        """A type declared in that very file."""
        return self._own.get((origin, name))

    def type(self, name: str, near: Placed, deployable: Deployable, *, demand: bool = True) -> Found | None:
        """The type a full name stands for, seen from a file; `demand`: note it as missing where no file read so far
        defines it. Raises `Ambiguous`."""
        own = self._own.get((near.origin, name))
        if own is not None:
            return Found(own, Distance.FILE)
        self.looked.add(name)
        mark = (name, near.origin, deployable.key)
        if mark not in self._memory:
            self._memory[mark] = self._look_up(name, near, deployable)
        found = self._memory[mark]
        if isinstance(found, Ambiguous):
            raise found
        if found is None and demand and near.facts.language != "python":
            self.missing.add(name)
        return found

    def _look_up(self, name: str, near: Placed, deployable: Deployable) -> Found | Ambiguous | None:
        try:
            found = self._nearest(name, self._types.get(name, ()), near, deployable)
        except Ambiguous as error:
            return error
        return found

    def outside(self, name: str, near: Placed, deployable: Deployable) -> Found | None:
        """The class of the Kotlin file that declares a full name outside of types. Raises `Ambiguous`."""
        self.looked.add(name)
        found = self._nearest(name, self._outside.get(name, ()), near, deployable)
        if found is None:
            self.missing.add(name)
        return found

    def first(self, candidates: Iterable[str], near: Placed, deployable: Deployable) -> Found | None:
        """The first candidate that is defined. Raises `Ambiguous`."""
        for candidate in candidates:
            found = self.type(candidate, near, deployable)
            if found is not None:
                return found
        return None

    def supers(self, type_: TypeDef, deployable: Deployable) -> tuple[TypeDef, ...]:
        """The type itself and its supertypes as far as they are known, nearest first, bounded."""
        mark = (type_.key, deployable.key)
        known = self._above.get(mark)
        if known is None:
            known = self._above[mark] = self._supers(type_, deployable)
        return known

    def _supers(self, type_: TypeDef, deployable: Deployable) -> tuple[TypeDef, ...]:
        queue = [type_]
        seen = {type_.key}
        for current in queue:
            for candidates in current.type.supers:
                try:
                    found = self.first(candidates, current.placed, deployable)
                except Ambiguous:
                    continue
                if found and found.type.key not in seen and len(seen) < SUPERTYPES_MAX:
                    seen.add(found.type.key)
                    queue.append(found.type)
        return tuple(queue)

    def subtypes(self, type_: TypeDef, deployable: Deployable, *, demand: bool = True) -> tuple[TypeDef, ...]:
        """Every concrete type below one that a deployable runs, in the order of files; test code does not extend main
        code. Below an annotation are the types that carry it. `demand`: ask for the files of further ones."""
        return tuple(
            each
            for each in self._below(type_, deployable, demand=demand)
            if self.runs_here(each.placed.origin, type_.placed.origin, deployable)
        )

    def runs_here(self, user: Origin, used: Origin, deployable: Deployable) -> bool:
        """Whether a deployable runs one file's use of another: it takes in the user's module.

        A use that no deployable holds together with what it uses (a dependency nobody declares) counts for the first
        deployable that takes in what is used.
        """
        one, other = self.modules.of(user), self.modules.of(used)
        if one == other or one in deployable.takes_in:
            return True
        if self.modules.together(one, other):
            return False
        holders = self.modules.together(other)
        return not holders or holders[0].key == deployable.key

    def _below(self, type_: TypeDef, deployable: Deployable, *, demand: bool = True) -> tuple[TypeDef, ...]:
        found: list[TypeDef] = []
        queue = [type_]
        seen = {type_.key}
        main = scope_of(type_.placed.origin.path) == "main"
        for current in queue:
            self.asked.add(f"below:{_simple(current.name)}")
            if demand and (
                current is type_
                or current.type.abstract
                or current.type.kind in (TypeKind.INTERFACE, TypeKind.ANNOTATION)
            ):
                self.extended.add(_simple(current.name))
            marks = current.type.kind is TypeKind.ANNOTATION
            nearest = self._annotated if marks else self._subtypes
            for below in nearest.get(_simple(current.name), ()):
                if below.key in seen or len(seen) > SUPERTYPES_MAX:
                    continue
                if main and scope_of(below.placed.origin.path) == "test":
                    continue
                written = (use.candidates for use in below.type.annotations) if marks else below.type.supers
                if any(above.key == current.key for above in self._named(written, below, deployable)):
                    seen.add(below.key)
                    queue.append(below)
                    if not below.type.abstract and below.type.kind not in (
                        TypeKind.INTERFACE,
                        TypeKind.ANNOTATION,
                    ):
                        found.append(below)
        return tuple(sorted(found, key=lambda each: (each.placed.origin, each.type.at)))

    def is_a(self, type_: TypeDef, above: TypeDef, deployable: Deployable) -> bool:
        return any(each.key == above.key for each in self.supers(type_, deployable))

    def _named(
        self, written: Iterable[tuple[str, ...]], near: TypeDef, deployable: Deployable
    ) -> Iterator[TypeDef]:
        """The types that some candidate names at a type stand for."""
        for candidates in written:
            try:
                found = self.first(candidates, near.placed, deployable)
            except Ambiguous:
                continue
            if found:
                yield found.type

    def distance(self, near: Placed, origin: Origin, deployable: Deployable) -> Distance:
        """How far a file is from a place of use."""
        if origin == near.origin:
            return Distance.FILE
        module = self.modules.of(origin)
        if module == self.modules.of(near.origin):
            return Distance.MODULE
        if origin.repo == near.origin.repo:
            return Distance.TAKEN_IN if module in deployable.takes_in else Distance.REPOSITORY
        if module in deployable.takes_in or self.modules.edge(self.modules.of(near.origin), module):
            return Distance.DEPENDENCY
        return Distance.ELSEWHERE

    def _nearest(
        self, name: str, found: Iterable[TypeDef], near: Placed, deployable: Deployable
    ) -> Found | None:
        ranked = sorted(
            ((self.distance(near, each.placed.origin, deployable), each) for each in found),
            key=lambda pair: (pair[0], pair[1].placed.origin),
        )
        main = scope_of(near.origin.path) != "test"
        if main and any(scope_of(each.placed.origin.path) != "test" for _, each in ranked):
            ranked = [pair for pair in ranked if scope_of(pair[1].placed.origin.path) != "test"]
        own = bool(ranked) and ranked[0][0] <= Distance.REPOSITORY
        if not own or (main and scope_of(ranked[0][1].placed.origin.path) == "test"):
            self.asked.add(f"type:{name}")
        if not ranked:
            return None
        distance, first = ranked[0]
        level = [each for rank, each in ranked if rank is distance]
        if len(level) > 1 and any(not first.says_the_same(each) for each in level[1:]):
            raise Ambiguous(name, tuple(each.placed.origin for each in level))
        return Found(first, distance)


def keys_of(placed: Placed) -> Iterator[str]:
    """The keys under which a file is found here, in the spelling of `Definitions.asked`."""
    for type_ in placed.facts.types:
        yield f"type:{type_.name}"
        for name in _outside(placed, type_):
            yield f"type:{name}"
        for candidates in (*type_.supers, *(use.candidates for use in type_.annotations)):
            for candidate in candidates:
                yield f"below:{_simple(candidate)}"
    if placed.facts.language == "python":
        yield f"module:{(python_module(placed.origin.path) or ('',))[-1]}"


def _outside(placed: Placed, type_: Type) -> Iterator[str]:
    """The full names by which Kotlin calls what a file declares outside of types."""
    if type_.kind is TypeKind.MODULE:
        package = placed.facts.package
        yield from (f"{package}.{field.name}" if package else field.name for field in type_.fields)


def _simple(name: str) -> str:
    return name.rpartition(".")[2]
