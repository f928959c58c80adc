"""Markdown for the page of a workflow run and for comments: the counts, and a table of what was found.

No text of a source file can become markup, a link or a mention.
"""

from __future__ import annotations

import re

from subdrift.linter.report import summary
from subdrift.linter.report.content import Content
from subdrift.linter.report.sides import cost_of, notes, where
from subdrift.linter.report.terminal import safe

ROWS_MAX = 200
"""Rows of the table; a step's summary may have at most a megabyte."""
_COLUMNS = ("level", "rule", "group", "topic", "places", "messages")


def render(content: Content) -> str:
    """The summary with a line end."""
    lines = ["### subdrift", "", cell(summary.verdict(content)), "", cell(summary.scope(content)), ""]
    if content.earlier is not None:
        lines += [cell(summary.beside(content)), ""]
    if content.shown:
        heads = [content.language.word(f"table.{name}") for name in _COLUMNS]
        lines += [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for finding in content.shown[:ROWS_MAX]:
        parts = finding.all_parts
        places = dict.fromkeys(cell(where(place.at, content)) for part in parts for place in part.places)
        said = [content.language.sentences((cost_of(one, content), *notes(one))) for one in parts]
        cells = [
            finding.level.text,
            "<br>".join(f"`{rule}`" for rule in dict.fromkeys(one.rule for one in parts)),
            cell(finding.group or ""),
            "<br>".join(dict.fromkeys(cell(one.topic) for one in parts if one.topic)),
            "<br>".join(places),
            "<br>".join(dict.fromkeys(cell(one) for one in said if one)),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    if len(content.shown) > ROWS_MAX:
        lines += ["", content.language.word("table.more", count=len(content.shown) - ROWS_MAX)]
    return "\n".join(lines) + "\n"


_LINKED = re.compile(r"@|#(?=\d)|://|www\.", re.IGNORECASE)
"""What a page makes a mention, a reference or a link of by itself, however it is escaped."""


def cell(text: str) -> str:
    """A text as it is, in a table."""
    cleaned = safe(text).replace("&", "&amp;").replace("<", "&lt;")
    escaped = "".join(f"\\{char}" if char in "|`*_[]\\" else char for char in cleaned)
    return _LINKED.sub(lambda found: f"{found[0][0]}<!-- -->{found[0][1:]}", escaped)
