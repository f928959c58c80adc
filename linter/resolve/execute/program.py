"""All lowered files of a run: one `Program` serves all its deployables.

What is visible from where is asked of `Definitions`, for one deployable at a time (`Scope`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.clients.python import PACKAGES, declares_client
from subdrift.linter.model import ir
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed, python_module, scope_of
from subdrift.linter.resolve.execute.declarations import Class, File, Method
from subdrift.linter.resolve.execute.kept import Kept, News, is_barren, is_exhausted
from subdrift.linter.resolve.execute.slice import Slice
from subdrift.linter.resolve.execute.slice_names import SUBSCRIBING, Marks, Names

if TYPE_CHECKING:
    from subdrift.linter.resolve.models import Models


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
        self._properties: Container[str] | None = None
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
        last = {**earlier.earlier, **earlier.kept}  # an entry that another run came through may be one again
        for mark, one in sorted(last.items(), key=lambda pair: pair[1].run.steps):
            answers = news.answers(one)
            stale = not is_exhausted(one.run) and (one.stale or bool(answers) or news.touch(one))
            if stale and (settle or not (answers <= followed or is_barren(one.run))):
                followed |= answers
            else:
                self.earlier[mark] = replace(one, stale=stale, doubted=one.doubted or news.doubts(one))

    def let_go(self) -> None:
        """Forgets the runs: nothing of this program is taken over but what its code says."""
        self.kept, self.earlier, self.runs = {}, {}, {}

    def carry(self, deployable: object) -> bool:
        """Takes over every run of a deployable; False where one of them would do something else now."""
        entries = self._before.get(deployable, ())
        kept = {(deployable, entry): self.earlier.get((deployable, entry)) for entry in entries}
        if any(one is None or one.stale or one.doubted for one in kept.values()):
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

    def properties(self) -> Container[str]:
        """The names of what Kotlin's classes hold, a function for one."""
        if self._properties is None:
            units = [placed.facts.unit for placed in self._placed.values()]
            stack = [one for unit in units if unit and unit.language == "kotlin" for one in unit.types]
            found: set[str] = set()
            while stack:
                one = stack.pop()
                stack += one.types
                found.update(each.name for each in one.fields)
                found.update(each.name for each in one.components or ())
            self._properties = frozenset(found)
        return self._properties

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
    if (
        facts.unit is None
        or facts.language == "xml"
        or facts.config
        or facts.environment
        or facts.applications
    ):
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
