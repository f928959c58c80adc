"""Findings and diagnostics -> what a reader counts. The one definition of it.

A finding is one cause, whatever number of rules tell it (`by_cause`; each rule's is a part). A diagnostic is one cause,
whatever number of places show it (`alike`). Every output counts by it: the last line of reports, JSON, the page, the
tables of a scan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from subdrift.linter.model.finding import Diagnostic, Finding, by_cause, digest
from subdrift.linter.model.message import Message

Cause = tuple[str, Message, Message | None]
"""Name, message and help of diagnostics without what tells their places apart."""


class Tally(Struct, frozen=True):
    """How many active findings there are by the level of their worst part, active diagnostics, and suppressed ones of both."""

    errors: int
    warnings: int
    notes: int
    diagnostics: int
    suppressed: int

    @classmethod
    def of(cls, findings: Iterable[Finding], diagnostics: Iterable[Diagnostic]) -> Tally:
        """Of a run after triage."""
        told, said = by_cause(findings), tuple(diagnostics)
        levels = Counter(parts[0].level.text for parts in told if parts[0].suppressed is None)
        return cls(
            levels["error"],
            levels["warning"],
            levels["note"],
            len(alike(one for one in said if one.suppressed is None)),
            len(told) - levels.total() + len(alike(one for one in said if one.suppressed is not None)),
        )

    @property
    def findings(self) -> int:
        """Active findings of every level."""
        return self.errors + self.warnings + self.notes

    @property
    def active(self) -> int:
        """Active findings and diagnostics."""
        return self.findings + self.diagnostics


def cause_of(one: Diagnostic) -> Cause:
    """Equal for diagnostics that differ by place, or by what of a consumer is not known, alone."""
    values = tuple(pair for pair in one.message.values if pair[0] not in ("group", "path"))
    rows = tuple(pair for pair in one.message.rows if pair[0] != "field")
    return one.name, Message(one.message.code.removesuffix(".of-group"), values, rows), one.help


def cause_id(one: Diagnostic) -> str:
    """A name for its cause, the same in every run."""
    return digest(tuple(map(repr, cause_of(one))))


def alike(diagnostics: Iterable[Diagnostic]) -> dict[Cause, list[Diagnostic]]:
    """The diagnostics of each cause together, in the order of the first of each."""
    found: dict[Cause, list[Diagnostic]] = {}
    for one in diagnostics:
        found.setdefault(cause_of(one), []).append(one)
    return found
