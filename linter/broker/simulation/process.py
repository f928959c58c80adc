"""What runs inside a client: steps that wait for time or for a broker's answer, written as generators."""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from subdrift.linter.broker.simulation.broker import Broker

T = TypeVar("T")

Respond = Callable[[object], None]


class RemoteError(Exception):
    """A request was not answered: the broker is away, or the connection broke."""


class Sleep(Struct, frozen=True):
    """The process waits so long."""

    us: int


class Ask(Struct, frozen=True):
    """The process waits for a broker; the handler runs there and answers at once or later."""

    broker: str
    handler: "Callable[[Broker, str, Respond], None]"
    """Gets the broker, the connection the request came on, and what to call with the answer."""
    heartbeat: bool = False
    """Whether the broker's heartbeat threads do it: they may be late, and then come after what was sent later."""


Process = Generator[Sleep | Ask, None, T]
