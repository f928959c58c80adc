"""RocketMQ versions as ordered values, and what changed between them as one table.

A behaviour is asked for by name, ``behaves(Feature.TEXT_OPERATORS, broker_version)``, so a version without a row of
its own (4.9.7, 5.1.2, 5.3.4) is answered by comparison. Broker and client versions are separate values; each feature
says whose version counts.

Mirrors: the release tags 4.4.0 to 5.3.3 of RocketMQ. Later versions are taken to behave as the last one compared.
"""

import re
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Final

from msgspec import Struct

_VERSION: Final = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})\.([0-9]{1,4})")


class VersionError(ValueError):
    """The text is no RocketMQ version."""


class Version(Struct, frozen=True, order=True):
    """A release number, ordered by its three parts."""

    major: int
    minor: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> "Version":
        """The version a text names; raises VersionError for anything but three numbers with dots between."""
        return _parse(text)

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


@lru_cache(maxsize=256)
def _parse(text: str) -> Version:
    match = _VERSION.fullmatch(text)
    if match is None:
        raise VersionError(f"{text!r} is no RocketMQ version: expected three numbers such as 4.9.8 or 5.3.3")
    major, minor, patch = map(int, match.groups())
    return Version(major, minor, patch)


LATEST: Final = Version(5, 3, 3)
"""The newest version the table was compared with; the default wherever a version may be left out."""


class Side(Enum):
    """Whose version decides whether a feature is there."""

    BROKER = "broker"
    CLIENT = "client"
    BOTH = "both"
    """Needs it on both sides: ask once for each."""
    CONSOLE = "console"
    """The admin tool that reads the answers of broker and clients."""


class Feature(Enum):
    """An observable behaviour that some versions have and others lack; the value is its name in reports."""

    NANO_TIME_IN_INSTANCE_NAME = "nano-time-in-instance-name"
    SECOND_CONSUMER_OF_GROUP_STARTS = "second-consumer-of-group-starts"
    FIRST_PULL_DELAYED = "first-pull-delayed"
    REBALANCE_PACED = "rebalance-paced"
    FIRST_REBALANCE_WAITS = "first-rebalance-waits"
    ROUTELESS_TOPIC_RAISES_VERSION = "routeless-topic-raises-version"
    HEARTBEAT_ON_NEW_CONNECTION = "heartbeat-on-new-connection"
    HEARTBEAT_V2 = "heartbeat-v2"
    UNCONFIGURED_GROUP_REGISTERED = "unconfigured-group-registered"
    BROADCASTING_GROUP_NOTIFIED = "broadcasting-group-notified"
    QUEUE_ID_ILLEGAL_IS_INVALID_PARAMETER = "queue-id-illegal-is-invalid-parameter"
    OFFSET_BEYOND_MAX_GOES_TO_MAX = "offset-beyond-max-goes-to-max"
    OFFSET_ILLEGAL_REPAIRED_AT_ONCE = "offset-illegal-repaired-at-once"
    LITE_PULL_HAS_OWN_REQUEST_CODE = "lite-pull-has-own-request-code"
    FAILED_EXPRESSION_CHECK_LEAVES_NO_CONSUMER = "failed-expression-check-leaves-no-consumer"
    BROADCASTING_ORDERLY_NEEDS_NO_LOCK = "broadcasting-orderly-needs-no-lock"
    EMPTY_SUBSCRIPTIONS_REPORTED_DIFFERENT = "empty-subscriptions-reported-different"
    YOUNG_QUEUE_TEST_ASKS_FOR_RESIDENT_ENTRY = "young-queue-test-asks-for-resident-entry"
    POP = "pop"
    COMPENSATION_TABLE = "compensation-table"
    PULL_CONSUMER_REJECTABLE = "pull-consumer-rejectable"
    WHO_CONSUMES_ANSWERED_CORRECTLY = "who-consumes-answered-correctly"
    FLOW_CONTROL_HANDLED = "flow-control-handled"
    RETRY_TOPIC_FILTERED_BY_SQL = "retry-topic-filtered-by-sql"
    UNREGISTER_TAKES_HEARTBEAT_LOCK = "unregister-takes-heartbeat-lock"
    LITE_PULL_ASSIGN_EXPRESSION = "lite-pull-assign-expression"
    LITE_PULL_LISTS_QUEUES = "lite-pull-lists-queues"
    TEXT_OPERATORS = "text-operators"
    MACHINE_ROOM_CHECKS_INPUT = "machine-room-checks-input"
    SYSTEM_TOPICS_CLOSED_TO_SENDING = "system-topics-closed-to-sending"
    CHECKPOINT_TOPIC_IS_SYSTEM = "checkpoint-topic-is-system"
    TOPIC_LENGTH_127 = "topic-length-127"
    TOPIC_LENGTH_CHECKED_FIRST = "topic-length-checked-first"
    HASH_KEYS_ALWAYS_UTF_8 = "hash-keys-always-utf-8"
    TOPIC_FORBIDDEN_PER_GROUP = "topic-forbidden-per-group"
    UNKNOWN_REQUEST_ANSWERED = "unknown-request-answered"


class Change(Struct, frozen=True):
    """In which versions a feature is there: from ``since`` on, before ``until``, and not in ``except_in``."""

    side: Side
    meaning: str
    """What a version with the feature does."""
    since: Version | None = None
    """The first version that has it; None: all versions before ``until``."""
    until: Version | None = None
    """The first version that lost it; None: none did."""
    except_in: frozenset[Version] = frozenset()
    """Versions in between that lack it all the same."""

    def holds_in(self, version: Version) -> bool:
        """Whether this version has the feature."""
        if self.since is not None and version < self.since:
            return False
        if self.until is not None and version >= self.until:
            return False
        return version not in self.except_in


def behaves(feature: Feature, version: Version) -> bool:
    """Whether a version has a feature; the version must be that of the side the feature belongs to."""
    return CHANGES[feature].holds_in(version)


def _since(
    text: str, side: Side, meaning: str, until: str | None = None, except_in: tuple[str, ...] = ()
) -> Change:
    return Change(
        side,
        meaning,
        since=Version.parse(text),
        until=None if until is None else Version.parse(until),
        except_in=frozenset(map(Version.parse, except_in)),
    )


def _until(text: str, side: Side, meaning: str) -> Change:
    return Change(side, meaning, until=Version.parse(text))


CHANGES: Final[Mapping[Feature, Change]] = {
    Feature.NANO_TIME_IN_INSTANCE_NAME: _since(
        "4.9.0", Side.CLIENT, "the default instance name is pid#nanoTime, before it was the pid alone"
    ),
    Feature.SECOND_CONSUMER_OF_GROUP_STARTS: _since(
        "4.9.0", Side.CLIENT, "two consumers of one group start in one process, before the second failed"
    ),
    Feature.FIRST_PULL_DELAYED: _since(
        "5.0.0", Side.CLIENT, "the first pull of a newly allocated queue waits 500 ms"
    ),
    Feature.REBALANCE_PACED: _since(
        "5.2.0", Side.CLIENT, "rebalances are at least 1 s apart and repeated after 1 s while unbalanced"
    ),
    Feature.FIRST_REBALANCE_WAITS: _since(
        "5.2.0", Side.CLIENT, "the first rebalance comes at least 1 s after the instance was created"
    ),
    Feature.ROUTELESS_TOPIC_RAISES_VERSION: _since(
        "5.0.0",
        Side.CLIENT,
        "every rebalance raises the version of a topic without a route and sends heartbeats",
    ),
    Feature.HEARTBEAT_ON_NEW_CONNECTION: _since(
        "5.2.0", Side.CLIENT, "a new connection to a known broker triggers a heartbeat and a rebalance"
    ),
    Feature.HEARTBEAT_V2: _since(
        "5.1.3", Side.BOTH, "heartbeats may leave the subscriptions out, if switched on at the client"
    ),
    Feature.UNCONFIGURED_GROUP_REGISTERED: _until(
        "5.1.1",
        Side.BROKER,
        "a group without configuration that may not be created is registered all the same",
    ),
    Feature.BROADCASTING_GROUP_NOTIFIED: _until(
        "5.3.1", Side.BROKER, "members are told of changes also while the group is BROADCASTING"
    ),
    Feature.QUEUE_ID_ILLEGAL_IS_INVALID_PARAMETER: _since(
        "5.3.2", Side.BROKER, "a pull of a queue id out of range gets code 29, before code 1"
    ),
    Feature.OFFSET_BEYOND_MAX_GOES_TO_MAX: _since(
        "4.9.4", Side.BROKER, "a pull beyond the end of a queue from 0 goes to its end, before to its start"
    ),
    Feature.OFFSET_ILLEGAL_REPAIRED_AT_ONCE: _since(
        "5.2.0", Side.CLIENT, "an illegal offset is corrected at once and frozen, before after 10 s"
    ),
    Feature.LITE_PULL_HAS_OWN_REQUEST_CODE: _since(
        "5.0.0", Side.CLIENT, "lite pull sends request code 361, before 11"
    ),
    Feature.FAILED_EXPRESSION_CHECK_LEAVES_NO_CONSUMER: _since(
        "5.3.2", Side.CLIENT, "a rejected expression at start leaves no consumer behind, before a zombie"
    ),
    Feature.BROADCASTING_ORDERLY_NEEDS_NO_LOCK: _since(
        "5.3.2",
        Side.CLIENT,
        "an orderly listener reads a queue in BROADCASTING without its lock, before one member of the group alone",
    ),
    Feature.EMPTY_SUBSCRIPTIONS_REPORTED_DIFFERENT: _until(
        "5.0.0",
        Side.CONSOLE,
        "analyzeSubscription calls a group different whose last member subscribes nothing",
    ),
    Feature.YOUNG_QUEUE_TEST_ASKS_FOR_RESIDENT_ENTRY: _since(
        "5.1.0",
        Side.BROKER,
        "start offset 0 of a young queue needs an existing resident entry, before memory use",
    ),
    Feature.POP: _since(
        "5.0.0", Side.BOTH, "queues may be assigned by the broker and messages popped, if asked for"
    ),
    Feature.COMPENSATION_TABLE: _since(
        "5.1.0", Side.BROKER, "pulls fill a second table, which admin requests read and pulls do not"
    ),
    Feature.PULL_CONSUMER_REJECTABLE: _since(
        "5.0.0", Side.BROKER, "rejectPullConsumerEnable is known (default false)"
    ),
    Feature.TOPIC_FORBIDDEN_PER_GROUP: _since(
        "5.0.0", Side.BROKER, "reading a topic can be forbidden to one group"
    ),
    Feature.WHO_CONSUMES_ANSWERED_CORRECTLY: Change(
        Side.BROKER,
        "QUERY_TOPIC_CONSUME_BY_WHO names the groups of a topic; 5.3.3 names the topic itself",
        except_in=frozenset({Version(5, 3, 3)}),
    ),
    Feature.FLOW_CONTROL_HANDLED: _since(
        "4.9.5", Side.CLIENT, "code 215 is answered by a pull after 20 ms", except_in=("5.0.0",)
    ),
    Feature.RETRY_TOPIC_FILTERED_BY_SQL: _until(
        "5.1.4", Side.BROKER, "filterSupportRetry=true applies the original topic's expression to retries"
    ),
    Feature.UNREGISTER_TAKES_HEARTBEAT_LOCK: _until(
        "4.9.1", Side.CLIENT, "unregistering waits up to 3 s for a heartbeat in progress"
    ),
    Feature.LITE_PULL_ASSIGN_EXPRESSION: _since(
        "4.9.5", Side.CLIENT, "lite pull in assign mode can set an expression, before it was *"
    ),
    Feature.LITE_PULL_LISTS_QUEUES: _since(
        "5.1.1", Side.CLIENT, "a lite pull consumer lists its queues to the console"
    ),
    Feature.TEXT_OPERATORS: _since(
        "5.1.3",
        Side.BROKER,
        "SQL92 knows CONTAINS, STARTSWITH and ENDSWITH, before they were silently cut off",
    ),
    Feature.MACHINE_ROOM_CHECKS_INPUT: _since(
        "4.9.4",
        Side.CLIENT,
        "MACHINE_ROOM throws for an empty own id, queue list or id list, before: no share",
    ),
    Feature.SYSTEM_TOPICS_CLOSED_TO_SENDING: _since(
        "4.9.4", Side.CLIENT, "six system topics are closed to sending, before one"
    ),
    Feature.CHECKPOINT_TOPIC_IS_SYSTEM: _since("5.2.0", Side.BOTH, "CHECKPOINT_TOPIC is a system topic"),
    Feature.TOPIC_LENGTH_127: _since("4.6.1", Side.BOTH, "a topic has at most 127 units, before 255"),
    Feature.TOPIC_LENGTH_CHECKED_FIRST: _since(
        "4.9.3", Side.CLIENT, "a topic both too long and illegal is called too long, before illegal"
    ),
    Feature.HASH_KEYS_ALWAYS_UTF_8: _since(
        "5.0.0", Side.CLIENT, "CONSISTENT_HASH hashes UTF-8, before the platform's charset"
    ),
    Feature.UNKNOWN_REQUEST_ANSWERED: _since(
        "4.9.1", Side.BROKER, "an unknown request code is answered with code 3, before not at all"
    ),
}
"""Every feature's versions; complete, which a test checks."""
