"""What the page shows, in the order it shows it, with every sentence made: the template only lays it out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from subdrift.linter.broker.rollout.plan import Order
from subdrift.linter.model.called import by_id, short_names
from subdrift.linter.model.consumer import Confidence, Consumer, ConsumerGroup
from subdrift.linter.model.counts import Cause
from subdrift.linter.model.finding import DIAGNOSTICS, Scope
from subdrift.linter.model.location import Location
from subdrift.linter.model.prediction import ClassOutcome, Impact, Prediction, Share, TopicPrediction
from subdrift.linter.report import rollouts, summary, verdicts
from subdrift.linter.report.content import Content, Texts
from subdrift.linter.report.cost import cost, label_text, share_text
from subdrift.linter.report.frame import value_of
from subdrift.linter.report.language import Language
from subdrift.linter.report.made import Made, Revision
from subdrift.linter.report.names import Names, names_of
from subdrift.linter.report.page import overview
from subdrift.linter.report.page.bars import Bar, harm, segments, state_bar
from subdrift.linter.report.page.overview import ORDERLY_MAX, Exchange, Orderly, Spots
from subdrift.linter.report.page.picture import Odds, Picture, picture
from subdrift.linter.report.told import Told, ToldPlace, told_diagnostic
from subdrift.linter.report.unresolved import answer, meaning
from subdrift.linter.stages import group_key
from subdrift.linter.stages.remedies import plan_of

SIDES_MAX: Final = 6
"""Sides of a finding whose code is shown."""
BARS_MAX: Final = 8
"""Kinds of messages of a topic that get a bar."""
LOSSES_MAX: Final = 4
"""Topics of a finding that get bars."""
PLANS_MAX: Final = 40
"""Findings whose plan is worked out."""
BLIND_MAX: Final = 200
"""Blind spots the page lists; the rest is counted."""
GONE_MAX: Final = 500
CODE_CHARS_MAX: Final = 200
"""Characters of a line of code that are shown, around what is marked."""

KINDS: Final = ("group", "topic", "repository")
"""What findings are about."""
ASIDE: Final = "aside"
SECTIONS: Final = (*KINDS, ASIDE)
"""The page's order: what is about samples and tests alone, beside findings that are not, comes last."""

_TOPICS_RULE: Final = "divergent-topics"


class Loss(Struct, frozen=True):
    """The bars of one topic; `more` kinds are left out."""

    topic: str
    bars: tuple[Bar, ...]
    more: int


class Side(Struct, frozen=True):
    """One place of a finding: its label, where it is, and the line of code with what is marked in it."""

    label: str
    place: str
    link: str = ""
    """Where that line can be read in a browser, "" where nothing says."""
    before: str = ""
    marked: str = ""
    after: str = ""


class PlanStep(Struct, frozen=True):
    """A step, and what becomes of what is sent once it is done: all kinds of messages together."""

    text: str
    bar: Bar


class PlanWay(Struct, frozen=True):
    """One order of steps with what it promises."""

    title: str
    steps: tuple[PlanStep, ...]
    notes: tuple[str, ...]


class Part(Struct, frozen=True):
    """What one rule says. `anchor` is its identity, made unique."""

    anchor: str
    rule: str
    about: str
    level: str
    level_word: str
    message: str
    cost: str
    notes: tuple[str, ...]
    losses: tuple[Loss, ...]
    sides: tuple[Side, ...]
    more_places: str


class Shown(Struct, frozen=True):
    """A finding: its parts, the worst first, and the way out of all. `status` is new, changed or "". Filters go by the
    numbers of repositories and owners among the page's."""

    parts: tuple[Part, ...]
    steps: tuple[str, ...]
    plan: tuple[PlanWay, ...]
    foot: str
    status: str
    repositories: tuple[int, ...]
    owners: tuple[int, ...]

    @property
    def first(self) -> Part:
        """The worst part, which leads."""
        return self.parts[0]


class Group(Struct, frozen=True):
    """The findings about one consumer group; about one topic, where they belong to no known group; or those of one
    repository, where that is not known either."""

    anchor: str
    name: str
    kind: str
    """One of `KINDS`."""
    section: str
    """One of `SECTIONS`."""
    subtitle: str
    level: str
    impact: str
    """What becomes of messages at worst, as a code: lost, stuck, ..."""
    certain: bool
    """Whether that holds in every case."""
    picture: Picture | None
    findings: tuple[Shown, ...]

    @property
    def head(self) -> str:
        """What a closed group says: what it costs, or where that is nothing what is wrong."""
        costly = self.impact not in ("", "nothing", "console-only")
        parts = [part for one in self.findings for part in one.parts]
        return next((one.cost for one in parts if one.cost and costly), parts[0].message)


class Blind(Struct, frozen=True):
    """A blind spot: how often, what, why, and what would answer it."""

    count: int
    what: str
    why: str
    help: str
    place: str


class Gone(Struct, frozen=True):
    """A finding of before that no longer occurs."""

    rule: str
    level: str
    about: str


class Number(Struct, frozen=True):
    """A headline: a number with what it counts; `tone` is error, warning, good or ""."""

    value: str
    words: str
    tone: str = ""


class View(Struct, frozen=True):
    """The whole page."""

    title: str
    headline: str
    verdict: str
    numbers: tuple[Number, ...]
    groups: tuple[Group, ...]
    repositories: tuple[str, ...]
    owners: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]
    """Name and meaning of the rules that found something."""
    blind: tuple[Blind, ...]
    blind_more: int
    gone: tuple[Gone, ...]
    gone_more: int
    since: str
    version: str
    glossary: str
    """Where its words are explained, "" where nothing says."""
    made: tuple[str, ...]
    """How it came about, a sentence each."""
    orderly: tuple[Orderly, ...]
    orderly_more: int
    exchanges: tuple[Exchange, ...]
    exchanges_more: int
    exchange_owners: tuple[str, ...]
    """Those who own code that sends or reads."""
    spots: tuple[Spots, ...]
    """Blind spots by repository, where there are several."""


def view_of(content: Content, texts: Texts) -> View:
    """The page of a run."""
    return _Maker(content, texts).view()


class _Maker:
    def __init__(self, content: Content, texts: Texts) -> None:
        self.content = content
        self.texts = texts
        self.language: Language = content.language
        self.word = content.language.word
        self.known = by_id(content.consumers)
        self.members: dict[tuple[str, str, str], list[Consumer]] = {}
        for consumer in content.consumers:
            key = group_key(consumer)
            if key is not None:
                self.members.setdefault(key, []).append(consumer)
        self.repositories: dict[str, int] = {}
        self.owners: dict[str, int] = {}
        self.anchors: dict[str, int] = {}
        self.plans = 0
        self.has_main = True
        self.made = Made()

    def view(self) -> View:
        shown = self.content.shown
        self._numbered(shown)
        self.has_main = not all(one.is_aside for one in shown)
        self.made = self.content.made(self.repositories or [self.content.home])
        told = {part.group for one in shown for part in one.all_parts if part.group}
        orderly = overview.orderly(self.content, self.members, told)
        exchanges = overview.exchanges(self.content)
        spots = overview.spots(self.content)
        groups = tuple(self._group(key, found) for key, found in self._parted(shown).items())
        blind = sorted(self._blind(), key=lambda one: -one.count)
        earlier = self.content.earlier
        gone = tuple(
            Gone(
                one.rule,
                self.word(f"page.level.{one.level.text}"),
                self._about(one.group, one.topic, one.path),
            )
            for one in sorted(
                earlier.gone if earlier else (), key=lambda one: (-one.level, one.rule, one.identity)
            )
        )
        rules = sorted({part.rule for one in shown for part in one.all_parts})
        return View(
            title=self._title(),
            headline=summary.headline(self.content),
            verdict=summary.verdict(self.content),
            numbers=tuple(self._numbers(groups)),
            groups=groups,
            repositories=tuple(self.repositories),
            owners=tuple(self.owners),
            rules=tuple((name, self._rule(name)) for name in rules),
            blind=tuple(blind[:BLIND_MAX]),
            blind_more=max(0, len(blind) - BLIND_MAX),
            gone=gone[:GONE_MAX],
            gone_more=max(0, len(gone) - GONE_MAX),
            since=earlier.name if earlier else "",
            version=self.content.version,
            glossary=self.content.glossary,
            made=tuple(overview.made_of(self.content, self.made)),
            orderly=tuple(orderly[:ORDERLY_MAX]),
            orderly_more=max(0, len(orderly) - ORDERLY_MAX),
            exchanges=tuple(exchanges[:ORDERLY_MAX]),
            exchanges_more=max(0, len(exchanges) - ORDERLY_MAX),
            exchange_owners=tuple(sorted({owner for one in exchanges[:ORDERLY_MAX] for owner in one.owners})),
            spots=tuple(spots[:BLIND_MAX]) if len(spots) > 1 else (),
        )

    def _title(self) -> str:
        home = self.content.home
        return self.word("page.title-of", name=home) if home else self.word("page.title")

    def _numbered(self, shown: Sequence[Told]) -> None:
        """Numbers for the repositories and owners of findings, in the order of their names."""
        places = [place.at.origin for one in shown for part in one.all_parts for place in part.places]
        self.repositories = {name: n for n, name in enumerate(sorted({one.repo for one in places}))}
        owners = {owner for one in set(places) for owner in self.content.owners(one)}
        self.owners = {name: n for n, name in enumerate(sorted(owners))}

    # -- headlines -------------------------------------------------------------------------------------------

    def _numbers(self, groups: Sequence[Group]) -> Iterator[Number]:
        counts = self.content.tally
        levels = (("error", counts.errors), ("warning", counts.warnings), ("note", counts.notes))
        for level, count in levels:
            tone = ("good" if level == "error" else "") if not count else level
            yield self._number(f"page.number.{level}", count, tone)
        odd = [one for one in groups if one.section == "group"]
        topics = sum(one.section == "topic" for one in groups)
        if odd or not topics:
            yield self._number("page.number.groups", len(odd))
        if topics:
            yield self._number("page.number.topics", topics)
        losing = sum(one.impact == "lost" for one in odd)
        yield self._number("page.number.losing", losing, "error" if losing else "good")
        if self.content.repositories:
            yield self._number("page.number.repositories", self.content.repositories)
        yield self._number("page.number.all-groups", self.content.groups)
        yield self._number("page.number.consumers", self.content.members)
        blind = self.content.blind_spots().total()
        yield self._number("page.number.blind", blind, "warning" if blind else "good")
        if counts.suppressed:
            yield self._number("page.number.suppressed", counts.suppressed)
        earlier = self.content.earlier
        if earlier is not None:
            new = summary.count(self.content, earlier.new)
            yield self._number("page.number.new", new, "error" if new else "good")
            changed = summary.count(self.content, earlier.changed - earlier.new)
            yield self._number("page.number.changed", changed)
            yield self._number("page.number.gone", len(earlier.gone), "good" if earlier.gone else "")

    def _number(self, code: str, count: int, tone: str = "") -> Number:
        return Number(f"{count:,}", self.word(code), tone)

    # -- groups ----------------------------------------------------------------------------------------------

    def _parted(self, shown: Sequence[Told]) -> dict[tuple[str, ...], list[Told]]:
        """Findings by group, topic or repository; one about a consumer goes to those about its group where there are any."""
        found: dict[tuple[str, ...], list[Told]] = {}
        of_name: dict[tuple[str, str], tuple[str, ...]] = {}
        for one in shown:
            if one.scope is Scope.GROUP and one.group is not None:
                of_name.setdefault(
                    (one.namespace, one.group), ("group", one.cluster, one.namespace, one.group)
                )
        for one in shown:
            if one.group is None and one.topic is None:
                key: tuple[str, ...] = ("repository", one.places[0].at.origin.repo)
            elif one.group is None:
                key = ("topic", one.cluster, one.namespace, one.topic or "")
            elif one.scope is Scope.GROUP:
                key = ("group", one.cluster, one.namespace, one.group)
            else:
                own = ("group", one.cluster, one.namespace, one.group)
                key = of_name.get((one.namespace, one.group), own)
            found.setdefault(key, []).append(one)
        return dict(
            sorted(found.items(), key=lambda item: SECTIONS.index(self._section(item[0][0], item[1])))
        )

    def _section(self, kind: str, found: Iterable[Told]) -> str:
        return ASIDE if self.has_main and all(one.is_aside for one in found) else kind

    def _group(self, key: tuple[str, ...], found: Sequence[Told]) -> Group:
        kind, *rest = key
        members = self.members.get((rest[0], rest[1], rest[2]), []) if kind == "group" else []
        names = self._names(found, members)
        findings = tuple(self._shown(one, names) for one in found)
        parts = [part for one in found for part in one.all_parts]
        impacts = [one.own.impact(one.topic) for one in parts if one.own is not None]
        worst = max(impacts, default=Impact.NOTHING)
        drawn = picture(members, names, _odds(parts), self.language) if members else None
        subtitle = ""
        if kind != "repository":
            named = (("head.namespace", rest[1]), ("page.cluster", rest[0]))
            subtitle = self.language.comma.join(self.word(code, name=name) for code, name in named if name)
        return Group(
            anchor=f"g-{findings[0].first.anchor}",
            name=rest[-1],
            kind=kind,
            section=self._section(kind, found),
            subtitle=subtitle,
            level=max(one.level for one in found).text,
            impact=worst.name.lower().replace("_", "-") if impacts else "",
            certain=worst > Impact.DELAYED and any(_is_certain(one, worst) for one in parts),
            picture=drawn,
            findings=findings,
        )

    def _names(self, found: Sequence[Told], members: Sequence[Consumer]) -> Names:
        """What the members of a group are called, the same in its picture and its sentences."""
        names: dict[str, str] = {}
        for one in found:
            if one.prediction is not None:
                names |= names_of(one.prediction, self.known)
        return {**names, **short_names(members)}

    # -- findings --------------------------------------------------------------------------------------------

    def _shown(self, one: Told, names: Names) -> Shown:
        parts = one.all_parts
        origins = {place.at.origin for part in parts for place in part.places}
        return Shown(
            parts=tuple(self._part(part, names) for part in parts),
            steps=one.steps,
            plan=tuple(self._plan(one)),
            foot=self._foot(one),
            status=next((status for part in parts if (status := self._status(part))), ""),
            repositories=tuple(sorted(self.repositories[name] for name in {each.repo for each in origins})),
            owners=tuple(sorted({self.owners[o] for each in origins for o in self.content.owners(each)})),
        )

    def _plan(self, one: Told) -> Iterator[PlanWay]:
        """The plan that the finding advises, in its orders, the safest first; of so many findings on a page."""
        if one.rollout is None or one.prediction is None or one.group is None or self.plans >= PLANS_MAX:
            return
        members = self.members.get((one.cluster, one.namespace, one.group), [])
        group = ConsumerGroup(one.namespace, one.group, one.cluster, tuple(members))
        plan = plan_of(one.rollout, group, one.prediction.assumptions.queues)
        if plan is None:
            return
        self.plans += 1
        told = rollouts.Told(plan, self.language, runs=0)
        for way in plan.ways:
            if way.steps and way.order is not Order.CARELESS:
                steps = tuple(
                    PlanStep(told.step(each, way, alone=True), state_bar(told, each.after))
                    for each in way.steps
                )
                yield PlanWay(told.title(way), steps, tuple(told.notes(way)))

    def _part(self, one: Told, names: Names) -> Part:
        told = one.cost
        if not told and one.own is not None:
            told = cost(one.own, one.topic, names, self.language).sentence
        notes = [one.conditional, one.suppressed_on]
        if one.suppressed is not None:
            notes.append(self.word("suppressed", reason=one.suppressed))
        sides = _sides_of(one)
        left = len(one.places) - len(sides) + one.more_places
        return Part(
            anchor=self._anchor(one.identity),
            rule=one.rule,
            about=self._about("" if one.lead else one.group, one.topic, ""),
            level=one.level.text,
            level_word=self.word(f"page.level.{one.level.text}"),
            message=one.message,
            cost=told,
            notes=tuple(note for note in notes if note),
            losses=() if one.own is None else tuple(self._losses(one.own, one.topic)),
            sides=tuple(self._side(one, place) for place in sides),
            more_places=self.word("more-places", count=left) if left else "",
        )

    def _anchor(self, identity: str) -> str:
        """The identity as an anchor: it begins with a letter, and no two are equal."""
        count = self.anchors[identity] = self.anchors.get(identity, 0) + 1
        return f"f{identity}" if count == 1 else f"f{identity}-{count}"

    def _status(self, one: Told) -> str:
        earlier = self.content.earlier
        if earlier is None:
            return ""
        return "new" if one.identity in earlier.new else "changed" if one.identity in earlier.changed else ""

    def _about(self, group: str | None, topic: str | None, path: str) -> str:
        parts = [
            self.word(code, name=name)
            for code, name in (("head.group", group), ("head.topic", topic))
            if name
        ]
        return " · ".join([*parts, path] if path else parts)

    def _rule(self, name: str) -> str:
        code = f"rule.{name}" if name not in DIAGNOSTICS else f"diagnostic.{name}"
        return self.language.templates.get(code, "")

    def _foot(self, one: Told) -> str:
        parts = []
        if one.prediction is not None:
            parts.append(self.word("assumed", assumptions=verdicts.assumed(one.prediction, self.language)))
            parts.append(verdicts.console_sentence(one.prediction, self.language))
        if one.confidence is not Confidence.HIGH:
            parts.append(self.word("confidence", confidence=self.word(f"confidence.{one.confidence.text}")))
        if one.evidence:
            parts.append(self.word("page.compared", evidence=one.evidence))
        return self.word("part-join").join(parts)

    def _side(self, finding: Told, place: ToldPlace) -> Side:
        label = place.label
        if place.scope != "main":
            label = self.word("label-in-scope", label=label, scope=self.word(f"scope.{place.scope}"))
        count = finding.counts[place.side] if place.side < len(finding.counts) else 1
        if count > 1:
            label = self.word("label-of-many", label=label, count=count)
        at = value_of(place.shown, self.texts)
        revision = self.made.revisions.get(at.origin.repo, Revision())
        return Side(label, self._place(at), revision.link(at.origin.path, at.span.line), *self._code(at))

    def _place(self, at: Location) -> str:
        lead = "" if at.origin.repo == self.content.home else f"{at.origin.repo}: "
        return f"{lead}{at.origin.path}:{at.span.line}:{at.span.column}"

    def _code(self, at: Location) -> tuple[str, str, str]:
        """The first line of a place, parted around what is marked; nothing where the code is out of reach."""
        line = self.texts.line(at.origin, at.span.line)
        if line is None:
            return "", "", ""
        begin = min(at.span.column - 1, len(line))
        end = at.span.end_column - 1 if at.span.end_line == at.span.line else len(line)
        end = min(max(begin, end), len(line))
        before, marked, after = line[:begin].lstrip(), line[begin:end], line[end:].rstrip()
        if len(before) > CODE_CHARS_MAX // 4:
            before = f"…{before[-(CODE_CHARS_MAX // 4) :]}"
        if len(marked) > CODE_CHARS_MAX // 2:
            marked = f"{marked[: CODE_CHARS_MAX // 2]}…"
        if len(after) > CODE_CHARS_MAX // 4:
            after = f"{after[: CODE_CHARS_MAX // 4]}…"
        return before, marked, after

    # -- loss ------------------------------------------------------------------------------------------------

    def _losses(self, prediction: Prediction, topic: str | None) -> Iterator[Loss]:
        about = [one for one in prediction.topics if topic in (None, one.topic)]
        harmed = [one for one in about if one.possible > Impact.CONSOLE_ONLY]
        for one in sorted(harmed, key=lambda each: -each.possible)[:LOSSES_MAX]:
            yield self._loss(one)

    def _loss(self, topic: TopicPrediction) -> Loss:
        kinds: dict[tuple[str, tuple[str, ...]], list[ClassOutcome]] = {}
        for outcome in topic.outcomes:
            for one in outcome.classes:
                kinds.setdefault((one.message.label, one.message.wanted_by), []).append(one)
        ordered = sorted(kinds.items(), key=lambda item: harm(item[1]), reverse=True)
        bars = tuple(self._bar(label, fates) for (label, _), fates in ordered[:BARS_MAX])
        return Loss(topic.topic, bars, max(0, len(ordered) - BARS_MAX))

    def _bar(self, label: str, fates: Sequence[ClassOutcome]) -> Bar:
        shares = {
            "lost": Share.over(one.lost for one in fates),
            "stuck": Share.over(one.stuck for one in fates),
            "delayed": Share.over(one.delayed for one in fates),
        }
        twice = Share.over(one.duplicate for one in fates)
        words = [
            self.word(f"page.fate.{fate}", share=share_text(share, self.language))
            for fate, share in (*shares.items(), ("twice", twice))
            if share.is_possible
        ]
        parts = tuple(segments(shares))
        return Bar(self._kind(label), parts, self.language.comma.join(words) or self.word("page.fate.arrive"))

    def _kind(self, label: str) -> str:
        return self.word("page.every-message") if label == "*" else label_text(label, self.language)

    # -- blind spots -----------------------------------------------------------------------------------------

    def _blind(self) -> Iterator[Blind]:
        for one in self.content.unknowns():
            field = self.word(f"field.{one.field}")
            what = (
                self.word("unresolved.field", field=field, what=self.language.detail(one.detail))
                if one.detail
                else field
            )
            help_ = self.language.text(answer(one.why, one.detail))
            yield Blind(one.count, what, meaning(one.why, self.language), help_, self._place(one.at))
        causes: dict[Cause, list[tuple[str, str, Location]]] = {}
        for place in self.content.unread:
            told = told_diagnostic(place, self.language)
            causes.setdefault(told.cause, []).append((told.message, told.help, told.at))
        for cause, every in causes.items():
            message, help_, at = every[0]
            yield Blind(len(every), message, meaning(cause[0], self.language), help_, self._place(at))


def _is_certain(one: Told, worst: Impact) -> bool:
    if one.own is None:
        return False
    topic = one.own.topic(one.topic) if one.topic is not None else None
    return (one.own if topic is None else topic).certain >= worst


def _odds(found: Iterable[Told]) -> Odds:
    """What is to be drawn red: topics whose filters differ, topics some do not subscribe to, the message model."""
    differing = [one for one in found if one.scope is Scope.GROUP and one.rule.startswith("divergent-")]
    return Odds(
        topics=frozenset(one.topic for one in differing if one.topic is not None),
        missing=any(one.rule == _TOPICS_RULE for one in found),
        model=any("message-model" in one.rule for one in differing),
    )


def _sides_of(finding: Told) -> list[ToldPlace]:
    """One place of each side, or every place where there are no sides."""
    if finding.scope is not Scope.GROUP:
        return list(finding.places[:SIDES_MAX])
    seen: dict[tuple[int, str], ToldPlace] = {}
    for place in finding.places:
        seen.setdefault((place.side, place.label), place)
    return list(seen.values())[:SIDES_MAX]
