"""Names of topics and groups: which are allowed, and which RocketMQ keeps for itself.

Mirrors: Validators#checkGroup and #checkTopic of the client, TopicValidator of broker and client, MixAll. Versions
differ in what they call a name that is wrong in two ways, and in the system topics.
"""

import re
from enum import Enum
from typing import Final

from subdrift.linter.broker.versions import LATEST, Feature, Version, behaves

GROUP_UNITS_MAX: Final = 255
TOPIC_UNITS_MAX: Final = 127
TOPIC_UNITS_MAX_BEFORE_4_6_1: Final = 255

RETRY_PREFIX: Final = "%RETRY%"
DEAD_LETTER_PREFIX: Final = "%DLQ%"
SYSTEM_TOPIC_PREFIX: Final = "rmq_sys_"
SYSTEM_GROUP_PREFIX: Final = "CID_RMQ_SYS_"

_ALLOWED: Final = re.compile(r"[%|a-zA-Z0-9_-]+")
_BLANK: Final = re.compile("[\t-\r\x1c-\x20\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]*")
"""``Character.isWhitespace``: Unicode's separators but the three that do not break, and some controls."""

_SYSTEM_TOPICS: Final = frozenset(
    {
        "TBW102",
        "SCHEDULE_TOPIC_XXXX",
        "BenchmarkTest",
        "RMQ_SYS_TRANS_HALF_TOPIC",
        "RMQ_SYS_TRACE_TOPIC",
        "RMQ_SYS_TRANS_OP_HALF_TOPIC",
        "TRANS_CHECK_MAX_TIME_TOPIC",
        "SELF_TEST_TOPIC",
        "OFFSET_MOVED_EVENT",
    }
)
_CHECKPOINT_TOPIC: Final = "CHECKPOINT_TOPIC"
_SCHEDULE_TOPIC: Final = "SCHEDULE_TOPIC_XXXX"
_CLOSED_TOPICS: Final = frozenset(
    {
        _SCHEDULE_TOPIC,
        "RMQ_SYS_TRANS_HALF_TOPIC",
        "RMQ_SYS_TRANS_OP_HALF_TOPIC",
        "TRANS_CHECK_MAX_TIME_TOPIC",
        "SELF_TEST_TOPIC",
        "OFFSET_MOVED_EVENT",
    }
)


class NameVerdict(Enum):
    """What a check says of a name."""

    OK = "ok"
    BLANK = "blank"
    TOO_LONG = "long"
    ILLEGAL = "chars"


def check_group(name: str | None) -> NameVerdict:
    """The client's check of a group name (Validators#checkGroup): length before characters."""
    if name is None or _is_blank(name):
        return NameVerdict.BLANK
    if _units(name) > GROUP_UNITS_MAX:
        return NameVerdict.TOO_LONG
    return NameVerdict.OK if _ALLOWED.fullmatch(name) else NameVerdict.ILLEGAL


def check_topic(name: str | None, version: Version = LATEST) -> NameVerdict:
    """The client's check of a topic that is sent to or created, not subscribed (Validators#checkTopic)."""
    return _check_topic(name, version, behaves(Feature.TOPIC_LENGTH_CHECKED_FIRST, version))


def check_broker_topic(name: str | None, version: Version = LATEST) -> NameVerdict:
    """The broker's check of a topic (TopicValidator#validateTopic): characters before length."""
    return _check_topic(name, version, length_first=False)


def _check_topic(name: str | None, version: Version, length_first: bool) -> NameVerdict:
    if name is None or _is_blank(name):
        return NameVerdict.BLANK
    shorter = behaves(Feature.TOPIC_LENGTH_127, version)
    too_long = _units(name) > (TOPIC_UNITS_MAX if shorter else TOPIC_UNITS_MAX_BEFORE_4_6_1)
    illegal = not _ALLOWED.fullmatch(name)
    if illegal and not (length_first and too_long):
        return NameVerdict.ILLEGAL
    return NameVerdict.TOO_LONG if too_long else NameVerdict.OK


def _is_blank(name: str) -> bool:
    return _BLANK.fullmatch(name) is not None


def _units(name: str) -> int:
    return len(name.encode("utf-16-le", "surrogatepass")) // 2


def is_system_topic(name: str, version: Version = LATEST) -> bool:
    """TopicValidator#isSystemTopic."""
    if name == _CHECKPOINT_TOPIC:
        return behaves(Feature.CHECKPOINT_TOPIC_IS_SYSTEM, version)
    return name in _SYSTEM_TOPICS or name.startswith(SYSTEM_TOPIC_PREFIX)


def is_closed_to_sending(name: str, version: Version = LATEST) -> bool:
    """TopicValidator#isNotAllowedSendTopic: whether clients may not send to the topic."""
    if behaves(Feature.SYSTEM_TOPICS_CLOSED_TO_SENDING, version):
        return name in _CLOSED_TOPICS
    return name == _SCHEDULE_TOPIC


def is_system_group(name: str) -> bool:
    """MixAll#isSysConsumerGroup."""
    return name.startswith(SYSTEM_GROUP_PREFIX)
