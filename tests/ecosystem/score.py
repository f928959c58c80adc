"""Labels and consumers of one repository -> found, missed, false, right, unknown, wrong, invented."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from subdrift.linter.model.consumer import Consumer, Subscription
from subdrift.linter.model.tags import TagSyntaxError, parse_tags

COUNTED_MAX = 40
"""A repository weighs as many rows at most."""

HELD_OUT = frozenset(
    {
        "apache/rocketmq-connect",
        "apache/eventmesh",
        "codeyunze/yz-mall",
        "deipss/java-edu",
        "aliyunmq/mq-http-samples",
    }
)

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Row:
    """One subscription as reported: place and the three values that matter, None where unknown."""

    place: Place
    group: str | None
    topic: str | None
    expression: str | None
    filter_type: str | None
    api: str
    choice: bool = False
    environments: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[str | None, str | None, str | None]:
        return (self.group, self.topic, self.expression)


@dataclass(slots=True)
class Labels:
    repo: str
    commit: str
    covers: tuple[str, ...]
    rows: list[dict[str, Any]]


@dataclass(slots=True)
class Score:
    """Counts of one repository; `lines` explain every row that is not simply right."""

    repo: str
    labelled: int = 0
    found: int = 0
    reported: int = 0
    false: int = 0
    knowable: int = 0
    right: int = 0
    invented: int = 0
    lines: list[str] = field(default_factory=list)

    @property
    def weight(self) -> float:
        return min(1.0, COUNTED_MAX / self.labelled) if self.labelled else 1.0


def load(path: Path) -> Labels:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    header = lines[0]
    return Labels(header["repo"], header["commit"], tuple(header["covers"]), lines[1:])


def rows(consumers: Iterable[Consumer]) -> list[Row]:
    """Every distinct row of the consumers."""
    found: dict[Row, None] = {}
    for consumer in consumers:
        for one in consumer.subscriptions:
            found[_row(consumer, one)] = None
    return list(found)


def _row(consumer: Consumer, one: Subscription) -> Row:
    return Row(
        (one.at.origin.path, one.at.span.line),
        consumer.group.text,
        one.topic.text,
        one.expression.text,
        one.filter_type.text,
        consumer.api,
        bool(consumer.choice),
        consumer.environments,
    )


def _places(label: dict[str, Any]) -> list[Place]:
    found: list[Place] = [(label["path"], label["line"])]
    for other in label.get("also", ()):
        path, _, line = other.rpartition(":")
        found.append((path, int(line)))
    return found


def _same_expression(label: dict[str, Any], row: Row) -> bool:
    want, have = label["expression"], row.expression
    if want is None or have is None:
        return want is have
    if (label.get("filter_type") or "TAG") != (row.filter_type or "TAG"):
        return False
    if (label.get("filter_type") or "TAG") != "TAG":
        return bool(want == have)
    try:
        return parse_tags(want or "*").tags == parse_tags(have or "*").tags
    except TagSyntaxError:
        return bool(want == have)


def _distance(label: dict[str, Any], row: Row) -> int:
    """How many of the three values differ; a missing one is nearer than a wrong one."""
    total = 0
    for want, have in ((label["group"], row.group), (label["topic"], row.topic)):
        total += 0 if want == have else (1 if have is None else 3)
    if label.get("environments") and not set(label["environments"]) & set(row.environments):
        total += 1
    return total + (0 if _same_expression(label, row) else (1 if row.expression is None else 3))


def score(labels: Labels, reported: list[Row]) -> Score:
    """Matches labels to reported rows at their places, nearest values first."""
    result = Score(labels.repo)
    by_place: dict[Place, list[Row]] = {}
    for row in reported:
        by_place.setdefault(row.place, []).append(row)
    judged = [row for row in reported if row.place[0].startswith(labels.covers)]
    used: set[Row] = set()
    excused: set[Place] = set()
    pairs: list[tuple[dict[str, Any], Row | None]] = []
    order = sorted(labels.rows, key=lambda label: bool(label.get("optional")))
    for label in order:
        places = _places(label)
        options = [row for place in places for row in by_place.get(place, ())]
        fresh = [row for row in options if row not in used] or options
        best = min(fresh, key=lambda row: _distance(label, row), default=None)
        if label.get("optional"):
            excused.update(places)
            continue
        if best is not None:
            used.add(best)
        pairs.append((label, best))
    for label, matched in pairs:
        _judge(result, label, matched)
    labelled = {place for label in labels.rows for place in _places(label)}
    for row in judged:
        if row in used or row.place in excused:
            continue
        if row.place in labelled:
            _extra(result, labels, row)
            continue
        result.false += 1
        result.lines.append(f"  false    {row.place[0]}:{row.place[1]} {row.api} {row.values}")
    result.reported = result.found + result.false
    return result


def _judge(result: Score, label: dict[str, Any], row: Row | None) -> None:
    place = f"{label['path']}:{label['line']}"
    wanted = (label["group"], label["topic"], label["expression"])
    result.labelled += 1
    result.knowable += bool(label["knowable"])
    if row is None:
        result.lines.append(f"  missed   {place} {label['api']} {wanted}")
        return
    result.found += 1
    fields = (
        ("group", label["group"], row.group, label["group"] == row.group),
        ("topic", label["topic"], row.topic, label["topic"] == row.topic),
        ("expression", label["expression"], row.expression, _same_expression(label, row)),
    )
    reasons = label.get("unresolved", {})
    never = "never-subscribed" in reasons.values()
    bad = [
        (name, want, have)
        for name, want, have, same in fields
        if not same and not (never and name == "expression")
    ]
    invented = [
        entry
        for entry in bad
        if entry[2] is not None and entry[1] is None and reasons.get(entry[0]) is not None
    ]
    wrong = [entry for entry in bad if entry[1] is not None and entry[2] is not None]
    if label["knowable"]:
        result.right += not bad
    if invented or wrong:
        result.invented += 1
    if bad:
        kind = "invented" if invented else "wrong" if wrong else "unknown"
        if not label["knowable"] and kind == "unknown":
            kind = "partly"
        shown = ", ".join(f"{name} {have!r} for {want!r}" for name, want, have in bad)
        result.lines.append(f"  {kind:8} {place} {shown}")


def _extra(result: Score, labels: Labels, row: Row) -> None:
    """A further row at a labelled place: fine when its values are those of some label there, or unknown."""
    here = [label for label in labels.rows if row.place in _places(label)]
    if row.choice and any(not label["knowable"] for label in here):
        return  # the fall-back of a ternary on run-time input, shown as the alternative it is
    if any(
        _distance(label, row) <= 3 and all(v is None or v in _known(label) for v in row.values)
        for label in here
    ):
        return
    result.invented += 1
    result.lines.append(f"  extra    {row.place[0]}:{row.place[1]} {row.values}")


def _known(label: dict[str, Any]) -> set[str | None]:
    return {label["group"], label["topic"], label["expression"], "*"}
