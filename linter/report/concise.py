"""One line a finding, for editors and grep: `path:line:col: error[divergent-tags] message`."""

from __future__ import annotations

from subdrift.linter.model.location import Location
from subdrift.linter.report import summary
from subdrift.linter.report.content import Content
from subdrift.linter.report.organisation import beside
from subdrift.linter.report.sides import cost_of, linked, notes
from subdrift.linter.report.terminal import Style, safe, settled


def render(content: Content, style: Style) -> str:
    """The lines of findings, of diagnostics, and the counts."""
    lines = []
    for finding in content.entries:
        color = {"error": "red", "warning": "yellow"}.get(finding.level.text, "cyan")
        head = style.paint(f"{finding.level.text}[{finding.rule}]", color)
        others = [place.at for place in finding.places[1:]]
        also = _also(others, content) if others else ""
        language = content.language
        said = language.sentences(
            (finding.message, cost_of(finding, content), *notes(finding), *linked(finding, content))
        )
        lines.append(
            f"{_where(finding.places[0].at, content.home)}: {head} {language.sentences((safe(said), also))}"
        )
    for one in content.shown_diagnostics:
        head = style.paint(f"warning[{one.name}]", "yellow")
        lines.append(f"{_where(one.at, content.home)}: {head} {safe(one.message)}")
    if not content.quiet:
        lines += summary.idle(content)
        lines.append(summary.verdict(content))
    return settled("".join(f"{line}\n" for line in lines))


def _where(at: Location, home: str) -> str:
    place = f"{safe(at.origin.path)}:{at.span.line}:{at.span.column}"
    return place if at.origin.repo == home else f"{safe(at.origin.repo)}: {place}"


def _also(others: list[Location], content: Content) -> str:
    place = _where(others[0], content.home) + safe(beside(others[0].origin, content))
    if len(others) == 1:
        return content.language.word("also", place=place)
    return content.language.word("also-more", place=place, count=len(others) - 1)
