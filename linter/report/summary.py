"""The last lines of a report: what was found, what was looked at, and what stayed in the dark."""

from __future__ import annotations

from collections import Counter

from linter.model.finding import Severity
from linter.report.content import Content

_FIELDS = ("group", "namespace", "topic", "expression", "filter_type", "message_model")


def counts(content: Content) -> Counter[Severity]:
    """Active findings by level; a diagnostic counts as a warning."""
    found = Counter(one.level for one in content.findings if one.suppressed is None)
    found[Severity.WARNING] += sum(one.suppressed is None for one in content.diagnostics)
    return found


def verdict(content: Content) -> str:
    """`1 error, 2 warnings (1 suppressed)`, or the sentence of a clean run."""
    word, comma = content.language.word, content.language.comma
    found = counts(content)
    hidden = word("hidden", count=content.suppressed) if content.suppressed else ""
    parts = [
        word(f"count.{level.text}", count=found[level])
        for level in sorted(Severity, reverse=True)
        if found[level]
    ]
    if parts:
        return comma.join(parts) + hidden
    if not content.members:
        return word("no-consumers", files=content.files)
    if content.suppressed:
        return word("only-suppressed", count=content.suppressed)
    code = "all-consistent" if content.groups > 1 else "one-consistent"
    return word(
        code,
        groups=content.groups,
        consumers=content.members,
        files=content.files,
        blind=blind_spots(content),
    )


def scope(content: Content) -> str:
    """`Checked 412 files, 31 consumers, 14 groups; blind spots: 1 topic (subdrift unresolved).`"""
    word = content.language.word
    skipped = word("files-not-read", count=content.skipped_files) if content.skipped_files else ""
    return word(
        "checked",
        files=content.files,
        consumers=content.members,
        groups=content.groups,
        blind=blind_spots(content) + skipped,
    )


def blind_spots(content: Content) -> str:
    """`blind spots: 1 topic, 2 expressions (subdrift unresolved)`, or `0 blind spots`."""
    found = content.blind_spots()
    word, comma = content.language.word, content.language.comma
    if not found:
        return word("no-blind-spots")
    listed = comma.join(word(f"blind.{name}", count=found[name]) for name in _FIELDS if found[name])
    return word("blind-spots", listed=listed)
