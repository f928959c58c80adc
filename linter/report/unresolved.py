"""Blind spots: what is not known, most frequent reason first, and what would answer it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.expr import Why
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import PHRASE_BEGINS, Message, say
from subdrift.linter.model.unknown import is_key, unknown_values, unread
from subdrift.linter.report.frame import where
from subdrift.linter.report.json import compose, place
from subdrift.linter.report.language import Language, english
from subdrift.linter.report.terminal import Style, paragraphs, safe, settled, wrapped

SCHEMA_VERSION: Final = 1
PLACES_SHOWN_MAX: Final = 3


class BlindSpot(Struct, frozen=True):
    """One thing that is not known: `reason` is a Why or a diagnostic's name, `what` the key, symbol or message."""

    reason: str
    field: str
    what: Message
    help: Message | None
    places: tuple[Location, ...]


def blind_spots(
    consumers: Iterable[Consumer],
    diagnostics: Iterable[Diagnostic],
    is_selected: Callable[[Origin], bool] = lambda origin: True,
) -> tuple[BlindSpot, ...]:
    """All blind spots: reasons with the most places first, and within a reason what occurs most."""
    found: dict[tuple[str, str, Message, Message | None], dict[Location, None]] = {}
    for one in unknown_values(consumers):
        why, detail = one.why.value, one.value.detail
        found.setdefault((why, one.field, say("hangs-on", detail=detail), answer(why, detail)), {})[
            one.at
        ] = None
    for problem in unread(diagnostics):
        found.setdefault((problem.name, "", problem.message, problem.help), {})[problem.at] = None
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


def as_text(spots: tuple[BlindSpot, ...], home: str, style: Style, language: Language | None = None) -> str:
    """A block for each reason, a line for each blind spot, and its places."""
    words = language or english()
    if not spots:
        return words.word("unresolved.none") + "\n"
    lines: list[str] = []
    reason = ""
    for spot in spots:
        if spot.reason != reason:
            reason = spot.reason
            count = sum(len(one.places) for one in spots if one.reason == reason)
            lines += [""] * bool(lines)
            head = words.word("unresolved.reason", reason=reason, meaning=meaning(reason, words), count=count)
            lines += wrapped(head, style.width, "", "  ")
        lines += _spot(spot, home, style, words)
    total = words.word(
        "unresolved.total",
        count=sum(len(spot.places) for spot in spots),
        kinds=len({spot.reason for spot in spots}),
    )
    lines += ["", total]
    return settled("\n".join(lines) + "\n")


def meaning(reason: str, language: Language) -> str:
    """What a reason or the name of a diagnostic means."""
    return language.templates.get(f"why.{reason}") or language.word(f"diagnostic.{reason}")


def _spot(spot: BlindSpot, home: str, style: Style, words: Language) -> Iterator[str]:
    what = safe(words.text(spot.what))
    if spot.field:
        field = words.word(f"field.{spot.field}")
        what = words.word("unresolved.field", field=field, what=what) if what else field
    sign = "x" if style.ascii else "×"
    yield from wrapped(f"{len(spot.places)} {sign} {what}", style.width, "  ", "      ")
    yield from (f"      {where(at, home)}" for at in spot.places[:PLACES_SHOWN_MAX])
    if len(spot.places) > PLACES_SHOWN_MAX:
        yield f"      {words.word('unresolved.more', count=len(spot.places) - PLACES_SHOWN_MAX)}"
    if spot.help is not None:
        lead = f"      {words.word('help-lead')}"
        yield from paragraphs(words.text(spot.help), style.width, lead, "        ")


def as_json(spots: tuple[BlindSpot, ...], language: Language | None = None) -> str:
    """One JSON object (`schemas/unresolved.schema.json`)."""
    words = language or english()
    document: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "blind_spots": [
            {
                "reason": spot.reason,
                "field": spot.field or None,
                "what": words.text(spot.what),
                "help": words.text(spot.help),
                "count": len(spot.places),
                "places": [place(at) for at in spot.places],
            }
            for spot in spots
        ],
    }
    return compose(document, indent=2) + "\n"


_ANSWERABLE: Final = (
    Why.UNDEFINED.value,
    Why.EXTERNAL_CONFIG.value,
    Why.SET_AT_DEPLOY.value,
    Why.AMBIGUOUS.value,
)
_OTHERWISE: Final = {Why.UNDEFINED.value: "or-add-repository", Why.AMBIGUOUS.value: "or-declare-dependency"}


def answer(why: str, detail: str) -> Message:
    """What would answer it; a configuration key or variable gets the very line to write."""
    if why in _ANSWERABLE and is_key(detail):
        otherwise = _OTHERWISE.get(why)
        return say("set-in-values", key=detail, otherwise=say(otherwise) if otherwise else say("nowhere"))
    if why == Why.SET_AT_DEPLOY.value and not detail:
        return say("needs.set-at-deploy-unnamed")
    if why == Why.DYNAMIC.value and detail.startswith(f"{PHRASE_BEGINS}parameter"):
        return say("needs.dynamic-parameter")
    return say(f"needs.{why}")
