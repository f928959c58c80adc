"""A recorded plan -> whether the text announced that a message came twice to those who do one job.

Plans say it of states (`twice`), of steps by which a group begins with offsets of another one, or with none (`again`,
`gap`), and of every restart: what was handled from two seconds before it until queues have moved comes again, of a member that
is killed what was handled since its client last sent its offsets, every 5 s, of one by lite pull since it last committed, and
of a queue the message that a listener is busy with and what was handled since.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from subdrift.linter.broker.rollout.plan import Step

from .hosts import Json

BEFORE_MS = 2_000
MOVED_MS = 3_000
"""Beside BROADCASTING members, who are not told of each other, it is `KNOWN_AGAIN_MS`."""
SENT_MS = 5_500
"""Clients send offsets every 5 s; half a second is what the request takes."""
KNOWN_AGAIN_MS = 20_000
"""A broker that was away is known again, and queues have moved, within a rebalance."""
KNOWN_TO_ALL_MS = 50_000
"""Clients learn of queues that are new within 30 s, and divide them 20 s later at most."""
_STOPS = {
    "start": BEFORE_MS,
    "stop": BEFORE_MS,
    "stopAll": BEFORE_MS,
    "unsubscribe": BEFORE_MS,
    "kill": SENT_MS,
}


class Handled(Struct, frozen=True):
    """One message that a member handled."""

    at_ms: int
    member: str
    group: str
    client: str


class Repeats(Struct, frozen=True):
    """When a recorded plan says that messages come again."""

    windows: tuple[tuple[int, int], ...]
    """Handled then: it may come again."""
    cloned_ms: int
    """Handled since then, it comes again in the new group."""
    told: tuple[tuple[int, int], ...]
    """Circumstances that no plan was told of; what is handled again after them is theirs."""

    def announced(self, first: Handled, second: Handled) -> bool:
        """Whether a restart, a clone of offsets or a circumstance explains it."""
        if any(begin <= first.at_ms <= end for begin, end in self.windows):
            return True
        if first.group != second.group and first.at_ms >= self.cloned_ms:
            return True
        return any(first.at_ms <= end and second.at_ms >= begin for begin, end in self.told)


def repeats_in(record: Json, steps: Sequence[Step], last_ms: int) -> Repeats:
    """What a record's plan announces; `last_ms`: when its last step was done and queues had moved."""
    case, done = record["scenario"]["case"], record["observed"]["steps"]
    never = done[-1]["doneMs"] + 1
    cloned = never
    if any(one.again for one in steps):
        at = [one["atMs"] for one in done if "clone" in one or "cloneGroupOffset" in str(one.get("mqadmin"))]
        cloned = min(at, default=never) - SENT_MS - _busy_ms(record)
    if any(one.gap for one in steps):
        cloned = 0  # on a young topic everything comes again
    told = [(one["atMs"], one["doneMs"]) for one in done if "reset" in one]
    told += [(one["atMs"], one["doneMs"] + KNOWN_TO_ALL_MS) for one in done if "grow" in one]
    if {"restart", "usedBefore", "ghost"} & set(case):
        told.append((0, last_ms))
    return Repeats(tuple(_windows(record)), cloned, tuple(told))


def _windows(record: Json) -> Iterator[tuple[int, int]]:
    busy, members = _busy_ms(record), str(record["scenario"]["members"])
    lite, moved = "litepull" in members, KNOWN_AGAIN_MS if "BROADCASTING" in members else MOVED_MS
    for one in record["observed"]["steps"]:
        for verb, before in _STOPS.items():
            if verb in one:
                yield one["atMs"] - (SENT_MS if lite else before) - busy, one["doneMs"] + moved + busy
        if "brokerRestart" in one:
            yield one["atMs"] - SENT_MS - busy, one["doneMs"] + KNOWN_AGAIN_MS + busy


def _busy_ms(record: Json) -> int:
    """How long a listener is busy at most."""
    every = [one["options"] for one in record["scenario"]["members"]]
    times = (
        max(one.get("slowMs", 0), *one.get("slowTags", {"": 0}).values()) * one.get("batch", 1)
        for one in every
    )
    return int(max(times))
