"""What a report says of repositories outside of its run: their commit, its age, who owns the file."""

from __future__ import annotations

from typing import Any

from subdrift.linter.model.location import Origin
from subdrift.linter.report.content import Content, Side
from subdrift.linter.report.language import Language

OWNERS_SHOWN_MAX = 3
COMMIT_DIGITS = 9
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def side_of(origin: Origin, content: Content) -> Side | None:
    """A repository outside of the run; None for one of the run."""
    known = content.organisation
    if known is None or not content.home or origin.repo == content.home:
        return None
    return known.side(origin)


def beside(origin: Origin, content: Content) -> str:
    """` (commit 1a2b3c4d5, 2 days old, owned by @acme/crm)`; "" for what lies in the run's own repository."""
    side = side_of(origin, content)
    if side is None or content.organisation is None:
        return ""
    word, comma = content.language.word, content.language.comma
    parts = [word("side.commit", commit=side.head[:COMMIT_DIGITS])] if side.head else []
    if side.time is not None:
        parts.append(word("side.age", age=age(content.organisation.now - side.time, content.language)))
    if side.owners:
        shown = comma.join(side.owners[:OWNERS_SHOWN_MAX])
        parts.append(word("side.owners", owners=shown))
    return word("side", listed=comma.join(parts)) if parts else ""


def last_line(content: Content) -> str:
    """`; registry of 212 repositories, 2 h old; 3 groups of 2 other repositories read what is sent here`, "" without a
    registry."""
    known = content.organisation
    if known is None:
        return ""
    spoken = age(known.now - known.taken, content.language)
    said = content.language.word("registry", repositories=known.repositories, age=spoken)
    if known.readers is None or not known.readers[0]:
        return said
    groups, repositories = known.readers
    return said + content.language.word("registry.readers", groups=groups, repositories=repositories)


def age(seconds: int, language: Language) -> str:
    """`5 min`, `2 h`, `3 days`: as exact as a reader needs."""
    seconds = max(0, seconds)
    if seconds < 2 * _HOUR:
        return language.word("age.minutes", count=seconds // _MINUTE)
    if seconds < 2 * _DAY:
        return language.word("age.hours", count=seconds // _HOUR)
    return language.word("age.days", count=seconds // _DAY)


def as_object(origin: Origin, content: Content) -> dict[str, Any] | None:
    """What machines are told of a repository outside of the run; None for one of the run."""
    side = side_of(origin, content)
    if side is None:
        return None
    return {
        "commit": side.head or None,
        "committed": None if side.time is None else instant(side.time),
        "owners": list(side.owners),
    }


def instant(seconds: int) -> str | None:
    """A time as ISO 8601 in UTC; None where no calendar has it."""
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return None
