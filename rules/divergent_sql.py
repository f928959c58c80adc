"""Consumers of one group that filter one topic by different SQL92 selectors.

The broker compiles and keeps one selector per topic and group; the newest one filters for all consumers, and the
client does not filter again: each consumer gets exactly what the winner asked for. Selectors are compared as text,
white space outside strings aside; that two differently written selectors mean the same is not recognised.

Mirrors: broker.filter.ConsumerFilterManager#register, broker.filter.ExpressionMessageFilter, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.linter.model.prediction import Fate
from subdrift.rules.filtering import filtering
from subdrift.rules.filters import SQL92, meetings
from subdrift.rules.sides import named, remark


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each topic with several selectors."""
    for topic, met in meetings(members):
        found = filtering(met, SQL92, lambda asked: say("selects", selector=asked))
        yield from remark(
            found,
            message=say("divergent-sql", group=group.name, topic=topic, sides=named(found)),
            topic=topic,
            remedy=(say("give-own-groups"), say("divergent-sql.same")),
        )


RULE = Rule(
    "divergent-sql",
    at_most=Severity.ERROR,
    scope=Scope.GROUP,
    check_group=check,
    contrasts=True,
    explains=(Fate.LOST, Fate.UNEXPECTED, Fate.FAILS_TO_START),
)
