"""Blind spots: what is not known, most frequent reason first, and what would answer it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from linter.model.consumer import Consumer, Value
from linter.model.expr import Why
from linter.model.finding import DIAGNOSTICS, Diagnostic
from linter.model.location import Location, Origin
from linter.report.content import plural
from linter.report.frame import where
from linter.report.json import compose, place
from linter.report.terminal import Style, safe, settled

SCHEMA_VERSION: Final = 1
PLACES_SHOWN_MAX: Final = 3

REASONS: Final[dict[str, tuple[str, str]]] = {
    Why.DYNAMIC.value: (
        "known only at run time",
        "make it a constant, or a configuration key that [values] answers",
    ),
    Why.UNDEFINED.value: (
        "defined by no file of this run",
        "answer the key in [values], or add the repository that defines it (--org)",
    ),
    Why.AMBIGUOUS.value: (
        "several definitions disagree",
        "declare the dependency in the build file, or answer the key in [values]",
    ),
    Why.CYCLE.value: ("defined in terms of itself", "break the cycle"),
    Why.TOO_MANY.value: ("more possibilities than are followed", "answer the key in [values]"),
    Why.EXTERNAL_CONFIG.value: ("lives in a configuration centre", "answer the key in [values]"),
    Why.SET_AT_DEPLOY.value: ("set from outside when deployed", "answer the variable in [values]"),
    Why.NEVER_SUBSCRIBED.value: (
        "a consumer without a subscription in sight",
        "subscribe where the consumer is made, or remove it",
    ),
    Why.UNSUPPORTED.value: ("written in a way that is not evaluated", "write it as a constant or a literal"),
    Why.BROKEN.value: ("in a part of a file that does not parse", "repair the syntax"),
}
"""Why -> what it means and what would answer it."""


@dataclass(frozen=True, slots=True)
class BlindSpot:
    """One thing that is not known: `reason` is a Why or a diagnostic's name, `what` the key, symbol or message."""

    reason: str
    field: str
    what: str
    help: str
    places: tuple[Location, ...]


def blind_spots(
    consumers: Iterable[Consumer],
    diagnostics: Iterable[Diagnostic],
    is_selected: Callable[[Origin], bool] = lambda origin: True,
) -> tuple[BlindSpot, ...]:
    """All blind spots: reasons with the most places first, and within a reason what occurs most."""
    found: dict[tuple[str, str, str, str], dict[Location, None]] = {}
    for consumer in consumers:
        for name, value, at in _unknown(consumer):
            why = (value.why or Why.UNSUPPORTED).value
            found.setdefault((why, name, value.detail, _help(why, value.detail)), {})[at] = None
    for one in diagnostics:
        # the values themselves are listed above, with what they hang on
        if one.name not in ("unresolved-value", "unused-suppression"):
            found.setdefault((one.name, "", one.message, one.help), {})[one.at] = None
    spots = [
        BlindSpot(reason, field, what, help_, tuple(sorted(places)))
        for (reason, field, what, help_), every in found.items()
        if (places := [at for at in every if is_selected(at.origin)])
    ]
    total: dict[str, int] = {}
    for spot in spots:
        total[spot.reason] = total.get(spot.reason, 0) + len(spot.places)
    order = sorted(
        spots, key=lambda s: (-total[s.reason], s.reason, -len(s.places), s.field, s.what, s.places)
    )
    return tuple(order)


def as_text(spots: tuple[BlindSpot, ...], home: str, style: Style) -> str:
    """A block for each reason, a line for each blind spot, and its places."""
    if not spots:
        return "No blind spots.\n"
    lines: list[str] = []
    reason = ""
    for spot in spots:
        if spot.reason != reason:
            reason = spot.reason
            count = sum(len(one.places) for one in spots if one.reason == reason)
            meaning = REASONS[reason][0] if reason in REASONS else DIAGNOSTICS.get(reason, "")
            lines += [""] * bool(lines)
            lines.append(f"{style.paint(reason, 'bold')}: {meaning} ({plural(count, 'place')})")
        field = f"{spot.field.replace('_', ' ')} " if spot.field else ""
        what = safe(spot.what) if not spot.field else f"`{safe(spot.what)}`" if spot.what else ""
        lines.append(
            f"  {len(spot.places)} × {field}{what}".rstrip().replace("×", "x" if style.ascii else "×")
        )
        lines += [f"      {where(at, home)}" for at in spot.places[:PLACES_SHOWN_MAX]]
        if len(spot.places) > PLACES_SHOWN_MAX:
            lines.append(f"      and {len(spot.places) - PLACES_SHOWN_MAX:,} more")
        if spot.help:
            lines.append(f"      {style.paint('help', 'bold')}: {safe(spot.help)}")
    total = sum(len(spot.places) for spot in spots)
    lines += ["", f"{plural(total, 'blind spot')} in {plural(len({s.reason for s in spots}), 'kind')}"]
    return settled("\n".join(lines) + "\n")


def as_json(spots: tuple[BlindSpot, ...]) -> str:
    """One JSON object (`schemas/unresolved.schema.json`)."""
    document: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "blind_spots": [
            {
                "reason": spot.reason,
                "field": spot.field or None,
                "what": spot.what,
                "help": spot.help,
                "count": len(spot.places),
                "places": [place(at) for at in spot.places],
            }
            for spot in spots
        ],
    }
    return compose(document, indent=2) + "\n"


def _unknown(consumer: Consumer) -> Iterator[tuple[str, Value, Location]]:
    own = (
        ("group", consumer.group),
        ("namespace", consumer.namespace),
        ("message_model", consumer.message_model),
        ("consume_mode", consumer.consume_mode),
    )
    values = [(name, value, consumer.at) for name, value in own]
    for one in consumer.subscriptions:
        values.append(("topic", one.topic, one.at))
        values.append(("expression", one.expression, one.at))
        values.append(("filter_type", one.filter_type, one.at))
    if not consumer.subscriptions:
        values.append(("topic", Value(None, Why.NEVER_SUBSCRIBED), consumer.at))
    yield from ((n, v, at) for n, v, at in values if not v.known and not v.not_applicable)


_ANSWERABLE: Final = (
    Why.UNDEFINED.value,
    Why.EXTERNAL_CONFIG.value,
    Why.SET_AT_DEPLOY.value,
    Why.AMBIGUOUS.value,
)


_OTHERWISE: Final = {
    Why.UNDEFINED.value: ", or add the repository that defines it (--org)",
    Why.AMBIGUOUS.value: ", or declare the dependency in the build file",
}


def _help(why: str, detail: str) -> str:
    """What would answer it; a configuration key or variable gets the very line to write."""
    is_key = bool(detail) and all(char.isalnum() or char in "._-[]" for char in detail)
    if why in _ANSWERABLE and is_key:
        return f'set "{detail}" under [values] in .subdrift.toml{_OTHERWISE.get(why, "")}'
    return REASONS[why][1] if why in REASONS else ""
