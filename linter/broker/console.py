"""What the console says of a group: the running members in, "same" or "different" out.

The console compares the raw text of the expressions, topic by topic, and never looks at the broker's table: it calls
``a||b`` and ``b||a`` different, and TAG and SQL92 with one text the same.

Mirrors: ConsumerRunningInfo#analyzeSubscription, which ``mqadmin consumerStatus`` and the dashboard call, RocketMQ
4.8.0 to 5.3.3.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from subdrift.linter.broker.group import ConsumeType
from subdrift.linter.broker.versions import LATEST, Feature, Version, behaves
from subdrift.linter.model.prediction import ConsoleVerdict
from subdrift.linter.model.tags import java_order

YOUNG_MS: Final = 120_000
"""Unless the first member has been running for longer than this, the console compares nothing."""


class RunningMember(Struct, frozen=True):
    """What one member answers to the console."""

    client_id: str
    consume_type: ConsumeType
    running_ms: int
    """Since its start."""
    subscriptions: frozenset[tuple[str, str]]
    """Topic and expression text, the retry topic included."""


def analyze_subscription(members: Iterable[RunningMember], version: Version = LATEST) -> ConsoleVerdict:
    """The verdict of a console of this version on members that answered; of one client id the last counts.

    NOT_COMPARED, which the console shows like SAME, where the first by client id is no push consumer or too young.
    Raises ValueError without members, which the console reports as a group that is not online.
    """
    by_id = {member.client_id: member for member in members}
    if not by_id:
        raise ValueError("a group without members is not online")
    ordered = [by_id[client_id] for client_id in sorted(by_id, key=java_order)]
    first = ordered[0]
    if first.consume_type is not ConsumeType.PASSIVELY or first.running_ms <= YOUNG_MS:
        return ConsoleVerdict.NOT_COMPARED
    if any(_compared_texts(member) != _compared_texts(first) for member in ordered):
        return ConsoleVerdict.DIFFERENT
    if not first.subscriptions and behaves(Feature.EMPTY_SUBSCRIPTIONS_REPORTED_DIFFERENT, version):
        return ConsoleVerdict.DIFFERENT
    return ConsoleVerdict.SAME


def _compared_texts(member: RunningMember) -> frozenset[str]:
    """SubscriptionData#compareTo looks at topic and text, joined by an at sign."""
    return frozenset(f"{topic}@{text}" for topic, text in member.subscriptions)
