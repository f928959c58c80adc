"""SQL92 selectors of a consumer as the broker compiles them, and the remark that rules make about one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from subdrift.linter.model.consumer import Consumer, Subscription
from subdrift.linter.model.finding import Place, Remark
from subdrift.linter.model.message import Message
from subdrift.rules.filters import SQL92
from subdrift.rules.sides import source

SELECTORS_MAX: Final = 4_096
"""Selectors whose compiled form is kept."""


def by_sql(consumer: Consumer) -> Iterator[tuple[int, Subscription, str]]:
    """Number, subscription and text of each selector that is known."""
    for number, one in enumerate(consumer.subscriptions):
        if one.filter_type.text == SQL92 and one.expression.text is not None:
            yield number, one, one.expression.text


class Refused(Struct, frozen=True):
    """A selector that does not compile, and why."""

    reason: str


class Compiled(Struct, frozen=True):
    """A selector as the newest broker compiles it.

    `tail` is what it ignores, "" for nothing. `outcomes` holds whatever can come of it (true, false, null, error),
    None where that was too much to look at. `negated` are the properties under a negation, `needs` those without
    which it cannot be true.
    """

    text: str
    tail: str
    outcomes: frozenset[str] | None
    negated: frozenset[str]
    needs: tuple[str, ...]


@lru_cache(maxsize=SELECTORS_MAX)
def compiled(text: str) -> Compiled | Refused | None:
    """What the newest broker makes of it; None where that depends on its virtual machine."""
    # most groups have no selector, and a parser costs time to import
    from subdrift.linter.broker.selector import SelectorRejected, SelectorTooDeep, compile_selector
    from subdrift.linter.broker.selector.outcomes import Outcome, negated, outcomes, properties

    try:
        found = compile_selector(text)
    except SelectorRejected as rejected:
        return Refused(rejected.reason)
    except SelectorTooDeep:
        return None
    possible = outcomes(found)
    needs = []
    for name in properties(found):
        without = outcomes(found, missing=(name,))
        if without is not None and Outcome.TRUE not in without:
            needs.append(name)
    return Compiled(
        found.text or "…",
        (found.tail or "").strip(),
        None if possible is None else frozenset(one.value for one in possible),
        negated(found),
        tuple(needs),
    )


@lru_cache(maxsize=SELECTORS_MAX)
def properties_of(text: str) -> tuple[str, ...]:
    """The properties that a selector asks for; none where it does not compile."""
    from subdrift.linter.broker.selector import SelectorRejected, SelectorTooDeep, compile_selector
    from subdrift.linter.broker.selector.outcomes import properties

    try:
        return properties(compile_selector(text))
    except (SelectorRejected, SelectorTooDeep):
        return ()


def never_true_without(text: str, missing: frozenset[str]) -> bool:
    """Whether a selector that compiles, and is true of some message, is true of none without these properties."""
    from subdrift.linter.broker.selector import compile_selector
    from subdrift.linter.broker.selector.outcomes import Outcome, outcomes

    found = compile_selector(text)
    every, without = outcomes(found), outcomes(found, missing)
    return every is not None and without is not None and Outcome.TRUE in every - without


def about(
    consumer: Consumer,
    subscription: Subscription,
    number: int,
    message: Message,
    label: Message,
    help_: tuple[Message, ...],
    cost: Message | None = None,
) -> Remark:
    """A remark about one selector."""
    return Remark(
        message=message,
        topic=subscription.topic.text,
        places=(Place(subscription.at, label, consumer.scope, source(subscription.expression)),),
        differs=(subscription.expression.text or "",),
        members=(consumer,),
        help=help_,
        ordinal=number,
        cost=cost,
    )
