"""`[[ignore]]` of a configuration: findings a team has decided about, until a day."""

from __future__ import annotations

import datetime
from fnmatch import fnmatchcase

from msgspec import Struct

from subdrift.linter.model.finding import Diagnostic, Finding, Place
from subdrift.linter.model.location import Location


def covers(pattern: str, path: str) -> bool:
    """Whether a pattern speaks for a path: "" for all, a folder for what lies below it; `*` stands for any part of a path."""
    folder = pattern.removeprefix("./").rstrip("/")
    return not folder or path == folder or path.startswith(folder + "/") or fnmatchcase(path, folder)


class Ignore(Struct, frozen=True):
    """One entry. What is "" or None does not narrow it; `until` is the last day on which it holds."""

    rule: str
    reason: str
    at: Location
    group: str | None = None
    topic: str | None = None
    path: str = ""
    until: datetime.date | None = None
    shared: bool = False
    """Whether it is that of a standard for many repositories: nothing is wrong where it ignores nothing."""

    def holds(self, today: datetime.date) -> bool:
        return self.until is None or today <= self.until

    def covers(self, finding: Finding, place: Place) -> bool:
        """Whether it speaks for one side of a finding."""
        return (
            self.rule == finding.rule
            and self.group in (None, finding.group)
            and self.topic in (None, finding.topic)
            and self.covers_path(place.at.origin.path)
        )

    def covers_diagnostic(self, one: Diagnostic) -> bool:
        """Whether it speaks for what could not be analysed; that has a place and neither group nor topic."""
        narrow = self.group is not None or self.topic is not None
        return self.rule == one.name and not narrow and self.covers_path(one.at.origin.path)

    def covers_path(self, path: str) -> bool:
        return covers(self.path, path)

    @property
    def shown(self) -> str:
        """The entry in a few words."""
        about = [
            f"group {self.group}" if self.group else "",
            f"topic {self.topic}" if self.topic else "",
            self.path,
        ]
        return " ".join(part for part in (f"`{self.rule}`", *about) if part)
