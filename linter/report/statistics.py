"""How often each rule and diagnostic was told, as a table: most frequent first, then the line that ends every report."""

from __future__ import annotations

from collections import Counter

from subdrift.linter.model.counts import alike
from subdrift.linter.model.finding import by_cause
from subdrift.linter.report.content import Content
from subdrift.linter.report.summary import verdict
from subdrift.linter.report.terminal import cells


def render(content: Content) -> str:
    """The table. A finding counts once for each rule that has a part in it, at the level of the worst of them; a diagnostic
    has no level. What is suppressed or set aside is counted in the last line, as everywhere."""
    word = content.language.word
    told: Counter[tuple[str, str, str]] = Counter()
    for parts in by_cause(one for one in content.findings if one.suppressed is None):
        first: dict[str, str] = {}
        for part in parts:
            first.setdefault(part.rule, part.level.text)
        told.update((rule, level, "rule") for rule, level in first.items())
    active = alike(one for one in content.needed_diagnostics if one.suppressed is None)
    told.update((name, "", "diagnostic") for name, *_ in active)
    rows = [
        (str(count), level, name, word(f"{kind}.{name}"))
        for (name, level, kind), count in sorted(told.items(), key=lambda one: (-one[1], one[0]))
    ]
    widths = [max((cells(row[column]) for row in rows), default=0) for column in range(3)]
    lines = [
        f"{count:>{widths[0]}}  {level}{' ' * (widths[1] - cells(level))}  {name:<{widths[2]}}  {about}"
        for count, level, name, about in rows
    ]
    return "".join(f"{line}\n" for line in [*lines, *([""] if lines else []), verdict(content)])
