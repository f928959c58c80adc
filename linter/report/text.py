"""The report for people: each finding with both sides' code, what it costs, and what to do; counts at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from linter.model.consumer import Confidence
from linter.model.finding import Diagnostic, Finding, Severity
from linter.model.prediction import Prediction
from linter.report import summary, verdicts
from linter.report.content import Content, Texts, Trails
from linter.report.frame import frame, gutter_of, where
from linter.report.terminal import Style, safe, settled

DIAGNOSTICS_FRAMED_MAX = 10
"""Diagnostics of one kind that get a frame; the others get a line."""
TRAILS_MAX = 6
"""Origins of values a finding names."""

REASONS_MAX = 6

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def render(content: Content, texts: Texts, style: Style) -> str:
    """The whole report, with its last line end."""
    lines: list[str] = []
    trails = content.trails()
    for finding in content.shown:
        lines.extend(_finding(finding, content, texts, style, trails))
        lines.append("")
    lines.extend(_diagnostics(content, texts, style))
    if not content.quiet:
        lines += summary.idle(content)
        lines.append(style.paint(summary.verdict(content), "bold"))
        if summary.counts(content).total():
            lines.append(summary.scope(content))
    return settled("".join(f"{line}\n" for line in lines))


def _finding(finding: Finding, content: Content, texts: Texts, style: Style, trails: Trails) -> Iterator[str]:
    yield _head(finding.level.text, finding.rule, _COLORS[finding.level], _subject(finding), style)
    yield safe(finding.message)
    yield ""
    gutter = gutter_of([place.at for place in finding.places])
    for index, place in enumerate(finding.places):
        label = place.label if place.scope == "main" else f"{place.label} ({place.scope} code)"
        yield from frame(place.at, label, texts, style, content.home, gutter, primary=index == 0)
    if finding.more_places:
        yield f"{' ' * gutter}{style.plain('…')} and {finding.more_places:,} more places"
    yield style.paint(" " * gutter + " |", "blue")
    for note in _notes(finding, content, style, trails):
        first, *rest = note.split("\n")
        yield f"{' ' * gutter} {style.paint('=', 'blue')} {first}"
        yield from (f"{' ' * (gutter + 3)}{line}".rstrip() for line in rest)


def _head(level: str, name: str, color: str, subject: str, style: Style) -> str:
    title = style.paint(f"{level}[{name}]", "bold", color)
    return f"{title} {style.plain(subject)}".rstrip()


def _subject(finding: Finding) -> str:
    parts = []
    if finding.group is not None:
        parts.append(f"group {safe(finding.group)}")
    if finding.topic is not None:
        parts.append(f"topic {safe(finding.topic)}")
    if finding.namespace:
        parts.append(f"namespace {safe(finding.namespace)}")
    return " · ".join(parts)


def _notes(finding: Finding, content: Content, style: Style, trails: Trails) -> Iterator[str]:
    if finding.prediction is not None:
        yield from _cost(finding, content, finding.prediction, style)
    if finding.evidence:
        yield f"compared: {safe(finding.evidence)}"
    if finding.conditional:
        yield safe(finding.conditional)
    yield from _origins(finding, content, trails)
    if finding.confidence is not Confidence.HIGH:
        yield f"confidence: {finding.confidence.text}"
    if finding.suppressed is not None:
        yield f"suppressed: {safe(finding.suppressed)}"
    if finding.suppressed_on:
        yield safe(finding.suppressed_on)
    if finding.help:
        yield f"{style.paint('help', 'bold')}: {safe(finding.help)}"


def _cost(finding: Finding, content: Content, prediction: Prediction, style: Style) -> Iterator[str]:
    names = content.names(prediction)
    table = "\n".join(map(safe, verdicts.loss_table(prediction, finding.topic, names)))
    if table:
        yield style.plain(table)
    for reason in verdicts.reasons(prediction, finding.topic, names)[:REASONS_MAX]:
        yield f"because {safe(reason)}"
    yield f"{style.paint('console', 'bold')}: {safe(verdicts.console_sentence(prediction))}"
    told = verdicts.messages_sentence(prediction, finding.topic, names)
    yield f"{style.paint('messages', 'bold')}: {safe(told)}"


def _origins(finding: Finding, content: Content, trails: Trails) -> Iterator[str]:
    """Where values come from that do not stand at their place."""
    shown = {(place.at.origin, place.at.span.line) for place in finding.places}
    seen: dict[str, None] = {}
    for place in finding.places:
        for origins in trails.get(place.at, ()):
            if not origins.concerns(finding.environments):
                continue
            last = origins.trail[-1].at
            inside = last.origin == place.at.origin and (
                place.at.span.line <= last.span.line <= place.at.span.end_line
            )
            if not inside and (last.origin, last.span.line) not in shown:
                seen[f"{origins.field} from {where(last, content.home)}"] = None
    yield from list(seen)[:TRAILS_MAX]
    if len(seen) > TRAILS_MAX:
        yield f"{len(seen) - TRAILS_MAX} more values from elsewhere (subdrift list)"


def _diagnostics(content: Content, texts: Texts, style: Style) -> Iterator[str]:
    framed: Counter[str] = Counter()
    brief: list[Diagnostic] = []
    for one in content.shown_diagnostics:
        framed[one.name] += 1
        if framed[one.name] > DIAGNOSTICS_FRAMED_MAX:
            brief.append(one)
            continue
        yield _head("warning", one.name, "yellow", "", style)
        yield safe(one.message)
        gutter = gutter_of([one.at])
        yield from frame(one.at, "", texts, style, content.home, gutter)
        if one.suppressed is not None:
            yield f"{' ' * gutter} = suppressed: {safe(one.suppressed)}"
        if one.help:
            yield f"{' ' * gutter} {style.paint('=', 'blue')} {style.paint('help', 'bold')}: {safe(one.help)}"
        yield ""
    for one in brief:
        head = style.paint(f"warning[{one.name}]", "yellow")
        yield f"{where(one.at, content.home)}: {head} {safe(one.message)}"
    if brief:
        yield ""
