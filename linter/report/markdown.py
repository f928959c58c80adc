"""Markdown for the page of a workflow run and for comments: the counts, and a table of what was found.

No text of a source file can become markup, a link or a mention.
"""

from __future__ import annotations

import re

from linter.report import summary, verdicts
from linter.report.content import Content
from linter.report.sides import where
from linter.report.terminal import safe
from linter.report.told import Told

ROWS_MAX = 200
"""Rows of the table; a step's summary may have at most a megabyte."""


def render(content: Content) -> str:
    """The summary with a line end."""
    lines = ["### subdrift", "", cell(summary.verdict(content)), "", cell(summary.scope(content)), ""]
    if content.earlier is not None:
        lines += [cell(summary.beside(content)), ""]
    if content.shown:
        lines += ["| level | rule | group | topic | places | messages |", "|---|---|---|---|---|---|"]
    for finding in content.shown[:ROWS_MAX]:
        places = "<br>".join(cell(where(place.at, content)) for place in finding.places)
        cost = _cost(finding, content)
        cells = [
            finding.level.text,
            f"`{finding.rule}`",
            cell(finding.group or ""),
            cell(finding.topic or ""),
        ]
        lines.append("| " + " | ".join([*cells, places, cell(cost)]) + " |")
    if len(content.shown) > ROWS_MAX:
        lines += ["", f"and {len(content.shown) - ROWS_MAX:,} more"]
    return "\n".join(lines) + "\n"


def _cost(finding: Told, content: Content) -> str:
    prediction = finding.prediction
    if prediction is None:
        return ""
    return verdicts.messages_sentence(prediction, finding.topic, content.names(prediction), content.language)


_LINKED = re.compile(r"@|#(?=\d)|://|www\.", re.IGNORECASE)
"""What a page makes a mention, a reference or a link of by itself, however it is escaped."""


def cell(text: str) -> str:
    """A text as it is, in a table."""
    cleaned = safe(text).replace("&", "&amp;").replace("<", "&lt;")
    escaped = "".join(f"\\{char}" if char in "|`*_[]\\" else char for char in cleaned)
    return _LINKED.sub(lambda found: f"{found[0][0]}<!-- -->{found[0][1:]}", escaped)
