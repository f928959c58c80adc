"""What was extracted: a row for each subscription of each consumer, as JSON lines or as a table.

What is not known is null with its reason in `unresolved`; what an API does not have is null and `not-applicable`. A
consumer without subscriptions is one row with a null topic. The shape is `schemas/list.schema.json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from subdrift.linter.model.consumer import Confidence, Consumer, Subscription, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Condition
from subdrift.linter.model.location import Origin
from subdrift.linter.report.json import compose, place
from subdrift.linter.report.language import Language, english
from subdrift.linter.report.terminal import CELL_CHARS_MAX, Style, cells, safe, settled, wrapped

SCHEMA_VERSION: Final = 1
NOT_KNOWN_DEPLOYABLE: Final = "unknown"

Row = dict[str, Any]


def rows(
    consumers: Iterable[Consumer], is_selected: Callable[[Origin], bool] = lambda origin: True
) -> list[Row]:
    """The rows of all consumers in the selected files, by place; of one place the row without a profile first."""
    found = []
    for consumer in consumers:
        for subscription in consumer.subscriptions or (None,):
            at = consumer.at if subscription is None else subscription.at
            if is_selected(at.origin) or is_selected(consumer.at.origin):
                found.append(
                    (
                        at,
                        consumer.id,
                        "" not in consumer.environments,
                        consumer.environments,
                        subscription,
                        consumer,
                    )
                )
    found.sort(key=lambda one: one[:4])
    return [_row(consumer, subscription) for *_, subscription, consumer in found]


def jsonl(listed: Sequence[Row]) -> str:
    """One JSON object a line."""
    return "".join(compose(row) + "\n" for row in listed)


def _row(consumer: Consumer, subscription: Subscription | None) -> Row:
    at = consumer.at if subscription is None else subscription.at
    values = dict(_values(consumer, subscription))
    reasons = {name: _reason(value) for name, value in values.items() if not value.known}
    if consumer.version is None:
        reasons["client_version"] = Why.UNDEFINED.value
    known = [value.confidence for value in values.values() if value.known]
    confidence = Confidence.LOW if consumer.broken else min(known, default=Confidence.HIGH)
    return {
        "schema_version": SCHEMA_VERSION,
        **place(at),
        "api": consumer.api,
        "client": consumer.traits.client.value,
        "client_version": consumer.version,
        "deployable": consumer.deployable or NOT_KNOWN_DEPLOYABLE,
        "consumer": consumer.id,
        "choice": consumer.choice,
        **{name: value.text for name, value in values.items()},
        "environments": list(consumer.environments),
        "scope": consumer.scope,
        "conditions": conditions(consumer.conditions, consumer.at.origin),
        "disabled": consumer.disabled,
        "symbol": consumer.symbol,
        "cluster": consumer.cluster,
        "confidence": confidence.text,
        "unresolved": reasons,
        "defaults": sorted(name for name, value in values.items() if value.known and value.default),
        "trail": [
            {
                "field": name,
                "repo": step.at.origin.repo,
                "path": step.at.origin.path,
                "line": step.at.span.line,
                "what": english().detail(step.what),
            }
            for name, value in values.items()
            for step in value.trail
        ],
    }


def conditions(of: Iterable[Condition], own: Origin) -> list[dict[str, Any]]:
    """What a row hangs on; `own`: its file."""
    return [
        {
            "kind": one.kind,
            "text": english().detail(one.text),
            "repo": (one.origin or own).repo,
            "path": (one.origin or own).path,
            "line": one.at.line,
        }
        for one in of
    ]


def _values(consumer: Consumer, subscription: Subscription | None) -> Iterator[tuple[str, Value]]:
    never = Value(None, Why.NEVER_SUBSCRIBED)
    yield "group", consumer.group
    yield "topic", never if subscription is None else subscription.topic
    yield "filter_type", never if subscription is None else subscription.filter_type
    yield "expression", never if subscription is None else subscription.expression
    yield "message_model", consumer.message_model
    yield "consume_mode", consumer.consume_mode
    yield "namespace", consumer.namespace


def _reason(value: Value) -> str:
    return (value.why or Why.UNSUPPORTED).value


_COLUMNS: Final = ("group", "topic", "expression", "notes")
_ENVIRONMENTS_SHOWN_MAX: Final = 3
"""Environments a row names; JSON has all of them."""
_COLUMN_CELLS_MAX: Final = 34
"""Cells of a column that all rows keep to; a longer value pushes the rest of its own row to the right."""


def table(
    listed: Sequence[Row],
    home: str,
    style: Style,
    language: Language | None = None,
    blind: int = 0,
    reasons: Mapping[tuple[str, tuple[str, ...]], str] | None = None,
) -> str:
    """The rows for people: the values first, and below them the place. No value is cut off; rows that read alike are one
    with their number; counts at the end, with that of the blind spots (`model/unknown.py`). `reasons` why consumers take
    no part, or may not, by id and environments."""
    words = language or english()
    out: list[str] = []
    if listed:
        lines = [
            tuple(words.word(f"list.{name}") for name in _COLUMNS),
            *(_cells_of(row, words) for row in listed),
        ]
        widths = [
            min(_COLUMN_CELLS_MAX, max(cells(line[column]) for line in lines))
            for column in range(len(_COLUMNS))
        ]
        out.append(style.paint(aligned(lines[0], widths), "bold"))
        told = Counter(
            (
                line,
                place_of(row, home),
                (reasons or {}).get((row["consumer"], tuple(row["environments"])), ""),
            )
            for row, line in zip(listed, lines[1:], strict=True)
        )
        for (line, place, said), count in told.items():
            alike = words.word("list.alike", count=count) if count > 1 else ""
            out += _row_lines((*line[:-1], words.comma.join(filter(None, (line[-1], alike)))), widths, style)
            out += wrapped(safe(said), style.width, "    ", "    ") if said else []
            out.append(style.paint(place, "dim"))
    out.append(
        words.word(
            "list.counts",
            subscriptions=len(listed),
            consumers=len({row["consumer"] for row in listed}),
            groups=len({(row["namespace"], row["group"]) for row in listed if row["group"] is not None}),
            blind=blind,
        )
    )
    return settled("\n".join(out) + "\n")


def _row_lines(line: Sequence[str], widths: Sequence[int], style: Style) -> list[str]:
    """One line; the notes, then the expression, on lines of their own where the terminal is too narrow."""
    for columns in (4, 3, 2):
        first = style.plain(aligned(line[:columns], widths[:columns]))
        if columns == 2 or cells(first) <= style.width:
            rest = [wrapped(part, style.width, "    ", "    ") for part in line[columns:] if part]
            return [first, *(text for lines in rest for text in lines)]
    raise AssertionError("two columns are always printed")


def place_of(row: Row, home: str) -> str:
    """Where it stands: a path unbroken, whatever its length."""
    lead = "" if row["repo"] == home else f"{row['repo']}  "
    return safe(f"    {lead}{row['path']}:{row['line']}:{row['column']}")


def aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(
        text + " " * (width - cells(text)) for text, width in zip(line, widths, strict=True)
    ).rstrip()


def _cells_of(row: Row, words: Language) -> tuple[str, ...]:
    notes = [row["api"]]
    notes += [row["filter_type"]] * (row["filter_type"] not in ("TAG", None))
    notes += [row["message_model"]] * (row["message_model"] not in ("CLUSTERING", None))
    notes += [
        words.word("list.unknown", field=words.word(f"field.{name}"), reason=row["unresolved"][name])
        for name in ("filter_type", "message_model", "namespace")
        if row[name] is None and row["unresolved"][name] != Why.NOT_APPLICABLE.value
    ]
    notes += [words.word(f"scope.{row['scope']}")] * (row["scope"] != "main")
    notes += environments(row["environments"], words)
    notes += [words.word("list.one-of-several")] * bool(row["choice"])
    notes += [words.word("list.disabled")] * row["disabled"]
    values = (_known(row, name, words) for name in ("group", "topic", "expression"))
    return tuple(safe(part, CELL_CHARS_MAX) for part in (*values, words.comma.join(notes)))


def environments(names: Sequence[str], words: Language) -> list[str]:
    """The first few environments of a row in one text; nothing where no profile is the only one."""
    told = [name or words.word("without-profile") for name in names[:_ENVIRONMENTS_SHOWN_MAX]]
    if len(names) > _ENVIRONMENTS_SHOWN_MAX:
        told.append(words.word("and-more", count=len(names) - _ENVIRONMENTS_SHOWN_MAX))
    if len(told) > 1:
        told = [words.word("set-of", names=words.comma.join(told))]
    return told if list(names) != [""] else []


def _known(row: Row, name: str, words: Language) -> str:
    if row[name] is not None:
        return str(row[name])
    reason = row["unresolved"][name]
    return "-" if reason == "not-applicable" else words.word("list.unknown-value", reason=reason)
