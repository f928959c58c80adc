"""The answer of `subdrift rollout` as text, as Markdown for a change ticket, and as JSON (`schemas/rollout.schema.json`)."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from subdrift.linter.broker.rollout.plan import (
    RUNS,
    Change,
    Do,
    Loss,
    Order,
    Placement,
    Plan,
    State,
    Step,
    Way,
)
from subdrift.linter.model.finding import SentTag
from subdrift.linter.model.prediction import Share
from subdrift.linter.report.cost import EVERY_MESSAGE, label_text
from subdrift.linter.report.json import sent_object
from subdrift.linter.report.language import Language
from subdrift.linter.report.terminal import Style, cells, safe, wrapped
from subdrift.linter.report.told import sent_by

SCHEMA_VERSION: Final = 2
_GLUE: Final = "\ue000"
"""Stands for a blank at which no line breaks, as wide as one; nothing else uses this character."""


class Told(Struct, frozen=True):
    """A plan in words."""

    plan: Plan
    language: Language
    runs: int = RUNS
    """Simulated runs behind what is usual; 0: nothing is said of it."""
    senders: tuple[SentTag, ...] = ()
    """Of what is not to be sent for a while."""

    def head(self) -> str:
        """What changes."""
        plan, word = self.plan, self.language.word
        if plan.change is Change.UNION:
            return word("rollout.head.union", group=safe(plan.group), topics=self._joined(self._topics()))
        if plan.change is Change.SPLIT:
            return word("rollout.head.split", group=safe(plan.group), moves=self._joined(self._moves()))
        goal = plan.goal[0].expression(plan.topic)
        change = word(f"rollout.{plan.change.value}")
        return word(
            "rollout.head", group=safe(plan.group), topic=safe(plan.topic), goal=safe(goal), change=change
        )

    def title(self, way: Way) -> str:
        """What is promised of an order of steps."""
        word = self.language.word
        if way.order is Order.CARELESS:
            if self.plan.topic:
                sent = self._joined(self._label(label) for _, label in way.steps[0].after.sent)
                return word("rollout.careless", tags=safe(sent))
            return word(f"rollout.careless.{self.plan.change.value}")
        if way.is_safe_with_files:
            code = "rollout.pause" if way.order is Order.PAUSE else "rollout.in-this-order"
            return word(code if way.is_safe else f"{code}.but-files")
        if not way.steps[-1].after.is_safe:
            return word(f"rollout.{way.order.value}.unsafe")
        number = next((n for n in range(len(way.steps), 0, -1) if not way.steps[n - 1].after.is_safe), 0) + 1
        code = "rollout.pause.until" if way.order is Order.PAUSE else "rollout.as-now-until"
        return word(code, number=min(number, len(way.steps)))

    def notes(self, way: Way) -> Iterator[str]:
        """What is not seen in the states between the steps."""
        word = self.language.word
        cloned = any(one.do is Do.CLONE_OFFSETS for one in way.steps)
        forgetting = dict.fromkeys(safe(name) for one in way.steps for name in one.forgets)
        if forgetting:
            yield word("rollout.note.files", members=self._joined(forgetting))
        waited = [one for one in way.steps if one.do is Do.WAIT_UNTIL_CONSUMED]
        if waited and self.plan.lite:
            yield word("rollout.note.lite", members=self._joined(map(safe, self.plan.lite)))
        sent_again = {label for _, label in way.steps[-1].after.sent}
        for code, is_kept in (("rollout.note.delayed.held", True), ("rollout.note.delayed", False)):
            tags = dict.fromkeys(tag for one in waited for tag in one.tags if (tag in sent_again) is is_kept)
            if tags:
                yield word(code, tags=self._joined(safe(self._label(tag)) for tag in tags))
                if self.plan.pops and not is_kept:
                    yield word(
                        "rollout.note.popped", tags=self._joined(safe(self._label(tag)) for tag in tags)
                    )
        if self.plan.pops and any(one.do in (Do.RESTART, Do.STOP) for one in way.steps):
            yield word("rollout.note.invisible")
        if cloned:
            yield word("rollout.note.mqadmin")
        if cloned and any(one.from_first for one in way.steps):
            yield word("rollout.note.unread")
        if any(one.again for one in way.steps):
            yield word("rollout.note.again")
        if cloned:
            leaving = (safe(one.member) for one in self.plan.goal if one.group != self.plan.group)
            code = "rollout.note.retries"
            if all(one.group != self.plan.group for one in self.plan.goal):
                code += ".nobody-stays"
            elif self.plan.pops:
                code += ".popped"
            group = safe(self.plan.called(self.plan.group))
            yield word(code, group=group, members=self._joined(leaving))

    def members(self, state: State) -> Iterator[tuple[str, str]]:
        """Who runs, with what it asks for."""
        for one in state.placements:
            yield safe(one.member), self._asks(one)

    def step(self, step: Step, way: Way, alone: bool = False) -> str:
        """What to do, and, unless that is told elsewhere, what is lost or comes twice after it where the way's title does
        not say so."""
        text = self._do(step)
        after, now, careless = step.after, self.plan.now, way.order is Order.CARELESS
        as_now = after.losses == now.losses or (after.placements, after.sent) == (now.placements, now.sent)
        with_losses = careless or not ((after.is_safe and after.is_once) or as_now)
        if step.from_first:
            text += self.language.word("rollout.from-first")
        if alone:
            return text
        if step.gap and with_losses:
            unread = ".unread" if self.plan.change is Change.UNION else ""
            told = [self.language.word(f"rollout.gap{unread}")]
            told += [] if step.after.is_safe else [self.losses(step.after)]
            losses = self.language.word("clause-join").join(told)
            return self.language.word("rollout.step-with-loss", step=text, losses=losses)
        if with_losses:
            return self.language.word("rollout.step-with-loss", step=text, losses=self.losses(step.after))
        return text

    def losses(self, state: State) -> str:
        """What is lost of what is sent in a state, and what comes twice."""
        word = self.language.word
        asked = {(one.topic, one.tag) for one in state.losses if one.asked}
        by_tag: dict[str, dict[str, None]] = {}
        for one in state.losses:
            told_of = dict.fromkeys(self._parts(one, (one.topic, one.tag) in asked))
            by_tag.setdefault(self._of(one), {}).update(told_of)
        told: dict[tuple[str, ...], list[str]] = {}
        for tag, parts in by_tag.items():
            if parts:
                told.setdefault(tuple(parts), []).append(tag)
        if told:
            lines = [
                word("rollout.of-tags", tags=self._joined(tags), part=self._joined(parts))
                for parts, tags in told.items()
            ]
            return word("clause-join").join(lines)
        if not state.placements:
            return word("rollout.all-wait")
        return word("rollout.nothing-lost" if state.sent else "rollout.nothing-sent")

    def supposed(self) -> Iterator[str]:
        """What the plan takes for granted, and what code does not say of members."""
        word = self.language.word
        basis = word(f"rollout.basis.{self.plan.basis.value}")
        yield word("rollout.supposed", runs=self.runs, basis=basis)
        if self.plan.supposes_offsets:
            yield word("rollout.supposed.offsets")
        for one in self.plan.supposed:
            yield word(f"rollout.supposed.{one.what}", members=self._joined(map(safe, one.members)))

    def sent(self) -> Iterator[str]:
        """Who sends what is not to be sent for a while, where code was read for it."""
        return map(safe, sent_by(self.senders, "", self.language))

    # words

    def _moves(self) -> Iterator[str]:
        for one in self.plan.goal:
            if one.group != self.plan.group:
                yield self.language.word("rollout.move", member=safe(one.member), group=safe(one.group))

    def _topics(self) -> Iterable[str]:
        return dict.fromkeys(safe(one.topic) for each in self.plan.goal for one in each.subscriptions)

    def _asks(self, one: Placement) -> str:
        if self.plan.topic:
            return f"`{safe(one.expression(self.plan.topic))}`"
        return self._joined(
            f"{safe(each.topic)} `{safe(each.expression or '*')}`" for each in one.subscriptions
        )

    def _of(self, one: Loss) -> str:
        label = safe(self._label(one.tag))
        if self.plan.topic or one.tag == EVERY_MESSAGE:
            return label if self.plan.topic else safe(one.topic)
        topics = {topic for topic, _ in self.plan.now.sent}
        return (
            label
            if len(topics) == 1
            else self.language.word("rollout.of-topic", tag=label, topic=safe(one.topic))
        )

    def _label(self, label: str) -> str:
        return (
            self.language.word("rollout.every-message")
            if label == EVERY_MESSAGE
            else label_text(label, self.language)
        )

    def _parts(self, one: Loss, somebody_asks: bool) -> Iterator[str]:
        def part(what: str, share: str) -> str:
            return word(f"rollout.{what}-for" if one.job else f"rollout.{what}", share=share, job=job)

        word, job = self.language.word, self._joined(map(safe, one.job))
        if one.lost.is_possible and not somebody_asks:
            yield word("rollout.reaches-nobody")
        elif one.lost.is_possible:
            open_ = self.runs and not one.lost.is_exact
            usually = word("rollout.usually", share=_percent(one.usually)) if open_ else ""
            yield part("lost", _share(one.lost)) + usually
        if one.stuck.is_possible:
            yield part("stuck", _share(one.stuck))
        if one.twice.is_possible:
            yield part("twice", _percent(one.twice.high))

    def _do(self, step: Step) -> str:
        word, plan = self.language.word, self.plan
        names = self._joined(map(safe, step.members))
        named = {
            "member": names,
            "members": names,
            "group": safe(step.group),
            "expression": safe(step.expression),
            "topics": self._joined(map(safe, step.topics)),
            "tags": self._joined(safe(self._label(one)) for one in step.tags),
        }
        code = f"rollout.{step.do.value}"
        if step.do is Do.WAIT_UNTIL_CONSUMED and step.members:
            code += ".broadcasting"
        elif step.do is Do.WAIT_UNTIL_CONSUMED and not plan.now.is_safe:
            code += ".as-now"
        if step.do is Do.STOP and step.together:
            code += ".together"
        elif step.do is Do.STOP and plan.change is Change.SPLIT and len(step.members) > 1:
            code += ".at-once"
        if step.do is Do.CLONE_OFFSETS:
            groups = f"-s {self._argument(plan.group)} -d {self._argument(step.group)}"
            commands = (
                f"`mqadmin cloneGroupOffset {groups} -t {self._argument(topic)}`" for topic in step.topics
            )
            return word(code, commands=self._joined(commands))
        if step.do in (Do.CREATE_GROUP, Do.CREATE_RETRY_TOPIC):
            return word(f"{code}.broadcasting" if names else code, group=self._argument(step.group))
        if step.do in (Do.RESTART, Do.START) and not step.expression:
            kind = (
                "topics" if plan.change is Change.UNION else "stays" if step.group == plan.group else "group"
            )
            code = f"{code}.{kind}"
        return word(code, **named)

    def _argument(self, name: str) -> str:
        """A group or topic as a shell hands it to `mqadmin`."""
        return shlex.quote(safe(self.plan.called(name)))

    def _joined(self, texts: Iterable[str]) -> str:
        return self.language.comma.join(texts)


def render(plan: Plan, style: Style, language: Language, senders: tuple[SentTag, ...] = ()) -> str:
    """For people, within the style's width, with the last line end."""
    return "\n".join(_Page(Told(plan, language, senders=senders), style).lines()) + "\n"


class _Page(Struct, frozen=True):
    told: Told
    style: Style

    def lines(self) -> Iterator[str]:
        told, word = self.told, self.told.language.word
        plan = told.plan
        yield from self._wrapped(told.head(), "  ", "bold")
        yield ""
        yield word("rollout.now")
        members = list(told.members(plan.now))
        width = max(cells(name) for name, _ in members)
        for name, asked in members:
            begin = f"  {name}{' ' * (width - cells(name))}  "
            yield from wrapped(self.style.plain(asked), self.style.width, begin, " " * (width + 4))
        yield from self._wrapped(f"  {told.losses(plan.now)}", "  ")
        if not any(one.steps for one in plan.ways):
            yield ""
            yield word("rollout.nothing-to-do")
            return
        for way in plan.ways:
            if way.steps and (way.order is not Order.CARELESS or not way.is_safe):
                yield ""
                yield from self._way(way)
        yield ""
        for one in (*told.sent(), *told.supposed()):
            yield from self._wrapped(one, "  ")

    def _way(self, way: Way) -> Iterator[str]:
        color = "red" if way.order is Order.CARELESS else "green" if way.is_safe else "yellow"
        yield from self._wrapped(self.told.title(way), "", color)
        for number, one in enumerate(way.steps, 1):
            text = f"{number:3}. {self.told.step(one, way)}"
            yield from self._wrapped(text, "     ")
        for note in self.told.notes(way):
            yield from self._wrapped(f"     {note}", "     ")

    def _wrapped(self, text: str, indent: str, *paint: str) -> Iterator[str]:
        """Lines within the width; a number is not parted from its unit."""
        begin = text[: len(text) - len(text.lstrip())]
        glued = self.style.plain(text.lstrip()).replace(" %", _GLUE + "%")
        for line in wrapped(glued, self.style.width, begin, indent):
            shown = line.replace(_GLUE, " ")
            yield self.style.paint(shown, *paint) if paint else shown


def markdown(plan: Plan, language: Language, senders: tuple[SentTag, ...] = ()) -> str:
    """For a change ticket: the members, and each order of steps as a list to tick off."""
    told, word = Told(plan, language, senders=senders), language.word
    lines = [f"### {told.head()}", "", f"**{word('rollout.now')}** {told.losses(plan.now)}", ""]
    lines += [f"- {name}: {asked}" for name, asked in told.members(plan.now)]
    for way in plan.ways:
        if way.steps and (way.order is not Order.CARELESS or not way.is_safe):
            lines += ["", f"**{told.title(way)}**", ""]
            box = "" if way.order is Order.CARELESS else "[ ] "
            lines += [f"{number}. {box}{told.step(one, way)}" for number, one in enumerate(way.steps, 1)]
            notes = list(told.notes(way))
            lines += [""] * bool(notes) + notes
    return "\n".join([*lines, "", "\n\n".join((*told.sent(), *told.supposed()))]) + "\n"


def _share(share: Share) -> str:
    if share.is_exact:
        return _percent(share.low)
    return f"{_percent(share.low).removesuffix(' %')}-{_percent(share.high)}"


def _percent(part: Fraction) -> str:
    return f"{float(part * 100):.3g} %"


def document(plan: Plan, senders: tuple[SentTag, ...] = ()) -> dict[str, Any]:
    """One JSON object; shares are exact fractions as text."""
    return {
        "schema_version": SCHEMA_VERSION,
        "group": plan.group,
        "topic": plan.topic or None,
        "to": plan.goal[0].expression(plan.topic) if plan.topic and plan.goal else None,
        "change": plan.change.value,
        "moves": [{"member": one.member, "group": one.group} for one in plan.goal if one.group != plan.group],
        "basis": plan.basis.value,
        "supposed": [
            {"what": one.what, "value": one.value, "members": list(one.members)} for one in plan.supposed
        ],
        "supposes_offsets": plan.supposes_offsets,
        "spread": "even",
        "now": _state(plan.now),
        "senders": [sent_object(one) for one in senders],
        "ways": [
            {
                "order": one.order.value,
                "safe": one.is_safe,
                "once": one.is_once,
                "steps": [_step(each) for each in one.steps],
            }
            for one in plan.ways
        ],
    }


def _step(one: Step) -> dict[str, Any]:
    return {
        "do": one.do.value,
        "members": list(one.members),
        "group": one.group or None,
        "expression": one.expression or None,
        "tags": list(one.tags),
        "topics": list(one.topics),
        "from_first": one.from_first,
        "together": one.together,
        "gap": one.gap,
        "again": one.again,
        "forgets": list(one.forgets),
        "after": _state(one.after),
    }


def _state(state: State) -> dict[str, Any]:
    return {
        "members": [
            {
                "member": one.member,
                "group": one.group,
                "subscriptions": [
                    {
                        "topic": each.topic,
                        "type": each.filter_type.value,
                        "expression": each.expression or "*",
                    }
                    for each in one.subscriptions
                ],
            }
            for one in state.placements
        ],
        "safe": state.is_safe,
        "sent": [
            {
                "topic": one.topic,
                "tag": one.tag,
                "job": list(one.job),
                "asked": one.asked,
                "lost": {"low": str(one.lost.low), "high": str(one.lost.high)},
                "stuck": {"low": str(one.stuck.low), "high": str(one.stuck.high)},
                "twice": {"low": str(one.twice.low), "high": str(one.twice.high)},
                "usually_lost": str(one.usually),
            }
            for one in state.losses
        ],
    }
