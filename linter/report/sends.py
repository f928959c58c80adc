"""Messages that programs send: a row for each, as JSON lines or as a table.

A row is read from the consumer in whose shape `resolve.sends` carries it: one subscription, the topic with the tag that is
sent. What is not known is null with its reason in `unresolved`; a message without a tag has the tag "". The shape is
`schemas/sends.schema.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from subdrift.linter.model.api import SENDERS
from subdrift.linter.model.consumer import Carried, Confidence, Consumer, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.report.json import place
from subdrift.linter.report.language import Language, english
from subdrift.linter.report.listing import (
    NOT_KNOWN_DEPLOYABLE,
    Row,
    aligned,
    conditions,
    environments,
    place_of,
)
from subdrift.linter.report.terminal import CELL_CHARS_MAX, Style, cells, safe, settled, wrapped

SCHEMA_VERSION: Final = 1
_NOTHING_KNOWN: Final = Carried((), phrase("no-run-came-through"), Value(None, Why.DYNAMIC))
_CELLS_MAX: Final = 34


def sent(
    rows: Iterable[Consumer], is_selected: Callable[[Origin], bool] = lambda origin: True
) -> list[Consumer]:
    """The sends of the selected files, by place."""
    found = [one for one in rows if is_selected(one.at.origin)]
    return sorted(found, key=lambda one: (one.subscriptions[0].at, one.id, one.environments))


def rows(sends: Iterable[Consumer]) -> list[Row]:
    return [_row(one) for one in sends]


def values(one: Consumer) -> Iterator[tuple[str, Value]]:
    (message,) = one.subscriptions
    yield "topic", message.topic
    yield "tag", message.expression
    yield "namespace", one.namespace
    yield "producer_group", one.group


def _row(one: Consumer) -> Row:
    (message,) = one.subscriptions
    held = dict(values(one))
    carried = message.carried or _NOTHING_KNOWN
    known = [value.confidence for name, value in held.items() if value.known and name != "producer_group"]
    confidence = Confidence.LOW if one.broken else min(known, default=Confidence.HIGH)
    reasons = {name: (value.why or Why.UNSUPPORTED).value for name, value in held.items() if not value.known}
    if one.version is None:
        reasons["client_version"] = Why.UNDEFINED.value
    in_words = {name: value.detail for name, value in held.items() if not value.known}
    if not carried.delay.known:
        reasons["delay"] = (carried.delay.why or Why.UNSUPPORTED).value
    if carried.more:
        reasons["properties"] = Why.DYNAMIC.value
    in_words |= {"delay": carried.delay.detail, "properties": carried.more}
    return {
        "schema_version": SCHEMA_VERSION,
        **place(message.at),
        "api": one.api,
        "client": SENDERS[one.api].client.value,
        "client_version": one.version,
        "deployable": one.deployable or NOT_KNOWN_DEPLOYABLE,
        "send": one.id,
        **{name: value.text for name, value in held.items()},
        "properties": [{"name": each.name, "sure": each.sure} for each in carried.properties],
        "delay": carried.delay.text,
        "environments": list(one.environments),
        "scope": one.scope,
        "conditions": conditions(one.conditions, one.at.origin),
        "disabled": one.disabled,
        "symbol": one.symbol,
        "cluster": one.cluster,
        "confidence": confidence.text,
        "unresolved": reasons,
        "reasons": {name: english().detail(detail) for name, detail in in_words.items() if detail},
        "trail": [
            {
                "field": name,
                "repo": step.at.origin.repo,
                "path": step.at.origin.path,
                "line": step.at.span.line,
                "what": english().detail(step.what),
            }
            for name, value in held.items()
            for step in value.trail
        ],
    }


def shown(value: Value, words: Language, *, tag: bool = False) -> str:
    """A value in a cell: a tag that is not there in words, what is not known as its reason."""
    if value.text is not None:
        return value.text or (words.word("sends.no-tag") if tag else "")
    return words.word("list.unknown-value", reason=(value.why or Why.UNSUPPORTED).value)


def table(sends: Sequence[Consumer], home: str, style: Style, words: Language) -> str:
    """The sends for people: topic, tag, notes, and below them why something is not known, and the place."""
    lines = [tuple(words.word(f"sends.{name}") for name in ("topic", "tag", "notes"))]
    lines += [_cells(one, words) for one in sends]
    widths = [min(_CELLS_MAX, max(cells(line[column]) for line in lines)) for column in range(3)]
    out = [style.paint(aligned(lines[0], widths), "bold")] if sends else []
    for one, line in zip(sends, lines[1:], strict=True):
        out.append(style.plain(aligned(line, widths)))
        for reason in _reasons(one, words):
            out += wrapped(safe(reason), style.width, "    ", "    ")
        row = {**place(one.subscriptions[0].at)}
        out.append(style.paint(place_of(row, home), "dim"))
    topics = {
        (one.namespace.text, one.subscriptions[0].topic.text)
        for one in sends
        if one.subscriptions[0].topic.known
    }
    unknown = sum(not one.subscriptions[0].topic.known for one in sends)
    out.append(words.word("sends.counts", sends=len(sends), topics=len(topics), unknown=unknown))
    return settled("\n".join(out) + "\n")


def _cells(one: Consumer, words: Language) -> tuple[str, ...]:
    (message,) = one.subscriptions
    notes = [one.api, *([one.deployable] if one.deployable not in ("", ".") else [])]
    notes += [words.word(f"scope.{one.scope}")] * (one.scope != "main")
    notes += _carried(message.carried, words)
    notes += environments(one.environments, words)
    notes += [words.word("list.disabled")] * one.disabled
    texts = (shown(message.topic, words), shown(message.expression, words, tag=True), words.comma.join(notes))
    return tuple(safe(text, CELL_CHARS_MAX) for text in texts)


def _carried(carried: Carried | None, words: Language) -> Iterator[str]:
    """That a message is delayed, and the properties it may have, in words."""
    if carried is None:
        return
    if carried.delay.text:
        yield words.word("sends.delayed", delay=carried.delay.text)
    for code, sure in (("sends.with", True), ("sends.perhaps-with", False)):
        names = [one.name for one in carried.properties if one.sure is sure]
        if names:
            yield words.word(code, properties=words.joined(names))


def _reasons(one: Consumer, words: Language) -> Iterator[str]:
    (message,) = one.subscriptions
    told: set[str] = set()
    for value in (message.topic, message.expression):
        detail = words.detail(value.detail) if not value.known and value.detail else ""
        if detail and detail not in told:
            told.add(detail)
            yield detail
