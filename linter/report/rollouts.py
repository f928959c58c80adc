"""The answer of `subdrift rollout` as text and as JSON (`schemas/rollout.schema.json`)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final, assert_never

from linter.broker.rollout import RUNS, Change, Do, Rollout, RolloutStep, State, TagLoss
from linter.model.prediction import Share
from linter.report.terminal import Style, cells, safe

SCHEMA_VERSION: Final = 1
_GLUE: Final = "\N{WORD JOINER}"
"""Stands for a blank at which no line breaks; `textwrap` knows no such blank."""

_CHANGES: Final = {
    Change.NOTHING: "the same tags, written alike",
    Change.WIDEN: "more tags",
    Change.NARROW: "fewer tags",
    Change.REPLACE: "other tags",
}


def render(plan: Rollout, group: str, style: Style) -> str:
    """For people, within the style's width, with the last line end."""
    return "\n".join(_lines(plan, group, style)) + "\n"


def _lines(plan: Rollout, group: str, style: Style) -> Iterator[str]:
    head = f"Group {safe(group)}, topic {safe(plan.topic)}: to `{safe(plan.goal)}` ({_CHANGES[plan.change]})"
    yield style.paint(head, "bold")
    yield ""
    yield "Now:"
    width = max(cells(safe(name)) for name, _ in plan.now.expressions)
    for name, text in plan.now.expressions:
        shown = safe(name)
        yield f"  {shown}{' ' * (width - cells(shown))}  `{safe(text)}`"
    yield from _wrapped(f"  {_losses(plan.now)}", "  ", style)
    yield ""
    if not plan.careful:
        yield "Every member asks for exactly that already; there is nothing to do."
        return
    safe_order = all(one.after.is_safe for one in plan.careful)
    title = (
        "In this order nothing that is sent is lost:" if safe_order else "In this order the least is lost:"
    )
    yield style.paint(title, "green" if safe_order else "yellow")
    yield from _steps(plan.careful, style, tell_losses=not safe_order)
    if not all(one.after.is_safe for one in plan.careless):
        yield ""
        sent = ", ".join(plan.careless[0].after.sent)
        careless = f"Careless: restarts one after the other while {safe(sent)} are sent:"
        yield from _wrapped(careless, "", style, "red")
        yield from _steps(plan.careless, style, tell_losses=True)
    yield ""
    yield from _wrapped(
        f"Supposed: one client of each member; shares hold for every winner, 'usually' is the mean of {RUNS} simulated "
        f"runs; basis: {plan.basis.value}.",
        "  ",
        style,
    )


def _steps(steps: Iterable[RolloutStep], style: Style, tell_losses: bool) -> Iterator[str]:
    for number, one in enumerate(steps, 1):
        text = f"{number:3}. {_words(one)}"
        if tell_losses:
            text += f": {_losses(one.after)}"
        yield from _wrapped(text, "     ", style)


def _words(step: RolloutStep) -> str:
    tags = safe(", ".join(step.tags))
    match step.do:
        case Do.RESTART:
            return f"restart {safe(step.member)} with `{safe(step.expression)}`"
        case Do.START_SENDING:
            return f"let producers begin to send {tags}"
        case Do.STOP_SENDING:
            return f"let producers stop sending {tags}"
        case Do.WAIT_UNTIL_CONSUMED:
            return f"wait until none of {tags} is left (consumerProgress: Diff 0 in every queue)"
        case _:
            assert_never(step.do)


def _losses(state: State) -> str:
    told = [f"{safe(one.tag)} {', '.join(parts)}" for one in state.losses if (parts := list(_parts(one)))]
    if told:
        return "; ".join(told)
    return "nothing is lost" if state.sent else "nothing is sent"


def _parts(one: TagLoss) -> Iterator[str]:
    if one.lost.is_possible:
        usually = "" if one.lost.is_exact else f" (usually {_percent(one.usually)})"
        yield f"{_share(one.lost)} lost{usually}"
    if one.stuck.is_possible:
        yield f"{_share(one.stuck)} stuck"


def _share(share: Share) -> str:
    if share.is_exact:
        return _percent(share.low)
    return f"{_percent(share.low).removesuffix(' %')}-{_percent(share.high)}"


def _percent(part: Fraction) -> str:
    return f"{float(part * 100):.3g} %"


def _wrapped(text: str, indent: str, style: Style, *paint: str) -> Iterator[str]:
    """Lines within the width; a number is not parted from its unit."""
    for line in textwrap.wrap(
        style.plain(text).replace(" %", _GLUE + "%"),
        style.width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ):
        shown = line.replace(_GLUE, " ")
        yield style.paint(shown, *paint) if paint else shown


def document(plan: Rollout, group: str) -> dict[str, Any]:
    """One JSON object; shares are exact fractions as text."""
    return {
        "schema_version": SCHEMA_VERSION,
        "group": group,
        "topic": plan.topic,
        "to": plan.goal,
        "change": plan.change.value,
        "basis": plan.basis.value,
        "now": _state(plan.now),
        "careful": [_step(one) for one in plan.careful],
        "careless": [_step(one) for one in plan.careless],
    }


def _step(one: RolloutStep) -> dict[str, Any]:
    return {
        "do": one.do.value,
        "member": one.member or None,
        "expression": one.expression or None,
        "tags": list(one.tags),
        "after": _state(one.after),
    }


def _state(state: State) -> dict[str, Any]:
    return {
        "members": [{"member": name, "expression": text} for name, text in state.expressions],
        "safe": state.is_safe,
        "sent": [
            {
                "tag": one.tag,
                "lost": {"low": str(one.lost.low), "high": str(one.lost.high)},
                "stuck": {"low": str(one.stuck.low), "high": str(one.stuck.high)},
                "usually_lost": str(one.usually),
            }
            for one in state.losses
        ],
    }
