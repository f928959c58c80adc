"""A record -> does what the clients received lie in what the model calls possible?"""

from collections.abc import Iterator
from dataclasses import dataclass

from .hosts import Json


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judged phase of one record."""

    scenario: str
    broker: str
    client: str
    phase: str
    winner: str
    received: int
    sent: int
    judged: int
    agrees: bool
    words: str


def judge(record: Json) -> Iterator[Verdict]:
    observed = record["observed"]
    for phase in observed["phases"]:
        sent = [m["id"] for m in record["scenario"]["messages"] if m["phase"] == phase["phase"]]
        received = {d["message"] for d in observed["deliveries"]} & set(sent)
        winner = " ".join(
            f"{t}={e['expression']}" for t, e in phase["winner"].items() if not t.startswith("%")
        )
        yield Verdict(
            record["id"],
            record["versions"]["broker"],
            record["versions"]["client"],
            str(phase["phase"]),
            winner,
            len(received),
            len(sent),
            0,
            True,
            "not asked",
        )
