"""Spring Cloud Stream: binding keys of several files, function beans and channel interfaces -> consumer sites.

Only bindings of the RocketMQ binder, only inputs. Which keys a filter, model or order stands in changed with the
binder (2.2.7, 2021.0.1.0): a key of the other family has no effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from subdrift.linter.model.expr import (
    Call,
    Concat,
    Config,
    Expr,
    Items,
    Literal,
    Name,
    TypeName,
    Unknown,
    Why,
)
from subdrift.linter.model.facts import (
    AnnotationUse,
    Attribute,
    Condition,
    ConsumerSite,
    Method,
    Setting,
    SubscriptionSite,
    Type,
)
from subdrift.linter.model.location import Origin, Span
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.definitions import Ambiguous, TypeDef
from subdrift.linter.resolve.environment import Entry, Environment
from subdrift.linter.resolve.evaluate import Evaluator
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.resources import is_test_resource
from subdrift.linter.resolve.spring.registration import Registrations
from subdrift.linter.resolve.starters import configured
from subdrift.linter.resolve.stream.keys import STREAM, Keys
from subdrift.linter.resolve.stream.versions import Anonymous, Family
from subdrift.linter.resolve.world import World

DESTINATIONS_MAX = 64
"""Elements of one comma list of destinations that become members."""

INPUTS_MAX = 16
"""Inputs of one function that are looked for."""

_ANNOTATIONS = "org.springframework.cloud.stream.annotation."

_CHANNELS = "org.springframework.cloud.stream.messaging."

_BUS = "springCloudBusInput"

_INPUT = re.compile(r"(.+)-in-(\d+)")

_OUTPUT = re.compile(r".+-out-\d+")

_OF_SPRING = frozenset({"errorChannel", "nullChannel"})


class BoundSite(ConsumerSite, frozen=True):
    """A binding. `code`: the file whose code declares it, None where keys alone do: which program it is one of."""

    code: Origin | None = None


class _Input(Struct):
    """An input binding: where code declares it (None: keys alone do), and whether it is polled. `unbound`: why no function is
    bound to it."""

    code: tuple[Placed, Span] | None = None
    polled: bool = False
    open: tuple[Condition, ...] = ()
    unbound: str = ""


def sites(
    world: World,
    deployable: Deployable,
    environment: Environment,
    files: Sequence[Placed],
    registrations: Registrations | None = None,
) -> list[tuple[Placed, ConsumerSite]]:
    """The inputs a deployable binds to RocketMQ in one environment; with `registrations` those of its beans alone."""
    reader = Reader(world, deployable, environment, files, registrations)
    return list(reader.sites()) if reader.concerned else []


class Reader(Keys):
    """Reads the bindings of one deployable in one environment."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        files: Sequence[Placed],
        registrations: Registrations | None,
    ) -> None:
        super().__init__(world, deployable, environment)
        self.registrations = registrations
        self._open: dict[str, tuple[Condition, ...]] = {}
        self.files = [p for p in files if p.facts.on_jvm and not is_test_resource(p.origin.path)]

    @property
    def concerned(self) -> bool:
        """Whether anything speaks of the RocketMQ binder at all."""
        return (
            self.depends
            or bool(self._children(f"{STREAM}.rocketmq"))
            or any(self._text(f"{STREAM}.binders.{b}.type") == "rocketmq" for b in self._binders())
        )

    def sites(self) -> Iterator[tuple[Placed, ConsumerSite]]:
        for name, found in self._inputs().items():
            if name != _BUS and self._is_rocketmq(name):
                yield from self._members(name, found)

    # -- which bindings are inputs ----------------------------------------------------------------------------

    def _inputs(self) -> dict[str, _Input]:
        found: dict[str, _Input] = {}
        beans = self._beans()
        if self.registrations is not None and self._channels(found) is not None:
            return found  # an application of the annotation model binds no functions
        bases = self._functions(found, beans)
        resolved = self._channels(found) if self.registrations is None else None
        self._explicit(found)
        if self.registrations is not None:
            self._unbound(found, beans)
        if self.deployable.known and self.registrations is None:
            self._by_name(found, bases, bool(beans), resolved)
        return found

    def _beans(self) -> dict[str, tuple[str, Placed, Span]]:
        if self.registrations is not None:
            found = self.registrations.functions()
            self._open = {name: conditions for name, _, _, _, conditions in found if conditions}
            return {name: (kind, placed, span) for name, kind, placed, span, _ in found}
        return {
            name: (kind, placed, span)
            for placed in self.files
            for name, kind, span in placed.facts.functional
        }

    def _functions(
        self, found: dict[str, _Input], beans: dict[str, tuple[str, Placed, Span]]
    ) -> frozenset[str] | None:
        """The inputs of function beans; the names a definition lists, None where there is no definition."""
        items = self._items()
        single = len(beans) == 1
        for item in items or sorted(beans):
            parts = _composed(item)
            composed = [part.strip() for part in parts]
            base = "".join(composed)
            kind, *place = beans.get(composed[0], ("", None, None)) if composed else ("", None, None)
            if not base or kind == "supplier":
                continue
            if not beans.keys() >= set(parts) and self._is_ghost(parts, beans):
                continue
            code = (
                (place[0], place[1]) if isinstance(place[0], Placed) and isinstance(place[1], Span) else None
            )
            for index in range(INPUTS_MAX):
                implicit = f"{base}-in-{index}"
                name = (
                    self._text(f"{STREAM}.function.bindings.{implicit}")
                    or self._text(f"{STREAM}.function.bindings.{item}-in-{index}")
                    or implicit
                )
                keyed = self._keyed(name)
                bound = index == 0 and (bool(items) or (single and self._alone()))
                if keyed and self.registrations is not None and not items and not single:
                    break  # of several functions none is picked without a definition
                if (keyed and (code or self.deployable.known)) or (bound and code):
                    opened = tuple(one for part in composed for one in self._open.get(part, ()))
                    found[name] = _Input(code, open=opened)
                elif index:
                    break
        return frozenset("".join(re.split(r"[|,\s]+", item)) for item in items) if items else None

    def _items(self) -> list[str]:
        """What the definition asks for: each item is a function, or several that are composed."""
        definition = self._text("spring.cloud.function.definition")
        if not self.is_late:
            definition = self._text(f"{STREAM}.function.definition") or definition
        return [item.strip() for item in definition.split(";") if item.strip()]

    def _unbound(self, found: dict[str, _Input], beans: dict[str, tuple[str, Placed, Span]]) -> None:
        """The inputs that keys describe and the definition, or a lack of it, leaves without a function."""
        items = {item: _composed(item) for item in self._items()}
        whole = {"".join(part.strip() for part in parts): parts for parts in items.values()}
        for name in self._names():
            match = _INPUT.fullmatch(name)
            if match is None or name in found:
                continue
            base = match[1]
            kind, *place = beans.get(base, ("", None, None))
            code = (
                (place[0], place[1]) if isinstance(place[0], Placed) and isinstance(place[1], Span) else None
            )
            item = next((item for item, parts in items.items() if base in map(str.strip, parts)), "")
            if base in whole and not item:
                absent = next((part for part in whole[base] if part not in beans), "")
                if absent and beans:
                    found[name] = _Input(code, unbound=phrase("no-function-called", absent))
                continue
            if not code and not (item and not beans.keys().isdisjoint(items[item])) and base not in items:
                continue
            if item and len(items[item]) > 1:
                found[name] = _Input(code, unbound=phrase("composed-to-one", item))
            elif item:
                found[name] = _Input(code, unbound=phrase("no-function-called", base))
            elif items:
                found[name] = _Input(code, unbound=phrase("left-out-by-definition", ";".join(items)))
            elif code and kind != "supplier":
                whether = Condition("condition", phrase("definition-names", base), code[1], code[0].origin)
                found[name] = _Input(code, open=(whether,))

    def _is_ghost(self, composed: Sequence[str], beans: Mapping[str, object]) -> bool:
        """Whether nothing is bound for names of which one has no bean. A catalog of one function gives it for any name that is
        alone; of names that are composed blanks are a part."""
        if self.registrations is None:
            return False
        if len(composed) > 1 and beans:
            return True
        written = {name for placed in self.files for name, _, _ in placed.facts.functional}
        refused = any(self.registrations.is_refused(part) or part in written for part in composed)
        return len(beans) > 1 or (not beans and refused)

    def _alone(self) -> bool:
        """Whether a lone function bean is bound though no key names it: its keys live in a configuration centre."""
        if self.registrations is not None:
            return True
        return self.depends and bool(self.environment.configuration.centre) and not self._names()

    def _explicit(self, found: dict[str, _Input]) -> None:
        for key, polled in (("input-bindings", False), ("pollable-source", True)):
            for base in re.split(r"[;,]", self._text(f"{STREAM}.{key}")):
                base = base.strip()
                if not base:
                    continue
                implicit = f"{base}-in-0"
                name = self._text(f"{STREAM}.function.bindings.{implicit}") or implicit
                if self.registrations is not None:
                    named = found.setdefault(base if self.is_late else name, _Input(self._place(key)))
                    named.polled |= polled
                    continue
                if not self._keyed(name) and self._keyed(base):
                    name = base
                if self._keyed(name):
                    found.setdefault(name, _Input()).polled |= polled

    def _by_name(
        self, found: dict[str, _Input], bases: frozenset[str] | None, beans: bool, resolved: bool | None
    ) -> None:
        """What the names and keys of bindings tell where the code is not in the tree."""
        for name in self._names():
            if name in found or _OUTPUT.fullmatch(name):
                continue
            match = _INPUT.fullmatch(name)
            if match is not None:
                if bases is None and not beans:
                    found[name] = _Input()
                continue
            consumes = self._children(f"{STREAM}.rocketmq.bindings.{name}.consumer") or self._children(
                f"{STREAM}.bindings.{name}.consumer"
            )
            produces = self._children(f"{STREAM}.rocketmq.bindings.{name}.producer") or self._children(
                f"{STREAM}.bindings.{name}.producer"
            )
            if consumes and not produces and not resolved and not beans and bases is None:
                found[name] = _Input()

    # -- channels of the annotation model ---------------------------------------------------------------------

    def _channels(self, found: dict[str, _Input]) -> bool | None:
        """The inputs that annotations name. True where all of them were understood, None where there is none."""
        understood: bool | None = None
        for placed in self.files:
            for type_ in placed.facts.types:
                for use in type_.annotations:
                    if not _is(use, "EnableBinding") or not self._has_effect(placed, type_):
                        continue
                    for candidates in _types_in(use.argument("value")):
                        known = self._channel_interface(candidates, placed, use.at, found)
                        understood = known and understood is not False
                for method in type_.methods if self.registrations is None else ():
                    self._listener(placed, type_, method, found)
        return understood

    def _has_effect(self, placed: Placed, type_: Type) -> bool:
        return self.registrations is None or self.registrations.holds(placed, type_.name)

    def _channel_interface(
        self, candidates: Sequence[str], placed: Placed, at: Span, found: dict[str, _Input]
    ) -> bool:
        """The inputs of one interface of `@EnableBinding`; False where it is not known."""
        try:
            defined = self.world.definitions.first(candidates, placed, self.deployable)
        except Ambiguous:
            return False
        if defined is None:
            return self._library(candidates, placed, at, found)
        for owner in self.world.definitions.supers(defined.type, self.deployable):
            for supers in owner.type.supers:
                self._library(supers, owner.placed, owner.type.at, found)
            for method in owner.type.methods:
                for use in method.annotations:
                    if _is(use, "Input"):
                        name = self._channel_name(use, owner, method.name)
                        if name:
                            polled = any(t.endswith("PollableMessageSource") for t in method.return_type)
                            found.setdefault(name, _Input((owner.placed, use.at), polled))
        return True

    @staticmethod
    def _library(candidates: Sequence[str], placed: Placed, at: Span, found: dict[str, _Input]) -> bool:
        """`Sink`, `Source` and `Processor` of the library."""
        for candidate in candidates:
            simple = candidate.removeprefix(_CHANNELS)
            if candidate.startswith(_CHANNELS) and simple in ("Sink", "Source", "Processor"):
                if simple != "Source":
                    found.setdefault("input", _Input((placed, at)))
                return True
        return False

    def _listener(self, placed: Placed, type_: Type, method: Method, found: dict[str, _Input]) -> None:
        """`@StreamListener` and `@ServiceActivator` name an input."""
        for use in method.annotations:
            if _is(use, "StreamListener"):
                expr = use.argument("value") or use.argument("target")
                demand = False
            elif use.candidates and use.candidates[0].endswith(".ServiceActivator"):
                expr = use.argument("inputChannel")
                demand = True  # a channel of Spring Integration, unless keys speak of it
            else:
                continue
            name = self._annotated(expr, placed, type_.name)
            if name in _OF_SPRING:
                continue  # a channel in memory: nothing is bound to it
            if name and (not demand or self._keyed(name)):
                found.setdefault(name, _Input((placed, use.at)))

    def _channel_name(self, use: AnnotationUse, owner: TypeDef, method: str) -> str:
        expr = use.argument("value")
        if expr is None or (isinstance(expr, Literal) and not expr.text):
            return method
        return self._annotated(expr, owner.placed, owner.name)

    def _annotated(self, expr: Expr | None, placed: Placed, type_name: str, otherwise: str = "input") -> str:
        """The text of an annotation's attribute, "" where it is not known; `otherwise` is what the constant of the library's
        own interface holds, which is in no tree."""
        if isinstance(expr, Items) and len(expr.items) == 1:
            expr = expr.items[0]
        if expr is None:
            return ""
        evaluator = Evaluator(self.world, self.deployable, self.environment)
        value = evaluator.text(expr, placed)
        if value.text is not None:
            return value.text
        if isinstance(expr, Name) and any(c.endswith(f"#{otherwise.upper()}") for c in expr.candidates):
            return otherwise
        return ""

    # -- one binding ------------------------------------------------------------------------------------------

    def _members(self, name: str, found: _Input) -> Iterator[tuple[Placed, ConsumerSite]]:
        key = f"{STREAM}.bindings.{name}"
        destination = self._first(f"{key}.destination", f"{STREAM}.default.destination")
        group = self._first(f"{key}.group", f"{STREAM}.default.group")
        anchor = self._first(f"{key}.destination") or self._first(f"{key}.group") or self._any(name)
        if anchor is not None and anchor.at.origin in self.world.files:
            placed, at = self.world.files[anchor.at.origin], anchor.at.span
        elif found.code is not None:
            placed, at = found.code
        else:
            return
        local = destination is not None or group is not None
        remote = bool(self.environment.configuration.centre) and not local
        for number, topic in enumerate(self._topics(name, destination, remote, at)):
            settings = [
                Setting(Attribute.GROUP, self._group(name, found, group, topic, destination, remote, at), at),
                *self._settings(name, at),
            ]
            expression, kind = self._filter(name, found.polled, at)
            if remote and expression is None:
                expression = Unknown(Why.EXTERNAL_CONFIG, f"{key}.destination", at)
            subscription = SubscriptionSite(at, topic, expression, kind)
            symbol = name if number == 0 else f"{name}[{number}]"
            yield (
                placed,
                BoundSite(
                    "stream",
                    at,
                    symbol,
                    "",
                    tuple(settings),
                    (subscription,),
                    conditions=(*found.open, *self._stopped(name, at), *_refused(found, at)),
                    code=found.code[0].origin if found.code is not None else None,
                ),
            )

    def _stopped(self, name: str, at: Span) -> tuple[Condition, ...]:
        """What keeps a binding from starting by itself."""
        for key in (
            f"{STREAM}.bindings.{name}.consumer.auto-startup",
            f"{STREAM}.default.consumer.auto-startup",
        ):
            said = self._text(key).lower()
            if said:
                return (Condition("disabled", f"{key}=false", at),) if said == "false" else ()
        return ()

    def _topics(self, name: str, destination: Entry | None, remote: bool, at: Span) -> Iterator[Expr]:
        """One topic for each element of the destination; a multiplexed list is taken literally."""
        if destination is None:
            if remote:
                yield Config(f"{STREAM}.bindings.{name}.destination", at)
            else:
                yield Literal(name, at)
            return
        topic = configured(destination, at)
        value = self._evaluated(destination)
        multiplex = self._text(f"{STREAM}.bindings.{name}.consumer.multiplex").lower() == "true"
        count = value.text.count(",") + 1 if value.text is not None and not multiplex else 1
        if count == 1:
            yield topic
            return
        for number in range(min(count, DESTINATIONS_MAX)):
            yield Call("element", (topic, Literal(str(number), at)), at)

    def _group(
        self,
        name: str,
        found: _Input,
        group: Entry | None,
        topic: Expr,
        destination: Entry | None,
        remote: bool,
        at: Span,
    ) -> Expr:
        if group is not None:
            return configured(group, at)
        key = f"{STREAM}.bindings.{name}.group"
        asked = Config(key, at)
        if remote or self.environment.answer(key) is not None:
            return asked
        dead = isinstance(topic, Config) and destination is not None and self._is_dead_letter(destination)
        match self.anonymous:
            case Anonymous.NAMED if not dead:
                return Concat((Literal("anonymous_", at), topic), at)
            case Anonymous.PUSH_ONLY if not found.polled and not dead:
                return Concat((Literal("anonymous_", at), topic), at)
        return asked

    def _is_dead_letter(self, destination: Entry) -> bool:
        return (self._evaluated(destination).text or "").startswith("%DLQ%")

    def _settings(self, name: str, at: Span) -> Iterator[Setting]:
        old = self.family is not Family.NEW
        new = self.family is not Family.OLD
        yield from self._setting(Attribute.ENABLED, self._consumer_keys(name, "enabled"), at)
        models = self._consumer_keys(name, "message-model") if new else ()
        orders = self._consumer_keys(name, "push.orderly") if new else ()
        if old:
            models += self._consumer_keys(name, "broadcasting")
            orders += self._consumer_keys(name, "orderly")
        yield from self._setting(Attribute.MESSAGE_MODEL, models, at)
        yield from self._setting(Attribute.CONSUME_MODE, orders, at)
        if new:
            namespaces = self._consumer_keys(name, "namespace")
            namespaces += tuple(f"{prefix}.binder.namespace" for prefix in self._prefixes(name))
            yield from self._setting(Attribute.NAMESPACE, namespaces, at)
        servers = tuple(f"{prefix}.binder.name-server" for prefix in self._prefixes(name))
        yield from self._setting(Attribute.NAME_SERVER, servers, at)

    def _filter(self, name: str, polled: bool, at: Span) -> tuple[Expr | None, Expr | None]:
        """Expression and filter type, None where nothing is written.

        Mirrors RocketMQUtils#getMessageSelector (new binder); the old binder's push consumer takes SQL over tags,
        its polled one tags over SQL.
        """
        new = (
            self._first(*self._consumer_keys(name, "subscription")) if self.family is not Family.OLD else None
        )
        tags = sql = None
        if self.family is not Family.NEW:
            tags = self._first(*self._consumer_keys(name, "tags"))
            sql = self._first(*self._consumer_keys(name, "sql"))
        if new is not None and (tags or sql):
            gap = Unknown(Why.AMBIGUOUS, phrase("both-binder-families"), at)
            return gap, gap
        if new is not None:
            return self._subscription(new, at)
        if sql is not None and not (polled and tags):
            return configured(sql, at), Literal("SQL92", at)
        return (configured(tags, at), None) if tags is not None else (None, None)


def _composed(item: str) -> list[str]:
    """The functions that an item of a definition puts one behind the other, with the blanks around them: a comma does, as a
    bar does."""
    return [part for part in re.split(r"[|,]", item) if part.strip()]


def _refused(found: _Input, at: Span) -> tuple[Condition, ...]:
    return (Condition("disabled", found.unbound, at),) if found.unbound else ()


def _is(use: AnnotationUse, simple: str) -> bool:
    return f"{_ANNOTATIONS}{simple}" in use.candidates


def _types_in(expr: Expr | None) -> Iterator[tuple[str, ...]]:
    if isinstance(expr, TypeName):
        yield expr.candidates
    elif isinstance(expr, Items):
        for item in expr.items:
            yield from _types_in(item)
