"""What a consumer subscribes to, as rows show it."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.consumer import NOT_APPLICABLE, Subscription, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Attribute
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.execute.clients import Client, Event
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Object
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.programs.places import handed_over, line_of
from subdrift.linter.resolve.programs.replay import ABSENT, Replayed, Replaying
from subdrift.linter.resolve.programs.runs import Programs
from subdrift.linter.resolve.spring.registration import Registrations
from subdrift.linter.resolve.values import filter_kind, named, tags_of
from subdrift.linter.resolve.world import World


class Subscribing(Replaying):
    """Gives the subscriptions of consumers that programs make, in one environment."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        programs: Programs,
        registrations: Registrations | None,
    ) -> None:
        super().__init__(world, deployable, environment, registrations)
        self.programs = programs

    def subscriptions(
        self,
        run: Interpreter,
        client: Client,
        replayed: Replayed,
        missed: Set[str],
        supplied: Location | None,
    ) -> list[Subscription]:
        """What a consumer subscribes to. `missed` are the names that may have been called on it; `supplied` is the call whose
        arguments give it its group, where there is one."""
        at = supplied or line_of(client.frame, client.at, ())
        found = [
            self.told(replayed, one, self.subscription(client, one, client.at.origin, supplied))
            for one in replayed.subscriptions
        ]
        if not found and (replayed.reads_queues or client.api == "pull"):  # it asks for queues
            return [_queues(at)]
        if not found:
            return list(self.unseen(run, client, replayed, at))
        if client.escaped and "subscribe" in missed:  # it may be what that was called on
            found.append(_nobody_knows(at, Why.DYNAMIC, phrase("handed-to-code-nobody-sees")))
        return found

    def subscription(
        self, client: Client, one: tuple[Any, Any, Any, Event], near: Origin, supplied: Location | None
    ) -> Subscription:
        topic, expression, kind, event = one
        if client.api == "grpc-lite":
            topic_value = named(self.value(topic, near))
            return Subscription(client.at, topic_value, NOT_APPLICABLE, NOT_APPLICABLE)
        line = line_of(event.frame, event.at, (topic, expression))
        if (
            supplied is not None
            and line != event.at
            and not handed_over(event.frame, line, (topic, expression))
        ):
            line = supplied  # the values came in by the constructor, not by the call that subscribes
        if client.api == "http":
            line = client.at
        shown_topic = named(self.value(topic, near))
        shown: Value
        if expression is ABSENT or expression is None:
            shown = Value("*", default=expression is ABSENT)
        elif isinstance(expression, Object) and expression.open is not None:
            shown = self.value(expression.open, near)
        elif isinstance(expression, Object) and expression.items is not None:
            shown = tags_of([self.value(item, near) for _, item in expression.items])
        else:
            shown = self.value(expression, near)
            if shown.text == "":
                shown = replace(shown, text="*")
        return Subscription(line, shown_topic, shown, self._filter_type(kind, near))

    @staticmethod
    def told(replayed: Replayed, one: tuple[Any, Any, Any, Event], made: Subscription) -> Subscription:
        """The subscription with what becomes of it while the consumer runs."""
        dropped = replayed.dropped.get(made.topic.text or "")
        late = any(event is one[3] for event in replayed.late)
        return replace(made, late=late, dropped=dropped.at if dropped is not None else None)

    def _filter_type(self, kind: Any, near: Origin) -> Value:
        if kind is ABSENT or kind is None:
            return Value("TAG", default=True)
        if kind == "CLASS":
            return Value("CLASS")
        return filter_kind(self.value(kind, near))

    def _supplied_by_group(self, client: Client, replayed: Replayed) -> Location | None:
        held = replayed.settings.get(Attribute.GROUP)
        if held is None:
            return None
        found = line_of(held[1].frame, held[1].at, (held[0],))
        return found if found != held[1].at else None

    def unseen(
        self, run: Interpreter, client: Client, replayed: Replayed, at: Location
    ) -> Iterator[Subscription]:
        """What a consumer subscribes to that nothing was seen to subscribe, where that is not certain."""
        if "subscribe" in run.missed or run.may_have_called("subscribe"):  # on what may be this one
            yield _nobody_knows(at, Why.DYNAMIC, phrase("subscribed-where-no-run-came-through"))
            return
        if client.api.startswith("py"):
            if client.escaped:
                yield _nobody_knows(at, Why.DYNAMIC, phrase("handed-to-code-nobody-sees"))
            return
        beside = self.programs.beside.of(client)
        if beside.reads and not beside.subscribed:
            yield _queues(at)
            return
        if beside.subscribed:
            (call, place), *_ = beside.subscribed
            unknown = Value(None, Why.DYNAMIC, phrase("subscribed-where-no-run-came-through"))
            written = call.args[1].value if len(call.args) > 1 else None
            if isinstance(written, ir.Const) and isinstance(written.value, str):
                yield Subscription(place, unknown, Value(written.value or "*"), Value("TAG", default=True))
            else:
                yield Subscription(place, unknown, unknown, unknown)
            return
        if run.ended is not None and replayed.started:
            yield _nobody_knows(at, Why.TOO_MANY, run.ended[0])
        elif beside.doubt:
            yield _nobody_knows(at, Why.DYNAMIC, phrase("subscribed-where-no-run-came-through"))
        elif client.escaped:
            yield _nobody_knows(at, Why.DYNAMIC, phrase("handed-to-code-nobody-sees"))


def _queues(at: Location) -> Subscription:
    """What stands for the topics of a consumer that asks for its queues."""
    nothing = Value(None, Why.NOT_APPLICABLE, phrase("reads-its-queues-directly"))
    return Subscription(at, nothing, nothing, nothing)


def _nobody_knows(at: Location, why: Why, detail: str) -> Subscription:
    """A subscription of which nothing is known."""
    unknown = Value(None, why, detail)
    return Subscription(at, unknown, unknown, unknown)
