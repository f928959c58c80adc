"""Markdown for the page of a workflow run and for comments: the counts, and a table of what was found.

No text of a source file can become markup or a mention.
"""

from __future__ import annotations

from linter.report import summary, verdicts
from linter.report.content import Content
from linter.report.sides import where
from linter.report.terminal import safe
from linter.report.told import Told

ROWS_MAX = 200
"""Rows of the table; a step's summary may have at most a megabyte."""


def render(content: Content) -> str:
    """The summary with a line end."""
    lines = ["### subdrift", "", _cell(summary.verdict(content)), "", _cell(summary.scope(content)), ""]
    if content.earlier is not None:
        lines += [_cell(summary.beside(content)), ""]
    if content.shown:
        lines += ["| level | rule | group | topic | places | messages |", "|---|---|---|---|---|---|"]
    for finding in content.shown[:ROWS_MAX]:
        places = "<br>".join(_cell(where(place.at, content)) for place in finding.places)
        cost = _cost(finding, content)
        cells = [
            finding.level.text,
            f"`{finding.rule}`",
            _cell(finding.group or ""),
            _cell(finding.topic or ""),
        ]
        lines.append("| " + " | ".join([*cells, places, _cell(cost)]) + " |")
    if len(content.shown) > ROWS_MAX:
        lines += ["", f"and {len(content.shown) - ROWS_MAX:,} more"]
    return "\n".join(lines) + "\n"


def _cost(finding: Told, content: Content) -> str:
    prediction = finding.prediction
    if prediction is None:
        return ""
    return verdicts.messages_sentence(prediction, finding.topic, content.names(prediction), content.language)


def _cell(text: str) -> str:
    cleaned = safe(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{char}" if char in "|`*_[]\\@" else char for char in cleaned)
