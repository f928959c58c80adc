"""Which code calls a method, by names: in sight, in other deployables, in files that nobody has read."""

from __future__ import annotations

from collections.abc import Set

from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.entries.bounds import CALLERS_MAX
from subdrift.linter.resolve.execute.entries.names import (
    TEARDOWN,
    TESTS,
    is_main,
    is_mentioned,
    names_class,
    needs_no_object,
)
from subdrift.linter.resolve.execute.entries.running import Running
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.slice import ROUNDS_MAX, called_as, hears
from subdrift.linter.resolve.execute.slice_names import Names
from subdrift.linter.resolve.spring.beans import REGISTERING


class Calling(Running):
    """Runs entries, and knows by names what calls what."""

    def _leads(self, method: Method) -> bool:
        """Whether a method leads to a consumer, or does something to one that it has."""
        found = self.slice.methods.get(method)
        return method in self.slice.hot or (found is not None and found.configures)

    def _matters(self, one: Class) -> bool:
        return one in self.slice.made or any(
            self._leads(method)
            for each in self.scope.supers(one)
            for methods in each.methods.values()
            for method in methods
        )

    def _gives_what_matters(self, factory: Method, names: Set[str]) -> bool:
        """Whether a `@Bean` method gives an object whose class is in the slice, by its type or what it makes; `names` are the
        simple names of these classes."""
        named = self._given_by(factory)
        return (named is not None and named.simple in names) or not names.isdisjoint(
            self.slice.methods[factory].called
        )

    def _given_by(self, factory: Method) -> Class | None:
        """The class that a `@Bean` method declares to give, None where its source is not here."""
        returns = factory.decl.returns
        named = self.scope.named(returns.name, factory.owner) if returns is not None else ""
        return named if isinstance(named, Class) else None

    def _is_registered(self, one: Class) -> bool:
        """Whether code of the deployable may hand a class to the container besides."""
        return any(
            names_class(file, one) and any(name in REGISTERING for name, _ in file.unit.calls)
            for file in self.files
            if scope_of(file.origin.path) != "test"
        )

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
                method.name in TEARDOWN
                or method.annotation("PreDestroy") is not None
                or "unsubscribe" in found.called
            )
            and not found.touches
            and not (found.called & {"subscribe", "start", "build"})
        )

    def _takes_absent(self, method: Method, *runs: Interpreter) -> bool:
        """Whether a method takes an object of a type that code has asked the container for, and there is none."""
        runs = runs or tuple(run for _, run, _ in self.done.runs)
        absent: set[Class] = set().union(*(run.heap.get("absent beans", ()) for run in runs))
        types = (param.type for param in method.decl.params if param.type is not None) if absent else ()
        return any(self.scope.named(ref.name, method.owner) in absent for ref in types)

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
        """Whether all that calls a method in a closed program, or one that no framework calls, has run to its end, and yet the
        method was not called: it is called in a loop without turns, or under a condition that never holds."""
        if (
            not (self.closed or root.decl.static)
            or root.decl.annotations
            or scope_of(root.owner.origin.path) == "test"
        ):
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
                names_class(method.owner.file, root.owner)
                or not definitions.runs_here(method.owner.origin, root.owner.origin, deployable)
            )
            for method in callers
        )

    def _touches_outside(self, names: Names) -> bool:
        """Whether a name that is called is one of another module's methods that touch a client."""
        touching = self.slice.touching
        return any(name in touching and not touching[name] <= self.inside for name in names.called)

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
                    if (
                        method in asking
                        and not method.decl.private
                        and not (is_main(method) and needs_no_object(method))
                    ):
                        self._want(method)

    def wanted(self, method: Method) -> None:
        """Asks for files that call a method before it is entered; of what sends, what came of that says whether they are
        needed (`_more_callers`)."""
        if not self.slice.marks.telling:
            self._want(method)

    def _want(self, method: Method) -> None:
        """Asks for files that call a method nothing in sight calls, unless a test framework does."""
        if method.annotation(*TESTS) is not None and scope_of(method.owner.origin.path) == "test":
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
        if hears(method) and method.arity == 1:  # of the container, to which others tell what they make
            ref = method.decl.params[0].type
            event = self.scope.named(ref.name, method.owner) if ref is not None else ""
            if isinstance(event, Class):
                self.wanted_class(event)
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
