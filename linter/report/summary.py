"""The last lines of a report: what was found, what was looked at, and what stayed in the dark."""

from __future__ import annotations

from collections import Counter

from linter.model.finding import Severity
from linter.model.location import Location
from linter.report.content import Content, Why, plural
from linter.report.terminal import safe

IDLE_MAX = 10
"""Consumers that take no part a report names."""

_IDLE = {
    "not-a-bean": "is not a Spring bean as far as can be seen",
    "never-started": "is never started as far as can be seen",
    "disabled": "is switched off",
}
_FIELDS = ("group", "topic", "expression", "filter_type", "message_model")


def counts(content: Content) -> Counter[Severity]:
    """Active findings by level; a diagnostic counts as a warning."""
    found = Counter(one.level for one in content.findings if one.suppressed is None)
    found[Severity.WARNING] += sum(one.suppressed is None for one in content.diagnostics)
    return found


def verdict(content: Content) -> str:
    """`1 error, 2 warnings (1 suppressed)`, or the sentence of a clean run."""
    found = counts(content)
    hidden = _hidden(content)
    new = "new " if content.since or any(one.why is Why.BASELINE for one in content.aside) else ""
    since = f" since {content.since}" if content.since else ""
    parts = [
        plural(found[level], f"{new}{level.text}") for level in sorted(Severity, reverse=True) if found[level]
    ]
    if parts:
        return ", ".join(parts) + since + hidden
    if not content.members:
        return f"No consumers found in {plural(content.files, 'file')}."
    if new:
        return f"Nothing new{since}{hidden}."
    if any(one.findings for one in content.aside):
        return f"Nothing to report here{hidden}."
    if content.suppressed:
        return f"Nothing but what is suppressed ({content.suppressed:,})."
    groups, members = content.groups, plural(content.members, "consumer")
    agreed = f"All {groups:,} groups consistent" if groups > 1 else f"{plural(groups, 'group')} consistent"
    return f"{agreed} ({members}, {plural(content.files, 'file')}; {blind_spots(content)})."


def idle(content: Content) -> list[str]:
    """Where nothing else is said: the consumers that take no part, or may not, each with the reason."""
    if counts(content).total():
        return []
    found: dict[str, str] = {}
    for consumer in content.consumers:
        reasons = dict.fromkeys(
            _IDLE[one.kind] + (f" ({one.text})" if one.text else "")
            for one in consumer.conditions
            if one.kind in _IDLE
        )
        if reasons and consumer.scope == "main":
            about = "" if consumer.group.text is None else f" of group `{safe(consumer.group.text)}`"
            found.setdefault(
                consumer.id,
                f"{place_of(consumer.at, content.home)}: a consumer{about} {safe(', '.join(reasons))}",
            )
    lines = list(found.values())
    more = [f"and {len(lines) - IDLE_MAX:,} more (subdrift list)"] if len(lines) > IDLE_MAX else []
    return [*lines[:IDLE_MAX], *more]


def place_of(at: Location, home: str) -> str:
    place = f"{safe(at.origin.path)}:{at.span.line}:{at.span.column}"
    return place if at.origin.repo == home else f"{safe(at.origin.repo)}: {place}"


def _hidden(content: Content) -> str:
    """` (3 old, 2 in the baseline, 1 suppressed)`: what is counted and not shown."""
    parts = [f"{len(one.findings):,} {one.why.value}" for one in content.aside if one.findings]
    if content.suppressed:
        parts.append(f"{content.suppressed:,} suppressed")
    return f" ({', '.join(parts)})" if parts else ""


def scope(content: Content) -> str:
    """`checked 412 files, 31 consumers, 14 groups; blind spots: 1 topic (subdrift unresolved)`."""
    seen = ", ".join(
        (plural(content.files, "file"), plural(content.members, "consumer"), plural(content.groups, "group"))
    )
    skipped = f"; {plural(content.skipped_files, 'file')} not read" if content.skipped_files else ""
    return f"checked {seen}; {blind_spots(content)}{skipped}"


def blind_spots(content: Content) -> str:
    """`blind spots: 1 topic, 2 expressions (subdrift unresolved)`, or `0 blind spots`."""
    found = content.blind_spots()
    if not found:
        return "0 blind spots"
    listed = ", ".join(plural(found[name], name.replace("_", " ")) for name in _FIELDS if found[name])
    return f"blind spots: {listed} (subdrift unresolved)"
