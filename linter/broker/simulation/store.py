"""The broker's queues: messages in, and what one read of a pull returns.

Mirrors: DefaultMessageStore#getMessage and MessageExtBrokerInner#tagsString2tagsCode, RocketMQ 4.8.0 to 5.3.3.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Final

from msgspec import Struct, field
from msgspec.structs import force_setattr

from subdrift.linter.model.tags import java_hash

SCAN_MAX: Final = 800
"""Entries one read looks at: 16 000 bytes of a queue file, 20 an entry."""
BATCH_BYTES_MAX: Final = 256 * 1024
OVERHEAD_BYTES: Final = 200
"""Roughly what a message takes besides its body."""


class Code(IntEnum):
    """Response codes a pull can meet."""

    SUCCESS = 0
    SYSTEM_ERROR = 1
    REQUEST_CODE_NOT_SUPPORTED = 3
    NO_PERMISSION = 16
    TOPIC_NOT_EXIST = 17
    PULL_NOT_FOUND = 19
    PULL_RETRY_IMMEDIATELY = 20
    PULL_OFFSET_MOVED = 21
    SUBSCRIPTION_PARSE_FAILED = 23
    SUBSCRIPTION_NOT_EXIST = 24
    SUBSCRIPTION_NOT_LATEST = 25
    SUBSCRIPTION_GROUP_NOT_EXIST = 26
    FILTER_DATA_NOT_EXIST = 27
    FILTER_DATA_NOT_LATEST = 28
    INVALID_PARAMETER = 29


class StoredMessage(Struct, frozen=True):
    """A message in a queue."""

    id: str
    topic: str
    """The topic it was sent to; for a retried message not that of its queue."""
    tag: str | None
    properties: tuple[tuple[str, str], ...] = ()
    size: int = 0
    reconsume: int = 0
    """How often a listener has refused it."""
    tags_code: int = 0
    """The hash of the whole tag, 0 without one."""

    def __post_init__(self) -> None:
        force_setattr(self, "tags_code", java_hash(self.tag) if self.tag else 0)


class Read(Struct, frozen=True):
    """The answer to one read."""

    code: Code
    next_offset: int
    messages: tuple[tuple[int, StoredMessage], ...] = ()
    """Offset and message of what the filter let pass."""


class QueueLog(Struct):
    """One queue: offsets count from 0, and nothing is ever deleted."""

    messages: list[StoredMessage] = field(default_factory=list)

    @property
    def end(self) -> int:
        return len(self.messages)

    def read(
        self, offset: int, most: int, passes: Callable[[StoredMessage], bool], beyond_goes_to_end: bool
    ) -> Read:
        """What a pull from `offset` finds; at most `most` messages, rejected entries are passed over.

        `beyond_goes_to_end`: where an offset beyond the end is sent, to the end or (before 4.9.4) to 0.
        """
        if offset == self.end:
            return Read(Code.PULL_NOT_FOUND, offset)
        if self.end == 0:
            return Read(Code.PULL_OFFSET_MOVED, 0)
        if offset < 0:
            return Read(Code.PULL_OFFSET_MOVED, 0)
        if offset > self.end:
            return Read(Code.PULL_OFFSET_MOVED, self.end if beyond_goes_to_end else 0)
        found: list[tuple[int, StoredMessage]] = []
        size = 0
        position = offset
        stop = min(self.end, offset + max(SCAN_MAX, most))
        while position < stop:
            message = self.messages[position]
            if found and (len(found) >= most or size + message.size + OVERHEAD_BYTES > BATCH_BYTES_MAX):
                break
            if passes(message):
                found.append((position, message))
                size += message.size + OVERHEAD_BYTES
            position += 1
        code = Code.SUCCESS if found else Code.PULL_RETRY_IMMEDIATELY
        return Read(code, position, tuple(found))
