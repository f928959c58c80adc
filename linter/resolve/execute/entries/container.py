"""A container is brought up: the beans that lead to a client, what fills the registries that they read, what they hear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from subdrift.linter.model import ir
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.execute.declarations import Class, File, Method
from subdrift.linter.resolve.execute.entries.names import LAST_PHASE
from subdrift.linter.resolve.execute.entries.objects import Entering
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.slice import hears
from subdrift.linter.resolve.spring.beans import EVERY_BEAN, PROCESSORS, REGISTERING, REGISTRARS


class _Beans(Struct, frozen=True):
    """What a container makes for the sake of clients: components and `@Bean` methods that lead to one, components that
    `fill` what these read, methods of registrars that may define some, and those of which a loop over all beans may make
    something."""

    components: tuple[Class, ...]
    factories: tuple[Method, ...]
    fill: tuple[Class, ...]
    registrars: tuple[Method, ...]
    at_hand: tuple[Class | Method, ...]


class Containing(Entering):
    """Runs the container of a deployable."""

    def _container(self) -> None:
        found = self._beans_of_clients()
        if found is not None:
            for method in found.factories:
                self._want_users(method)
            of_files = tuple(
                each for each in self._bean_methods() if each.owner.file.placed.facts.language == "xml"
            )  # that none of the beans of clients is found among by itself
            self.start(
                "container", ("container", found, of_files), lambda run: self._bring_all_up(run, found)
            )

    def _want_users(self, factory: Method) -> None:
        """Asks for the files that call a bean that may be a function: nothing else in them need tell of a client."""
        returns = factory.decl.returns
        named = self.scope.named(returns.name, factory.owner) if returns is not None else ""
        if isinstance(named, Class) and named.is_interface:
            for method in (each for methods in named.methods.values() for each in methods):
                if method.abstract:
                    self.wanted(method)

    def _bring_all_up(self, run: Interpreter, found: _Beans) -> None:
        from subdrift.linter.resolve.semantics.jvm import beans, defined, events, managed
        from subdrift.linter.resolve.semantics.jvm.library import tasks

        run.heap["container"] = True
        run.heap[managed.AT_HAND] = found.at_hand
        run.heap[events.LISTENERS] = [*self._listening(found.components)]
        for one in found.fill:
            run.guard, run.raised = True, []
            beans.instance(self.semantics(one.file.language), run, one)  # type: ignore[arg-type]
        for method in found.registrars:
            run.guard, run.raised = True, []
            java = self.semantics(method.owner.file.language)
            made = beans.instance(java, run, method.owner)  # type: ignore[arg-type]
            given_to = [beans.argument(java, run, method, param) for param in method.decl.params]  # type: ignore[arg-type]
            run.invoke(method, made, Arguments(given_to), None, None)
        given: set[Class] = set()
        for method in found.factories:
            java = self.semantics(method.owner.file.language)
            run.guard, run.raised = True, []
            value = beans.made_by(java, run, method)  # type: ignore[arg-type]
            self._escape(value)
            given |= self._call_back_what(run, method, value)
        seen = {made.declared for _, made, _ in run.heap.get(defined.REGISTERED, ())}
        for one in sorted(given - seen, key=lambda each: each.name):
            if self._is_registered(one):  # one more that nobody has seen being made
                run.guard, run.raised = True, []
                java = self.semantics(one.file.language)
                self._call_back(run, beans.instance(java, run, one), one)  # type: ignore[arg-type]
        for phase in range(LAST_PHASE + 1):  # all of them reach one before any reaches the next
            for one in found.components:
                run.guard, run.raised = True, []
                made = beans.instance(self.semantics(one.file.language), run, one)  # type: ignore[arg-type]
                self._bring_up(run, made, one, phase)
        self._bring_up_registered(run)
        run.guard, run.raised = True, []
        tasks.drain(run)  # runners are run before anything else is called
        for called in (False, True):  # what another calls runs with what that one hands it
            for one in found.components:
                self._operate(run, one, called)
            run.guard, run.raised = True, []
            tasks.drain(run)
            self._bring_up_registered(run)

    def _beans_of_clients(self) -> _Beans | None:
        from subdrift.linter.resolve.semantics.jvm import managed

        matter = [one for one in self.classes if scope_of(one.origin.path) != "test" and self._matters(one)]
        components = [
            one for one in matter if managed.is_found(self.scope, one) and (one.concrete or _looks_up(one))
        ]
        names = {one.simple for one in matter}
        factories = [
            method
            for method in self._bean_methods()
            if scope_of(method.owner.origin.path) != "test"
            and (method in self.slice.hot or self._gives_what_matters(method, names))
        ]
        registrars = tuple(self._registering(names))
        if not (components or factories or registrars):
            return None
        processors = [one for one in matter if any(map(_is_processor, self.scope.library_supers(one)))]
        files = {method.owner.file for method in self.slice.hot if method.owner.origin in self.inside}
        files |= {one.file for one in processors}
        self._ask_for_processed({one.file for one in processors})
        loops = bool(processors) or any(name in self.slice.callers for name in EVERY_BEAN)
        at_hand = self._at_hand(files) if loops else ()
        return _Beans(
            tuple(components),
            tuple(factories),
            tuple(self._filling(files, components)),
            registrars,
            tuple(at_hand),
        )

    def _registering(self, names: set[str]) -> Iterator[Method]:
        """The methods of registrars that the container calls, in files that name classes of clients."""
        for one in self.classes:
            unit = one.file.unit
            if not one.concrete or names.isdisjoint(unit.names):
                continue
            if all(name not in REGISTERING for name, _ in unit.calls):
                continue
            above = {name.rpartition(".")[2] for name in self.scope.library_supers(one)}
            for called in () if above.isdisjoint(REGISTRARS) else REGISTRARS.values():
                yield from (method for method in one.methods.get(called, ()) if not method.abstract)

    def _is_bean(self, one: Class) -> bool:
        from subdrift.linter.resolve.semantics.jvm import managed

        return one.concrete and scope_of(one.origin.path) != "test" and managed.is_found(self.scope, one)

    def _at_hand(self, files: set[File]) -> Iterator[Class | Method]:
        """The beans that carry an annotation of the program that some files name, on themselves or on a method, or are of a
        type that is no class and that they name."""
        named = set().union(*(file.unit.names for file in files))
        kinds = {one.simple for one in self.classes if one.simple in named and not one.concrete}
        for one in self.classes:
            if self._is_bean(one) and not kinds.isdisjoint(self._marks(one)):
                yield one
        for method in self._bean_methods():
            given = self._given_by(method)
            if given is not None and not kinds.isdisjoint(self._marks(given)):
                yield method

    def _ask_for_processed(self, files: set[File]) -> None:
        """Asks for the annotations and types that post-processors look for, and for the classes that are of them."""
        self.scope.demand([name for file in files for name in self._unread(file)])
        named = set().union(*(file.unit.names for file in files))
        for one in self.classes if named else ():
            if one.simple in named and not one.concrete:
                self.scope.implementations(one)

    def _unread(self, file: File) -> Iterator[str]:
        """The names of classes of the program that a file mentions and that nobody has read."""
        near = next((one for one in self.classes if one.file is file), None)
        if near is None:
            return
        for simple in file.unit.names:
            found = self.scope.named(simple, near) if simple[:1].isupper() else near
            if isinstance(found, str) and self.scope.lacks_own(found):
                yield found

    def _marks(self, one: Class) -> Iterator[str]:
        """The simple names of the types above a class, and of the annotations on it, on them and on their methods."""
        for each in self.scope.supers(one):
            yield each.simple
            methods = [method.decl for found in each.methods.values() for method in found]
            written = [each.decl.annotations, *(decl.annotations for decl in methods)]
            yield from (use.name.rpartition(".")[2] for uses in written for use in uses)

    def _filling(self, files: set[File], others: Sequence[Class]) -> Iterator[Class]:
        """The components that make something known when they are made: to a class with a collection that some files name,
        or in a static field of their own."""
        named = set().union(*(file.unit.names for file in files))
        kept = [one for one in self.classes if one.simple in named and any(self._collections(one))]
        for one in self.classes if kept else ():
            if one in others or not self._is_bean(one):
                continue
            called = {name for method in self._initial(one) for name in self.slice.methods[method].called}
            files_of = [each.file for each in self.scope.supers(one)]
            if any(
                (each is one and any(decl.static for decl in self._collections(one)))
                or (
                    not called.isdisjoint(each.methods)
                    and any(each.simple in file.unit.names for file in files_of)
                )
                for each in kept
            ):
                yield one

    @staticmethod
    def _collections(one: Class) -> Iterator[ir.FieldDecl]:
        for decl in one.fields.values():
            if decl.type is not None and decl.type.name.endswith(("Map", "List", "Set", "Table")):
                yield decl

    def _initial(self, one: Class) -> Iterator[Method]:
        """What the container calls when it makes a bean."""
        for each in self.scope.supers(one):
            for name, methods in each.methods.items():
                for method in methods:
                    if (
                        name in ("<init>", "afterPropertiesSet")
                        or method.annotation("PostConstruct") is not None
                    ):
                        yield method

    def _listening(self, components: Sequence[Class]) -> Iterator[tuple[Class, Method]]:
        """The methods of components that hear events."""
        for one in components:
            for each in self.scope.supers(one):
                for methods in each.methods.values():
                    for method in methods:
                        if method in self.slice.hot and hears(method) and not method.abstract:
                            yield one, method


def _looks_up(one: Class) -> bool:
    return any(method.annotation("Lookup") is not None for found in one.methods.values() for method in found)


def _is_processor(name: str) -> bool:
    return name.rpartition(".")[2] in PROCESSORS
