"""Reviewdog's diagnostic format: one object, which reviewdog turns into comments on GitHub, GitLab, Gitea, Bitbucket
and Gerrit. Lines and columns count from 1, columns are UTF-8 bytes, ends are exclusive.
"""

from __future__ import annotations

from typing import Any, Final

from subdrift.linter.model.finding import Severity
from subdrift.linter.model.location import Location, Span
from subdrift.linter.report.content import Content, Texts
from subdrift.linter.report.json import compose
from subdrift.linter.report.sides import path_of, shown_places, smallest, whole

SEVERITY: Final = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.NOTE: "INFO"}
SOURCE: Final = {"name": "subdrift"}


def render(content: Content, texts: Texts) -> str:
    """The object with a line end."""
    return compose(document(content, texts), indent=2) + "\n"


def document(content: Content, texts: Texts) -> dict[str, Any]:
    found = []
    for finding in content.entries:
        place = shown_places(finding, content)[0]
        text = whole(finding, place, content)
        at = smallest(place, content)
        found.append(_diagnostic(finding.rule, text, SEVERITY[finding.level], at, content, texts))
    found += [
        _diagnostic(one.name, one.message, "WARNING", one.at, content, texts)
        for one in content.shown_diagnostics
    ]
    return {"source": SOURCE, "diagnostics": found}


def _diagnostic(
    name: str, text: str, severity: str, at: Location, content: Content, texts: Texts
) -> dict[str, Any]:
    page = content.page_about(name)
    return {
        "message": text,
        "location": {"path": path_of(at, content), "range": _range(at, texts)},
        "severity": severity,
        "code": {"value": name, **({"url": page} if page else {})},
    }


def _range(at: Location, texts: Texts) -> dict[str, Any]:
    span: Span = at.span
    return {
        "start": {"line": span.line, "column": _bytes(texts.line(at.origin, span.line), span.column)},
        "end": {
            "line": span.end_line,
            "column": _bytes(texts.line(at.origin, span.end_line), span.end_column),
        },
    }


def _bytes(line: str | None, column: int) -> int:
    """A column in bytes; in code points where the line is out of reach."""
    return column if line is None else len(line[: column - 1].encode("utf-8", "surrogatepass")) + 1
