"""What code of the program does to the consumer of an annotated listener before it starts: in the listener's own hook, and in
post-processors, which see the container that the library makes for it."""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.clients.apis import Action
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Attribute
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.execute.clients import Client, java_row, java_view, log, make_java
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.entries.container import Containing
from subdrift.linter.resolve.execute.entries.names import HOOK, LISTENERS
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Guarded, Object, Unknown, text
from subdrift.linter.resolve.spring.beans import PROCESSED, PROCESSORS

_GROUPS = ("consumerGroup", "groupId", "group")
"""How annotations of listeners call it."""

_CONTAINER = java_row("spring-listener").types[0]
"""What the starter makes for each annotated listener. Mirrors ListenerContainerConfiguration, rocketmq-spring 2.0 to 2.3: it is
a bean of its own, and its consumer is made when it is initialised."""


_HANDLER = "getInvocationHandler"
"""How code comes to what an annotation is made of, to write something else into it."""

_REWRITTEN = Unknown(Why.DYNAMIC, f"{_HANDLER}()")


class Hooking(Containing):
    """Runs what is done to the consumers of annotated listeners."""

    def _hooks(self) -> None:
        processors = [*self._processors()]
        rewritten = self._are_rewritten()
        for one in self.classes:
            if not one.concrete or one.annotation(*LISTENERS) is None:
                continue
            if processors or rewritten:
                self._process_container(one, processors, rewritten=rewritten)
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
        """Runs what an annotated listener does to its consumer before the library starts it."""
        from subdrift.linter.resolve.semantics.jvm import beans, consumers

        run, consumer, client = self._given(method.owner, method.decl.name_at, handed)
        with self._bounded(run):
            consumer.fields[consumers.GIVEN_GROUP] = self._said(run, one, _GROUPS)
            made = beans.instance(self.semantics(one.file.language), run, one)  # type: ignore[arg-type]
            run.guard, run.raised = True, []
            run.invoke(method, made, Arguments([consumer]), None, None)
        self.done.hooks.setdefault((one.origin, one.name), []).append((run, client))

    def _given(self, owner: Class, at: ir.At, kind: str) -> tuple[Interpreter, Object, Client]:
        """A run, and in it a consumer that a library hands to code of a class."""
        run = Interpreter(self.scope, self.semantics)
        run.heap["bean methods"] = self._bean_methods()
        row, place = java_view(kind), owner.at(at)
        assert row is not None
        consumer = run.make(None, kind, place)
        return run, consumer, make_java(run, row, consumer, place, run.frame(owner, None))

    def _said(self, run: Interpreter, one: Class, names: tuple[str, ...]) -> Guarded:
        """What the annotation of a listener says by one of some names."""
        from subdrift.linter.resolve.semantics.jvm import beans

        use = one.annotation(*LISTENERS)
        said = next((each.value for each in use.args if each.name in names), None) if use else None
        if use is None or said is None:
            return Unknown(Why.DYNAMIC, phrase("injected", names[-1]))
        written = ir.Annotation("Value", (ir.Argument(said, "value"),), use.at)
        return beans.value_of(self.semantics(one.file.language), run, written, one, None)  # type: ignore[arg-type]

    def _processors(self) -> Iterator[tuple[Class, Method]]:
        """The post-processors of the deployable that name the container, with what they do before it is initialised."""
        simple = _CONTAINER.rpartition(".")[2]
        for one in self.classes:
            if not one.concrete or simple not in one.file.unit.names or scope_of(one.origin.path) == "test":
                continue
            above = {name.rpartition(".")[2] for name in self.scope.library_supers(one)}
            if not above.isdisjoint(PROCESSORS):
                for method in self.scope.methods(one, PROCESSED[0], 2)[:1]:
                    if not method.abstract:
                        yield one, method

    def _are_rewritten(self) -> bool:
        """Whether code of the deployable may write other values into the annotations of listeners."""
        return any(
            any(name in file.unit.names for name in LISTENERS)
            and any(name == _HANDLER for name, _ in file.unit.calls)
            and scope_of(file.origin.path) != "test"
            for file in self.files
        )

    def _process_container(
        self, one: Class, processors: list[tuple[Class, Method]], *, rewritten: bool
    ) -> None:
        """Runs what post-processors do to the container of a listener, whose annotation may have been rewritten."""
        from subdrift.linter.resolve.semantics.jvm import beans, candidates, consumers, managed

        run, container, client = self._given(one, one.decl.name_at, _CONTAINER)
        with self._bounded(run):
            container.fields |= {
                consumers.GIVEN_GROUP: self._said(run, one, _GROUPS),
                consumers.GIVEN_TOPIC: self._said(run, one, ("topic",)),
                consumers.GIVEN_EXPRESSION: self._said(run, one, ("selectorExpression",)),
            }
            if rewritten:
                frame = run.frame(one, None)
                container.fields |= dict.fromkeys(container.fields, _REWRITTEN)
                log(run, client, Action.SET, (_REWRITTEN,), client.at, frame, Attribute.GROUP)
                for action in (Action.PART_TOPIC, Action.PART_EXPRESSION):
                    log(run, client, action, (_REWRITTEN,), client.at, frame)
            for processor, method in processors:
                java = self.semantics(processor.file.language)
                found = () if managed.is_found(self.scope, processor) else managed.makers_of(run, processor)
                makers = [*found] or [processor]  # which an import may make a bean
                for maker, guard in zip(makers, candidates.presence(run, makers), strict=True):
                    made = beans.object_of(java, run, maker)  # type: ignore[arg-type]
                    run.guard, run.raised = guard, []
                    run.invoke(method, made, Arguments([container, text(_CONTAINER)]), None, None)
        if client.events:
            self.done.hooks.setdefault((one.origin, one.name), []).append((run, client))
