"""What a name means in a place of one deployable: full names, supertypes, implementations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from subdrift.linter.clients.apis import MACHINERY_PACKAGES
from subdrift.linter.model import ir
from subdrift.linter.model.location import Origin
from subdrift.linter.resolve.definitions import Ambiguous, Definitions, Distance
from subdrift.linter.resolve.execute.declarations import Class, File, Method
from subdrift.linter.resolve.execute.kept import Trace
from subdrift.linter.resolve.execute.program import Program
from subdrift.linter.resolve.modules import Deployable

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.settings import Settings
    from subdrift.linter.resolve.models import Models


SUPERTYPES_MAX = 64
"""Supertypes looked at for one class."""

DEFAULT_PACKAGES = {
    "java": ("java.lang",),
    "kotlin": (
        "kotlin", "kotlin.annotation", "kotlin.collections", "kotlin.comparisons", "kotlin.io", "kotlin.ranges",
        "kotlin.sequences", "kotlin.text", "kotlin.jvm", "java.lang",
    ),
}  # fmt: skip
"""Packages of which a language imports everything by itself."""

_PLATFORM = ("java.", "javax.", "kotlin.")
"""Packages that no program declares types in."""

_IMPORTED = frozenset(
    {
        "Any", "Appendable", "Array", "ArrayDeque", "ArrayList", "AutoCloseable", "Boolean", "Byte", "Char",
        "CharSequence", "Character", "Class", "ClassLoader", "Cloneable", "Collection", "Comparable", "Double", "Enum",
        "Float", "Function", "HashMap", "HashSet", "InheritableThreadLocal", "Int", "Integer", "Iterable", "Iterator",
        "KClass", "Lazy", "LinkedHashMap", "LinkedHashSet", "List", "Long", "Map", "MatchResult", "Math", "Module",
        "MutableCollection", "MutableList", "MutableMap", "MutableSet", "Nothing", "Number", "Object", "Package", "Pair",
        "Process", "ProcessBuilder", "ProcessHandle", "Readable", "Record", "Regex", "Result", "Runnable", "Runtime",
        "Sequence", "Set", "Short", "StackTraceElement", "StackWalker", "StrictMath", "String", "StringBuffer",
        "StringBuilder", "System", "Thread", "ThreadGroup", "ThreadLocal", "Throwable", "Triple", "Unit", "Void",
    }
)  # fmt: skip

_IMPORTED_ENDINGS = ("Array", "Exception", "Error", "Range")
"""Names that a language imports by itself."""

KNOWN_TYPES: set[str] = set()
"""Full names of library types that a wildcard import, or a package of that name, may bring in; client tables add
theirs."""


class Scope:
    """What one deployable sees of a program: full names, supertypes, implementations."""

    def __init__(self, program: Program, definitions: Definitions, deployable: Deployable) -> None:
        self.program = program
        self.definitions = definitions
        self.deployable = deployable
        models = program.models
        self.models: Models | None = models(deployable.key.repo) if models is not None else None
        self.unmodelled: set[Origin] = (
            set()
        )  # the models that call what nobody knows: as if they were not there
        self._supers: dict[Class, tuple[Class, ...]] = {}
        self._library: dict[Class, tuple[str, ...]] = {}
        self._named: dict[tuple[Class, str], Class | str] = {}
        self._full: dict[tuple[Origin, str], Class | None] = {}
        self._tried: list[str] = []
        self._absent: dict[str, set[str]] = {}
        self._lacking: dict[str, bool] = {}
        self._fields: dict[tuple[Class, str], tuple[Class, ir.FieldDecl] | None] = {}
        self._methods: dict[tuple[Class, str, int], list[Method]] = {}
        self._memberless: set[tuple[Class, str]] = set()
        self.trace = Trace()  # of the run that goes on
        self.callbacks: dict[
            Class, tuple[Method, ...]
        ] = {}  # what only a library can call of a class, where it matters
        self.settings: Settings | None = None
        self.classes: Sequence[Class] = ()  # of the deployable
        self.defaults: frozenset[str] | None = (
            None  # the names of default methods of interfaces, once asked for
        )
        self.components: list[Class] | None = None  # those of them that are found by a scan, once asked for
        self.costly: set[Method] = set()  # methods whose value took longer than its bound in a run so far

    # -- names ----------------------------------------------------------------------------------------------

    def full(self, name: str, near: File) -> Class | None:
        """The class a full name stands for, seen from a file; None where its files disagree."""
        found = self.trace.files[near, name] = self._by_full_name(name, near)
        return found

    def _by_full_name(self, name: str, near: File) -> Class | None:
        mark = (near.origin, name)
        if mark in self._full:
            known = self._full[mark]
            if known is None:
                self._tried.append(name)
            return known
        if name.startswith(MACHINERY_PACKAGES) and not f"{near.unit.package}.".startswith(MACHINERY_PACKAGES):
            self._full[mark] = (
                None  # a client's own class is what the tables say, also where its source is here
            )
            return None
        own = None if near.model else self.program.class_of(near.origin, name)
        if own is None:
            own = self._look_up(name, near)
        self._full[mark] = own
        return own

    def _look_up(self, name: str, near: File) -> Class | None:
        """The class of a full name in another file: one of the program's, else a library's that there is a model of."""
        found = None
        if not near.model:
            try:
                found = self.definitions.type(name, near.placed, self.deployable, demand=False)
            except Ambiguous:
                self._tried.append(name)
                return None
        if found is not None:
            return self.program.class_of(found.type.placed.origin, found.type.name)
        self._tried.append(name)
        model = self.models.type(name) if self.models is not None else None
        if model is not None and not name.startswith(_PLATFORM):
            self._absent[name] = {name}  # a file of the program may declare it, which nobody has read yet
        return model

    def distance(self, near: File, far: Origin) -> Distance:
        return self.definitions.distance(near.placed, far, self.deployable)

    def named(self, name: str, near: Class) -> Class | str:
        """What a type's name, as written, means in a class: a declared class, or the name of a library's, in full as
        far as imports tell."""
        mark = (near, name)
        found = self._named.get(mark)
        if found is None:
            outer, self._tried = self._tried, []
            found = self._named[mark] = self._resolve(name, near)
            if type(found) is str and self._tried:
                self._absent.setdefault(found, set()).update(self._tried)
            self._tried = outer
        self.trace.names[mark] = found
        return found

    def is_absent(self, name: str) -> bool:
        """Whether a type of that name was looked for and no file read so far declares it."""
        return name in self._absent

    def lacks_own(self, name: str) -> bool:
        """Whether a type of that name, which no file at hand declares, would stand in a package of the program: it may inherit
        from its classes, and call them, as no library does."""
        known = self._lacking.get(name)
        if known is None:
            is_bare = "." not in name
            every = [one for one in self.absent((name,)) if one.endswith(f".{name}")] if is_bare else [name]
            known = not (is_bare and (name in _IMPORTED or name.endswith(_IMPORTED_ENDINGS)))
            known = known and any(map(self._is_own, every))
            self._lacking[name] = known
        return known

    def surely_lacks(self, name: str) -> bool:
        """Whether it can be one of no library: no import with an asterisk may bring it in."""
        every = self.absent((name,)) if "." not in name else (name,)
        return self.lacks_own(name) and all(map(self._is_own, every))

    def _is_own(self, name: str) -> bool:
        """Whether a full name is one of a package of the program, of a package in one, or further below one that is not as
        wide as `com.acme`."""
        parts = name.split(".")[:-1]
        below = (".".join(parts[:size]) for size in range(len(parts), 2, -1))
        near = (".".join(parts), ".".join(parts[:-1] or parts))
        return not self.program.packages.isdisjoint((*near, *below))

    def demand(self, names: Iterable[str]) -> None:
        """Asks for the files of types that were met by name; `<Name`: for those of the types below one."""
        for name in names:
            if name[:1] == "<":
                self.definitions.extended.add(name[1:])
            else:
                self.definitions.missing |= self.absent((name,))

    def absent(self, names: Iterable[str]) -> set[str]:
        """The full names that types met by these names may have, and that no file at hand declares."""
        return set().union(*(self._absent.get(name, ()) for name in names))

    def _resolve(self, name: str, near: Class) -> Class | str:
        head, _, rest = name.partition(".")
        found = self._simple(head, near)
        if isinstance(found, Class):
            return self._inner(found, rest)
        if found is None and rest:
            whole = self._qualified(name, near.file)
            if whole is not None:
                return whole
        full = found or head
        return f"{full}.{rest}" if rest else full

    def _inner(self, outer: Class, rest: str) -> Class | str:
        current = outer
        while rest:
            head, _, rest = rest.partition(".")
            inner = self._nested(current, head)
            if inner is None:
                return ".".join(part for part in (current.name, head, rest) if part)
            current = inner
        return current

    def _nested(self, owner: Class, name: str) -> Class | None:
        return next((one.nested[name] for one in self.supers(owner) if name in one.nested), None)

    def _simple(self, name: str, near: Class) -> Class | str | None:
        for around in near.lexical():
            if around.simple == name and around.kind != "anonymous":
                return around
            inner = around.nested.get(name) or (self._nested(around, name) if around.decl.supers else None)
            if inner is not None:
                return inner
            if name in around.variables:
                return self._bound(name, around)
        file = near.file
        if name in file.single:
            full = file.single[name]
            return self._by_full_name(full, file) or self._qualified(full, file) or full
        if name in file.classes:
            return file.classes[name]
        package = file.unit.package
        found = self._by_full_name(f"{package}.{name}" if package else name, file)
        if found is not None:
            return found
        for wildcard in file.wildcards:
            found = self._by_full_name(f"{wildcard}.{name}", file)
            if found is not None:
                # one of the package itself comes before it, and its file may not have been read
                self.definitions.missing.add(f"{package}.{name}" if package else name)
                return found
        for wildcard in (package, *file.wildcards):  # a package can be shared with a library
            if f"{wildcard}.{name}" in KNOWN_TYPES or f"{wildcard}.{name}" in self.program.marks.known:
                return f"{wildcard}.{name}"
        if self.models is not None:
            for default in DEFAULT_PACKAGES.get(file.language, ()):
                model = self.models.type(f"{default}.{name}")
                if model is not None:
                    return model
        return None

    def _bound(self, variable: str, owner: Class) -> Class | str:
        """The type above a type variable of a class; variables that are bounds of one another have none."""
        seen = {variable}
        while (bound := owner.variables[variable]) is not None and bound.name not in seen:
            variable = bound.name
            if variable not in owner.variables:
                return self.named(variable, owner)
            seen.add(variable)
        return "Object"

    def _qualified(self, name: str, near: File) -> Class | None:
        """A name with a package in front: the longest prefix that is a class, then what is nested in it."""
        parts = name.split(".")
        for cut in range(len(parts), 0, -1):
            found = self._by_full_name(".".join(parts[:cut]), near)
            if found is not None:
                inner = self._inner(found, ".".join(parts[cut:]))
                return inner if isinstance(inner, Class) else None
        return None

    # -- supertypes -----------------------------------------------------------------------------------------

    def supers(self, one: Class) -> tuple[Class, ...]:
        """The class and its declared supertypes: the chain of classes first, then interfaces, nearest first."""
        found = self._supers.get(one)
        if found is None:
            self._supers[one] = (one,)  # a class that extends itself ends here
            found = self._supers[one] = self._all_supers(one)
        return found

    def _all_supers(self, one: Class) -> tuple[Class, ...]:
        order = [one]
        library: list[str] = []
        index = 0
        while index < len(order) and len(order) < SUPERTYPES_MAX:
            current = order[index]
            index += 1
            near = current.outer or current
            for ref in current.decl.supers:
                above = current.beside.get(ref.name) or self.named(ref.name, near)
                if isinstance(above, Class):
                    if above not in order:
                        order.append(above)
                    if not above.file.model or above.annotation("FunctionalInterface") is None:
                        continue
                    above = above.name  # the library calls what implements it, whatever a model says of it
                if above not in library:
                    library.append(above)
        self._library[one] = tuple(library)
        classes = [each for each in order if not each.is_interface]
        interfaces = [each for each in order if each.is_interface]
        if len(interfaces) > 1:  # one that extends another comes before it, wherever it is named
            below = {each: sum(other in self.supers(each) for other in interfaces) for each in interfaces}
            interfaces.sort(key=lambda each: -below[each])
        return (*classes, *interfaces)

    def library_supers(self, one: Class) -> tuple[str, ...]:
        """Supertypes whose source is not here, by name."""
        self.supers(one)
        return self._library.get(one, ())

    def direct_super(self, one: Class) -> Class | str | None:
        """The superclass (not an interface) a class extends, None where it is Object."""
        near = one.outer or one
        for ref in one.decl.supers[: len(one.decl.supers) - one.decl.interfaces]:
            above = one.beside.get(ref.name) or self.named(ref.name, near)
            if isinstance(above, Class) and above.is_interface:
                continue
            return above
        return None

    def is_a(self, one: Class, above: Class) -> bool:
        return above in self.supers(one)

    def implementations(self, one: Class, *, demand: bool = True) -> tuple[Class, ...]:
        """The concrete classes below one that the deployable runs, itself first where it is concrete. `demand`: ask
        for the files of further ones."""
        found = [one] if one.concrete else []
        own = self.definitions.own(one.origin, one.name)
        if own is not None:
            for each in self.definitions.subtypes(own, self.deployable, demand=demand):
                below = self.program.class_of(each.placed.origin, each.name)
                if below is not None and below not in found:
                    found.append(below)
        self.trace.below[one, demand] = tuple(found)
        return tuple(found)

    # -- members --------------------------------------------------------------------------------------------

    def field(self, one: Class, name: str) -> tuple[Class, ir.FieldDecl] | None:
        """The field of a name, with the class that declares it."""
        mark = (one, name)
        if mark not in self._fields:
            self._fields[mark] = next(
                ((each, each.fields[name]) for each in self.supers(one) if name in each.fields), None
            )
        return self._fields[mark]

    def is_memberless(self, one: Class, name: str) -> bool:
        """Whether a bare name in a class is surely neither a field or constant of the classes around nor imported."""
        mark = (one, name)
        if mark in self._memberless:
            return True
        file = one.file
        if file.member_wildcards or name in file.members:
            return False
        for around in one.lexical():
            if name in around.constants or self.field(around, name) is not None:
                return False
        self._memberless.add(mark)
        return True

    def methods(self, one: Class, name: str, count: int) -> list[Method]:
        """The methods of a name that a call with so many arguments can mean, nearest class first; one that overrides
        another hides it."""
        mark = (one, name, count)
        known = self._methods.get(mark)
        if known is None:
            known = self._methods[mark] = self._find_methods(one, name, count)
        return known

    def _find_methods(self, one: Class, name: str, count: int) -> list[Method]:
        found: list[Method] = []
        for each in self.supers(one):
            for method in each.methods.get(name, ()):
                if method.accepts(count) and not any(_overrides(known, method) for known in found):
                    found.append(method)
        concrete = [method for method in found if not method.abstract]
        return concrete or found

    def has_method(self, one: Class, name: str) -> bool:
        return any(name in each.methods for each in self.supers(one))


def _overrides(one: Method, other: Method) -> bool:
    """Whether two methods of one name have the same parameter types, as written (type variables apart)."""
    mine, theirs = one.decl.params, other.decl.params
    if len(mine) != len(theirs) or one.owner is other.owner:
        return False
    return all(
        a.type is None
        or b.type is None
        or a.type.name == b.type.name
        or _variable(b.type)
        or _variable(a.type)
        for a, b in zip(mine, theirs, strict=True)
    )


def _variable(ref: ir.TypeRef) -> bool:
    """Whether a written type looks like a type variable."""
    return len(ref.name) <= 2 and ref.name.isupper()
