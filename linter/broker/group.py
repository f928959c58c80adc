"""What a broker keeps of one consumer group: heartbeats and departures in, the new state and who is told out.

The broker holds one subscription for each topic of a *group*, not of a client. A heartbeat adds the topics that are
missing, replaces one only by a strictly greater version, and deletes every topic it does not mention. Nothing is
recomputed when a client leaves: its subscriptions stay until another client's heartbeat displaces them.

States are values and the clock is an argument, so a caller can branch, compare and replay.

Mirrors: ConsumerManager#registerConsumer, #unregisterConsumer, #doChannelCloseEvent, #scanNotActiveChannel and
ConsumerGroupInfo#updateChannel, #updateSubscription of the broker, RocketMQ 4.8.0 to 5.3.3. Heartbeats that leave
the subscriptions out (V2) are not modelled.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.broker.filter import SubscriptionData
from subdrift.linter.broker.versions import LATEST, Feature, Version, behaves
from subdrift.linter.broker.vocabulary import MessageModel
from subdrift.linter.model.tags import java_order

CHANNEL_EXPIRED_MS: Final = 120_000
"""A connection without a heartbeat for longer than this is dropped by the next scan."""
CHANNEL_SCAN_MS: Final = 10_000
"""How often the broker scans."""


class ConsumeType(Enum):
    """How a client consumes: push consumers say passively."""

    PASSIVELY = "CONSUME_PASSIVELY"
    ACTIVELY = "CONSUME_ACTIVELY"


class Heartbeat(Struct, frozen=True):
    """One consumer group's part of a heartbeat."""

    channel: str
    """The connection; the broker knows members by it, not by their client id."""
    client_id: str
    subscriptions: tuple[SubscriptionData, ...]
    message_model: MessageModel = MessageModel.CLUSTERING
    consume_type: ConsumeType = ConsumeType.PASSIVELY


class ClientChannel(Struct, frozen=True):
    """A connection of the group."""

    channel: str
    client_id: str
    last_heartbeat_ms: int


class ConsumerGroupInfo(Struct, frozen=True):
    """A registered group; one without connections does not exist."""

    channels: tuple[ClientChannel, ...]
    """In the order they came."""
    subscriptions: tuple[SubscriptionData, ...]
    """One for each topic, in the order the topics came."""
    message_model: MessageModel
    """What the last heartbeat said, like the next field: nothing compares the members."""
    consume_type: ConsumeType

    def subscription(self, topic: str) -> SubscriptionData | None:
        """The subscription that filters a topic for the whole group."""
        return next((s for s in self.subscriptions if s.topic == topic), None)

    def client_ids(self) -> tuple[str, ...]:
        """All ids, sorted as clients sort them, an id once for each of its connections."""
        return tuple(sorted((c.client_id for c in self.channels), key=java_order))


class Change(Struct, frozen=True):
    """What an event did to a group."""

    group: ConsumerGroupInfo | None
    """None: the last connection is gone and the group with it, its table and versions included."""
    notified: tuple[str, ...] | None = None
    """The connections told to rebalance; None if there was no notification at all."""
    changed: bool = False
    """What ``registerConsumer`` returns: a new connection, or a topic more or less; a replacement is no change."""


def register(
    group: ConsumerGroupInfo | None,
    heartbeat: Heartbeat,
    now_ms: int,
    version: Version = LATEST,
    notify: bool = True,
) -> Change:
    """A heartbeat arrives. ``notify`` is the group's notifyConsumerIdsChangedEnable."""
    channels = group.channels if group is not None else ()
    known = group.subscriptions if group is not None else ()
    own = ClientChannel(heartbeat.channel, heartbeat.client_id, now_ms)
    new_channel = all(c.channel != own.channel for c in channels)
    if new_channel:
        channels = (*channels, own)
    else:
        channels = tuple(own if c.channel == own.channel else c for c in channels)
    subscriptions, topics_changed = _updated(known, heartbeat.subscriptions)
    after = ConsumerGroupInfo(channels, subscriptions, heartbeat.message_model, heartbeat.consume_type)
    changed = new_channel or topics_changed
    return Change(after, _told(after, after, version) if changed and notify else None, changed)


def _updated(
    known: Sequence[SubscriptionData], incoming: Sequence[SubscriptionData]
) -> tuple[tuple[SubscriptionData, ...], bool]:
    """ConsumerGroupInfo#updateSubscription: the new table, and whether topics came or went."""
    table = {s.topic: s for s in known}
    changed = False
    for subscription in incoming:
        old = table.get(subscription.topic)
        if old is None:
            changed = True
        elif subscription.version <= old.version:
            continue
        table[subscription.topic] = subscription
    mentioned = {s.topic for s in incoming}
    kept = tuple(s for topic, s in table.items() if topic in mentioned)
    return kept, changed or len(kept) < len(table)


def unregister(
    group: ConsumerGroupInfo | None, channel: str, version: Version = LATEST, notify: bool = True
) -> Change:
    """A client says goodbye. The others are told even if the group did not know the connection."""
    if group is None:
        return Change(None)
    after = _without(group, channel)
    return Change(after, _told(group, after, version) if notify else None)


def close(group: ConsumerGroupInfo | None, channel: str, version: Version = LATEST) -> Change:
    """A connection is lost. The others are told, whatever the group's configuration says."""
    if group is None or all(c.channel != channel for c in group.channels):
        return Change(group)
    after = _without(group, channel)
    return Change(after, _told(group, after, version))


def expire(group: ConsumerGroupInfo | None, now_ms: int) -> Change:
    """The scan for silent connections runs. Nobody is told; the others notice at their next rebalance."""
    if group is None:
        return Change(None)
    alive = tuple(c for c in group.channels if now_ms - c.last_heartbeat_ms <= CHANNEL_EXPIRED_MS)
    return Change(replace(group, channels=alive) if alive else None)


def _without(group: ConsumerGroupInfo, channel: str) -> ConsumerGroupInfo | None:
    left = tuple(c for c in group.channels if c.channel != channel)
    return replace(group, channels=left) if left else None


def _told(
    before: ConsumerGroupInfo, after: ConsumerGroupInfo | None, version: Version
) -> tuple[str, ...] | None:
    """The connections a notification goes to; ``before`` holds the message model that decides."""
    broadcasting = before.message_model is MessageModel.BROADCASTING
    if broadcasting and not behaves(Feature.BROADCASTING_GROUP_NOTIFIED, version):
        return None
    return () if after is None else tuple(c.channel for c in after.channels)
