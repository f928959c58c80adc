"""Declared code as execution sees it: files, classes, methods, and what a name means in a place.

One `Program` serves all deployables of a run; what is visible from where is asked of `Definitions`, for one
deployable at a time (`Scope`). Classes are compared by identity.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.clients.apis import MACHINERY_PACKAGES
from subdrift.linter.clients.python import PACKAGES, declares_client
from subdrift.linter.model import ir
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.placed import Placed, python_module, scope_of
from subdrift.linter.resolve.definitions import Ambiguous, Definitions, Distance
from subdrift.linter.resolve.execute.kept import Kept, News, Trace, is_barren
from subdrift.linter.resolve.execute.slice import SUBSCRIBING, Marks, Names, Slice, assigned_names
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


class Method(Struct, eq=False):
    """A declared method with its class. `number` tells overloads apart; `writes` are the fields of its object that it gives a
    value, `fills` the names it puts something into, once somebody has asked."""

    owner: Class
    decl: ir.MethodDecl
    number: int = 0
    writes: frozenset[str] | None = None
    fills: frozenset[str] | None = None
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
    primary = ir.MethodDecl("<init>", decl.components or (), None, body, decl.name_at, decl.name_at)
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


class Program:
    """All lowered files of a run, wrapped when first asked for.

    `earlier` is the program of the round before, of some of these files: what holds of them still is taken over; with
    `settle` no run that would do something else now. A program that `explores` is there to learn which files to read:
    an entry is run for one deployable, and of tests those whose file mentions a type that those before did not, for
    others ask for much the same; a round that settles it runs them all. One that `keeps` holds its runs for the round
    after it.
    """

    def __init__(
        self,
        files: Iterable[Placed],
        earlier: Program | None = None,
        *,
        settle: bool = False,
        explores: bool = False,
        keeps: bool = True,
        models: Callable[[str], Models] | None = None,
        marks: Marks = SUBSCRIBING,
    ) -> None:
        self.marks = marks  # of the code that is looked for
        self.models = models  # repository -> the library models its programs are run with
        self._all = {placed.origin: placed for placed in files}
        self._placed = {origin: each for origin, each in self._all.items() if each.facts.unit is not None}
        self._files: dict[Origin, File] = {}
        self._classes: dict[tuple[Origin, str], Class] = {}
        self._slice: Slice | None = None
        self._modules: dict[str, list[Class]] | None = None
        self._bodies: dict[int, tuple[Names, Any]] = {}
        self._known: dict[Method | Class, Names] = {}
        self.kept: dict[tuple[object, object], Kept] = {}  # the runs of this round, by deployable and entry
        self.earlier: Mapping[
            tuple[object, object], Kept
        ] = {}  # those of the round before that can be taken over
        self.explores = explores
        self.keeps = keeps
        self._before: Mapping[
            object, list[object]
        ] = {}  # the entries that ran in the round before, by deployable
        self.runs: dict[
            object, list[Kept]
        ] = {}  # those of this round by entry, whatever deployable they were of
        self.scouted: set[str] = set()  # the types that tests which were run in this round mention
        self.postponed = False  # whether an entry was left to a round that settles
        self.packages = frozenset(
            each.facts.unit.package
            for each in self._placed.values()
            if each.facts.unit is not None and each.facts.unit.package
        )
        self._libraries: set[tuple[str, str]] | None = None  # folders of Python client libraries
        if earlier is not None:
            self._take_over(earlier, settle)

    def _take_over(self, earlier: Program, settle: bool) -> None:
        self._bodies = earlier._bodies
        self._known = earlier._known
        for origin, file in earlier._files.items():
            if self._placed.get(origin) is file.placed:
                self._files[origin] = file
                self._classes.update(((origin, one.name), one) for one in file.all_classes())
        if not earlier.kept:
            return
        before: dict[object, list[object]] = {}
        for deployable, entry in earlier.kept:
            before.setdefault(deployable, []).append(entry)
        self._before = before
        fresh = (self.file(origin) for origin in self._placed if origin not in earlier._placed)
        news = News.of(
            (file for file in fresh if file is not None),
            earlier.slice,
            self.slice,
            settings=any(
                _configures(each) for origin, each in self._all.items() if origin not in earlier._all
            ),
        )
        self.earlier = {}
        followed: set[str] = set()  # the files that came, as far as a run that is done again leads into them
        for mark, one in sorted(earlier.kept.items(), key=lambda pair: pair[1].run.steps):
            answers = news.answers(one)
            stale = one.stale or bool(answers) or news.touch(one)
            if stale and (settle or not (answers <= followed or is_barren(one.run))):
                followed |= answers
            else:
                self.earlier[mark] = replace(one, stale=stale)

    def let_go(self) -> None:
        """Forgets the runs: nothing of this program is taken over but what its code says."""
        self.kept, self.earlier, self.runs = {}, {}, {}

    def carry(self, deployable: object) -> bool:
        """Takes over every run of a deployable; False where one of them would do something else now."""
        entries = self._before.get(deployable, ())
        kept = {(deployable, entry): self.earlier.get((deployable, entry)) for entry in entries}
        if any(one is None or one.stale for one in kept.values()):
            return False
        self.kept.update((mark, one) for mark, one in kept.items() if one is not None)
        return True

    def is_stale(self, deployable: object) -> bool:
        """Whether a run of a deployable would do something else now."""
        return any(one.stale for (user, _), one in self.kept.items() if user == deployable)

    @property
    def settled(self) -> bool:
        """Whether every entry was run, and did what it would do now."""
        return not self.postponed and not any(one.stale for one in self.kept.values())

    def file(self, origin: Origin) -> File | None:
        """The lowered file at a place, None where there is none."""
        found = self._files.get(origin)
        if found is None:
            placed = self._placed.get(origin)
            if placed is None or placed.facts.unit is None:
                return None
            found = self._files[origin] = File.of(placed, placed.facts.unit)
            for one in found.all_classes():
                self._classes[origin, one.name] = one
        return found

    def class_of(self, origin: Origin, name: str) -> Class | None:
        """The class of a full name in a file."""
        return self._classes.get((origin, name)) if self.file(origin) is not None else None

    @property
    def slice(self) -> Slice:
        """The methods of all files that can reach a client library."""
        if self._slice is None:
            files = [*map(self.file, self._placed), *self._models_of_users()]
            self._slice = Slice(
                (file for file in files if file is not None and file.language != "python"),
                self._known,
                self.marks,
            )
        return self._slice

    def _models_of_users(self) -> Iterable[File]:
        """The models of libraries that users brought: code of theirs reaches a client through them."""
        if self.models is None:
            return ()
        repos = sorted({origin.repo for origin in self._placed})
        return dict.fromkeys(file for repo in repos for file in self.models(repo).own)

    def reaches(self, body: Sequence[ir.Stmt], names: Container[str]) -> bool:
        """Whether a body touches a client library, or calls one of some names."""
        found = self._bodies.get(id(body))
        if found is None:
            found = self._bodies[id(body)] = (Names((body,), marks=self.marks), body)
        called = found[0]
        return called.touches or called.operates or any(name in names for name in called.called)

    def modules(self, package: str) -> Sequence[Class]:
        """What the Kotlin files of a package declare outside of classes, a class for each file."""
        if self._modules is None:
            self._modules = {}
            for origin, placed in self._placed.items():
                unit = placed.facts.unit
                if unit is not None and unit.language == "kotlin":
                    file = self.file(origin)
                    found = [one for one in file.classes.values() if one.kind == "module"] if file else []
                    self._modules.setdefault(unit.package, []).extend(found)
        return self._modules.get(package, ())

    def origins(self) -> Iterable[Origin]:
        return self._placed

    def is_machinery(self, file: File) -> bool:
        """Whether a file is a client library's own code, of a library whose sources are among those of the run."""
        if file.language != "python":
            return file.machinery
        if scope_of(file.origin.path) == "test":
            return False
        if self._libraries is None:
            self._libraries = {
                folder
                for origin, placed in self._placed.items()
                for folder, module in _library_modules(origin)
                if placed.facts.unit is not None and declares_client(module, _declared(placed.facts.unit))
            }
        return any(folder in self._libraries for folder, _ in _library_modules(file.origin))


def _configures(placed: Placed) -> bool:
    """Whether what configuration says may hang on a file: settings and deployments, and what annotations of classes name."""
    facts = placed.facts
    if facts.unit is None or facts.config or facts.environment or facts.beans or facts.applications:
        return True
    return facts.on_jvm and any(type_.annotations for type_ in facts.types)


def _library_modules(origin: Origin) -> Iterator[tuple[tuple[str, str], str]]:
    """The folders above a Python file that are named as a client library is, with the file's module seen from there."""
    if not origin.path.endswith(".py"):
        return
    parts = python_module(origin.path)
    for index, part in enumerate(parts):
        if part in PACKAGES:
            yield (origin.repo, "/".join(parts[: index + 1])), ".".join(parts[index:])


def _declared(unit: ir.Unit) -> Iterator[str]:
    """The names of the classes and functions that a Python module declares."""
    for statement in unit.types[0].methods[0].body or ():
        if isinstance(statement, ir.Define) and isinstance(statement.what, ir.ClassDecl | ir.MethodDecl):
            yield statement.what.name


class Scope:
    """What one deployable sees of a program: full names, supertypes, implementations."""

    def __init__(self, program: Program, definitions: Definitions, deployable: Deployable) -> None:
        self.program = program
        self.definitions = definitions
        self.deployable = deployable
        models = program.models
        self.models: Models | None = models(deployable.key.repo) if models is not None else None
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
        """Whether a full name is one of a package of the program, or of a package in one."""
        package = name.rpartition(".")[0]
        return not self.program.packages.isdisjoint((package, package.rpartition(".")[0] or package))

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
                above = self.named(ref.name, near if current.local or current.outer else current)
                if isinstance(above, Class):
                    if above not in order:
                        order.append(above)
                elif above not in library:
                    library.append(above)
        self._library[one] = tuple(library)
        classes = [each for each in order if not each.is_interface]
        return (*classes, *(each for each in order if each.is_interface))

    def library_supers(self, one: Class) -> tuple[str, ...]:
        """Supertypes whose source is not here, by name."""
        self.supers(one)
        return self._library.get(one, ())

    def direct_super(self, one: Class) -> Class | str | None:
        """The superclass (not an interface) a class extends, None where it is Object."""
        near = one.outer or one
        for ref in one.decl.supers[: len(one.decl.supers) - one.decl.interfaces]:
            above = self.named(ref.name, near)
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


KNOWN_TYPES: set[str] = set()
"""Full names of library types that a wildcard import, or a package of that name, may bring in; client tables add
theirs."""
