"""Whether anything starts a consumer that a program makes, and whether Spring or Micronaut have it at all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from subdrift.linter.clients.apis import Action
from subdrift.linter.model.facts import Condition
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.execute.clients import Client, frames_of
from subdrift.linter.resolve.execute.declarations import Class, File, Method
from subdrift.linter.resolve.execute.entries import is_mentioned, is_root
from subdrift.linter.resolve.execute.entries.names import MAKER
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Object
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.programs.runs import Programs
from subdrift.linter.resolve.programs.together import open_condition
from subdrift.linter.resolve.programs.unfollowed import Unfollowed
from subdrift.linter.resolve.spring.annotations import Annotations, Meant
from subdrift.linter.resolve.spring.conditions import Conditions
from subdrift.linter.resolve.spring.registration import Registered, Registrations
from subdrift.linter.resolve.unreached import ANY_FUNCTION
from subdrift.linter.resolve.world import World

_STARTS = frozenset({"init", "start", "run", "afterPropertiesSet", "initialize", "open", "setup", "main"})
"""Names by which descriptions that are not read here (properties of a framework) call methods of beans."""

_PRODUCING = frozenset({"getObject", "createInstance"})
"""The methods by which factories of the container make what they stand for."""


class Starts:
    """Tells of consumers of a deployable's programs, in one environment, whether anything starts them.

    `registrations` is what Spring has; None where it has no say.
    """

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        programs: Programs,
        registrations: Registrations | None,
    ) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment
        self.programs = programs
        self.registrations = registrations
        self.unfollowed = Unfollowed.of(world, deployable, programs)

    def conditions(
        self, entry: str, run: Interpreter, client: Client, started: bool, unreached: bool
    ) -> list[Condition]:
        """Whether a consumer of an entry runs: nothing where it does for certain. `started`: code of its run starts it;
        `unreached`: nothing in sight calls the entry."""
        executed, unfollowed = self.programs.executed, self.unfollowed
        python = client.api.startswith("py")
        if not started and client.api not in ("http", "py-http"):  # these have no start
            if client.perhaps:
                return [open_condition(client, client.perhaps)]
            called = "start" in run.missed or run.may_have_called("start")  # on what may be this one
            if client.escaped:
                if any(event.action is Action.START for event in client.events) and not called:
                    return [Condition("never-started", "", client.at.span)]  # what starts it, does not here
                is_bean = client.api == "push" and entry == "container" and not self._is_product(client)
                if is_bean and self._starts_no_bean:
                    return [Condition("never-started", phrase("no-init-method"), client.at.span)]
                # else a framework may start it
                unseen = executed.closed or python
                return [open_condition(client, phrase("started-by-unseen-code"))] if unseen else []
            if called:
                return [open_condition(client, phrase("started-by-unresolved-call"))]
            if executed.closed or not self._is_started_beside(run, client):
                return [Condition("never-started", "", client.at.span)]
            return []
        unreached = unreached or client.unreached
        if (unreached or (is_root(entry) and executed.closed)) and self._is_called_unseen(client):
            return [open_condition(client, phrase("called-by-unresolved-call"))]
        if (
            unreached
            or self._is_made_by_nobody(entry, client)
            or self._is_called_by_nobody(entry, run, client)
        ):
            unread = unfollowed.unread_types
            why = phrase("called-by-unread-code", min(unread)) if unread else phrase("nothing-calls-it")
            return [Condition("not-reached" if unread else "never-started", why, client.at.span)]
        if client.perhaps:
            return [open_condition(client, client.perhaps)]
        unread_code = unfollowed.unread_modules if python else sorted(unfollowed.unread_types)
        if unread_code and ("#" in entry if python else executed.closed and _is_below(entry, client)):
            # nothing in sight calls it: who does may do so on an object of a class that is not here
            return [open_condition(client, phrase("called-by-unread-code", unread_code[0]))]
        return []

    def _is_product(self, client: Client) -> bool:
        """Whether a factory of the container makes a consumer, whose products are handed where this is not followed."""
        methods = [frame.method for frame in frames_of(client.frame) if frame.method is not None]
        return any(
            method.name in _PRODUCING
            and any(
                above.endswith("FactoryBean") for above in self.programs.scope.library_supers(method.owner)
            )
            for method in methods
        )

    @cached_property
    def _starts_no_bean(self) -> bool:
        """Whether no code of an application starts a consumer that a method of a configuration makes: none starts anything,
        or all that does was run, and on others."""
        if self.registrations is None:
            return False
        return not self.registrations.may_start_consumers or self._all_starts_were_run

    @cached_property
    def _all_starts_were_run(self) -> bool:
        runs = [run for _, run, _ in self.programs.executed.runs]
        if any(run.ended is not None or run.died is not None for run in runs):
            return False
        ran = set().union(*(run.ran for run in runs))
        callers = self.programs.scope.program.slice.callers.get("start", ())
        return all(one in ran for one in callers if scope_of(one.owner.origin.path) != "test")

    def registered(self, client: Client) -> Registered | None:
        """What Spring says of the methods that led to a consumer; None where it has no say."""
        if self.registrations is None:
            return self._required(client)
        found: Registered | None = None
        for frame in frames_of(client.frame):
            method, made = frame.method, frame.this if isinstance(frame.this, Object) else None
            if method is None:
                found = found or self._initialised(made)
                continue
            if frame.caller is None and made is not None and MAKER in made.fields:
                method, made = made.fields[MAKER], None  # of that it hangs whether there is the object
            at = method.owner.at(method.decl.name_at)
            this = made.declared if made is not None and made.bean else None
            if frame.caller is not None and this is None and method.annotation("Bean") is None:
                continue  # code calls it itself, on what is not a bean
            said = self.registrations.entered(at.origin, method.owner.name, method.name, at.span, this)
            if said is not None and found is not None and found.refused is None and said.refused is None:
                both = dict.fromkeys((*found.conditions, *said.conditions))
                found = Registered(found.ordinal, tuple(both))  # a maker and what it makes
            elif said is not None and (said.refused is not None or found is None):
                found = said
        return found

    def _initialised(self, made: Object | None) -> Registered | None:
        """What Spring says of what a bean makes with its fields; None where it has no say."""
        if made is None or made.declared is None or not made.bean or self.registrations is None:
            return None
        at = made.declared.at(made.declared.decl.name_at)
        return self.registrations.entered(at.origin, made.declared.name, "<init>", at.span, made.declared)

    def _required(self, client: Client) -> Registered | None:
        """What Micronaut's `@Requires` at the classes and methods that led to a consumer comes to; None without any."""
        annotations = Annotations(self.world.definitions, self.deployable)
        written: list[Meant] = []
        for frame in frames_of(client.frame):
            method = frame.method
            owner = (
                self.world.definitions.own(method.owner.origin, method.owner.name)
                if method is not None
                else None
            )
            if method is None or owner is None:
                continue
            line = method.owner.at(method.decl.name_at).span.line
            uses = [
                use for one in owner.methods(method.name) if one.at.line == line for use in one.annotations
            ]
            written += annotations.of(owner.placed, (*owner.type.annotations, *uses))
        asked = [each for each in written if each.simple == "Requires"]
        if not asked:
            return None
        outcome = Conditions(self.world, self.deployable, self.environment).asked(asked)
        return Registered(0, outcome.open, outcome.failed)

    def _is_started_beside(self, run: Interpreter, client: Client) -> bool:
        """Whether a method of the class that makes the consumer starts something, and the run did not come through."""
        if not client.api.startswith("py") and self.programs.beside.of(client).starts:
            return True
        called = self.programs.program.slice.methods
        owners = {frame.method.owner for frame in frames_of(client.frame) if frame.method is not None}
        return any(
            method not in run.ran and method in called and "start" in called[method].called
            for owner in owners
            for methods in owner.methods.values()
            for method in methods
        )

    def _is_called_unseen(self, client: Client) -> bool:
        """Whether a method that led to a consumer, or to what was done with it, may be one that a run called on what nobody
        knows; a function that code hands on may be any."""
        frames = (client.frame, *(event.frame for event in client.events))
        every = [each for frame in frames for each in frames_of(frame)]
        names = {each.method.name for each in every if each.method is not None}
        if not names.isdisjoint(self.unfollowed.calls):
            return True
        runs = (run for _, run, _ in self.programs.executed.runs if not run.budget.brief)
        held = any(
            each.function is not None for each in every
        ) or ANY_FUNCTION in self.unfollowed.leads.callers_of(names)
        return held and any(run.missed for run in runs)

    def _is_made_by_nobody(self, entry: str, client: Client) -> bool:
        """Whether a consumer stands in a class that is not a bean of the application and that nothing in sight calls."""
        if self.registrations is None or not is_root(entry):
            return False
        methods = [frame.method for frame in frames_of(client.frame) if frame.method is not None]
        if not methods:
            return False
        owner = methods[-1].owner
        if scope_of(owner.origin.path) == "test" or self.registrations.is_bean(owner.origin, owner.name):
            return False
        named = [self.programs.scope.named(each.name, owner) for each in owner.decl.annotations]
        if owner.decl.supers or not all(
            isinstance(each, str) and each.startswith("lombok.") for each in named
        ):
            return False  # a container of another kind may make it, and call it as what stands above it
        return not is_mentioned(owner, self._files_of_slice())

    def _is_called_by_nobody(self, entry: str, run: Interpreter, client: Client) -> bool:
        """Whether a consumer stands in a method of a bean of the application that no code in sight calls, no annotation
        names to a framework, and no type above declares; or in a job of an application that schedules none."""
        if self.registrations is None or entry != "container":
            return False
        methods = [frame.method for frame in frames_of(client.frame) if frame.method is not None]
        if not methods:
            return False
        outer = methods[-1]
        owner = outer.owner
        if (
            outer.decl.static
            or outer.name == "<init>"
            or outer.name in _STARTS
            or owner.file.unit.language != "java"
        ):
            return False
        if scope_of(owner.origin.path) == "test" or not self.registrations.is_bean(owner.origin, owner.name):
            return False
        if outer.decl.annotations:
            only = [each.name.rpartition(".")[2] for each in outer.decl.annotations]
            if only == ["EventListener"]:
                return self._hears_nothing(run, outer)
            return only == ["Scheduled"] and not self._is_named("EnableScheduling")
        if run.scope.library_supers(owner):
            return False  # a library may call what it declares
        above = [each for each in run.scope.supers(owner) if each is not owner and outer.name in each.methods]
        return not above and outer.name not in self._called_names

    def _hears_nothing(self, run: Interpreter, method: Method) -> bool:
        """Whether a method listens to events of the program, or of Java's own types, and nothing publishes any."""
        params = method.decl.params
        ref = params[0].type if len(params) == 1 and not method.decl.annotations[0].args else None
        named = run.scope.named(ref.name, method.owner) if ref is not None else None
        own = isinstance(named, Class) or named in (
            "String",
            "Object",
            "java.lang.String",
            "java.lang.Object",
        )
        return own and "publishEvent" not in self._called_names

    def _is_named(self, name: str) -> bool:
        return any(name in file.unit.names for file in self._files_of_slice())

    def _files_of_slice(self) -> Iterable[File]:
        return dict.fromkeys(one.file for one in self.programs.program.slice.classes)

    @cached_property
    def _called_names(self) -> frozenset[str]:
        """The names of all methods that code of the program calls or refers to."""
        return frozenset(name for file in self._files_of_slice() for name, _ in file.unit.calls)


def _is_below(entry: str, client: Client) -> bool:
    """Whether a consumer is made by code of an abstract class that nothing in sight calls, on an object of a class below."""
    *_, outermost = frames_of(client.frame)
    outer = outermost.method if is_root(entry) else None
    return outer is not None and not outer.decl.static and not outer.owner.concrete
