"""Who sends what to whom: sends and consumers joined by topic, for reports, rules, registries and tables alike.

A topic is named within a namespace and cluster; a sender whose namespace is not known counts for every topic of the name.
Tests are left out, and so is what takes no part. What nobody sends, or reads, is said of the rows at hand: a send whose topic
or tag is not known may be the one, and all of those are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain

from msgspec import Struct

from subdrift.linter.model.consumer import Confidence, Consumer, Subscription
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import PHRASE_BEGINS
from subdrift.linter.model.tags import TagFilter, TagSyntaxError, parse_tags

_Place = tuple[Location, str, tuple[str, ...]]


class Sent(Struct, frozen=True):
    """A message of a topic, and where it is sent."""

    sender: Consumer

    @property
    def message(self) -> Subscription:
        return self.sender.subscriptions[0]

    @property
    def tag(self) -> str | None:
        return self.message.expression.text


class Read(Struct, frozen=True):
    """A group's subscription to a topic. `tags`: those it asks for, None for every message; `sure`: that is known, and it
    asks by tags."""

    group: str
    reader: Consumer
    subscription: Subscription
    tags: frozenset[str] | None
    sure: bool

    def takes(self, tag: str | None) -> bool:
        """Whether a message of a tag may be one it asks for; "" for none, None for a tag that is not known."""
        return not self.sure or self.tags is None or tag is None or tag in self.tags


class Topic(Struct, frozen=True):
    namespace: str
    cluster: str
    name: str
    sent: tuple[Sent, ...]
    read: tuple[Read, ...]

    @property
    def by_broker(self) -> bool:
        """Whether the broker itself writes to it: what others sent."""
        return self.name.startswith(("%RETRY%", "%DLQ%"))

    @property
    def tags(self) -> tuple[str | None, ...]:
        """The tags that are sent ("" for none), None last where one is not known."""
        found = {one.tag for one in self.sent}
        return (*sorted(tag for tag in found if tag is not None), *([None] * (None in found)))

    @property
    def asked(self) -> frozenset[str]:
        """The tags that groups ask for."""
        return frozenset(tag for one in self.read if one.sure for tag in one.tags or ())

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(sorted({one.group for one in self.read}))

    def readers_of(self, tag: str | None) -> tuple[str, ...]:
        """The groups that may get messages of a tag."""
        return tuple(sorted({one.group for one in self.read if one.takes(tag)}))

    @property
    def unread(self) -> tuple[str, ...]:
        """Tags that are sent and no group asks for, where some group reads the topic."""
        return tuple(tag for tag in self.tags if tag is not None and self.read and not self.readers_of(tag))

    @property
    def unsent(self) -> tuple[str, ...]:
        """Tags that a group asks for and nobody in sight sends, where somebody sends to the topic and every tag is known."""
        if not self.sent or None in self.tags:
            return ()
        return tuple(sorted(self.asked - set(self.tags)))


def application_of(one: Consumer) -> str:
    """What a reader calls the application that sends or reads: its deployable, else its repository."""
    return one.at.origin.repo if one.deployable in ("", ".", "unknown") else one.deployable


class Map(Struct, frozen=True):
    """All topics, and what may belong to any of them: `unknown` are sends whose topic is not known, `blind` consumers, and
    `unknown_elsewhere` and `blind_elsewhere` count those in repositories outside of the run. `organisation`: whoever sends or
    reads is likely to be in sight. `before`: what the repositories of the run sent and read when their registry was published.
    `idle`: topics that something sends to or reads which is switched off as it is configured here.
    """

    topics: tuple[Topic, ...]
    unknown: tuple[Sent, ...]
    blind: tuple[Read, ...]
    organisation: bool = False
    unknown_elsewhere: int = 0
    blind_elsewhere: int = 0
    before: tuple[Topic, ...] = ()
    idle: frozenset[str] = frozenset()

    @property
    def may_send_more(self) -> bool:
        """Whether there are sends that may be to any topic."""
        return bool(self.unknown) or self.unknown_elsewhere > 0

    @property
    def may_read_more(self) -> bool:
        """Whether there are subscriptions that may be to any topic."""
        return bool(self.blind) or self.blind_elsewhere > 0


def is_running(one: Sent) -> bool:
    """Whether code that runs sends, wherever to."""
    return one.sender.scope == "main" and one.sender.takes_part and not one.sender.switches


def is_sure(one: Sent) -> bool:
    """Whether code that runs sends it, as far as anybody can tell from code."""
    confidence = min(one.message.topic.confidence, one.message.expression.confidence)
    return is_running(one) and confidence > Confidence.LOW


def is_certain(one: Read) -> bool:
    """Whether code that runs reads it, in a group that is known."""
    return one.reader.scope == "main" and one.reader.takes_part and one.reader.group.known


def counts(one: Consumer) -> bool:
    """Whether it has a place in a map: no test, and not switched off."""
    return one.scope != "test" and not one.disabled and (one.takes_part or one.not_reached)


def topics_of(one: Consumer) -> tuple[str | None, ...]:
    """The topics of its subscriptions, or of what it sends; None for one that is not known."""
    asked = (each.topic for each in one.subscriptions)
    return tuple(each.text for each in asked if each.why is not Why.NEVER_SUBSCRIBED)


def joined(consumers: Iterable[Consumer], sends: Iterable[Consumer], *, organisation: bool = False) -> Map:
    """Sends and consumers by topic."""
    consumers, sends = tuple(consumers), tuple(sends)
    sent: dict[str, list[Sent]] = {}
    unknown: list[Sent] = []
    for one in map(Sent, called_ones(sends)):
        topic = one.message.topic.text
        (unknown if topic is None else sent.setdefault(topic, [])).append(one)
    read: dict[str, list[Read]] = {}
    blind: list[Read] = []
    for each in filter(counts, consumers):
        for subscription in each.subscriptions:
            if subscription.topic.why is Why.NEVER_SUBSCRIBED:
                continue
            made = _read(each, subscription)
            topic = subscription.topic.text
            (blind if topic is None else read.setdefault(topic, [])).append(made)
    topics = [
        one
        for name in sorted({*sent, *read})
        for one in _topics(name, sent.get(name, []), read.get(name, []))
    ]
    return Map(
        tuple(topics),
        tuple(sorted(unknown, key=_place_of_send)),
        tuple(sorted(blind, key=_place_of_read)),
        organisation,
        idle=frozenset(
            filter(None, chain.from_iterable(map(topics_of, filter(_is_off, (*consumers, *sends)))))
        ),
    )


def _is_off(one: Consumer) -> bool:
    return one.disabled and one.scope != "test"


def called_ones(sends: Iterable[Consumer]) -> Iterator[Consumer]:
    """Those with a place in a map, but for what wrappers send that only other applications call."""
    every = list(filter(counts, sends))
    called: dict[Location, set[str]] = {}
    for one in map(Sent, every):
        if one.message.topic.text is not None:
            called.setdefault(one.message.at, set()).add(one.sender.deployable)
    for one in map(Sent, every):
        at = one.message.at
        if one.message.topic.text is not None or not _is_uncalled(one, called.get(at, frozenset())):
            yield one.sender


def _is_uncalled(one: Sent, calling: Set[str]) -> bool:
    """Whether a send is that of a wrapper which other applications call with topics that are known, or configure, and this one
    does not: what hangs on a parameter or binding there is not sent. `calling` are those that send by the same call."""
    hangs = one.message.topic.detail.startswith(
        (f"{PHRASE_BEGINS}parameter-of", "spring.cloud.stream.bindings.")
    )
    return hangs and bool(calling) and one.sender.deployable not in calling


def _topics(name: str, sent: Sequence[Sent], read: Sequence[Read]) -> Iterator[Topic]:
    """The topics of one name: those of several namespaces or clusters are different ones."""
    places = {(one.sender.namespace.text, one.sender.cluster) for one in sent}
    places |= {(one.reader.namespace.text, one.reader.cluster) for one in read}
    clusters = {cluster for _, cluster in places if cluster}
    keys = sorted({(namespace, cluster) for namespace, cluster in places if namespace is not None})
    if len(clusters) <= 1:  # an address that no cluster is named for may be that of the only one
        only = next(iter(clusters), "")
        keys = sorted({(namespace, only) for namespace, _ in keys})
    for namespace, cluster in keys or [("", next(iter(clusters), ""))]:
        inside = [one for one in sent if _is_in(one.sender, namespace, cluster, clusters)]
        readers = [one for one in read if _is_in(one.reader, namespace, cluster, clusters)]
        yield Topic(
            namespace,
            cluster,
            name,
            tuple(sorted(inside, key=lambda one: (one.tag is None, one.tag or "", _place_of_send(one)))),
            tuple(sorted(readers, key=lambda one: (one.group, _place_of_read(one)))),
        )


def _is_in(one: Consumer, namespace: str, cluster: str, clusters: set[str]) -> bool:
    return one.namespace.text in (None, namespace) and (one.cluster == cluster or len(clusters) <= 1)


def _place_of_send(one: Sent) -> _Place:
    return (one.message.at, one.sender.id, one.sender.environments)


def _place_of_read(one: Read) -> _Place:
    return (one.subscription.at, one.reader.id, one.reader.environments)


def _read(consumer: Consumer, subscription: Subscription) -> Read:
    group = consumer.group.text or f"? ({(consumer.group.why or Why.UNSUPPORTED).value})"
    expression, kind = subscription.expression, subscription.filter_type
    if expression.not_applicable:
        return Read(group, consumer, subscription, None, True)
    if expression.text is None or kind.text != "TAG":
        return Read(group, consumer, subscription, None, False)
    try:
        found: TagFilter = parse_tags(expression.text)
    except TagSyntaxError:
        return Read(group, consumer, subscription, frozenset(), True)
    return Read(group, consumer, subscription, None if found.is_all else found.tags, True)
