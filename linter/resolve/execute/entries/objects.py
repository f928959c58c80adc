"""Methods are entered: on the object that a container, a test framework, or nobody in sight has made."""

from __future__ import annotations

from typing import Any

from subdrift.linter.clients.apis import Action
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import scope_of
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute.clients import frames_of
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.entries.callers import Calling
from subdrift.linter.resolve.execute.entries.names import (
    HOOK,
    LIFE_CYCLE,
    MAKER,
    OF_CLASS,
    TESTS,
    is_callback,
    is_main,
    needs_no_object,
    phase_of,
)
from subdrift.linter.resolve.execute.guards import apply, both, leaves, some
from subdrift.linter.resolve.execute.havoc import KEPT_MAX, called_back
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.slice import hears
from subdrift.linter.resolve.execute.values import Guarded, Long, Object, TypeValue, Unknown, text
from subdrift.linter.resolve.spring.beans import CALLBACKS, PROCESSED, PROCESSORS, PUBLISHING
from subdrift.linter.resolve.spring.test_properties import configured_by, inlined


class Entering(Calling):
    """Enters methods, their parameters unknown."""

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
        made: Object | None = None
        if not needs_no_object(method):
            frame, at = run.frame(method.owner, None), method.owner.at(method.decl.name_at)
            made = semantics.instantiate(run, method.owner, Arguments([]), frame, at)  # type: ignore[attr-defined]
        run.invoke(method, made, Arguments(arguments), None, None)
        run.came_back()
        self._bring_up_registered(run)

    def _enter(
        self, run: Interpreter, made: Object | None, one: Class, method: Method, guard: Guarded = True
    ) -> None:
        from subdrift.linter.resolve.semantics.jvm import beans

        run.guard, run.raised = guard, []
        if guard is False:
            run.enters(method)
            return
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
        given = [leaf for _, leaf in leaves(value) if isinstance(leaf, Object)]
        held = [one for leaf in given for field in leaf.fields.values() for one in some(field, KEPT_MAX)]
        for leaf in (*given, *held):
            if isinstance(leaf, Object) and leaf.client is not None:
                leaf.client.escaped = True

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
            if self.scope.library_supers(one):
                called_back(run, made, True, made.open, method)  # which it may have called before
            for each in self._prepares(one):
                if each is not method:
                    self._enter(run, made, one, each)
        if method.name == "<init>":
            run.guard, run.raised = True, []
            arguments = [beans.argument(java, run, method, param) for param in method.decl.params]  # type: ignore[arg-type]
            frame = run.frame(one, None)
            run.enters(method)
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
            if not each.abstract and each.name != "<init>" and each.annotation(*TESTS[3:]) is not None
        ]
        return sorted(found, key=lambda each: each.annotation(*OF_CLASS) is None)

    def _bring_up(self, run: Interpreter, made: Object, one: Class, phase: int) -> None:
        """What the framework calls in a phase when everything is made."""
        if phase == 0:
            self._process(run, made, one)
        for each in self.scope.supers(one):
            for methods in each.methods.values():
                for method in methods:
                    starts = method.annotation(*LIFE_CYCLE) is not None or is_callback(method)
                    starts = starts and not self._hears_own(method)
                    starts = starts and phase_of(method) == phase
                    if starts and self._leads(method) and self._callable(method):
                        self._enter(run, made, one, method, self._starts_by_itself(run, made, one, method))

    def _call_back_what(self, run: Interpreter, factory: Method, value: Guarded) -> set[Class]:
        """Calls back what a `@Bean` method gives, in each way it may go; of what nobody knows an object that stands for all
        of the class it is declared with. The classes of these objects."""
        from subdrift.linter.resolve.semantics.jvm import beans

        found: set[Class] = set()
        for guard, leaf in leaves(value):
            made = leaf if isinstance(leaf, Object) and leaf.declared is not None else None
            if made is None and isinstance(leaf, Unknown):
                named = self._given_by(factory)
                if named is not None and not named.is_interface:
                    java = self.semantics(named.file.language)
                    made = beans.instance(java, run, named)  # type: ignore[arg-type]
            if made is not None and made.declared is not None:
                if run.heap.get(("bean", made.declared)) is not made:
                    made.fields[MAKER] = factory
                self._call_back(run, made, made.declared, guard)
                found.add(made.declared)
        return found

    def _call_back(self, run: Interpreter, made: Object, one: Class, guard: Guarded = True) -> None:
        """What the container calls on an object that is not a component: by annotation, or as an interface says."""
        self._process(run, made, one)
        declared = {name.rpartition(".")[2] for name in self.scope.library_supers(one)}
        for each in self.scope.supers(one):
            for methods in each.methods.values():
                for method in methods:
                    called = method.annotation("PostConstruct", "EventListener") is not None
                    called = called or not declared.isdisjoint(CALLBACKS.get(method.name, ()))
                    called = called and not self._hears_own(method)
                    if called and run.matters(method, method.decl.body) and self._callable(method):
                        by_itself = self._starts_by_itself(run, made, one, method)
                        self._enter(run, made, one, method, both(guard, by_itself))

    def _hears_own(self, method: Method) -> bool:
        """Whether a method listens to events that the program itself tells."""
        if PUBLISHING not in self.slice.callers or not hears(method) or method.arity != 1:
            return False
        ref = method.decl.params[0].type
        named = self.scope.named(ref.name, method.owner) if ref is not None else ""
        return isinstance(named, Class) or named in ("String", "java.lang.String")

    def _process(self, run: Interpreter, made: Object, one: Class) -> None:
        """What a post-processor does with every bean."""
        from subdrift.linter.resolve.semantics.jvm import beans, candidates, managed

        declared = {name.rpartition(".")[2] for name in self.scope.library_supers(one)}
        if declared.isdisjoint(PROCESSORS):
            return
        java = self.semantics(one.file.language)
        every = [each for each in run.heap.get(managed.AT_HAND, ()) if each is not one]
        for maker, guard in zip(every, candidates.presence(run, every), strict=True):
            name = text(managed.name_of(run, maker))
            bean = beans.object_of(java, run, maker)  # type: ignore[arg-type]
            for called in PROCESSED:
                for method in self.scope.methods(one, called, 2)[:1]:
                    run.guard, run.raised = guard, []
                    if not method.abstract:
                        run.invoke(method, made, Arguments([bean, name]), None, None)

    def _bring_up_registered(self, run: Interpreter) -> None:
        """What the container calls on the objects of bean definitions that code has registered."""
        from subdrift.linter.resolve.semantics.jvm import defined

        while pending := run.heap.pop(defined.REGISTERED, None):
            for guard, made, init in pending:
                self._call_back(run, made, made.declared, guard)
                for method in self.scope.methods(made.declared, init, 0)[:1] if init else ():
                    self._enter(run, made, made.declared, method, guard)

    def _starts_by_itself(self, run: Interpreter, made: Object, one: Class, method: Method) -> Guarded:
        """The guard under which the container calls a callback: `start` of what says by itself whether it is started."""
        asked = self.scope.methods(one, "isAutoStartup", 0) if method.name == "start" else ()
        if not asked or asked[0].abstract:
            return True
        run.guard, run.raised = True, []
        answer = run.invoke(asked[0], made, Arguments([]), None, None)
        return run.guard_of(answer, run.frame(one, made), one.decl.name_at)

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
                        self._forget_counts(run)
                        self._enter(run, made, one, method)

    def _forget_counts(self, run: Interpreter) -> None:
        """What is called at any time, and again, may find any number where the program counts."""
        beans = {id(made): made for key, made in run.heap.items() if type(key) is tuple and key[0] == "bean"}
        for made in beans.values():
            if type(made) is Object and made.declared is not None:
                above = [each.decl for each in self.scope.supers(made.declared)]
                for name, value in made.fields.items():
                    made.fields[name] = _any_count(run, name, value, above)
        for (owner, name), value in run.statics.items():
            run.statics[owner, name] = _any_count(run, name, value, [owner.decl])

    def _one_by_one(self, methods: list[Method], owner: Class, run: Interpreter) -> None:
        self._one_after_the_other(run, methods, owner)

    def _one_after_the_other(self, run: Interpreter, methods: list[Method], one: Class) -> None:
        run.stand_in = True
        for method in methods:
            if method not in run.ran:
                self._alone(run, method, one)


_COUNTERS = frozenset(f"java.util.concurrent.atomic.Atomic{each}" for each in ("Integer", "Long"))


def _any_count(run: Interpreter, name: str, value: Guarded, decls: list[ir.ClassDecl]) -> Guarded:
    """What a variable of classes holds, any number in the place of one that they count; a counter of its own counts on."""

    def other(leaf: Any) -> Any:
        if type(leaf) is Object and leaf.type in _COUNTERS:
            leaf.fields["value"] = Unknown(Why.DYNAMIC, name, ("count", run.unique()))
        elif type(leaf) in (int, Long) and any(name in _counted(each) for each in decls):
            return Unknown(Why.DYNAMIC, name, ("count", run.unique()))
        return leaf

    return apply(other, value)


@remembered
def _counted(decl: ir.ClassDecl) -> frozenset[str]:
    """The variables of a class to which its code adds, or from which it takes away."""
    found = set()
    for node in nodes(decl.methods):
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name | ir.Attribute):
            value, name = node.value, node.target.name
            again = isinstance(value, ir.Binary) and any(
                isinstance(one, ir.Name | ir.Attribute) and one.name == name
                for one in (value.left, value.right)
            )
            if node.operator or again:
                found.add(name)
    return frozenset(found)


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
