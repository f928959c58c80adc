"""The entries of a deployable, in the order in which they are run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.execute.declarations import Class, File, Method
from subdrift.linter.resolve.execute.entries.bounds import (
    ROOT,
    ROOTS_MAX,
    SCOUTS_STEPS_MAX,
    TEST,
    TESTS_STEPS_A_CONSUMER,
    TESTS_STEPS_MAX,
    TESTS_STEPS_MIN,
)
from subdrift.linter.resolve.execute.entries.hooks import Hooking
from subdrift.linter.resolve.execute.entries.names import (
    TESTS,
    budget_of,
    is_main,
    needs_no_object,
)
from subdrift.linter.resolve.execute.entries.running import Executed
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.needs import asked_by, is_told
from subdrift.linter.resolve.execute.protocol import Semantics
from subdrift.linter.resolve.execute.scope import Scope
from subdrift.linter.resolve.execute.slice import Slice


def execute(scope: Scope, files: list[File], semantics: Callable[[str], Semantics], whole: Slice) -> Executed:
    """Runs a deployable. `whole` is the slice of all files of the run."""
    return Execution(scope, files, semantics, whole).run()


class Execution(Hooking):
    """Runs a deployable: its listeners' hooks, its programs, its container, its tests, and what none of them came to."""

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
        for run, _ in self.done.every_hook():
            self.scope.demand(asked_by(run))

    def _mains(self) -> None:
        mains = [
            method
            for one in self.classes
            if scope_of(one.origin.path) != "test"
            for method in one.methods.get("main", ())
            if is_main(method)
        ]
        for method in sorted(mains, key=lambda each: not needs_no_object(each)):
            if not needs_no_object(method) and method in self.ran:
                continue  # before Java 25 a method like any other, which another program calls
            self.done.unread |= self._unread_classes(method.owner)
            plain = "SpringApplication" not in self.slice.methods[method].called
            self.closed = self.closed or plain
            if method in self.slice.hot:
                if not needs_no_object(method):
                    self.wanted(method)
                self.start(method.owner.name, ("main", method), lambda run, m=method: self._program(run, m))  # type: ignore[misc]

    def _unread_classes(self, owner: Class) -> set[str]:
        """The classes of the program's own that the file of a main names in calls, and that no file declares."""
        named = {self.scope.named(name, owner) for name, _ in owner.file.unit.calls if name[:1].isupper()}
        return {one for one in named if isinstance(one, str) and self.scope.surely_lacks(one)}

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
                if method in self.slice.hot and (method.annotation(*TESTS[:3]) is not None or is_main(method))
            )
            yield from ((number, one, method) for number, method in enumerate(methods))

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

    def _rest(self) -> None:
        """What touches a client and was not reached: entered where its calls begin."""
        begun: list[Method] = []
        for _ in range(ROOTS_MAX):
            waiting = self._waiting()
            if not waiting:
                break
            begun.append(waiting[0])
            self._begin(waiting)
        self._other_roots(begun)
        for one in self.classes:
            self._never_made(one)

    def _begin(self, waiting: list[Method]) -> None:
        """Enters what leads to the first of the methods that wait. The methods of one class that nothing calls run on one
        object, those that make consumers first."""
        far = root = self._root(waiting[0])
        if self.spare <= 0:
            root = self._root(waiting[0], within=waiting[0].owner)
        owner = root.owner
        together = [root]
        if not root.decl.static and root.name != "<init>":
            for method in (*waiting, *self._configuring(owner)):
                other = self._root(method)
                if other.owner is owner and other not in together and self._callable(other):
                    together.append(other)
        together.sort(key=lambda each: (not self.slice.methods[each].touches, each.decl.at))
        if self._used_elsewhere(far):
            self.done.elsewhere |= {waiting[0], far}
        if far in self.done.elsewhere or self._takes_absent(far):
            self.ran |= {waiting[0], far}
            return
        for each in together:
            self.wanted(each)
        classes = [owner]
        if not owner.concrete and not root.decl.static:
            classes = list(self.scope.implementations(owner))
            if classes and self.closed and self.done.unread_types():
                classes.append(owner)  # stands for a class below it that nobody has read
        self.ran |= {waiting[0], *together}
        unreached = self._is_dead(root)
        runs = [self._begun(root, together, one, unreached) for one in classes]
        if far is not root:
            self.done.left[far.owner.at(far.decl.name_at)] = None
            for client in (client for run in runs for client in run.clients):
                client.perhaps = phrase("called-by-code-not-followed")
        near = self._root(waiting[0], within=waiting[0].owner)
        if (
            near is not root
            and near.owner.concrete
            and not any(waiting[0] in run.ran for run in runs)
            and not self._used_elsewhere(near)
            and not self._takes_absent(near)
        ):
            self._begun(near, [near], near.owner, False)  # what only a name led to does not lead there

    def _begun(self, root: Method, methods: list[Method], one: Class, unreached: bool) -> Interpreter:
        return self.start(
            f"{root.symbol} of {one.name}",
            ("root", tuple(methods), one),
            lambda run: self._one_after_the_other(run, methods, one),
            unreached=unreached,
            budget=budget_of(root),
        )

    def _other_roots(self, begun: list[Method]) -> None:
        """What was reached from one place that nothing calls may be called from others: a consumer for each."""
        together: dict[tuple[Class, bool], list[Method]] = {}
        for method in begun:
            for root in self._roots(method):
                together.setdefault((root.owner, root.decl.static), []).append(root)
        for (owner, _), methods in list(together.items())[:ROOTS_MAX]:
            fresh = [each for each in dict.fromkeys(methods) if each not in self.ran]
            if fresh and owner.concrete and self.spare <= 0:
                self.done.left.update((owner.at(each.decl.name_at), None) for each in fresh)
            elif fresh and owner.concrete:
                fresh.sort(key=lambda each: each.decl.at)
                self.ran |= set(fresh)
                for each in fresh:
                    self.wanted(each)
                self.start(
                    f"{fresh[0].symbol} of {owner.name}",
                    ("other roots", tuple(fresh), owner),
                    partial(self._one_by_one, fresh, owner),
                    budget=budget_of(fresh[0]),
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
