"""Where one message ends: its queue's readers and the filter the broker applies in, its fate out.

The rule is short. A reader receives a message if the broker's filter passes it and the reader's own tags contain it;
what a reader of the group's offset passes without receiving is gone for the group. Nothing here knows time: whose
subscription the broker applies, and who reads which queue, is decided elsewhere.

Mirrors: ExpressionMessageFilter#isMatchedByConsumeQueue and #isMatchedByCommitLog, PullAPIWrapper#processPullResult,
RocketMQ 4.8.0 to 5.3.3.
"""

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from subdrift.linter.broker.versions import Version
from subdrift.linter.broker.vocabulary import FilterType, Subscription
from subdrift.linter.model.prediction import Step, StepCode
from subdrift.linter.model.tags import TagFilter, TagSyntaxError, java_hash, parse_tags

if TYPE_CHECKING:
    from subdrift.linter.broker.selector import Selector

SIEVES_MAX: Final = 65_536
"""How many parsed subscriptions are kept."""

TAG_PROPERTY: Final = "TAGS"
"""Under this name SQL92 expressions see the tag."""


class Content(Struct, frozen=True):
    """What filters look at in a message."""

    tag: str | None
    properties: tuple[tuple[str, str], ...] = ()
    """User properties, without the tag."""

    @property
    def code(self) -> int:
        """The tags code of the consume queue: 0 for an untagged message."""
        return java_hash(self.tag) if self.tag else 0

    def visible(self) -> dict[str, str]:
        """All properties a SQL92 expression can name."""
        found = dict(self.properties)
        if self.tag:
            found[TAG_PROPERTY] = self.tag
        return found


class Sieve(Struct, frozen=True):
    """A parsed subscription of one topic."""

    filter_type: FilterType
    expression: str
    tags: TagFilter | None
    """None for SQL92."""
    selector: "Selector | None"
    """None for TAG, and for an SQL92 expression that does not compile (`broken` says why)."""
    broken: str = ""
    """Why `subscribe` or `start` throws for the expression, "" if it does not."""

    def passes(self, content: Content) -> bool:
        """Whether the broker lets the message through while this is the filter it applies.

        An SQL92 expression that does not compile leaves an empty filter on the pull path: everything passes.
        """
        if self.tags is not None:
            return self.tags.matches_code(content.code)
        return self.selector is None or self.selector.delivers(content.visible())

    def keeps(self, content: Content) -> bool:
        """Whether a client with this subscription hands on what the broker sent; without tags it keeps all."""
        return self.tags is None or self.tags.matches_tag(content.tag)

    def wants(self, content: Content) -> bool:
        """Whether the subscription, taken by itself, asks for the message; a blank list asks for nothing."""
        if self.tags is not None:
            return self.tags.is_all or content.tag in self.tags.tags
        return self.selector is not None and self.selector.delivers(content.visible())

    @property
    def is_sql(self) -> bool:
        return self.filter_type is FilterType.SQL92


@lru_cache(maxsize=SIEVES_MAX)
def sieve(filter_type: FilterType, expression: str, broker: Version) -> Sieve:
    """The parsed form of a subscription; the SQL92 dialect is that of the broker's version. Cached, bounded."""
    if filter_type is FilterType.TAG:
        try:
            return Sieve(filter_type, expression, parse_tags(expression), None)
        except TagSyntaxError as error:
            return Sieve(
                filter_type, expression, TagFilter(expression, frozenset(), frozenset()), None, str(error)
            )
    from subdrift.linter.broker.selector import (  # few organisations have one, and its grammar is large
        SelectorRejected,
        SelectorTooDeep,
        compile_selector,
    )

    try:
        return Sieve(filter_type, expression, None, compile_selector(expression, broker))
    except (SelectorRejected, SelectorTooDeep) as error:
        return Sieve(filter_type, expression, None, None, str(error))


def sieve_of(subscription: Subscription, broker: Version) -> Sieve:
    return sieve(subscription.filter_type, subscription.expression, broker)


class Fate(Enum):
    """The end of one message for the group."""

    DELIVERED = "delivered"
    LOST = "lost"
    """Wanted, passed over by a reader of the group's offset, received by nobody who wants it."""
    STUCK = "stuck"
    """In a queue that no member pulls."""
    DELAYED = "delayed"
    """In a queue whose reader's pulls are refused for as long as this state lasts."""
    SKIPPED = "skipped"
    """Passed over, and nobody wanted it."""


class Reader(Struct, frozen=True):
    """A member that pulls the queue of the message."""

    member: str
    own: Sieve
    own_filter: bool
    """Its pulls carry its own expression (postSubscriptionWhenPull, lite pull, POP, gRPC)."""
    own_offset: bool = False
    """BROADCASTING: it passes messages for itself only."""
    refused: int = 0
    """The code that answers its pulls, 0 if they are served: 24 topic not in the table, 25 its version is newer than
    the table's, 1 the broker allows no SQL92."""


class Ending(Struct, frozen=True):
    """A fate with those who took part in it."""

    fate: Fate
    receivers: tuple[str, ...] = ()
    """All who receive it, those who do not want it among them."""
    unexpected: tuple[str, ...] = ()
    """Receivers whose own subscription does not match."""
    why: tuple[Step, ...] = ()


def ending(
    content: Content,
    label: str,
    wanted_by: Sequence[str],
    readers: Sequence[Reader],
    winner: Sieve | None,
    clustered: bool,
    not_read: Sequence[Step] = (),
) -> Ending:
    """Where a message ends that these members read.

    `winner` is the filter of readers without one of their own; None where no such reader is served. `wanted_by`
    names all members whose subscription matches. `clustered`: the group's own offset counts, because a clustering
    member wants the message, or nobody does and the group has such members; otherwise the readers' own offsets do.
    `not_read` explains why a queue without readers has none.
    """
    why: list[Step] = []
    received: list[str] = []
    unexpected: list[str] = []
    passed = refused = False
    for reader in readers:
        counts = not (clustered and reader.own_offset)
        if reader.refused:
            refused = refused or counts
            why.append(Step.of(StepCode.PULLS_REFUSED, member=reader.member, code=str(reader.refused)))
            continue
        passed = passed or counts
        step = _passed_over(reader, reader.own if reader.own_filter else winner, content, label)
        if step is not None:
            why.append(step)
            continue
        received.append(reader.member)
        if reader.member in wanted_by:
            why.append(Step.of(StepCode.RECEIVES, member=reader.member, message=label))
        else:
            unexpected.append(reader.member)
            why.append(Step.of(StepCode.TAKES_UNFILTERED, member=reader.member, message=label))
    if sum(not reader.own_offset and reader.member in received for reader in readers) > 1:
        why.append(Step.of(StepCode.TWICE_OWNED, members=", ".join(received)))
    if not passed:
        why += not_read
    if not passed:
        fate = Fate.DELAYED if refused else Fate.STUCK
    elif len(received) > len(unexpected):
        fate = Fate.DELIVERED
    else:
        fate = Fate.LOST if wanted_by else Fate.SKIPPED
    return Ending(fate, tuple(received), tuple(unexpected), tuple(why))


def _passed_over(reader: Reader, applied: Sieve | None, content: Content, label: str) -> Step | None:
    """None if the reader receives the message, else the step at which it is passed over."""
    if applied is None or not applied.passes(content):
        expression = applied.expression if applied is not None else ""
        return Step.of(StepCode.BROKER_SKIPS, member=reader.member, expression=expression, message=label)
    if not reader.own.keeps(content):
        return Step.of(
            StepCode.CLIENT_DROPS, member=reader.member, expression=reader.own.expression, message=label
        )
    return None
