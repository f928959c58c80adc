"""A pull on the wire, and the broker's answer."""

from typing import Final

from msgspec import Struct

from subdrift.linter.broker.allocate import MessageQueue
from subdrift.linter.broker.filter import SubscriptionData
from subdrift.linter.broker.simulation.clock import SECOND
from subdrift.linter.broker.simulation.store import Code, StoredMessage

PUSH_SUSPEND_US: Final = 15 * SECOND
LITE_SUSPEND_US: Final = 20 * SECOND
PUSH_BATCH: Final = 32
LITE_BATCH: Final = 10


class PullRequest(Struct, frozen=True):
    """PullMessageRequestHeader, as far as it decides anything."""

    queue: MessageQueue
    offset: int
    version: int
    most: int
    suspend_us: int
    """How long the broker may hold the request; 0: not at all."""
    attached: SubscriptionData | None
    """The subscription it carries itself; None: the group's table is asked."""
    commit: int | None
    """The consume offset that rides along."""
    lite: bool = False


class PullAnswer(Struct, frozen=True):
    code: Code
    next_offset: int = -1
    messages: tuple[tuple[int, StoredMessage], ...] = ()
