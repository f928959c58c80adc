"""Comments -> `Suppression`s: `subdrift: ignore[rule-a, rule-b] reason`, in //, /* */ and # comments alike."""

from __future__ import annotations

import re

from subdrift.linter.model.facts import Suppression
from subdrift.linter.model.location import Span

MARK = b"subdrift:"

_PATTERN = re.compile(r"subdrift:\s*ignore\[([^\]]*)\]([^\n]*)")


def suppressions(lines: list[str], comments: list[tuple[Span, str]]) -> tuple[Suppression, ...]:
    """The suppressions in `comments` (span and text of each, of a file with these `lines`).

    One speaks for its own line; where the comment stands alone there, for the next line that holds code too.
    """
    found: list[Suppression] = []
    comment_lines = {
        line
        for span, _ in comments
        for line in range(span.line, span.end_line + 1)
        if _alone(lines, span, line)
    }
    for span, text in comments:
        for match in _PATTERN.finditer(text):
            line = span.line + text.count("\n", 0, match.start())
            rules = tuple(rule.strip() for rule in match[1].split(",") if rule.strip())
            reason = match[2].replace("*/", "").replace("-->", "").strip()
            spoken = [line]
            if line in comment_lines:
                following = span.end_line + 1
                while following <= len(lines) and (
                    following in comment_lines or not lines[following - 1].strip()
                ):
                    following += 1
                if following <= len(lines):
                    spoken.append(following)
            column = _column(span, text, match.start())
            at = Span(line, column, line, column + len(match[0].rstrip()))
            found.append(Suppression(rules, reason, tuple(spoken), at))
    return tuple(found)


def _alone(lines: list[str], span: Span, line: int) -> bool:
    """Whether nothing but the comment stands on this line."""
    text = lines[line - 1] if line <= len(lines) else ""
    before = text[: span.column - 1] if line == span.line else ""
    after = text[span.end_column - 1 :] if line == span.end_line else ""
    return not before.strip() and not after.strip()


def _column(span: Span, text: str, offset: int) -> int:
    newline = text.rfind("\n", 0, offset)
    return span.column + offset if newline < 0 else offset - newline
