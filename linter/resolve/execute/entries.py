"""Where execution begins in a deployable: programs, the components of a container, and code nobody in sight calls.

Entries are found by a backward slice over names: a method is in the slice if it touches a client library, or calls by
name what is in the slice. Each `main` is run by itself, the components of a container together in one heap; what is in
the slice and was not reached by any of them is entered where its calls begin, its parameters unknown.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from msgspec import Struct, field

from subdrift.linter import net
from subdrift.linter.clients.apis import JAVA_ANNOTATIONS, Action
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.execute.clients import Client, frames_of, java_view, make_java
from subdrift.linter.resolve.execute.guards import Overgrown, either, leaves
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.kept import Kept, Trace
from subdrift.linter.resolve.execute.needs import asked_by, is_told
from subdrift.linter.resolve.execute.program import Class, File, Method, Scope
from subdrift.linter.resolve.execute.protocol import Arguments, Exhausted, Semantics
from subdrift.linter.resolve.execute.slice import ROUNDS_MAX, Names, Slice, called_as
from subdrift.linter.resolve.execute.state import PROGRAM, STEPS_MAX, Budget
from subdrift.linter.resolve.execute.values import Object, TypeValue, Unknown
from subdrift.linter.resolve.spring.test_properties import configured_by, inlined

CALLERS_MAX = 1_000
"""Methods looked at for others that lead to one method; with more the rest is not looked for."""

ROOTS_MAX = 256
"""Methods entered by themselves because nothing in sight calls them, in one deployable."""

RECURSION_LIMIT = 5_000
"""Python calls inside calls while a program is run: enough for `DEPTH_MAX` calls of some size."""

TEST_STEPS_MAX = 4_000
"""Statements and calls run for one test: tests of large projects start half of a server first."""

TESTS_STEPS_MIN = 8_000
"""Statements and calls run for all tests of a deployable together, where they make no consumer of which group or topic are
known: tests draw both by lot, and of three hundred such rows nothing is compared ..."""

TESTS_STEPS_A_CONSUMER = 4_000
"""... more for each other consumer they have made ..."""

TESTS_STEPS_MAX = 400_000
"""... and at most. Tests that are left then are not run, and counted."""

BARREN_TEST_STEPS_MAX = 2_500
"""Statements and calls run for one test before it has made a consumer. Of 200 in public repositories all but one make their
first within 2,000, half within 500."""

BARREN_ROOT_STEPS_MAX = 24_000
"""The same for code that nothing in sight calls."""

SCOUTS_STEPS_MAX = 8_000
"""The same in a round that only learns which files to read."""

FAR_STEPS_MAX = 2_000
"""The same for any entry of a deployable of which no code handles consumers: only names lead from it to one."""

ROOT = Budget(STEPS_MAX, BARREN_ROOT_STEPS_MAX)
TEST = Budget(TEST_STEPS_MAX, BARREN_TEST_STEPS_MAX)

CHEAP_STEPS = 256
"""Statements and calls of a run that is done again in every round rather than taken over."""

_TEARDOWN = frozenset(
    {"close", "destroy", "stop", "shutdown", "dispose", "disconnect", "unsubscribe", "preDestroy"}
)
_LIFE_CYCLE = (
    "PostConstruct",
    "EventListener",
    "BeforeAll",
    "BeforeClass",
    "Before",
    "BeforeEach",
    "Scheduled",
)
_STARTS = frozenset(
    {
        "afterPropertiesSet",
        "run",
        "start",
        "onApplicationEvent",
        "contextInitialized",
        "afterSingletonsInstantiated",
        "init",
    }
)
_PLAIN = frozenset({"String", "int", "Integer", "long", "Long", "boolean", "Boolean"})
_CALLS = frozenset({"", "accept", "apply", "call", "execute", "get", "invoke", "run", "test"})
"""Methods of functional interfaces: what they are called on may be a function; "" for a call of the value itself."""

HOOK = "prepareStart"
"""The method by which a listener changes the consumer that the library makes for its annotation."""

_LISTENERS = tuple(
    name.rpartition(".")[2] for row in JAVA_ANNOTATIONS if row.api == "spring-listener" for name in row.types
)
_TESTS = (
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "Before",
    "BeforeEach",
    "BeforeClass",
    "BeforeAll",
    "BeforeMethod",
)
_OF_CLASS = ("BeforeAll", "BeforeClass")

_TRACED = frozenset({"main", "root", "other roots", "class"})
"""The kinds of entries that may be run once for several deployables."""


class Executed(Struct):
    """What the runs of one deployable did.

    `runs` are the interpreters with a name of their entry, and whether nothing calls it, so that what it makes may never be
    started. `hooks`: by file and full name of an annotated listener the run of its `prepareStart`, with the consumer that
    the library hands to it. `wanted` are pairs of simple names (type, member) whose callers are not in sight. `elsewhere`
    are the methods that only other deployables call.
    """

    runs: list[tuple[str, Interpreter, bool]] = field(default_factory=list)
    hooks: dict[tuple[Origin, str], tuple[Interpreter, Client]] = field(default_factory=dict)
    wanted: set[tuple[str, str]] = field(default_factory=set)
    elsewhere: set[Method] = field(default_factory=set)
    unrun: dict[Class, list[Method]] = field(
        default_factory=dict
    )  # the tests that were left when the budget was used up
    left: list[tuple[Location, Interpreter | None]] = field(
        default_factory=list
    )  # entries of Python that were left then, or were run with less and not to their end
    closed: bool = (
        False  # a program with a `main` of its own: what it does not reach is not run by a framework
    )

    def clients(self) -> Iterator[tuple[str, Interpreter, Client, bool]]:
        """Entry, run, consumer, and whether its entry was reached by nothing."""
        for name, run, unreached in self.runs:
            for client in run.clients:
                yield name, run, client, unreached


def execute(scope: Scope, files: list[File], semantics: Callable[[str], Semantics], whole: Slice) -> Executed:
    """Runs a deployable. `whole` is the slice of all files of the run."""
    return _Execution(scope, files, semantics, whole).run()


class _Execution:
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
        self.classes = [one for file in self.files for one in file.all_classes()]
        self.inside = frozenset(file.origin for file in self.files)
        self.active = any(
            one in whole.made or any(m in whole.hot for methods in one.methods.values() for m in methods)
            for one in self.classes
        )
        # whether code that handles consumers may be part of it
        self.holds = bool(self.scripts) or any(map(self._handles, self.classes))
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

    def run(self) -> Executed:
        self._hooks()
        if self.active:
            self._mains()
            self._container()
            self._tests()
            self._doubt()
            self._rest()
            self._more_callers()
            self._demand()
        if self.scripts:
            from subdrift.linter.resolve.semantics.python.entries import execute_scripts

            execute_scripts(self)
        self.done.closed = self.closed
        return self.done

    def _demand(self) -> None:
        """Asks for the types that would have to be read to know more about a consumer."""
        for one in self.classes:
            if self._matters(one):
                for each in self.scope.supers(one):
                    above = self.scope.direct_super(each)
                    if isinstance(above, str):
                        self.scope.demand((above,))
        for run, _ in self.done.hooks.values():
            self.scope.demand(asked_by(run))

    # -- one run --------------------------------------------------------------------------------------------

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
            budget = Budget(budget.steps, min(budget.barren, FAR_STEPS_MAX))
        mark = (self.scope.deployable.key, key)
        keeps = key is not None and program.keeps
        kept = program.earlier.get(mark) if keeps else None
        others = program.runs.get(key, ()) if key is not None else ()
        if kept is None and program.explores and others:
            return self._explored(name, others[0], unreached)
        if kept is None or kept.run.budget != budget or not kept.after(self.scope.costly):
            kept = next((one for one in others if self._does_the_same(key, one, budget)), None)
            kept = kept or self._fresh(entry, budget)
        if keeps and not self._came_to_nothing(kept.run):
            program.kept[mark] = kept
        if key is not None and not any(one is kept for one in others):
            program.runs.setdefault(key, []).append(kept)
        self.scope.costly |= kept.costly
        return self._add(name, kept, unreached)

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
            and other.run.budget == budget
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
        if kept.run.ended is not None:
            self.cut |= kept.run.ran
        self.done.wanted |= kept.wanted
        self.scope.definitions.missing |= kept.types
        self.scope.definitions.extended |= kept.extended
        self.done.runs.append((name, kept.run, unreached))
        return kept.run

    def _run(self, entry: Callable[[Interpreter], None], budget: Budget) -> Interpreter:
        run = Interpreter(self.scope, self.semantics, budget)
        run.hot = self.slice.hot
        run.hot_names = self.slice.names
        run.heap["bean methods"] = self._bean_methods()
        with self._bounded(run):
            entry(run)
            run.guard, run.raised = True, []
            if run.later:
                from subdrift.linter.resolve.semantics.jvm import library

                library.drain(run)
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
            run.cut(phrase("more-alternatives-than-can-be-told-apart"))
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
            client.perhaps, client.unreached = called, not called

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

    # -- hooks of listeners ---------------------------------------------------------------------------------

    def _hooks(self) -> None:
        """Runs what an annotated listener does to its consumer before the library starts it."""
        for one in self.classes:
            if not one.concrete or one.annotation(*_LISTENERS) is None:
                continue
            for method in self.scope.methods(one, HOOK, 1):
                handed = self._handed(method)
                if handed and not method.abstract:
                    self._hook(one, method, handed)

    def _handed(self, method: Method) -> str:
        """The full name of the consumer's (or its builder's) type that a method takes, "" where it takes none."""
        ref = method.decl.params[0].type
        named = self.scope.named(ref.name, method.owner) if ref is not None else ""
        return named if isinstance(named, str) and java_view(named) is not None else ""

    def _hook(self, one: Class, method: Method, handed: str) -> None:
        from subdrift.linter.resolve.semantics.jvm import beans

        run = Interpreter(self.scope, self.semantics)
        run.heap["bean methods"] = self._bean_methods()
        at = method.owner.at(method.decl.name_at)
        row = java_view(handed)
        assert row is not None
        consumer = run.make(None, handed, at)
        client = make_java(run, row, consumer, at, run.frame(method.owner, None))
        with self._bounded(run):
            made = beans.instance(self.semantics(one.file.language), run, one)  # type: ignore[arg-type]
            run.guard, run.raised = True, []
            run.invoke(method, made, Arguments([consumer]), None, None)
        self.done.hooks[one.origin, one.name] = (run, client)

    # -- programs -------------------------------------------------------------------------------------------

    def _mains(self) -> None:
        for one in self.classes:
            if scope_of(one.origin.path) == "test":
                continue
            for method in one.methods.get("main", ()):
                if is_main(method):
                    plain = "SpringApplication" not in self.slice.methods[method].called
                    self.closed = self.closed or plain
                    if method in self.slice.hot:
                        self.start(one.name, ("main", method), lambda run, m=method: self._program(run, m))  # type: ignore[misc]

    def _program(self, run: Interpreter, method: Method) -> None:
        run.heap["program"] = True
        semantics = self.semantics(method.owner.file.language)
        semantics.prepare(run, method.owner)  # type: ignore[attr-defined]
        arguments: list[Any] = []
        if method.decl.params:
            kind = ir.TypeRef("[]", (ir.TypeRef("String"),))
            value = Unknown(
                Why.DYNAMIC, phrase("command-line"), ("arguments",), TypeValue(None, "[]", kind.args)
            )
            arguments.append(value)
        run.invoke(method, None, Arguments(arguments), None, None)
        run.came_back()

    # -- the container --------------------------------------------------------------------------------------

    def _container(self) -> None:
        from subdrift.linter.resolve.semantics.jvm import beans, library

        components = [
            one
            for one in self.classes
            if beans.is_component(one) and scope_of(one.origin.path) != "test" and self._matters(one)
        ]
        factories = [
            method
            for method in self._bean_methods()
            if method in self.slice.hot and scope_of(method.owner.origin.path) != "test"
        ]
        if not components and not factories:
            return

        def entry(run: Interpreter) -> None:
            for method in factories:
                java = self.semantics(method.owner.file.language)
                run.guard, run.raised = True, []
                value = beans.made_by(java, run, method)  # type: ignore[arg-type]
                self._escape(value)
            for one in components:
                if one.concrete:
                    run.guard, run.raised = True, []
                    made = beans.instance(self.semantics(one.file.language), run, one)  # type: ignore[arg-type]
                    self._bring_up(run, made, one)
            for called in (False, True):  # what another calls runs with what that one hands it
                for one in components:
                    if one.concrete:
                        self._operate(run, one, called)
                run.guard, run.raised = True, []
                library.drain(run)

        self.start("container", ("container", tuple(components), tuple(factories)), entry)

    def _matters(self, one: Class) -> bool:
        return one in self.slice.made or any(
            method in self.slice.hot
            for each in self.scope.supers(one)
            for methods in each.methods.values()
            for method in methods
        )

    def _bring_up(self, run: Interpreter, made: Object, one: Class) -> None:
        """What the framework calls when everything is made."""
        for each in self.scope.supers(one):
            for methods in each.methods.values():
                for method in methods:
                    starts = method.annotation(*_LIFE_CYCLE) is not None or _is_callback(method)
                    if method in self.slice.hot and starts and self._callable(method):
                        self._enter(run, made, one, method)

    def _operate(self, run: Interpreter, one: Class, called: bool) -> None:
        """The other methods in the slice that nothing has called: a controller's, a job's. `called`: also those that
        the source at hand calls, though no run came there."""
        from subdrift.linter.resolve.semantics.jvm import beans

        made = beans.instance(self.semantics(one.file.language), run, one)  # type: ignore[arg-type]
        for each in self.scope.supers(one):
            for methods in each.methods.values():
                for method in methods:
                    if (
                        method in self.slice.hot
                        and method not in run.ran
                        and self._callable(method)
                        and method.annotation("Bean") is None
                        and not method.decl.private
                        and method.name != HOOK
                        and not self._tears_down(method)
                        and (called or not self._is_called(method))
                        and not self._takes_absent(method, run)
                    ):
                        self.wanted(method)
                        self._enter(run, made, one, method)

    def _takes_absent(self, method: Method, *runs: Interpreter) -> bool:
        """Whether a method takes an object of a type that code has asked the container for, and there is none."""
        runs = runs or tuple(run for _, run, _ in self.done.runs)
        absent: set[Class] = set().union(*(run.heap.get("absent beans", ()) for run in runs))
        types = (param.type for param in method.decl.params if param.type is not None) if absent else ()
        return any(self.scope.named(ref.name, method.owner) in absent for ref in types)

    def _is_called(self, method: Method) -> bool:
        """Whether another method of the deployable may call one, by its name and what its file mentions."""
        return any(
            each is not method
            and each.owner.origin in self.inside
            and scope_of(each.owner.origin.path) != "test"
            and self._may_call(each, method)
            for each in self.slice.callers.get(called_as(method), ())
        )

    def _callable(self, method: Method) -> bool:
        return not method.abstract and not method.decl.static and method.name != "<init>"

    def _tears_down(self, method: Method) -> bool:
        """Whether a method only ends what others began."""
        found = self.slice.methods[method]
        return (
            (
                method.name in _TEARDOWN
                or method.annotation("PreDestroy") is not None
                or "unsubscribe" in found.called
            )
            and not found.touches
            and not (found.called & {"subscribe", "start", "build"})
        )

    def _enter(self, run: Interpreter, made: Object | None, one: Class, method: Method) -> None:
        from subdrift.linter.resolve.semantics.jvm import beans

        run.guard, run.raised = True, []
        java = self.semantics(one.file.language)
        actual = method
        if made is not None and made.declared is not None:
            found = self.scope.methods(made.declared, method.name, method.arity)
            if method not in found:  # another overrides it
                actual = next((m for m in found if not m.abstract and m.arity == method.arity), method)
            entered: set[int] = run.heap.setdefault(("entered", actual), set())
            if actual in run.ran and (not entered or made.number in entered):
                return
            entered.add(made.number)  # inherited by several beans, it runs on each
        arguments = [beans.argument(java, run, actual, param) for param in actual.decl.params]  # type: ignore[arg-type]
        before = len(run.clients)
        value = run.invoke(actual, made, Arguments(arguments), None, None)
        run.came_back()
        self._escape(value)
        if made is not None:
            _forget_twins(run, made, value, before)

    def _escape(self, value: Any) -> None:
        """What an entry hands back to code nobody sees may be started there."""
        for _, leaf in leaves(value):
            if isinstance(leaf, Object) and leaf.client is not None:
                leaf.client.escaped = True

    # -- tests and the rest ---------------------------------------------------------------------------------

    def _tests(self) -> None:
        """Runs tests as far as their budget goes: the first of each class before the second of any."""
        program, key_of = self.scope.program, self.scope.deployable.key
        steps = consumers = 0
        for _, one, method in sorted(self._test_methods(), key=lambda each: each[0]):
            if method in self.ran:
                continue
            key = ("test", method, one)
            limit = min(TESTS_STEPS_MAX, TESTS_STEPS_MIN + TESTS_STEPS_A_CONSUMER * consumers)
            kept = (key_of, key) in program.earlier
            if program.explores:
                types = {name for name in one.file.unit.names if name[:1].isupper()}
                if not kept and (types <= program.scouted or steps >= SCOUTS_STEPS_MAX):
                    program.postponed = self.postponed = True
                    continue
                program.scouted |= types
            elif steps >= limit:
                self.done.unrun.setdefault(one, []).append(method)
                continue
            run = self.start(
                method.symbol,
                key,
                lambda run, m=method, o=one: self._alone(run, m, o),  # type: ignore[misc]
                budget=TEST,
            )
            if not (kept and program.explores):
                steps += run.steps
            consumers += sum(map(is_told, run.clients))

    def _test_methods(self) -> Iterator[tuple[int, Class, Method]]:
        """The tests of the slice, each with its number within its class."""
        for one in self.classes:
            if scope_of(one.origin.path) != "test" or not one.concrete:
                continue
            methods = (
                method
                for found in one.methods.values()
                for method in found
                if method in self.slice.hot
                and (method.annotation(*_TESTS[:3]) is not None or is_main(method))
            )
            yield from ((number, one, method) for number, method in enumerate(methods))

    def _alone(self, run: Interpreter, method: Method, one: Class) -> None:
        """A method on an object that a framework made."""
        from subdrift.linter.resolve.semantics.jvm import beans

        java = self.semantics(one.file.language)
        if is_main(method):
            self._program(run, method)
            return
        made: Object | None = None
        if scope_of(one.origin.path) == "test":
            run.heap["given"] = inlined(one, self.scope)
            named, unread = configured_by(one, self.scope)
            run.heap["bean methods"] = list(dict.fromkeys((*self._bean_methods(), *named)))
            run.heap["configured by"] = unread
        if not method.decl.static and method.name != "<init>":
            made = beans.instance(java, run, one)  # type: ignore[arg-type]
            made.open = Unknown(Why.DYNAMIC, phrase("object-of", one.simple), ("stand-in", one.name))
            for each in self._prepares(one):
                if each is not method:
                    self._enter(run, made, one, each)
        if method.name == "<init>":
            run.guard, run.raised = True, []
            arguments = [beans.argument(java, run, method, param) for param in method.decl.params]  # type: ignore[arg-type]
            frame = run.frame(one, None)
            run.ran.add(method)
            java.instantiate(run, one, Arguments(arguments), frame, one.at(method.decl.name_at))  # type: ignore[attr-defined]
            return
        self._enter(run, made, one, method)

    def _prepares(self, one: Class) -> list[Method]:
        """What a test framework runs before the tests of a class: for the class first, inherited methods first."""
        found = [
            each
            for owner in reversed(self.scope.supers(one))
            for methods in owner.methods.values()
            for each in methods
            if not each.abstract and each.name != "<init>" and each.annotation(*_TESTS[3:]) is not None
        ]
        return sorted(found, key=lambda each: each.annotation(*_OF_CLASS) is None)

    def _waiting(self) -> list[Method]:
        """The methods that touch a client, here or through what another module makes, and that nothing reached."""
        found: list[Method] = []
        for one in self.classes:
            for methods in one.methods.values():
                for method in methods:
                    if method not in self.slice.hot or method in self.ran or method.abstract:
                        continue
                    if (self.postponed or self.done.unrun) and scope_of(one.origin.path) == "test":
                        continue  # a test that was not run (yet) may reach it
                    names = self.slice.methods[method]
                    touches = names.touches or self.slice.operates(names, one) or self._touches_outside(names)
                    if touches and not self._tears_down(method):
                        found.append(method)
        return found

    def _doubt(self) -> None:
        """What makes a consumer, was come through in a run that ended at a bound, and made none: what it hangs on may have
        happened after the end."""
        made = self._made_in(*(run for _, run, _ in self.done.runs))
        known = self.slice.methods
        self.ran -= {method for method in self.cut - made if method in known and known[method].touches}

    def _configuring(self, owner: Class) -> list[Method]:
        """The methods of a class that only set what a consumer of it is given, and that nothing reached."""
        return [
            method
            for methods in owner.methods.values()
            for method in methods
            if self.slice.methods[method].configures
            and method not in self.ran
            and self._callable(method)
            and not self._tears_down(method)
        ]

    def _touches_outside(self, names: Names) -> bool:
        """Whether a name that is called is one of another module's methods that touch a client."""
        touching = self.slice.touching
        return any(name in touching and not touching[name] <= self.inside for name in names.called)

    def _rest(self) -> None:
        """What touches a client and was not reached: entered where its calls begin. The methods of one class that
        nothing calls run on one object, those that make consumers first."""
        begun: list[Method] = []
        for _ in range(ROOTS_MAX):
            waiting = self._waiting()
            if not waiting:
                break
            begun.append(waiting[0])
            root = self._root(waiting[0])
            owner = root.owner
            together = [root]
            if not root.decl.static and root.name != "<init>":
                for method in (*waiting, *self._configuring(owner)):
                    other = self._root(method)
                    if other.owner is owner and other not in together and self._callable(other):
                        together.append(other)
            together.sort(key=lambda each: (not self.slice.methods[each].touches, each.decl.at))
            if self._used_elsewhere(root):
                self.done.elsewhere |= {waiting[0], root}
            if root in self.done.elsewhere or self._takes_absent(root):
                self.ran |= {waiting[0], root}
                continue
            for each in together:
                self.wanted(each)
            classes = [owner]
            if not owner.concrete and not root.decl.static:
                classes = list(self.scope.implementations(owner)) or []
            self.ran |= {waiting[0], *together}
            unreached = self._is_dead(root)
            runs = [
                self.start(
                    f"{root.symbol} of {one.name}",
                    ("root", tuple(together), one),
                    lambda run, ms=together, o=one: self._one_after_the_other(run, ms, o),  # type: ignore[misc]
                    unreached=unreached,
                    budget=_budget_of(root),
                )
                for one in classes
            ]
            near = self._root(waiting[0], within=waiting[0].owner)
            if (
                near is not root
                and near.owner.concrete
                and not any(waiting[0] in run.ran for run in runs)
                and not self._used_elsewhere(near)
                and not self._takes_absent(near)
            ):
                one = near.owner  # what only a name led to does not lead there
                self.start(
                    f"{near.symbol} of {one.name}",
                    ("root", (near,), one),
                    lambda run, m=near, o=one: self._one_after_the_other(run, [m], o),  # type: ignore[misc]
                    budget=_budget_of(near),
                )
        self._other_roots(begun)
        for one in self.classes:
            self._never_made(one)

    def _other_roots(self, begun: list[Method]) -> None:
        """What was reached from one place that nothing calls may be called from others: a consumer for each."""
        together: dict[tuple[Class, bool], list[Method]] = {}
        for method in begun:
            for root in self._roots(method):
                together.setdefault((root.owner, root.decl.static), []).append(root)
        for (owner, _), methods in list(together.items())[:ROOTS_MAX]:
            fresh = [each for each in dict.fromkeys(methods) if each not in self.ran]
            if fresh and owner.concrete:
                fresh.sort(key=lambda each: each.decl.at)
                self.ran |= set(fresh)
                for each in fresh:
                    self.wanted(each)
                self.start(
                    f"{fresh[0].symbol} of {owner.name}",
                    ("other roots", tuple(fresh), owner),
                    partial(self._one_by_one, fresh, owner),
                    budget=_budget_of(fresh[0]),
                )

    def _one_by_one(self, methods: list[Method], owner: Class, run: Interpreter) -> None:
        self._one_after_the_other(run, methods, owner)

    def _roots(self, method: Method) -> list[Method]:
        """Every outermost method of the slice that leads to one and that was not reached, by names."""
        found: list[Method] = []
        seen = {method}
        stack = [method]
        while stack and len(seen) < CALLERS_MAX:
            current = stack.pop()
            callers = [
                each
                for each in self.slice.callers.get(called_as(current), ())
                if each is not current
                and each in self.slice.hot
                and each.owner.origin in self.inside
                and self._may_call(each, current)
                and not self._tears_down(each)
            ]
            if not callers:
                if self._callable(current) and not self._is_dead(current):
                    found.append(current)
                elif not current.abstract:
                    self.wanted(current)  # a file that nobody has read may call it
            for each in callers:
                if each not in seen and scope_of(each.owner.origin.path) != "test":
                    seen.add(each)
                    stack.append(each)
        return [each for each in found if each not in self.ran]

    def _more_callers(self) -> None:
        """What others can call and leads to a consumer, whether a program in sight calls it or not: another that
        nobody has read yet may."""
        without: set[Method] = set()
        if self.slice.marks.telling:
            from subdrift.linter.resolve.execute.settled import settled

            without = settled(self.scope, self.slice, self.done.runs)
        asking = self.slice.hot - without
        for one in self.classes:
            if self.slice.is_client(one):
                self.wanted_class(one)
            for methods in one.methods.values():
                for method in methods:
                    if method in asking and not method.decl.private and not is_main(method):
                        self._want(method)

    def _one_after_the_other(self, run: Interpreter, methods: list[Method], one: Class) -> None:
        run.stand_in = True
        for method in methods:
            if method not in run.ran:
                self._alone(run, method, one)

    def _used_elsewhere(self, root: Method) -> bool:
        """Whether only code of other deployables calls a method: it is theirs, with their values. A call of something above
        its class counts where it does not run here."""
        definitions, deployable = self.scope.definitions, self.scope.deployable
        callers = [
            method
            for method in self.slice.callers.get(called_as(root), ())
            if method is not root and self._may_call(method, root)
        ]
        if root in self.cut or any(method in self.cut for method in callers):
            return False  # a run that was given up here may have called it
        return any(
            method.owner.origin not in self.inside
            and (
                _names(method.owner.file, root.owner)
                or not definitions.runs_here(method.owner.origin, root.owner.origin, deployable)
            )
            for method in callers
        )

    def _never_made(self, one: Class) -> None:
        """A class that makes a consumer in its fields and that nothing made."""
        found = self.slice.bodies[one]
        if (
            not found.touches
            or not one.concrete
            or any(client.at.origin == one.origin for _, run, _ in self.done.runs for client in run.clients)
        ):
            return
        constructors = one.methods.get("<init>", [])
        if constructors and any(m in self.ran for m in constructors):
            return

        def entry(run: Interpreter) -> None:
            from subdrift.linter.resolve.semantics.jvm import beans

            run.stand_in = True
            made = beans.instance(self.semantics(one.file.language), run, one)  # type: ignore[arg-type]
            for methods in one.methods.values():
                for method in methods:
                    if method in self.slice.hot and self._callable(method) and not self._tears_down(method):
                        self._enter(run, made, one, method)

        self.wanted_class(one)
        name = f"{one.simple} of {one.name}"
        budget = TEST if scope_of(one.origin.path) == "test" else ROOT
        self.start(name, ("class", one), entry, unreached=self._unused(one), budget=budget)

    def _root(self, method: Method, within: Class | None = None) -> Method:
        """The outermost method of the slice (`within`: of one class) that leads to one, by names, and that was not reached
        either."""
        current = method
        seen = {method}
        for _ in range(ROUNDS_MAX):
            callers = [
                each
                for each in self.slice.callers.get(called_as(current), ())
                if each not in seen
                and (each not in self.ran if within is None else each.owner is within)
                and each.owner.origin in self.inside
                and self._may_call(each, current)
                and not self._tears_down(each)
            ]
            if not callers:
                return current
            current = min(callers, key=lambda each: (each.owner.origin, each.decl.at))
            seen.add(current)
        return current

    def _may_call(self, caller: Method, callee: Method) -> bool:
        """Whether one file's code can mean a method of another class: it is near, or it names the class."""
        if caller.owner.file is callee.owner.file:
            return True
        named = caller.owner.file.unit.names
        for each in self.scope.supers(callee.owner):
            if each.simple in named:
                meant = self.scope.named(each.simple, caller.owner)
                if meant is each or isinstance(meant, str):
                    return True
        return False

    def _is_dead(self, root: Method) -> bool:
        return self._unused(root.owner) or self._is_passed_by(root)

    def _is_passed_by(self, root: Method) -> bool:
        """Whether all that calls a method in a closed program has run to its end, and yet the method was not called: it
        is called in a loop without turns, or under a condition that never holds."""
        if not self.closed or root.decl.annotations or scope_of(root.owner.origin.path) == "test":
            return False
        name = called_as(root)
        callers = [
            each
            for each in self.slice.callers.get(name, ())
            if each is not root and self._may_call(each, root)
        ]
        runs = [run for _, run, _ in self.done.runs]
        if not callers or any(
            run.is_cut or name in run.uncalled or run.leaves_uncalled(name) for run in runs
        ):
            return False
        if any(name in found.called for found in self.slice.bodies.values()):
            return False
        return all(any(each in run.ran for run in runs) for each in callers)

    def _unused(self, owner: Class) -> bool:
        """Whether nothing that runs can make a class or call it: the deployable is a closed program, and no framework
        is told about the class."""
        if not self.closed or scope_of(owner.origin.path) == "test":
            return False
        if any(each.decl.annotations or self.scope.library_supers(each) for each in owner.lexical()):
            return False
        return not is_mentioned(owner, self.files)

    def wanted(self, method: Method) -> None:
        """Asks for files that call a method before it is entered; of what sends, what came of that says whether they are
        needed (`_more_callers`)."""
        if not self.slice.marks.telling:
            self._want(method)

    def _want(self, method: Method) -> None:
        """Asks for files that call a method nothing in sight calls, unless a test framework does."""
        if method.annotation(*_TESTS) is not None and scope_of(method.owner.origin.path) == "test":
            return
        name = called_as(method)
        self.done.wanted.add((method.owner.simple, name))
        if method.name == "<init>":
            return
        if method.decl.static:  # called by its name alone where it is inherited
            below = self.scope.implementations(method.owner, demand=False)
            if any(each is not method.owner for each in below):
                self.done.wanted |= {(each.simple, name) for each in self.scope.implementations(method.owner)}
            return
        if method.arity:  # without arguments, a call through a supertype tells nothing of the consumer
            self.scope.demand(self.scope.library_supers(method.owner))
            for each in self.scope.supers(method.owner)[1:]:
                if name in each.methods:
                    self.done.wanted.add((each.simple, name))
        for each in self.scope.implementations(method.owner):
            if each is not method.owner:
                self.done.wanted |= {(each.simple, name), (each.simple, each.simple)}
        self.done.wanted.add((method.owner.simple, method.owner.simple))
        self.done.wanted |= {(each, name) for each in self.slice.givers.get(method.owner.simple, ())}

    def wanted_class(self, one: Class) -> None:
        self.done.wanted.add((one.simple, one.simple))


def _forget_twins(run: Interpreter, made: Object, value: Any, before: int) -> None:
    """A class's own factory hands out an unused object of the class: the one that stands in for all such objects shows what
    becomes of it. `before`: the number of consumers there were when the factory was entered."""
    twins = [
        leaf
        for _, leaf in leaves(value)
        if isinstance(leaf, Object) and leaf is not made and leaf.declared is made.declared
    ]
    if not twins:
        return
    for client in run.clients[before:]:
        unused = not any(event.action is not Action.SET for event in client.events)
        if unused and any(frame.this in twins for frame in frames_of(client.frame)):
            run.clients.remove(client)


def _names(file: File, owner: Class) -> bool:
    """Whether a file means a class by its simple name: by its imports, or its package."""
    if owner.simple not in file.unit.names:
        return False
    meant = file.single.get(owner.simple)
    if meant is not None:
        return meant == owner.name
    return owner.file.unit.package in (file.unit.package, *file.wildcards)


def _is_callback(method: Method) -> bool:
    """Whether a container may call a method by its name: with nothing, or with an object of its own."""
    params = method.decl.params
    if method.name not in _STARTS or len(params) > 1:
        return False
    return not any(
        one.type is not None and one.type.name in _PLAIN and method.name != "run" for one in params
    )


def is_mentioned(owner: Class, files: Iterable[File]) -> bool:
    """Whether another file than a class's own names it, tests left out: code that no run came through may use it."""
    return any(
        owner.simple in file.unit.names and scope_of(file.origin.path) != "test"
        for file in files
        if file is not owner.file
    )


def is_root(entry: str) -> bool:
    """Whether an entry of that name is code that nothing in sight calls, on an object that stands for all of its class."""
    return " of " in entry


def _budget_of(entry: Method) -> Budget:
    """What a run may cost that begins at a method nothing calls."""
    return TEST if scope_of(entry.owner.origin.path) == "test" else ROOT


def is_main(method: Method) -> bool:
    """Whether a method starts a program."""
    if method.name != "main" or method.abstract or len(method.decl.params) > 1:
        return False
    return method.decl.static or method.owner.kind == "module"


_ = (either, Origin)
