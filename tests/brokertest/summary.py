"""`python -m tests.brokertest.summary`: the figures of docs/rollout.md, worked out anew from all recordings.

A line for each change of `rollout`, and a table with one for each kind of plan or remedy that was carried out.
"""

import gzip
import json
import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .hosts import Json
from .promise import Outcome, outcome_of

RECORDED = Path(__file__).parents[2] / "fixtures" / "advice"

HEAD = "plan or remedy", "runs", "sent", "lost before", "lost", "unhandled", "twice", "promised", "kept"

CHANGES = {"tags": "to", "split": "split", "union": "union"}
"""Change of `rollout` -> the key of a case that is about it."""

_CIRCUMSTANCES = {
    "rarer": "in rarer situations",
    "drawn": "in situations drawn afresh",
    "fresh": "in situations drawn by a seed",
    "unlike": "in situations of another kind",
    "more": "other numbers of queues and members, one killed",
    "orderly": "orderly listeners",
    "two-brokers": "two brokers",
    "namespace": "in a namespace",
    "upgrade": "from clients of 4.x to 5.x",
    "grpc-cluster": "gRPC member, proxy beside the broker",
    "grpc-local": "gRPC member, proxy with a broker in it",
    "broker-restart": "the broker restarts meanwhile",
}
_REMEDIES = {
    "allocation-strategy/from-first": "one strategy for all, from the first message",
    "allocation-strategy": "one strategy for all",
    "consume-mode": "one consume mode for all",
    "consume-from": "where a new group begins, said for all before its first use",
    "message-model": "CLUSTERING for all",
    "filter-type": "tags for all",
    "sql": "one selector for all",
    "shared-group": "one listener for all",
    "almost-equal-tags": "one spelling for all",
    "tag-hash-collision": "another tag",
    "same-client-id": "a name, or 5.x, for each client",
    "given-up": "who gives up a topic stops, or all do",
}
_ORDERS = {"pause": "with a pause", "careful": "one after the other", "careless": "careless"}


def kind_of(case: Json) -> str:
    """What is carried out, under which circumstances, in which order."""
    first, _, rest = case["id"].partition("/")
    around = _CIRCUMSTANCES.get(first)
    plan = rest if around else case["id"]
    if plan.startswith("remedy/"):
        name = plan.removeprefix("remedy/")
        told = next(words for key, words in _REMEDIES.items() if name.startswith(key))
    elif first in ("drawn", "fresh", "unlike"):
        told = next(change for change, key in CHANGES.items() if key in case)
    elif "tools" in case:
        told = "split, offsets cloned by mqadmin of 4.8.0"
    elif plan.startswith("move"):
        told = "move to gRPC"
    elif around or case["order"] == "careless":
        told = "split" if first == "orderly" and "split" in case else plan.partition("/")[0]
    elif "to" in case:
        told = f"tags, group {'disagreed' if len(set(_asked(case))) > 1 else 'agreed'}"
    else:
        told = ", ".join(plan.split("/")[:2])
        told += ", stopped one after the other" if "stopGapMs" in case else ""
    return f"{told}{f', {around}' if around else ''}: {_ORDERS[case['order']]}"


def _asked(case: Json) -> Iterator[frozenset[str]]:
    """The tags that each member asks for."""
    for member in case["members"]:
        for one in member["subscriptions"]:
            yield frozenset(tag.strip() for tag in one["expression"].split("||"))


@cache
def records(file: Path) -> tuple[Json, ...]:
    """What a file holds, read once."""
    opened = lzma.open if file.suffix == ".xz" else gzip.open
    with opened(file, "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


@cache
def outcomes_in(file: Path) -> tuple[Outcome, ...]:
    """What became of each plan that a file holds."""
    return tuple(map(outcome_of, records(file)))


@cache
def runs() -> tuple[tuple[Json, Outcome], ...]:
    """Each recorded case with what became of it."""
    files = sorted(RECORDED.glob("plans-*.jsonl.xz"))
    return tuple(
        (one["scenario"]["case"], outcome)
        for file in files
        for one, outcome in zip(records(file), outcomes_in(file), strict=True)
    )


def carried_out(language: str) -> dict[str, str]:
    """For each change of `rollout`, how often it was run, on which brokers, and what became of the messages."""
    found = {}
    for change, key in CHANGES.items():
        each = [one for case, one in runs() if key in case]
        brokers = sorted({one.broker for one in each})
        sent, broken = sum(one.sent for one in each), sum(len(one.broken) for one in each)
        if language == "zh":
            ran = f"在 Broker {'、'.join(brokers)} 上运行过 {len(each)} 次，发送 {sent:,} 条消息"
            found[change] = f"{ran}；计划没有说明而丢失或重复处理的：{broken} 条。"
        else:
            ran = f"Run {len(each)} times on brokers {', '.join(brokers[:-1])} and {brokers[-1]}"
            found[change] = (
                f"{ran} under {sent:,} messages; lost or handled twice without a word of the plan: {broken}."
            )
    return found


def outcomes() -> dict[str, list[Outcome]]:
    """What became of each recorded plan, by its kind."""
    found: dict[str, list[Outcome]] = {}
    for case, outcome in runs():
        found.setdefault(kind_of(case), []).append(outcome)
    return {kind: found[kind] for kind in sorted(found)}


def table() -> str:
    """One line a kind. *Lost*: no member received it; *unhandled*: one with another job did; both after the first step.
    *Once*: but for restarts, which may repeat what was handled around them."""
    rows = [HEAD, ("---",) * len(HEAD)]
    for kind, each in outcomes().items():
        lost, before = sum(one.lost for one in each), sum(one.before for one in each)
        unhandled = sum(one.unhandled for one in each)
        numbers = (sum(one.sent for one in each), before, lost - before - unhandled, unhandled)
        twice = sum(one.twice for one in each)
        promised = "nothing lost" if all(one.promised for one in each) else "may lose"
        promised += ", once" if all(one.once for one in each) else ", some twice"
        kept = f"{sum(one.kept for one in each)} of {len(each)}"
        cells = (str(len(each)), *(f"{one:,}" for one in (*numbers, twice)), promised, kept)
        rows.append((kind, *cells))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    print("\n".join([*carried_out("en").values(), "", table()]))
