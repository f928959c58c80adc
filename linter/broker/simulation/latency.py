"""How long messages on the wire and work in a client take; the seed makes them vary.

The defaults are those that reproduce the order of events seen on real brokers: 1 ms one way, so a request that a
member waits for costs 2 ms, and the member that gains queues finishes last.
"""

from collections.abc import Mapping
from random import Random

from msgspec import Struct, field

from subdrift.linter.broker.simulation.clock import MS


class Latency(Struct, frozen=True):
    """Mean durations in microseconds."""

    one_way_us: int = MS
    jitter: float = 0.5
    """Each duration is drawn evenly from its mean times 1 - jitter to 1 + jitter; 0: always the mean."""
    start_us: int = 20 * MS
    """From the first subscribe to the first request of a starting client."""
    spin_up_us: int = 35 * MS
    """From the creation of a client instance to the start of its timers; drawn from 0 to twice as much."""
    send_us: int = 4 * MS
    """From one message of a sender to its next: it waits for the broker's answer."""
    consume_us: int = 200
    """One call of a listener."""
    stall_chance: float = 0.1
    """How often a rebalance of a topic is held up, by a collection or a busy machine."""
    stall_us: int = 30 * MS
    """For how long at most."""
    slow_us: Mapping[str, int] = field(default_factory=dict)
    """Members that stop for so long in the middle of each rebalance of a topic, as a full collection would."""

    def draw(self, mean_us: int, random: Random) -> int:
        """One duration around the mean."""
        if not self.jitter:
            return mean_us
        return round(mean_us * random.uniform(1 - self.jitter, 1 + self.jitter))

    def spin_up(self, random: Random) -> int:
        """One time from the creation of an instance to its timers.

        The first rebalance counts from the one and the first heartbeat from the other, 1 s each from client 5.2.0 on:
        where the two meet, a heartbeat with a raised version is lost, on recordings of 5.3.3 in about one join of ten.
        """
        return round(random.uniform(0, 2 * self.spin_up_us)) if self.jitter else self.spin_up_us

    def stall(self, member: str, random: Random) -> int:
        """How long this rebalance of a topic is held up."""
        if member in self.slow_us:
            return self.slow_us[member]
        if self.stall_chance and random.random() < self.stall_chance:
            return round(random.uniform(0, self.stall_us))
        return 0
