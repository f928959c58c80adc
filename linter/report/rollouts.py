"""The answer of `subdrift rollout` as text and as JSON (`schemas/rollout.schema.json`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from subdrift.linter.broker.rollout import RUNS, Rollout, RolloutStep, State, TagLoss
from subdrift.linter.model.prediction import Share
from subdrift.linter.report.language import Language
from subdrift.linter.report.terminal import Style, cells, safe, wrapped

SCHEMA_VERSION: Final = 1
_GLUE: Final = "\ue000"
"""Stands for a blank at which no line breaks, as wide as one; nothing else uses this character."""


def render(plan: Rollout, group: str, style: Style, language: Language) -> str:
    """For people, within the style's width, with the last line end."""
    return "\n".join(_Page(plan, group, style, language).lines()) + "\n"


class _Page(Struct, frozen=True):
    plan: Rollout
    group: str
    style: Style
    language: Language

    def lines(self) -> Iterator[str]:
        plan, style, word = self.plan, self.style, self.language.word
        change = word(f"rollout.{plan.change.value}")
        head = word(
            "rollout.head",
            group=safe(self.group),
            topic=safe(plan.topic),
            goal=safe(plan.goal),
            change=change,
        )
        yield style.paint(head, "bold")
        yield ""
        yield word("rollout.now")
        width = max(cells(safe(name)) for name, _ in plan.now.expressions)
        for name, text in plan.now.expressions:
            shown = safe(name)
            yield f"  {shown}{' ' * (width - cells(shown))}  `{safe(text)}`"
        yield from self._wrapped(f"  {self._losses(plan.now)}", "  ")
        yield ""
        if not plan.careful:
            yield word("rollout.nothing-to-do")
            return
        safe_order = all(one.after.is_safe for one in plan.careful)
        title = word("rollout.in-this-order") if safe_order else word("rollout.least-lost")
        yield style.paint(title, "green" if safe_order else "yellow")
        yield from self._steps(plan.careful, tell_losses=not safe_order)
        if not all(one.after.is_safe for one in plan.careless):
            yield ""
            sent = safe(self.language.comma.join(plan.careless[0].after.sent))
            yield from self._wrapped(word("rollout.careless", tags=sent), "", "red")
            yield from self._steps(plan.careless, tell_losses=True)
        yield ""
        basis = word(f"rollout.basis.{plan.basis.value}")
        yield from self._wrapped(word("rollout.supposed", runs=RUNS, basis=basis), "  ")

    def _steps(self, steps: Iterable[RolloutStep], tell_losses: bool) -> Iterator[str]:
        for number, one in enumerate(steps, 1):
            text = f"{number:3}. {self._words(one)}"
            if tell_losses:
                text = self.language.word("rollout.step-with-loss", step=text, losses=self._losses(one.after))
            yield from self._wrapped(text, "     ")

    def _words(self, step: RolloutStep) -> str:
        tags = safe(self.language.comma.join(step.tags))
        return self.language.word(
            f"rollout.{step.do.value}", member=safe(step.member), expression=safe(step.expression), tags=tags
        )

    def _losses(self, state: State) -> str:
        comma, join = self.language.comma, self.language.word("clause-join")
        told = [
            f"{safe(one.tag)} {comma.join(parts)}"
            for one in state.losses
            if (parts := list(self._parts(one)))
        ]
        if told:
            return join.join(told)
        return self.language.word("rollout.nothing-lost" if state.sent else "rollout.nothing-sent")

    def _parts(self, one: TagLoss) -> Iterator[str]:
        word = self.language.word
        if one.lost.is_possible:
            usually = "" if one.lost.is_exact else word("rollout.usually", share=_percent(one.usually))
            yield word("cell.lost", share=_share(one.lost)) + usually
        if one.stuck.is_possible:
            yield word("cell.stuck", share=_share(one.stuck))

    def _wrapped(self, text: str, indent: str, *paint: str) -> Iterator[str]:
        """Lines within the width; a number is not parted from its unit."""
        begin = text[: len(text) - len(text.lstrip())]
        glued = self.style.plain(text.lstrip()).replace(" %", _GLUE + "%")
        for line in wrapped(glued, self.style.width, begin, indent):
            shown = line.replace(_GLUE, " ")
            yield self.style.paint(shown, *paint) if paint else shown


def _share(share: Share) -> str:
    if share.is_exact:
        return _percent(share.low)
    return f"{_percent(share.low).removesuffix(' %')}-{_percent(share.high)}"


def _percent(part: Fraction) -> str:
    return f"{float(part * 100):.3g} %"


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
