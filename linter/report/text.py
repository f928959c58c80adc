"""The report for people: the wrong in one sentence, its cost in the next, then both sides' code and the way out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from subdrift.linter.model.consumer import Confidence
from subdrift.linter.model.finding import Scope, Severity
from subdrift.linter.model.location import Location
from subdrift.linter.model.prediction import ConsoleVerdict
from subdrift.linter.report import summary, verdicts
from subdrift.linter.report.content import Content, Texts, Trails
from subdrift.linter.report.cost import cost
from subdrift.linter.report.detail import Detail
from subdrift.linter.report.frame import frame, gutter_of, value_of, where
from subdrift.linter.report.idle import counted
from subdrift.linter.report.language import Language
from subdrift.linter.report.names import Names
from subdrift.linter.report.organisation import beside
from subdrift.linter.report.sides import cost_of, notes
from subdrift.linter.report.terminal import Style, paragraphs, safe, settled, wrapped
from subdrift.linter.report.told import Told, ToldDiagnostic, ToldPlace, told_together

CAUSES_FRAMED_MAX = 5
"""Causes of diagnostics that get a frame; the others get a line."""
DIAGNOSTIC_LINES_MAX = 10
"""Lines of diagnostics without `--verbose`; where they take more, each kind has one entry."""
SIDES_SHOWN_MAX = 2
"""Sides whose code is shown without `--all-places`, beside a line they share."""
TRAILS_MAX = 6
"""Origins of values a finding names."""
REASONS_MAX = 6

COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def render(content: Content, texts: Texts, style: Style, detail: Detail | None = None) -> str:
    """The whole report, with its last line end."""
    page = _Page(content, texts, style, detail or Detail(), content.trails())
    lines = [*page.headline(), *page.findings(), *page.diagnostics()]
    if not content.quiet:
        lines += page.legend()
        for one in summary.idle(content):
            lines += wrapped(one, style.width, "", "  ")
        lines += [style.paint(one, "bold") for one in wrapped(safe(summary.verdict(content)), style.width)]
        if content.earlier is not None:
            lines += wrapped(safe(summary.beside(content)), style.width)
        if content.tally.active:
            lines += wrapped(summary.scope(content), style.width)
        lines += wrapped(said, style.width) if (said := counted(content.reported, content.language)) else []
    return settled("".join(f"{line}\n" for line in lines))


class _Page(Struct, frozen=True):
    content: Content
    texts: Texts
    style: Style
    detail: Detail
    trails: Trails

    @property
    def language(self) -> Language:
        return self.content.language

    # -- findings --------------------------------------------------------------------------------------------

    def headline(self) -> Iterator[str]:
        """The verdict on the groups, before anything else."""
        said = "" if self.content.quiet else summary.headline(self.content)
        if said:
            yield from (self.style.paint(one, "bold") for one in wrapped(said, self.style.width))
            yield ""

    def findings(self) -> Iterator[str]:
        told, folded = self._folded()
        for block in _blocks(told):
            yield from self._block(block)
            yield ""
        if folded:
            yield from wrapped(self.language.word("folded", count=folded), self.style.width)
            yield ""

    def _folded(self) -> tuple[list[Told], int]:
        """The findings to show, and how many there are besides: those of samples and tests alone, beside others."""
        shown = self.content.shown
        main = [one for one in shown if not one.is_aside]
        if self.detail.samples or not main:
            return list(shown), 0
        return main, len(shown) - len(main)

    def legend(self) -> Iterator[str]:
        """What holds for every finding above: where to read on, how to silence it, and what more there is to see."""
        told, _ = self._folded()
        rules = {part.rule for one in told for part in one.all_parts}
        if not rules:
            return
        word = self.language.word
        rule = next(iter(rules)) if len(rules) == 1 else word("any-rule")
        parts = [word("read-on", rule=rule), word("silence", rule=rule)]
        if not self.detail.verbose:
            parts.append(word("verbose-hint"))
        if self.content.glossary:
            parts.append(word("glossary", address=self.content.glossary))
        for part in parts:
            for line in wrapped(part, self.style.width):
                yield self.style.paint(self.style.plain(line), "dim")
        yield ""

    def _block(self, block: Sequence[Told]) -> Iterator[str]:
        """Findings about one group; what they share stands once, at the end."""
        tables: list[str] = []
        for number, finding in enumerate(block):
            if number:
                yield ""
            for part in finding.all_parts:
                yield from self._part(part)
                tables += [line for line in self._table(part) if line not in tables]
            if finding.steps:
                yield ""
                yield from self._steps(finding)
        if tables:
            yield ""
            yield self.language.word("table-head")
            yield from tables
        yield from self._foot([part for one in block for part in one.all_parts])

    def _part(self, part: Told) -> Iterator[str]:
        """What one rule says: its sentence, its own cost and code."""
        if part.lead:
            yield ""
        yield self._head(part.level.text, part.rule, COLORS[part.level], self._subject(part), bool(part.lead))
        yield from self._sentence(part.message)
        yield from self._sentence(cost_of(part, self.content), "bold")
        yield from self._notes(part)
        yield ""
        yield from self._frames(part)

    def _table(self, part: Told) -> Iterator[str]:
        """What becomes of each kind of message, where a sentence does not say it."""
        if part.own is None or part.cost:
            return
        names = self._names(part)
        if not cost(part.own, part.topic, names, self.language).complete:
            yield from verdicts.loss_table(part.own, part.topic, names, self.style, self.language)

    def _names(self, finding: Told) -> Names:
        return {} if finding.prediction is None else self.content.names(finding.prediction)

    def _head(self, level: str, name: str, color: str, subject: str, more: bool = False) -> str:
        """`more`: it is a further part of the finding above."""
        title = self.style.paint(f"{level}[{name}]", "bold", color)
        lead = self.language.word("with-it") if more else ""
        return f"{lead}{title} {self.style.plain(subject)}".rstrip()

    def _subject(self, finding: Told) -> str:
        parts = [
            self.language.word(code, name=safe(name))
            for code, name in (
                ("head.group", "" if finding.lead else finding.group),
                ("head.topic", finding.topic),
                ("head.namespace", "" if finding.lead else finding.namespace),
            )
            if name
        ]
        return " · ".join(parts)

    def _sentence(self, text: str, *paint: str) -> Iterator[str]:
        for line in wrapped(safe(text), self.style.width) if text else ():
            yield self.style.paint(self.style.plain(line), *paint)

    def _notes(self, finding: Told) -> Iterator[str]:
        """What limits the finding: it holds in test code only, or somebody has suppressed it."""
        for note in notes(finding):
            yield from self._sentence(note)
        if finding.suppressed is not None:
            yield from self._sentence(self.language.word("suppressed", reason=finding.suppressed))

    def _frames(self, finding: Told) -> Iterator[str]:
        """One place of each side, or all of them; the code under the smallest region that says it."""
        places, left = self._chosen(finding)
        shown = [value_of(place.shown, self.texts) for place in places]
        gutter = gutter_of(shown)
        for index, (place, at) in enumerate(zip(places, shown, strict=True)):
            label = self._label(finding, place)
            used = self._used(place, at)
            home, about = self.content.home, beside(at.origin, self.content)
            yield from frame(at, label, self.texts, self.style, home, gutter, index == 0, used, about)
        if left:
            more = self.language.word("more-places", count=left)
            hint = "" if self.detail.all_places else self.language.word("more-places-hint")
            yield f"{' ' * gutter} {self.style.plain('…')} {more}{hint}"

    def _chosen(self, finding: Told) -> tuple[list[ToldPlace], int]:
        """The places to show, one of each label (of a group, of two sides), and how many there are besides."""
        places = list(finding.places)
        if not self.detail.all_places:
            of_group = finding.scope is Scope.GROUP
            first: dict[object, ToldPlace] = {}
            for number, place in enumerate(places):
                side = (place.side, place.label == places[0].label)
                first.setdefault(side if of_group else number, place)
            seen: dict[str, ToldPlace] = {}
            for place in first.values():
                seen.setdefault(place.label, place)
            shared = places[0].label == self.language.word("declared-once")
            places = list(seen.values())[: SIDES_SHOWN_MAX + shared if of_group else None]
        return places, len(finding.places) - len(places) + finding.more_places

    def _used(self, place: ToldPlace, at: Location) -> str:
        """Where a value that was written elsewhere takes effect."""
        if at.origin != place.at.origin:
            home = at.origin.repo if at.origin.repo == place.at.origin.repo else self.content.home
            return self.language.word("used-in", place=where(place.at, home))
        if place.at.span.line <= at.span.line <= place.at.span.end_line:
            return ""
        return self.language.word("used-in-line", line=place.at.span.line)

    def _label(self, finding: Told, place: ToldPlace) -> str:
        label = place.label
        if place.scope != "main":
            label = self.language.word(
                "label-in-scope", label=label, scope=self.language.word(f"scope.{place.scope}")
            )
        count = finding.counts[place.side] if place.side < len(finding.counts) else 1
        if count > 1 and not self.detail.all_places:
            label = self.language.word("label-of-many", label=label, count=count)
        return label

    def _steps(self, finding: Told) -> Iterator[str]:
        """What to do, the safest first."""
        title = self.style.paint(self.language.word("help"), "bold")
        if len(finding.steps) == 1:
            lead = self.language.word("help-lead")
            lines = wrapped(safe(finding.steps[0]), self.style.width, lead, "  ")
            yield lines[0].replace(self.language.word("help"), title, 1)
            yield from lines[1:]
            return
        yield title + self.language.word("help-colon")
        for number, step in enumerate(finding.steps, 1):
            yield from map(self.style.plain, wrapped(safe(step), self.style.width, f"  {number}. ", " " * 5))

    def _foot(self, block: Sequence[Told]) -> Iterator[str]:
        """What the block rests on, in one line or, asked for, in all its steps."""
        word = self.language.word
        first = next((one.prediction for one in block if one.prediction is not None), None)
        parts: list[str] = []
        if first is not None:
            parts.append(word("assumed", assumptions=verdicts.assumed(first, self.language)))
            if self.detail.verbose or first.console is not ConsoleVerdict.DIFFERENT:
                parts.append(verdicts.console_sentence(first, self.language))
        confidence = min(one.confidence for one in block)
        if confidence is not Confidence.HIGH:
            parts.append(word("confidence", confidence=word(f"confidence.{confidence.text}")))
        if parts:
            yield ""
        lines = wrapped(safe(word("part-join").join(parts)), self.style.width) if parts else []
        yield from (self.style.paint(self.style.plain(line), "dim") for line in lines)
        if self.detail.verbose:
            for note in dict.fromkeys(note for one in block for note in self._behind(one)):
                yield from wrapped(safe(note), self.style.width, "  - ", "    ")

    def _behind(self, finding: Told) -> Iterator[str]:
        """Why it is so, what makes the members comparable, and where their values come from."""
        if finding.prediction is not None:
            names = self._names(finding)
            reasons = verdicts.reasons(finding.prediction, finding.topic, names, self.language)
            yield from (self.language.word("because", reason=one) for one in reasons[:REASONS_MAX])
        if finding.evidence:
            yield self.language.word("compared", evidence=finding.evidence)
        yield from self._origins(finding)

    def _origins(self, finding: Told) -> Iterator[str]:
        """Where values come from that do not stand at their place."""
        shown = {(place.shown.origin, place.shown.span.line) for place in finding.places}
        seen: dict[str, None] = {}
        for place in finding.places:
            for origins in self.trails.get(place.at, ()):
                if not origins.concerns(finding.environments):
                    continue
                last = origins.trail[-1].at
                inside = last.origin == place.at.origin and (
                    place.at.span.line <= last.span.line <= place.at.span.end_line
                )
                if not inside and (last.origin, last.span.line) not in shown:
                    field = self.language.word(f"field.{origins.field}")
                    at = where(last, self.content.home)
                    seen[self.language.word("origin", field=field, place=at)] = None
        yield from list(seen)[:TRAILS_MAX]
        if len(seen) > TRAILS_MAX:
            yield self.language.word("more-origins", count=len(seen) - TRAILS_MAX)

    # -- diagnostics -----------------------------------------------------------------------------------------

    def diagnostics(self) -> Iterator[str]:
        """One entry for each cause, with its first place and the number of the others; without its code, or one for
        each kind, where that takes too many lines: a few alone may take what they need. What no consumer
        depends on is counted."""
        causes: dict[object, list[ToldDiagnostic]] = {}
        every = self.content.every_diagnostic
        shown = every if self.detail.verbose else self.content.shown_diagnostics
        left = len({one.cause for one in every} - {one.cause for one in shown})
        for one in shown:
            causes.setdefault((one.cause, one.suppressed), []).append(one)
        few = len(causes) <= CAUSES_FRAMED_MAX
        lines = [line for each in causes.values() for line in self._cause(each, few)]
        room = len(lines) if self.detail.verbose or (few and not self.content.shown) else DIAGNOSTIC_LINES_MAX
        if len(lines) > room:
            lines = [line for each in causes.values() for line in self._cause(each, framed=False)]
        if len(lines) > room:
            lines = list(self._brief(shown))
        if left:
            lines += wrapped(self.language.word("diagnostics.more", count=left), self.style.width)
        yield from lines
        if lines and lines[-1]:
            yield ""

    def _brief(self, every: Sequence[ToldDiagnostic]) -> Iterator[str]:
        """An entry for each kind: how often, its most frequent cause with the first place, and what to do."""
        kinds: dict[str, list[ToldDiagnostic]] = {}
        for one in every:
            kinds.setdefault(one.name, []).append(one)
        for name, found in sorted(kinds.items(), key=lambda each: (-len(each[1]), each[0])):
            causes: dict[object, list[ToldDiagnostic]] = {}
            for one in found:
                causes.setdefault(one.cause, []).append(one)
            most = max(causes.values(), key=len)
            places = len({one.at for one in found})
            said, help_ = told_together(most, self.language)
            if len(causes) > 1:
                said = self.language.word(
                    "diagnostics.brief", places=places, causes=len(causes), message=said
                )
            bare, place = f"warning[{name}] ", where(most[0].at, self.content.home)
            head = self._head("warning", name, "yellow", "")
            if places > len(causes) == 1:
                more = self.language.word("more-places", count=places - 1)
                place += self.language.word("and-more-places", more=more)
            lines = wrapped(f"{bare}{place}: {safe(said)}", self.style.width, "", "  ")
            yield lines[0].replace(bare.strip(), head, 1)
            yield from lines[1:]
            if help_:
                lead = f"  {self.language.word('help-lead')}"
                yield from paragraphs(help_, self.style.width, lead, "    ")

    def _cause(self, every: Sequence[ToldDiagnostic], framed: bool) -> Iterator[str]:
        first, word = every[0], self.language.word
        head = self._head("warning", first.name, "yellow", "")
        bare = f"warning[{first.name}] "
        said, help_ = told_together(every, self.language)
        lines = wrapped(bare + safe(said), self.style.width, "", "  ")
        yield lines[0].replace(bare.strip(), head, 1)
        yield from lines[1:]
        places = len({one.at for one in every})
        more = word("more-places", count=places - 1) if places > 1 else ""
        gutter = gutter_of([first.at])
        if framed:
            yield from frame(first.at, "", self.texts, self.style, self.content.home, gutter)
            if more:
                yield f"{' ' * gutter} {self.style.plain('…')} {more}"
        else:
            place = where(first.at, self.content.home)
            yield f"  {place}{word('and-more-places', more=more) if more else ''}"
        if first.suppressed is not None:
            yield from wrapped(
                safe(word("suppressed", reason=first.suppressed)), self.style.width, "  ", "  "
            )
        if help_:
            lead = f"  {word('help-lead')}"
            yield from paragraphs(help_, self.style.width, lead, "    ")
        if framed:
            yield ""


def _blocks(shown: Sequence[Told]) -> list[list[Told]]:
    """The findings about one group together, in the order of the first of each group; others by themselves."""
    found: dict[object, list[Told]] = {}
    for number, one in enumerate(shown):
        shared = one.scope is Scope.GROUP and one.group is not None
        key: object = (one.cluster, one.namespace, one.group) if shared else number
        found.setdefault(key, []).append(one)
    return list(found.values())
