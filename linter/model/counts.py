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


_TOGETHER = frozenset(
    ("unresolved-value", "unread-language", "consumer-made-elsewhere", "tests-not-run", "entries-not-run")
)
"""Messages that ask for one thing to be done, whatever they name: set what is missing, compare by hand."""


def cause_of(one: Diagnostic) -> Cause:
    """Equal for diagnostics that one remedy settles: such as differ by place alone, or by what is not known, for one kind
    of reason, in one repository."""
    code = one.message.code.removesuffix(".of-group")
    if code not in _TOGETHER:
        values = tuple(pair for pair in one.message.values if pair[0] != "path")
        return one.name, Message(code, values, one.message.rows), one.help
    help_ = None if one.help is None else Message(one.help.code)
    if code != "unresolved-value":
        return one.name, Message(code), help_
    reasons = tuple((reason.row("reason") or (reason,))[0].code for reason in one.message.row("reason"))
    return (
        one.name,
        Message(code, (("repo", one.at.origin.repo), *(("reason", each) for each in reasons))),
        help_,
    )


def cause_id(one: Diagnostic) -> str:
    """A name for its cause, the same in every run."""
    return digest(tuple(map(repr, cause_of(one))))


def alike(diagnostics: Iterable[Diagnostic]) -> dict[Cause, list[Diagnostic]]:
    """The diagnostics of each cause together, in the order of the first of each."""
    found: dict[Cause, list[Diagnostic]] = {}
    for one in diagnostics:
        found.setdefault(cause_of(one), []).append(one)
    return found
