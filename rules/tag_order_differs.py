"""Consumers of one group that write the same tags of a topic differently: another order, other blanks, repetitions.

Brokers and clients compare sets of tags: nothing is lost. `mqadmin consumerStatus` and the consoles of cloud
vendors compare the text and call the group inconsistent; a warning that is always there hides the real one.

Mirrors: ConsumerRunningInfo#analyzeSubscription, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer, ConsumerGroup, Subscription
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.linter.model.tags import parse_tags
from subdrift.rules.filters import TAG, Filter, filter_of, meetings
from subdrift.rules.sides import Voice, named, remark, sides


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each topic whose tags are equal and whose texts are not."""
    for topic, met in meetings(members):
        spoken = tuple(_voices(met))
        if len({asked for asked, _ in spoken}) > 1:
            continue  # the tags themselves differ: `divergent-tags` says so
        found = sides(voice for _, voice in spoken)
        yield from remark(
            found,
            message=say("tag-order-differs", group=group.name, topic=topic, sides=named(found)),
            topic=topic,
            remedy=(say("tag-order-differs.fix"), say("tag-order-differs.constant")),
        )


def _voices(met: list[tuple[Consumer, Subscription]]) -> Iterator[tuple[Filter, Voice]]:
    for member, subscription in met:
        asked = filter_of(subscription)
        if asked is not None and asked.type == TAG:
            text = parse_tags(subscription.expression.text).text
            label = say("written", text=text)
            yield (asked, Voice(text, quoted(text), subscription.at, label, member, subscription.expression))


RULE = Rule("tag-order-differs", at_most=Severity.NOTE, scope=Scope.GROUP, check_group=check, contrasts=True)
