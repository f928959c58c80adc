"""What `subdrift predict` prints: for each phase what the broker may hold, what each message comes to, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from typing import Final

from subdrift.linter.broker.fates import Fate
from subdrift.linter.broker.predict import (
    ClassResult,
    End,
    MessageResult,
    PhaseResult,
    PredictResult,
    TopicResult,
    Winner,
)
from subdrift.linter.broker.scenario import Member, Scenario
from subdrift.linter.broker.simulation.trace import Kind, TraceEvent
from subdrift.linter.broker.vocabulary import ClientKind, MessageModel
from subdrift.linter.model.prediction import Basis, Share
from subdrift.linter.report.cost import label_text
from subdrift.linter.report.language import language as catalogue
from subdrift.linter.report.steps_text import sentence
from subdrift.linter.report.terminal import Style, cells, safe, settled, wrapped

MESSAGES_SHOWN_MAX: Final = 60
"""Single messages of one topic and phase that get a line; more are only counted by kind."""
EVENTS_SHOWN_MAX: Final = 120
NAMES_SHOWN_MAX: Final = 8

_COLORS: Final = {Fate.LOST: "red", Fate.STUCK: "yellow", Fate.DELAYED: "yellow", Fate.DELIVERED: "green"}


def render(
    result: PredictResult, style: Style | None = None, language: str = "en", *, verbose: bool = False
) -> str:
    """The answer, with its last line end; `verbose` with the reasons, and what one simulated run did."""
    page = _Page(result, style or Style(), language, verbose)
    return settled("\n".join(page.lines()) + "\n")


class _Page:
    def __init__(self, result: PredictResult, style: Style, language: str, verbose: bool) -> None:
        self.result = result
        self.verbose = verbose
        self.scenario: Scenario = result.scenario
        self.style = style
        self.language = language
        self.catalogue = catalogue(language)
        self.word, self.comma = self.catalogue.word, self.catalogue.comma
        self.fates = {fate: self.word(f"predict.fate.{fate.value}") for fate in Fate}

    def lines(self) -> Iterator[str]:
        yield self.style.paint(safe(self.scenario.id), "bold")
        yield from self._wrapped(self.scenario.description)
        yield ""
        yield from self._members()
        for one in self.result.fails_to_start:
            text = sentence(one.why, self.language)
            yield from wrapped(text, self.style.width, "! ", "  ")
        if self.result.basis is Basis.SOURCE:
            yield self.word("predict.source")
        for phase in self.result.phases:
            yield ""
            yield from self._phase(phase)
        yield from self._advice()
        if not self.verbose:
            yield ""
            yield self.style.plain(self.word("predict.more-verbose"))
        elif self.result.timeline:
            yield ""
            yield from self._table()
            yield ""
            yield from self._timeline()

    def _advice(self) -> Iterator[str]:
        """What to do about it, where members that filter a topic differently cost messages."""
        filters: dict[str, set[str]] = {}
        for member in self.scenario.members:
            for one in member.subscriptions:
                filters.setdefault(one.topic, set()).add(one.expression)
        harmed = {
            one.topic
            for phase in self.result.phases
            for one in phase.messages
            if any(end.fate in (Fate.LOST, Fate.STUCK) for end in one.ends)
        }
        if not harmed:
            return
        everywhere = {topic for topic in harmed if self._is_subscribed_by_all(topic)}
        yield ""
        if harmed - everywhere:
            yield from self._wrapped(
                self.word("predict.advice-topics", topics=self.comma.join(sorted(harmed - everywhere)))
            )
        differing = sorted(topic for topic in everywhere if len(filters.get(topic, ())) > 1)
        if differing:
            yield from self._wrapped(self.word("predict.advice-filters", topics=self.comma.join(differing)))

    def _is_subscribed_by_all(self, topic: str) -> bool:
        return all(
            any(one.topic == topic for one in member.subscriptions) for member in self.scenario.members
        )

    def _wrapped(self, text: str) -> list[str]:
        return wrapped(safe(text), self.style.width) if text else []

    def _members(self) -> Iterator[str]:
        how = (
            ""
            if self.scenario.id_order_given or len(self.scenario.members) == 1
            else self.word("predict.assumed")
        )
        versions = self.word(
            "predict.broker",
            broker=str(self.scenario.broker_version),
            client=str(self.scenario.client_version),
        )
        yield self.word("predict.members", versions=versions, how=how)
        for name in self.scenario.id_order:
            yield f"  {self._member(self.scenario.member(name))}"

    def _member(self, member: Member) -> str:
        kinds = [] if member.kind is ClientKind.PUSH else [member.kind.value]
        if member.model is MessageModel.BROADCASTING:
            kinds.append("BROADCASTING")
        if member.options.post_subscription:
            kinds.append("postSubscriptionWhenPull")
        if member.options.strategy != "AVG":
            kinds.append(member.options.strategy)
        if member.client_version is not None:
            kinds.append(str(member.client_version))
        subscriptions = self.comma.join(
            f"{one.topic} `{one.expression}`" + (" SQL92" if one.filter_type.value == "SQL92" else "")
            for one in member.subscriptions
        )
        about = f" ({self.comma.join(kinds)})" if kinds else ""
        return safe(f"{member.name}{about}: {subscriptions or self.word('predict.nothing')}")

    def _phase(self, phase: PhaseResult) -> Iterator[str]:
        head = self.word("predict.phase", phase=phase.phase, at=f"{phase.at_ms / 1000:g}")
        yield self.style.paint(safe(head) + (self.word("predict.given") if phase.given else ""), "bold")
        if len(phase.situations) > 1:
            yield self.word("predict.open", count=len(phase.situations))
            yield from (f"  - {safe(self.catalogue.text(one.cause))}" for one in phase.situations)
        for topic in phase.topics:
            messages = [one for one in phase.messages if one.topic == topic.topic]
            if messages or topic.winners:
                yield ""
                yield from self._topic(
                    topic, messages, [one for one in phase.classes if one.topic == topic.topic]
                )

    def _topic(
        self, topic: TopicResult, messages: Sequence[MessageResult], classes: Sequence[ClassResult]
    ) -> Iterator[str]:
        shares = " · ".join(
            self.word(
                "predict.shares",
                member=safe(member),
                queues=self._ranges(queues) or self.word("predict.nothing"),
            )
            for member, queues in topic.shares
        )
        shares = shares or self.word("predict.owners-unknown")
        line = self.word("predict.topic", topic=safe(topic.topic), queues=topic.queues, shares=shares)
        yield self.style.paint(self.style.plain(line), "cyan")
        yield from self._winners(topic)
        if not messages:
            return
        yield ""
        yield from self._class_table(classes, topic)
        if topic.queues > 1 and any(one.offset is None for one in messages):
            yield ""
            yield from self._wrapped(self.word("predict.evenly"))
        if any(one.offset is not None for one in messages):
            yield ""
            yield from self._message_table(messages)
        certain = self._certain(messages)
        if certain:
            yield ""
            yield from self._wrapped(self.word("predict.certain", what=certain))
        if self.verbose:
            yield ""
            yield from self._why(messages)

    def _winners(self, topic: TopicResult) -> Iterator[str]:
        if topic.winners:
            # the likely one first, so that the word behind it cannot be read as one about all of them
            listed = sorted(topic.winners, key=lambda one: not _is_likely(one, topic))
            texts = dict.fromkeys(self._winner(one, topic) for one in listed)
            key = "holds" if len(texts) == 1 else "may-hold"
            yield from self._wrapped(self.word(f"predict.{key}", winners=self._either(texts)))
        if topic.flaps:
            key = "flaps" if topic.delay_ms is not None else "flaps-unbounded"
            delay = (topic.delay_ms or 0) // 1000
            low, high = topic.availability.low, topic.availability.high
            part = _percent(low) if low == high else f"{_percent(low)[:-2]}-{_percent(high)}"
            yield from self._wrapped(self.word(f"predict.{key}", part=part, delay=delay))

    def _winner(self, winner: Winner, topic: TopicResult) -> str:
        key = "ghost" if winner.departed else "winner"
        text = self.word(
            f"predict.{key}", expression=safe(winner.expression or ""), member=safe(winner.member or "?")
        )
        return text + (self.word("predict.likely") if _is_likely(winner, topic) else "")

    def _class_table(self, classes: Sequence[ClassResult], topic: TopicResult) -> Iterator[str]:
        """One line for each kind of message, one column for each winner."""
        winners = list(dict.fromkeys(_name(one.winner) for one in classes))
        likely = {_name(one) for one in topic.winners if _is_likely(one, topic)}
        marks = [self.word("predict.likely") if len(winners) > 1 and one in likely else "" for one in winners]
        names = [self._if(one) + mark for one, mark in zip(winners, marks, strict=True)]
        head = [self.word("predict.kind"), self.word("predict.wanted"), *names]
        rows: dict[tuple[str, str], dict[str, str]] = {}
        for one in classes:
            wanted = self.comma.join(one.wanted_by) or self.word("predict.nobody")
            label = label_text(one.label, self.catalogue)
            rows.setdefault((label, wanted), {})[_name(one.winner)] = self._shares(one)
        yield from self._grid(
            [
                head,
                *(
                    [label, wanted, *(row.get(one, "") for one in winners)]
                    for (label, wanted), row in rows.items()
                ),
            ]
        )

    def _if(self, winner: str) -> str:
        return self.word("predict.if", winner=winner) if winner else self.word("predict.outcome")

    def _shares(self, one: ClassResult) -> str:
        parts = [f"{self.fates[fate]} {_share(share)}" for fate, share in one.shares]
        parts += [
            self.word("predict.unexpected", member=member.member) + f" {_share(member.unexpected)}"
            for member in one.members
            if member.unexpected.is_possible
        ]
        return self.comma.join(parts)

    def _message_table(self, messages: Sequence[MessageResult]) -> Iterator[str]:
        winners = list(dict.fromkeys(_name(end.winner) for one in messages for end in one.ends))
        if len(winners) > 1 and "" in winners:
            winners.remove("")
        rows = [
            [
                self.word("predict.message"),
                self.word("predict.tag"),
                self.word("predict.queue"),
                *(self._if(one) for one in winners),
            ]
        ]
        for one in messages[:MESSAGES_SHOWN_MAX]:
            ends = [[end for end in one.ends if _name(end.winner) in (winner, "")] for winner in winners]
            cells_ = [self._either(dict.fromkeys(map(self._end, each))) for each in ends]
            rows.append([one.id, one.tag or "-", f"{one.queue}:{one.offset}", *cells_])
        yield from self._grid(rows)
        if len(messages) > MESSAGES_SHOWN_MAX:
            yield self.style.plain(self.word("predict.more", count=len(messages) - MESSAGES_SHOWN_MAX))

    def _end(self, end: End) -> str:
        text = self.fates[end.fate]
        if end.receivers:
            names = [
                self.word("predict.unexpected", member=one) if one in end.unexpected else one
                for one in end.receivers
            ]
            return self.word("predict.to", end=text, members=self.comma.join(names))
        return text

    def _either(self, texts: Iterable[str]) -> str:
        said = list(texts)
        return reduce(lambda one, other: self.word("predict.or", one=one, other=other), said) if said else ""

    def _certain(self, messages: Sequence[MessageResult]) -> str:
        by_end: dict[str, list[MessageResult]] = {}
        for one in messages:
            if one.certain is not None and one.certain is not Fate.SKIPPED:
                by_end.setdefault(self.fates[one.certain], []).append(one)
            elif one.certain is None and one.wanted_by and one.is_unreceived:
                by_end.setdefault(self.word("predict.unreceived"), []).append(one)
            elif one.certain is None and one.is_not_lost:
                by_end.setdefault(self.word("predict.not-lost"), []).append(one)
        return self.word("clause-join").join(
            f"{self._some([one.id for one in group]) if group[0].offset is not None else self._ids(group)} {end}"
            for end, group in by_end.items()
        )

    def _ranges(self, queues: Iterable[int]) -> str:
        """`0-2, 5` for 0, 1, 2, 5."""
        runs: list[list[int]] = []
        for queue in sorted(queues):
            if runs and runs[-1][-1] == queue - 1:
                runs[-1].append(queue)
            else:
                runs.append([queue])
        return self.comma.join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)

    def _some(self, names: Sequence[str]) -> str:
        shown = self.comma.join(names[:NAMES_SHOWN_MAX])
        return shown + (f"{self.comma}… ({len(names)})" if len(names) > NAMES_SHOWN_MAX else "")

    def _why(self, messages: Sequence[MessageResult]) -> Iterator[str]:
        """The reason of each end, told once for all messages that share it."""
        yield self.style.paint(self.word("predict.why"), "bold")
        told: dict[tuple[str, tuple[str, ...], Fate], list[MessageResult]] = {}
        winners: dict[str, Winner] = {}
        for one in messages:
            for end in one.ends:
                steps = tuple(
                    sentence(step, self.language).replace(f" {safe(_named(one))}", " " + self._kind(one))
                    for step in end.possibility.ending.why
                )
                told.setdefault((_name(end.winner), steps, end.fate), []).append(one)
                if end.winner is not None:
                    winners.setdefault(_name(end.winner), end.winner)
        heading: str | None = None
        for (name, steps, fate), group in sorted(told.items(), key=lambda item: item[0][0]):
            if name != heading:
                heading = name
                yield "  " + (self._then(name, winners[name]) if name else self.word("predict.always"))
            ids = self._ids(group)
            offset = self.word(f"predict.{'stays' if fate in (Fate.STUCK, Fate.DELAYED) else 'passes'}")
            text = f"{safe(ids)}: {self.word('clause-join').join([*steps, offset])} {self.style.plain('→')} {self.fates[fate]}"
            yield from wrapped(text, self.style.width, "    ", "      ")

    def _then(self, name: str, winner: Winner) -> str:
        """Which heartbeat decides: the one that carries the version its member set between these times."""
        heartbeat = ""
        if winner.version_ms is not None:
            when = "-".join(dict.fromkeys(f"{at / 1000:g}" for at in winner.version_ms))
            heartbeat = self.word("predict.heartbeat", when=when)
        return self.word("predict.then", winner=safe(name), heartbeat=heartbeat)

    def _ids(self, group: Sequence[MessageResult]) -> str:
        """Messages with queue and offset; of classes each with its queues."""
        if all(one.offset is not None for one in group):
            return self._some([f"{one.id} ({one.queue}:{one.offset})" for one in group])
        queues: dict[str, list[int]] = {}
        for one in group:
            queues.setdefault(self._shown(one), []).append(one.queue)
        return self.comma.join(
            self.word("predict.in-queues", label=label, queues=self._ranges(found))
            for label, found in queues.items()
        )

    def _shown(self, one: MessageResult) -> str:
        return _named(one) if one.offset is not None else label_text(_named(one), self.catalogue)

    def _kind(self, one: MessageResult) -> str:
        if one.offset is None:
            return safe(self._shown(one))
        return safe(one.tag) if one.tag is not None else self.word("untagged")

    def _table(self) -> Iterator[str]:
        """The broker's table over time."""
        yield self.style.paint(self.word("predict.table"), "bold")
        rows = []
        for event in self.result.timeline:
            if event.kind is Kind.TABLE:
                details = dict(event.details)
                text = details.get("expression")
                held = (
                    self.word("predict.deleted")
                    if text is None
                    else f"`{text}` @{details.get('version', '?')}"
                )
                rows.append(
                    [_seconds(event.at_ms), *([event.broker] if self._several else []), event.topic, held]
                )
        yield from self._grid(rows[:EVENTS_SHOWN_MAX])
        if len(rows) > EVENTS_SHOWN_MAX:
            yield self.style.plain(f"  … +{len(rows) - EVENTS_SHOWN_MAX}")

    def _timeline(self) -> Iterator[str]:
        yield self.style.paint(self.word("predict.timeline"), "bold")
        rows = [
            [_seconds(one.at_ms), one.member or one.broker, one.kind.value, _details(one)]
            for one in self.result.timeline
            if one.kind is not Kind.TABLE
        ]
        yield from self._grid(rows[:EVENTS_SHOWN_MAX])
        if len(rows) > EVENTS_SHOWN_MAX:
            yield self.style.plain(f"  … +{len(rows) - EVENTS_SHOWN_MAX}")

    @property
    def _several(self) -> bool:
        return len(self.scenario.brokers) > 1

    def _grid(self, rows: Sequence[Sequence[str]]) -> Iterator[str]:
        """Columns as wide as their widest cell; the last one is not padded."""
        if not rows:
            return
        clean = [[safe(cell) for cell in row] for row in rows]
        widths = [max(cells(row[column]) for row in clean) for column in range(len(clean[0]))]
        for row in clean:
            padded = [cell + " " * (widths[column] - cells(cell)) for column, cell in enumerate(row)]
            yield "  " + self._colored("  ".join(padded).rstrip())

    def _colored(self, line: str) -> str:
        for fate, color in _COLORS.items():
            line = line.replace(self.fates[fate], self.style.paint(self.fates[fate], color))
        return line


def _named(one: MessageResult) -> str:
    """A message, or the kind of messages that it stands for, as the model calls it."""
    return one.id if one.offset is not None else one.id.rpartition("@")[0]


def _is_likely(winner: Winner, topic: TopicResult) -> bool:
    return topic.likely is not None and topic.likely == winner.expression


def _name(winner: Winner | None) -> str:
    """What a column is headed by: the member, with its expression where that is not the one applied."""
    if winner is None or winner.member is None:
        return ""
    if winner.applied not in (None, winner.expression):
        return f"{winner.member} (`{winner.applied}`)"
    return winner.member if winner.member != "?" else f"`{winner.expression}`"


def _share(share: Share) -> str:
    return _percent(share.low) if share.is_exact else f"{_percent(share.low)}–{_percent(share.high)}"


def _percent(part: Fraction) -> str:
    return f"{float(part * 100):.3g} %"


def _seconds(at_ms: int) -> str:
    return f"{at_ms / 1000:.3f}"


def _details(event: TraceEvent) -> str:
    parts = [event.topic] if event.topic else []
    if event.kind is Kind.REFUSED:
        until = _seconds(int(event.detail("until")))
        counted = f"queues={event.detail('queues')} times={event.detail('times')} until={until.strip()}"
        return " ".join([*parts, f"code={event.detail('code')}", counted])
    return " ".join([*parts, *(value for _, value in event.details)])
