"""Workflow commands of GitHub Actions, worst first.

Everything is escaped as the runner's toolkit does, so no text of a source file can become a command.
"""

from __future__ import annotations

from subdrift.linter.model.finding import Severity
from subdrift.linter.model.location import Location
from subdrift.linter.report import summary
from subdrift.linter.report.content import Content
from subdrift.linter.report.organisation import beside
from subdrift.linter.report.sides import cost_of, linked, notes, shown_places, smallest
from subdrift.linter.report.terminal import safe, without_commands

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(content: Content) -> str:
    """One command a part of a finding and diagnostic, and a last one with the counts."""
    lines = []
    for finding in content.entries:
        primary = shown_places(finding, content)[0]
        at = smallest(primary, content)
        others = "".join(
            f"\n{place.label}: {_where(place.at, content.home)}{beside(place.at.origin, content)}"
            for place in finding.places
            if place is not primary
        )
        said = (cost_of(finding, content), *notes(finding), *linked(finding, content))
        after = "".join(f"\n{text}" for text in said if text)
        message = f"{finding.message}{others}{after}"
        lines.append(_command(_COMMANDS[finding.level], at, finding.rule, message, content.home))
    lines.extend(
        _command("warning", one.at, one.name, one.message, content.home) for one in content.shown_diagnostics
    )
    counts = f"{summary.verdict(content)}\n{summary.scope(content)}"
    lines.append(f"::notice title=subdrift::{_message(counts)}")
    return "\n".join(lines) + "\n"


def _command(kind: str, at: Location, title: str, message: str, home: str) -> str:
    properties = [f"title={_property(title)}"]
    if at.origin.repo == home:
        span = at.span
        place = [f"file={_property(at.origin.path)}", f"line={span.line}", f"endLine={span.end_line}"]
        if span.line == span.end_line:
            # an exclusive end here, an inclusive one there
            place += [f"col={span.column}", f"endColumn={max(span.column, span.end_column - 1)}"]
        properties = place + properties
    else:
        message = f"{_where(at, home)}: {message}"
    return f"::{kind} {','.join(properties)}::{_message(message)}"


def _where(at: Location, home: str) -> str:
    place = f"{at.origin.path}:{at.span.line}"
    return place if at.origin.repo == home else f"{at.origin.repo} {place}"


def _message(text: str) -> str:
    lines = without_commands("\n".join(map(safe, text.split("\n"))))
    return lines.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
