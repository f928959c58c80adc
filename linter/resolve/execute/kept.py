"""Runs of entries that later rounds take over: nothing they looked for has come into sight since.

A round reads more files and executes every deployable again. A run comes to the same consumers again unless a new file
answers what it asked for, declares a type that can reach a client library of a name it met or below one whose subtypes
it looked at, or makes more of its own code able to reach one: then it is *stale*. As long as rounds bring files, of the
runs that asked for one of them the shortest is done again, for it finds what is to be read next as the others would; the
stale ones follow when nothing more is asked for. One run serves all deployables of a repository that answer alike to all
it looked up (`Trace`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import TYPE_CHECKING

from msgspec import Struct, field

from subdrift.linter.model.location import Origin
from subdrift.linter.resolve.execute.settings import Question, Settings, answer, told_of

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.declarations import Class, File, Method
    from subdrift.linter.resolve.execute.interpreter import Interpreter
    from subdrift.linter.resolve.execute.scope import Scope
    from subdrift.linter.resolve.execute.slice import Slice

BARREN_STEPS_MAX = 2_000
"""Statements and calls of a run that comes to no consumer and may still ask for files: a large program would have one file
after the other read, and be run again for each, on account of names alone. What makes consumers asks for its callers."""


def is_barren(run: Interpreter) -> bool:
    """Whether a run went a long way and came to no consumer: it asks for no files, and is done again when all are read."""
    return not run.clients and run.steps > BARREN_STEPS_MAX and not run.grown


def is_exhausted(run: Interpreter) -> bool:
    """Whether a run has used up what it may cost without a consumer: with more files read it would come no further."""
    return not run.clients and run.steps > run.budget.barren


class Trace(Struct):
    """What a run has looked up in what its deployable sees, with the answers: what names mean in classes, full names in
    files, the implementations of classes, and of `settings` each question with what was made of the answer."""

    names: dict[tuple[Class, str], Class | str] = field(default_factory=dict)
    files: dict[tuple[File, str], Class | None] = field(default_factory=dict)
    below: dict[tuple[Class, bool], tuple[Class, ...]] = field(default_factory=dict)
    settings: list[Question] = field(default_factory=list)

    def holds(self, scope: Scope) -> bool:
        """Whether another deployable gives the same answers."""
        return (
            all(scope.named(name, near) == found for (near, name), found in self.names.items())
            and all(scope.full(name, near) == found for (near, name), found in self.files.items())
            and all(
                scope.implementations(one, demand=demand) == found
                for (one, demand), found in self.below.items()
            )
            and self.is_answered(scope.settings)
        )

    def is_answered(self, settings: Settings | None) -> bool:
        """Whether configuration gives the same answers."""
        if settings is None:
            return not self.settings
        return all(
            told_of(question, answer(settings, question, arguments)) == found
            for question, arguments, found in self.settings
        )


class Kept(Struct, frozen=True):
    """One run with what it hangs on: `names` are the simple names of types it met, `below` those whose subtypes it
    looked at, `classes` those whose code it ran, in `files`, `inherits` (full names) the supertypes of that code that
    nobody has read. It asked for the files of `types` (full names; a barren one has met them), of subtypes of `extended`
    (simple names), and of callers (`wanted`). `costly` are the methods it found too long for a value, `spared` those it came
    to that a run before it had found so. `stale`: it would do something else now; `doubted`: unless configuration answers
    as it did."""

    run: Interpreter
    trace: Trace
    classes: frozenset[Class]
    names: frozenset[str]
    below: frozenset[str]
    files: frozenset[Origin]
    types: frozenset[str]
    inherits: frozenset[str]
    extended: frozenset[str]
    wanted: frozenset[tuple[str, str]]
    costly: frozenset[Method]
    spared: frozenset[Method]
    stale: bool = False
    doubted: bool = False

    @classmethod
    def of(
        cls, run: Interpreter, scope: Scope, wanted: Iterable[tuple[str, str]], costly: Set[Method]
    ) -> Kept:
        """A run that has just ended in a scope whose definitions noted what it asked for, and nothing else; `costly` are
        the methods that were so before it."""
        classes = {method.owner for method in run.ran} | run.prepared | run.made
        asks = not is_barren(run)
        names: set[str] = set()
        trace = scope.trace
        for each in trace.names.values():
            if isinstance(each, str):
                names.update(each.split("."))
            else:
                classes.add(each)
        inherits: set[str] = set()
        for one in classes:
            inherits |= scope.absent(scope.library_supers(one))
            for above in scope.supers(one):
                names.add(above.simple)
                names.update(ref.name.rpartition(".")[2] for ref in above.decl.supers)
        return cls(
            run,
            trace,
            frozenset(classes),
            frozenset(names),
            frozenset(one.simple for one, _ in trace.below),
            frozenset(one.origin for one in classes),
            frozenset(scope.definitions.missing if asks else scope.absent(run.met)),
            frozenset(inherits),
            frozenset(scope.definitions.extended if asks else ()),
            frozenset(wanted),
            frozenset(scope.costly - costly),
            frozenset(costly & run.ran),
        )

    def after(self, costly: Set[Method]) -> bool:
        """Whether it would do the same after runs that found these methods too long for a value."""
        return costly & self.run.ran == self.spared

    def holds(self, scope: Scope, costly: Set[Method]) -> bool:
        """Whether its entry would do the same in another deployable of the repository."""
        before = self.run.scope
        return (
            not self.stale
            and before.deployable.key.repo == scope.deployable.key.repo
            and self.after(costly)
            and not any(
                one.file.language == "kotlin" for one in self.classes
            )  # functions of packages are not traced
            and self.trace.holds(scope)
            and all(
                scope.supers(one) == before.supers(one)
                and scope.library_supers(one) == before.library_supers(one)
                for one in self.classes
            )
        )


class News(Struct, frozen=True):
    """What a round has brought into sight: files by the `types` they declare (full names), by the simple names of those
    that can reach a client library (`declared`), and by those that they (`above`), or such types (`over`), extend;
    sources that can reach one by more of their code (`warmer`). `settings`: there is a file among them that
    configuration may hang on."""

    types: frozenset[str]
    declared: frozenset[str]
    above: frozenset[str]
    over: frozenset[str]
    warmer: frozenset[Origin]
    settings: bool
    everything: bool

    @classmethod
    def of(cls, files: Iterable[File], before: Slice, now: Slice, *, settings: bool) -> News:
        """`files` are the sources read since."""
        types: set[str] = set()
        declared: set[str] = set()
        above: set[str] = set()
        over: set[str] = set()
        everything = False
        reaching = {method.owner.simple for method in now.hot}
        for file in files:
            everything = (
                everything or file.language == "kotlin"
            )  # functions outside of classes have no type to ask for
            for one in file.all_classes():
                types.add(one.name)
                marks = (use.name for use in one.decl.annotations)
                supers = {
                    name.rpartition(".")[2] for name in (*(ref.name for ref in one.decl.supers), *marks)
                }
                above |= supers
                if one.simple in reaching or not reaching.isdisjoint(supers):
                    declared.add(one.simple)
                    over |= supers
        warmer = {method.owner.origin for method in now.hot if method not in before.hot}
        more = now.names - before.names
        if more:
            warmer.update(_calling(more, now))
        return cls(
            frozenset(types),
            frozenset(declared),
            frozenset(above),
            frozenset(over),
            frozenset(warmer),
            settings,
            everything,
        )

    def answers(self, kept: Kept) -> frozenset[str]:
        """What a run asked for and is here now: names of types, and a word for functions, which have none."""
        found = (self.types & (kept.types | kept.inherits)) | (self.above & kept.extended)
        return found | {"<functions>"} if self.everything else found

    def doubts(self, kept: Kept) -> bool:
        """Whether configuration may answer a run otherwise now."""
        return self.settings and bool(kept.trace.settings)

    def touch(self, kept: Kept) -> bool:
        """Whether a run would do something else now."""
        return (
            self.everything
            or not self.declared.isdisjoint(kept.names)
            or not self.over.isdisjoint(kept.below)
            or not self.warmer.isdisjoint(kept.files)
        )


def _calling(names: set[str], whole: Slice) -> Iterator[Origin]:
    """The sources that call one of some names."""
    for method, found in whole.methods.items():
        if not names.isdisjoint(found.called):
            yield method.owner.origin
    for one, found in whole.bodies.items():
        if not names.isdisjoint(found.called):
            yield one.origin
