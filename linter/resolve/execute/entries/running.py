"""One run of an entry: made, bounded, and taken over where it would do the same again."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter import net
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.budgets import PROGRAM, Budget
from subdrift.linter.resolve.execute.clients import Client, frames_of
from subdrift.linter.resolve.execute.declarations import Class, File, Method
from subdrift.linter.resolve.execute.entries.bounds import (
    BARREN_STEPS_A_CLASS,
    BARREN_STEPS_MIN,
    CHEAP_STEPS,
    FAR_STEPS_MAX,
    LATE_STEPS_MAX,
    PATIENCE,
    RECURSION_LIMIT,
    ROOT,
)
from subdrift.linter.resolve.execute.guards import Overgrown
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.kept import Kept, Trace, is_barren, is_exhausted
from subdrift.linter.resolve.execute.needs import asked_by, may_be_worked_out
from subdrift.linter.resolve.execute.protocol import Arguments, Exhausted, Semantics, Unmodelled
from subdrift.linter.resolve.execute.scope import Scope
from subdrift.linter.resolve.execute.slice import Slice
from subdrift.linter.resolve.execute.state import CHOICES_MAX
from subdrift.linter.resolve.execute.values import Unknown

_CALLS = frozenset({"", "accept", "apply", "call", "execute", "get", "invoke", "run", "test"})
"""Methods of functional interfaces: what they are called on may be a function; "" for a call of the value itself."""

_TRACED = frozenset({"main", "root", "other roots", "class"})
"""The kinds of entries that may be run once for several deployables."""


class Executed(Struct):
    """What the runs of one deployable did.

    `runs` are the interpreters with a name of their entry, and whether nothing calls it, so that what it makes may never be
    started. `hooks`: by file and full name of an annotated listener the runs of what code does to its consumer before it
    starts, each with the consumer, or its container, that the library hands to that code. `wanted` are pairs of simple names
    (type, member) whose callers are not in sight. `elsewhere` are the methods that only other deployables call. `unread` are
    types of the program's own that mains name in calls, and that no file declares.
    """

    runs: list[tuple[str, Interpreter, bool]] = field(default_factory=list)
    hooks: dict[tuple[Origin, str], list[tuple[Interpreter, Client]]] = field(default_factory=dict)
    wanted: set[tuple[str, str]] = field(default_factory=set)
    elsewhere: set[Method] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)
    unrun: dict[Class, list[Method]] = field(
        default_factory=dict
    )  # the tests that were left when the budget was used up
    left: dict[Location, Interpreter | None] = field(
        default_factory=dict
    )  # other entries that were left when theirs was, or were run with less and not to their end
    closed: bool = (
        False  # a program with a `main` of its own: what it does not reach is not run by a framework
    )

    def clients(self) -> Iterator[tuple[str, Interpreter, Client, bool]]:
        """Entry, run, consumer, and whether its entry was reached by nothing."""
        for name, run, unreached in self.runs:
            for client in run.clients:
                yield name, run, client, unreached

    def every_hook(self) -> Iterator[tuple[Interpreter, Client]]:
        """The runs of all hooks, each with its consumer."""
        return (one for made in self.hooks.values() for one in made)

    def unread_types(self) -> frozenset[str]:
        """The types of the program's own that programs came to or name, and that no file declares: their code may call any
        other."""
        return frozenset(self.unread).union(*(run.unread for _, run, _ in self.runs if not run.budget.brief))


def _is_lost(run: Interpreter, most: int) -> bool:
    """Whether a run was cut, or has so many choices that more steps would not say more of its consumers."""
    return run.ended is not None or len(run.decisions) >= most


def _lacking(run: Interpreter) -> int:
    """Of how many consumers of a run something might still be worked out."""
    return sum(may_be_worked_out(client, run) for client in run.clients)


class Running:
    """Runs entries of a deployable. `whole` is the slice of all files of the run."""

    def __init__(
        self, scope: Scope, files: list[File], semantics: Callable[[str], Semantics], whole: Slice
    ) -> None:
        self.scope = scope
        self.semantics = semantics
        self.files = [file for file in files if file.language in ("java", "kotlin") and not file.machinery]
        self.scripts = [
            file for file in files if file.language == "python" and not scope.program.is_machinery(file)
        ]
        self.slice = whole
        self.classes = scope.classes = [one for file in self.files for one in file.all_classes()]
        self.inside = frozenset(file.origin for file in self.files)
        self.active = any(
            one in whole.made or any(m in whole.hot for methods in one.methods.values() for m in methods)
            for one in self.classes
        )
        # whether code that handles consumers may be part of it
        handling = sum(map(self._handles, self.classes))
        self.holds = bool(self.scripts) or handling > 0
        self.spare = BARREN_STEPS_MIN + BARREN_STEPS_A_CLASS * handling  # for what comes to no consumer
        self.in_vain = 0  # entries in a row that knew no more of a consumer for being run with more
        self.done = Executed()
        self.ran: set[Method] = set()
        self.cut: set[Method] = set()  # what runs came through that ended at a bound
        self.closed = False
        self.postponed = False  # whether a test of the deployable was left to a round that settles

    def _handles(self, one: Class) -> bool:
        """Whether code of a class makes a consumer, or does something to one."""
        whole = self.slice
        every = [whole.bodies[one], *(whole.methods[m] for methods in one.methods.values() for m in methods)]
        return whole.is_client(one) or any(
            names.touches or names.configures or whole.operates(names, one) for names in every
        )

    def start(
        self,
        name: str,
        key: object,
        entry: Callable[[Interpreter], None],
        *,
        unreached: bool = False,
        budget: Budget = PROGRAM,
    ) -> Interpreter:
        """One run: the entry, then what it handed to threads and libraries. `key` tells the deployable's entries
        apart: the run of an earlier round is taken over where it would do the same again (None: it is not kept)."""
        program = self.scope.program
        if not self.holds:
            budget = replace(budget, barren=min(budget.barren, FAR_STEPS_MAX))
        elif budget is ROOT:
            budget = replace(budget, barren=min(budget.barren, max(self.spare, LATE_STEPS_MAX)))
        mark = (self.scope.deployable.key, key)
        keeps = key is not None and program.keeps
        kept = program.earlier.get(mark) if keeps else None
        if kept is not None and kept.doubted:
            kept = replace(kept, doubted=False) if kept.trace.is_answered(self.scope.settings) else None
        others = program.runs.get(key, ()) if key is not None else ()
        if kept is None and program.explores and others:
            return self._explored(name, others[0], unreached)
        if kept is None or not kept.run.is_within(budget) or not kept.after(self.scope.costly):
            kept = next((one for one in others if self._does_the_same(key, one, budget)), None)
            kept = kept or self._fresh(entry, budget)
        if keeps and not self._came_to_nothing(kept.run):
            program.kept[mark] = kept
        if key is not None and not any(one is kept for one in others):
            program.runs.setdefault(key, []).append(kept)
        self.scope.costly |= kept.costly
        run = self._add(name, kept, unreached)
        is_late = key is not None and not run.brief and run.budget.barren < ROOT.barren
        if is_late and is_exhausted(run) and run.ended is not None:
            self.done.left[run.ended[1]] = run  # its share was too small
        return run

    def _fresh(self, entry: Callable[[Interpreter], None], budget: Budget) -> Kept:
        """A run that is made now, with what it looks up."""
        definitions = self.scope.definitions
        costly = set(self.scope.costly)
        wanted, self.done.wanted = self.done.wanted, set()
        missing, definitions.missing = definitions.missing, set()
        extended, definitions.extended = definitions.extended, set()
        self.scope.trace = Trace()
        run = self._run(entry, budget)
        self.scope.demand(asked_by(run))
        kept = Kept.of(run, self.scope, self.done.wanted, costly)
        self.done.wanted, definitions.missing, definitions.extended = wanted, missing, extended
        self.scope.trace = Trace()
        return kept

    def _does_the_same(self, key: object, other: Kept, budget: Budget) -> bool:
        """Whether an entry would do here what it did in another deployable: of those whose code looks at nothing but what
        the run has traced."""
        assert isinstance(key, tuple)
        return (
            key[0] in _TRACED
            and other.run.is_within(budget)
            and other.run.heap.get("bean methods") == self._bean_methods()
            and other.holds(self.scope, self.scope.costly)
        )

    def _explored(self, name: str, kept: Kept, unreached: bool) -> Interpreter:
        """An entry that another deployable has run in a round that only learns what to read: here it would ask for much the
        same, and is run in a round that settles."""
        self.scope.program.postponed = self.postponed = True
        return self._add(name, kept, unreached)

    def _add(self, name: str, kept: Kept, unreached: bool) -> Interpreter:
        self.ran |= kept.run.ran
        if not kept.run.clients and kept.run.budget.barren < PROGRAM.barren and not kept.run.brief:
            self.spare -= kept.run.steps
        if kept.run.in_vain is not None:
            self.in_vain = self.in_vain + 1 if kept.run.in_vain else 0
        if kept.run.ended is not None:
            self.cut |= kept.run.ran
        self.done.wanted |= kept.wanted
        if not is_barren(kept.run):
            self.scope.definitions.missing |= kept.types
        self.scope.definitions.extended |= kept.extended
        self.done.runs.append((name, kept.run, unreached))
        return kept.run

    def _run(self, entry: Callable[[Interpreter], None], budget: Budget) -> Interpreter:
        """Runs an entry, again where a model turns out to call what nobody knows, and without it then."""
        while True:
            try:
                return self._patiently(entry, budget)
            except Unmodelled as lost:
                self.scope.unmodelled.add(lost.model)

    def _patiently(self, entry: Callable[[Interpreter], None], budget: Budget) -> Interpreter:
        """Runs an entry, once more with more for each value where too little was what made a consumer unknown."""
        run = self._once(entry, Interpreter(self.scope, self.semantics, budget))
        if not run.gave_up or run.brief or _is_lost(run, CHOICES_MAX // 2):
            return run
        lacking = _lacking(run)
        if not lacking or self.in_vain >= PATIENCE:
            return run
        patient = Interpreter(self.scope, self.semantics, budget)
        patient.follow_dear_values()
        self._once(entry, patient)
        known = run if _is_lost(patient, CHOICES_MAX) else patient
        known.in_vain = known is run or _lacking(patient) >= lacking
        return known

    def _once(self, entry: Callable[[Interpreter], None], run: Interpreter) -> Interpreter:
        run.hot = self.slice.hot
        run.hot_names = self.slice.names
        run.heap["bean methods"] = self._bean_methods()
        with self._bounded(run):
            entry(run)
            run.come_to_threads()
            run.guard, run.raised = True, []
            if run.later:
                from subdrift.linter.resolve.semantics.jvm.library import tasks

                tasks.drain(run)
            self._unused_functions(run)
        if (
            run.ended is None
            and run.died is not None
            and not run.brief
            and (run.is_unsure or self._misses(run))
        ):
            run.ended = run.died
        return run

    def _came_to_nothing(self, run: Interpreter) -> bool:
        """Whether a run was over before it came to a consumer that it leads to: it asks for nothing by which one could tell
        whether it would do something else now, and costs little to be done again."""
        return not run.clients and run.steps <= CHEAP_STEPS and self._misses(run)

    def _misses(self, run: Interpreter) -> bool:
        """Whether code that makes a consumer was come through in a run, and made none."""
        made = self._made_in(run)
        known = self.slice.methods
        return any(method in known and known[method].touches for method in run.ran - made)

    def _made_in(self, *runs: Interpreter) -> set[Method]:
        """The methods that consumers of some runs were made in, or called from."""
        return {
            frame.method
            for run in runs
            for client in run.clients
            for frame in frames_of(client.frame)
            if frame.method is not None
        }

    @contextmanager
    def _bounded(self, run: Interpreter) -> Iterator[None]:
        """A run that ends at its bounds, and says so."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
        try:
            with net.under(run.stop):
                yield
        except Exhausted:
            late = phrase("more-time-than-a-run-may-take")
            run.cut(late if run.stopped else phrase("more-than-steps", f"{run.total:,}"))
        except net.Overdue:
            run.cut(phrase("more-time-than-a-run-may-take"))
        except MemoryError:
            run.cut(phrase("more-memory-than-a-run-may-take"))
            run.forget_all()
            gc.collect()  # frames that hold one another hold what it made
        except Overgrown:
            run.outgrow()
        except Unmodelled:
            raise
        except RecursionError:
            run.cut(phrase("nested-too-deep"))
        except Exception as error:  # noqa: BLE001 - totality: one program is lost, and says so
            run.fail(error)
        finally:
            sys.setrecursionlimit(limit)
            self.ran |= run.ran
            run.met = frozenset(each for each in self.scope.trace.names.values() if isinstance(each, str))

    def _unused_functions(self, run: Interpreter) -> None:
        """A lambda that makes a consumer and that nothing ran: its consumer is listed as never started; where a call of what
        nobody knows may have run it, also one that only leads to what makes it."""
        made = len(run.clients)
        called = bool(run.missed & _CALLS)  # on what may be any of them
        for guard, function in list(run.functions):
            if function.ran or guard is False or function.frame is None:
                continue
            if self.slice.touched((function.body,)) or (called and run.matters(None, function.body)):
                run.guard, run.raised = guard, []
                missing = [
                    Unknown(
                        Why.DYNAMIC, phrase("argument", param.name), ("parameter", param.name, id(function))
                    )
                    for param in function.params
                ]
                run.call(function, Arguments(list(missing)), None, None)
        for client in run.clients[made:]:
            client.perhaps = phrase("called-by-unresolved-call") if called else ""
            client.unreached = not called

    def _bean_methods(self) -> list[Method]:
        if not hasattr(self, "_beans"):
            self._beans = [
                method
                for one in self.classes
                for methods in one.methods.values()
                for method in methods
                if method.annotation("Bean") is not None
            ]
        return self._beans
