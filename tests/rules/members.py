"""Consumers as resolution would give them, written in one line each, for tests of rules."""

from __future__ import annotations

from subdrift.linter.model.consumer import NOT_APPLICABLE, Consumer, ConsumerGroup, Subscription, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location, Origin, Span

GROUP = "g"


def value(text: str | None, why: Why = Why.DYNAMIC) -> Value:
    return Value(text) if text is not None else Value(None, why)


def place(repo: str, line: int) -> Location:
    return Location(Origin(repo, f"{repo}.java"), Span(line, 1, line, 20))


def subscription(
    at: Location, topic: str | None, expression: str | None, filter_type: str | None = "TAG"
) -> Subscription:
    return Subscription(at, value(topic), value(expression), value(filter_type))


def member(
    name: str,
    *subscriptions: tuple[str | None, ...],
    api: str = "push",
    model: str | None = "CLUSTERING",
    scope: str = "main",
    group: str | None = GROUP,
    version: str | None = "5.3.3",
) -> Consumer:
    """A consumer of a repository and deployable named like it; a subscription is (topic, expression[, type])."""
    at = place(name, 1)
    return Consumer(
        id=name,
        choice="",
        api=api,
        at=at,
        symbol=f"com.acme.{name}#main",
        deployable=name,
        scope=scope,
        group=value(group),
        namespace=Value(""),
        message_model=value(model)
        if api in ("push", "lite-pull", "spring-listener", "pull")
        else NOT_APPLICABLE,
        consume_mode=NOT_APPLICABLE,
        instance_name=NOT_APPLICABLE,
        name_server=NOT_APPLICABLE,
        post_subscription=NOT_APPLICABLE,
        strategy=NOT_APPLICABLE,
        version=version,
        subscriptions=tuple(
            subscription(place(name, line), *given) for line, given in enumerate(subscriptions, 2)
        ),
        environments=("",),
        profiles=(),
        conditions=(),
    )


def group_of(*members: Consumer) -> ConsumerGroup:
    return ConsumerGroup("", GROUP, "", members)
