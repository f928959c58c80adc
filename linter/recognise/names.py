"""What a simple or dotted name may mean in a file: package, imports and the types it declares, nearest first."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct, field

from subdrift.linter.model import ir
from subdrift.linter.model.facts import TypeKind

KINDS = {
    "class": TypeKind.CLASS,
    "interface": TypeKind.INTERFACE,
    "enum": TypeKind.ENUM,
    "record": TypeKind.RECORD,
    "annotation": TypeKind.ANNOTATION,
    "object": TypeKind.CLASS,
    "companion": TypeKind.CLASS,
    "module": TypeKind.MODULE,
}
"""Kinds of declared types that others can name. A Kotlin file's top level is the class that the JVM has for it."""

_STATIC = ("object", "companion", "module")
"""Kinds of types of Kotlin whose members need no object."""

_LANG = frozenset({
    "String", "Object", "Integer", "Long", "Boolean", "Double", "Float", "Short", "Byte", "Character", "Number",
    "Math", "System", "Class", "Enum", "Iterable", "StringBuilder", "StringBuffer", "CharSequence", "Thread",
    "Runnable", "Exception", "RuntimeException", "Throwable", "Override", "Deprecated", "SuppressWarnings", "Void",
})  # fmt: skip

_PRIMITIVES = frozenset({
    "void", "boolean", "byte", "short", "char", "int", "long", "float", "double", "?", "? super", "",
})  # fmt: skip


class Scope(Struct, eq=False):
    """A type declared in the file, with what is needed to look names up inside it."""

    name: str
    decl: ir.ClassDecl
    parent: Scope | None
    nested: dict[str, Scope] = field(default_factory=dict)
    fields: frozenset[str] = frozenset()
    supers: tuple[tuple[str, ...], ...] = ()

    @property
    def simple(self) -> str:
        return self.decl.name

    @property
    def kind(self) -> TypeKind:
        return KINDS[self.decl.kind]

    @property
    def static(self) -> bool:
        """Whether the members are those of a single object (Kotlin)."""
        return self.decl.kind in _STATIC

    @property
    def chain(self) -> tuple[Scope, ...]:
        """This type and those around it, innermost first."""
        found: list[Scope] = []
        scope: Scope | None = self
        while scope is not None:
            found.append(scope)
            scope = scope.parent
        return tuple(found)


class Names:
    """The names of one file of a language of the JVM."""

    def __init__(self, unit: ir.Unit) -> None:
        self.package = unit.package
        self.kotlin = unit.language == "kotlin"
        self.single: dict[str, str] = {}
        self.wildcards: list[str] = []
        self.static_single: dict[str, list[str]] = {}
        self.static_wildcards: list[str] = []
        self.scopes: list[Scope] = []  # outer before inner
        self.top: dict[str, Scope] = {}
        self.by_name: dict[str, Scope] = {}
        for one in unit.imports:
            self._import(one)
        for decl in unit.types:
            self._declare(decl, None)
        for scope in self.scopes:  # needs every type declared
            found = (self.of_type(ref, scope.parent or scope) for ref in scope.decl.supers)
            scope.supers = tuple(names for names in found if names)

    @property
    def imports(self) -> tuple[str, ...]:
        """Full names of what is imported; a wildcard ends in `.*`, a static member is `TYPE#member`."""
        found = list(self.single.values())
        found += [f"{name}.*" for name in self.wildcards]
        found += [name for names in self.static_single.values() for name in names]
        found += [f"{name}#*" for name in self.static_wildcards]
        return tuple(dict.fromkeys(found))

    def _import(self, one: ir.Import) -> None:
        if one.static and one.wildcard:
            self.static_wildcards.append(one.path)
        elif one.static:
            owner, _, member = one.path.rpartition(".")
            self.static_single.setdefault(one.name or member, []).append(f"{owner}#{member}")
        elif one.wildcard:
            self.wildcards.append(one.path)
        else:
            self.single.setdefault(one.name or one.path.rpartition(".")[2], one.path)

    def _declare(self, decl: ir.ClassDecl, outer: Scope | None) -> None:
        if not decl.name:  # the class of a compact source file, which no other names
            for inner in decl.types:
                self._declare(inner, outer)
        if not decl.name or decl.kind not in KINDS:
            return
        before = outer.name if outer is not None else self.package
        fields = (
            *(one.name for one in decl.fields),
            *(one.name for one in decl.constants),
            *(one.name for one in decl.components or () if one.property),
            *(one.name for inner in companions(decl) for one in inner.fields),
        )
        scope = Scope(f"{before}.{decl.name}" if before else decl.name, decl, outer, fields=frozenset(fields))
        self.scopes.append(scope)
        self.by_name.setdefault(scope.name, scope)
        (outer.nested if outer is not None else self.top).setdefault(decl.name, scope)
        for inner in decl.types:
            self._declare(inner, scope)

    # -- types ------------------------------------------------------------------------------------------------

    def of_type(self, ref: ir.TypeRef | None, scope: Scope | None) -> tuple[str, ...]:
        """Candidate full names of a type as written, an array's being its element's; empty for primitives."""
        while ref is not None and ref.name == "[]":
            ref = ref.args[0] if ref.args else None
        if ref is not None and ref.name in ("->", "this->"):
            return (_function_type(ref),)
        if ref is None or ref.name in _PRIMITIVES:
            return ()
        return self.types(ref.name, scope)

    def element_of(self, ref: ir.TypeRef | None, scope: Scope | None) -> tuple[str, ...]:
        """Candidates of what a collection or array type holds: its last type argument (a map's values)."""
        return self.of_type(ref.args[-1], scope) if ref is not None and ref.args else ()

    def types(self, text: str, scope: Scope | None) -> tuple[str, ...]:
        """Candidate full names of a type as written, nearest first; one where there is no doubt."""
        head, dot, rest = text.partition(".")
        tail = dot + rest
        chain = scope.chain if scope is not None else ()
        for outer in chain:
            if outer.simple == head:
                return (outer.name + tail,)
            if head in outer.nested:
                return (outer.nested[head].name + tail,)
        if head in self.top:
            return (self.top[head].name + tail,)
        if head in self.single:
            return (self.single[head] + tail,)
        if dot and head[:1].islower():
            return (text,)
        if head in _LANG:
            return (f"java.lang.{text}",)
        found = [f"{self.package}.{text}" if self.package else text]
        found += [f"{name}.{text}" for name in self.wildcards]
        # a member type that an enclosing type inherits: first by the language, last by how often it is met
        found += [
            f"{name}.{text}"
            for outer in chain
            for names in outer.supers
            for name in names
            if not name.startswith("java.") and not name.endswith(f".{head}")
        ]
        return tuple(dict.fromkeys(found))

    # -- members ----------------------------------------------------------------------------------------------

    def members(self, name: str, scope: Scope | None) -> tuple[str, ...]:
        """Candidates `TYPE#name` of a bare field or constant: own class, enclosing ones, static imports, wildcards.

        A type that does not declare it but has supertypes stays a candidate: it may inherit it. In Kotlin also what files
        declare outside of types: `PACKAGE.*#name`.
        """
        found: list[str] = []
        for outer in scope.chain if scope is not None else ():
            if name in outer.fields:
                found.append(f"{outer.name}#{name}")
                return tuple(found)
            if outer.supers:
                found.append(f"{outer.name}#{name}")
        if self.kotlin:
            return self._outside(name, found)
        found += self.static_single.get(name, ())
        if not (name in self.static_single and len(found) == 1):
            found += [f"{owner}#{name}" for owner in self.static_wildcards]
        if not found and scope is not None:
            found.append(f"{scope.name}#{name}")
        return tuple(dict.fromkeys(found))

    def _outside(self, name: str, found: list[str]) -> tuple[str, ...]:
        """Candidates of a name that no type around a place of a Kotlin file declares, behind those that may inherit it."""
        own = [scope.name for scope in self.scopes if scope.kind is TypeKind.MODULE and name in scope.fields]
        if own and not found:
            return (f"{own[0]}#{name}",)
        found += [f"{owner}#{name}" for owner in own]
        if name in self.single:
            owner, _, member = self.single[name].rpartition(".")
            found += [f"{owner}#{member}", f"{owner}.*#{member}" if owner else f"*#{member}"]
        else:
            found.append(f"{self.package}.*#{name}" if self.package else f"*#{name}")
            for owner in self.wildcards:
                found += [f"{owner}#{name}", f"{owner}.*#{name}"]
        return tuple(dict.fromkeys(found))

    # -- what a name is ---------------------------------------------------------------------------------------

    def is_type(self, name: str, scope: Scope | None) -> bool:
        """Whether a bare name means a type: declared or imported, else by its spelling. A Kotlin import does not tell."""
        chain = scope.chain if scope is not None else ()
        if any(name in outer.fields for outer in chain):
            return False
        if self._is_declared(name, chain) and not (self.kotlin and self.single.get(name)):
            return True
        if name in self.static_single:
            return False
        return name[:1].isupper() and any(char.islower() for char in name)

    def is_variable(self, name: str, scope: Scope | None) -> bool:
        """Whether a bare name means a field, and not a type."""
        chain = scope.chain if scope is not None else ()
        return not self.is_type(name, scope) and (
            any(name in outer.fields for outer in chain)
            or name in self.static_single
            or (name[:1].islower() and any(outer.supers for outer in chain))
        )

    def is_qualified(self, parts: list[str], scope: Scope | None) -> bool:
        """Whether a dotted name begins with a package: what looks like one, then a type, and no field of that name."""
        packages = next((number for number, part in enumerate(parts) if not part[:1].islower()), len(parts))
        chain = scope.chain if scope is not None else ()
        known = any(parts[0] in outer.fields for outer in chain) or parts[0] in self.static_single
        if known or packages == 0:
            return False
        if 2 <= packages < len(parts) - 1 and parts[packages][:1].isupper():
            return True
        return 2 <= self._package_length(parts) < len(parts) - 1

    def _package_length(self, parts: list[str]) -> int:
        """How many leading parts of a dotted name are a package, or stand in one, that this file names, whatever its
        letters; 0: none.
        """
        dotted = (".".join(parts[:count]) for count in range(len(parts) - 1, 1, -1))
        length = next((found.count(".") + 1 for found in dotted if found in self._packages), 0)
        while 0 < length < len(parts) - 2 and parts[length][:1].islower():
            length += 1
        return length

    @cached_property
    def _packages(self) -> frozenset[str]:
        """The packages this file names, and those around them, of two parts or more."""
        named = [self.package, *self.wildcards, *(name.rpartition(".")[0] for name in self.single.values())]
        return frozenset(
            ".".join(parts[:count])
            for parts in (name.split(".") for name in named)
            for count in range(2, len(parts) + 1)
        )

    def type_length(self, texts: list[str], scope: Scope | None) -> int:
        """How many leading parts of a dotted name are the type; the last part is a member."""
        count = 1
        declared = self._is_declared(texts[0], scope.chain if scope is not None else ())
        package = 0 if declared else self._package_length(texts)
        if package:
            count = package + 1
        while count < len(texts) and texts[count - 1][:1].islower() and not declared and not package:
            count += 1
        while count < len(texts) - 1:
            following = texts[count]
            known = [self.by_name.get(name) for name in self.types(".".join(texts[:count]), scope)]
            if any(found is not None and following in found.fields for found in known):
                break
            constant_after = all(part.upper() == part for part in texts[count : count + 2])
            camel = following[:1].isupper() and following.upper() != following
            if not camel and not (constant_after and following[:1].isupper()):
                break
            count += 1
        return min(count, len(texts))

    def _is_declared(self, name: str, chain: tuple[Scope, ...]) -> bool:
        return (
            name in self.single
            or name in self.top
            or any(name in outer.nested or outer.simple == name for outer in chain)
        )


def companions(decl: ir.ClassDecl) -> list[ir.ClassDecl]:
    """The companion of a Kotlin class: what it holds is reached through the class too."""
    return [inner for inner in decl.types if inner.kind == "companion"]


def _function_type(ref: ir.TypeRef) -> str:
    """What Spring takes a function type of Kotlin for: the interface of Java that says the same."""
    *given, result = ref.args or (ir.TypeRef("Unit"),)
    if not given:
        return "java.util.function.Supplier"
    return "java.util.function.Consumer" if result.name == "Unit" else "java.util.function.Function"
