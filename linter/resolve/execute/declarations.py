"""Declared code as execution sees it: files, classes, methods. Classes are compared by identity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

import msgspec
from msgspec import Struct, field

from subdrift.linter.clients.apis import MACHINERY_PACKAGES
from subdrift.linter.model import ir
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve.execute.slice_names import assigned_names


class Method(Struct, eq=False):
    """A declared method with its class. `number` tells overloads apart; `writes` are the fields of its object that it gives a
    value, `fills` the names it puts something into, `touches` what it assigns or calls a method on, `changes` what it writes of
    any object, once somebody has asked."""

    owner: Class
    decl: ir.MethodDecl
    number: int = 0
    writes: frozenset[str] | None = None
    fills: frozenset[str] | None = None
    touches: frozenset[str] | None = None
    changes: tuple[frozenset[tuple[bool, str]], frozenset[str], frozenset[str]] | None = None
    _assigned: frozenset[str] | None = None

    def assigns(self, name: str) -> bool:
        """Whether it gives something of that name a value."""
        if self._assigned is None:
            self._assigned = assigned_names(self.decl.body or ())
        return name in self._assigned

    @property
    def name(self) -> str:
        return self.decl.name

    @property
    def abstract(self) -> bool:
        return self.decl.body is None

    @property
    def arity(self) -> int:
        return len(self.decl.params)

    @property
    def varargs(self) -> bool:
        return any(param.kind == "..." for param in self.decl.params)

    def accepts(self, count: int) -> bool:
        """Whether a call with so many positional arguments fits, as far as counting tells."""
        params = self.decl.params
        if self.varargs:
            return count >= len(params) - 1 - sum(p.default is not None for p in params)
        least = sum(param.default is None for param in params)
        return least <= count <= len(params)

    def annotation(self, *names: str) -> ir.Annotation | None:
        return _annotation(self.decl.annotations, names)

    @property
    def symbol(self) -> str:
        return f"{self.owner.name}#{self.name}"

    def __repr__(self) -> str:
        return self.symbol


class Class(Struct, eq=False):
    """A declared type. `name` is its full name (`com.acme.Outer.Inner`; a Python file is `~`, its classes `~.Worker`).

    `outer` is the enclosing class, `local` set for those declared inside a body.
    """

    file: File
    decl: ir.ClassDecl
    name: str
    outer: Class | None = None
    local: bool = False
    methods: dict[str, list[Method]] = field(default_factory=dict)
    fields: dict[str, ir.FieldDecl] = field(default_factory=dict)
    nested: dict[str, Class] = field(default_factory=dict)
    beside: dict[str, Class] = field(
        default_factory=dict
    )  # of a local class: those declared in the code around it
    constants: dict[str, ir.EnumConstant] = field(default_factory=dict)
    variables: dict[str, ir.TypeRef | None] = field(default_factory=dict)

    @classmethod
    def of(cls, file: File, decl: ir.ClassDecl, outer: Class | None, *, local: bool = False) -> Class:
        prefix = outer.name if outer else file.unit.package
        if file.language == "kotlin":
            decl = _as_on_the_jvm(decl)
        elif decl.kind == "record":
            decl = _with_canonical(decl)
        made = cls(file, decl, f"{prefix}.{decl.name}" if prefix else decl.name, outer, local)
        for number, method in enumerate(decl.methods):
            made.methods.setdefault(method.name, []).append(Method(made, method, number))
        for one in decl.fields:
            made.fields[one.name] = one
        for component in decl.components or ():
            if component.property and component.name not in made.fields:
                made.fields[component.name] = ir.FieldDecl(
                    component.name,
                    component.type,
                    None,
                    component.at,
                    annotations=component.annotations,
                    private=component.private,
                    nullable=component.nullable,
                )
        made.constants = {constant.name: constant for constant in decl.constants}
        made.variables = dict(decl.parameters)
        for inner in decl.types:
            made.nested[inner.name] = cls.of(file, inner, made)
        return made

    @property
    def simple(self) -> str:
        return self.decl.name

    @property
    def kind(self) -> str:
        return self.decl.kind

    @property
    def is_interface(self) -> bool:
        return self.decl.kind in ("interface", "annotation")

    @property
    def concrete(self) -> bool:
        return not self.decl.abstract and not self.is_interface

    @property
    def origin(self) -> Origin:
        return self.file.origin

    def at(self, place: ir.At) -> Location:
        return self.file.at(place)

    def annotation(self, *names: str) -> ir.Annotation | None:
        return _annotation(self.decl.annotations, names)

    def lexical(self) -> Iterator[Class]:
        """The class and those around it, innermost first."""
        current: Class | None = self
        while current is not None:
            yield current
            current = current.outer

    def below(self) -> Iterator[Class]:
        """The class and those nested in it."""
        yield self
        for inner in self.nested.values():
            yield from inner.below()

    def __repr__(self) -> str:
        return self.name


def _as_on_the_jvm(decl: ir.ClassDecl) -> ir.ClassDecl:
    """A Kotlin declaration as the JVM has it: what stands outside of classes is static, the primary constructor one of
    the constructors, which calls the superclass first."""
    change = msgspec.structs.replace
    if decl.kind == "module":
        return change(
            decl,
            fields=tuple(change(each, static=True) for each in decl.fields),
            methods=tuple(change(each, static=True) for each in decl.methods),
            initialisers=tuple(change(each, static=True) for each in decl.initialisers),
        )
    written = any(method.name == "<init>" for method in decl.methods)
    if decl.kind in ("interface", "annotation", "alias") or (decl.components is None and written):
        return decl
    body: tuple[ir.Stmt, ...] = ()
    if decl.super_args is not None:
        call = ir.Call(ir.Super(decl.name_at), "<init>", decl.super_args, decl.name_at, decl.name_at)
        body = (ir.Do(call, decl.name_at),)
    primary = ir.MethodDecl(
        "<init>", decl.components or (), None, body, decl.name_at, decl.name_at, private=decl.hidden
    )
    return change(decl, methods=(primary, *decl.methods))


def _with_canonical(decl: ir.ClassDecl) -> ir.ClassDecl:
    """A record with the constructor of its components beside others that it writes."""
    written = [method for method in decl.methods if method.name == "<init>"]
    params = decl.components or ()
    types = [param.type for param in params]
    if not written or any(one.compact or [each.type for each in one.params] == types for one in written):
        return decl
    made = ir.MethodDecl("<init>", params, None, (), decl.name_at, decl.name_at, compact=True)
    return msgspec.structs.replace(decl, methods=(*decl.methods, made))


def _annotation(annotations: Iterable[ir.Annotation], names: tuple[str, ...]) -> ir.Annotation | None:
    return next((one for one in annotations if one.name.rpartition(".")[2] in names), None)


class File(Struct, eq=False):
    """A lowered file at its place, with its imports ordered by what they bring in."""

    placed: Placed
    unit: ir.Unit
    classes: dict[str, Class] = field(default_factory=dict)  # top-level, by simple name
    single: dict[str, str] = field(default_factory=dict)  # simple name -> full name
    wildcards: list[str] = field(default_factory=list)
    members: dict[str, str] = field(default_factory=dict)  # statically imported: simple -> TYPE.member
    member_wildcards: list[str] = field(default_factory=list)
    places: dict[ir.At, Location] = field(default_factory=dict)
    model: bool = False  # of a library's code: not one of the program's files (`resolve.models`)
    making: tuple[Any, ...] | None = (
        None  # what may make a consumer by its name (`resolve.unreached`), once asked for
    )
    leading: tuple[Mapping[ir.At, frozenset[str]], Mapping[str, Set[str]]] | None = (
        None  # what `unreached.Leads` is of
    )

    @classmethod
    def of(cls, placed: Placed, unit: ir.Unit) -> File:
        made = cls(placed, unit)
        for one in unit.imports:
            if one.static:
                if one.wildcard:
                    made.member_wildcards.append(one.path)
                else:
                    made.members[one.name or one.path.rpartition(".")[2]] = one.path
            elif one.wildcard:
                made.wildcards.append(one.path)
            else:
                made.single[one.name or one.path.rpartition(".")[2]] = one.path
        for decl in unit.types:
            made.classes[decl.name] = Class.of(made, decl, None)
        return made

    @property
    def origin(self) -> Origin:
        return self.placed.origin

    @property
    def language(self) -> str:
        return self.unit.language

    @property
    def machinery(self) -> bool:
        """Whether it is a client library's own code: what it makes is made for its users, under their names."""
        inside = f"{self.unit.package}.".startswith(MACHINERY_PACKAGES)
        return inside and scope_of(self.origin.path) != "test"

    def at(self, place: ir.At) -> Location:
        found = self.places.get(place)
        if found is None:
            found = self.places[place] = Location(self.placed.origin, Span(*place))
        return found

    def all_classes(self) -> Iterator[Class]:
        """Every named class of the file that is not local to a body."""
        for top in self.classes.values():
            yield from top.below()
