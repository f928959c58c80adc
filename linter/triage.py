"""Findings and diagnostics in, the same with their suppressions noted out; and what they mean for the exit code.

Nothing is deleted. A finding is silenced where every repository that has a side in it has suppressed it; where only
some have, it stays and says so. So a suppression silences its own repository's run, and an organisation's run shows
the finding until all sides agree.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.facts import Suppression
from subdrift.linter.model.finding import DIAGNOSTICS, Diagnostic, Finding, Place, Rule, Scope, Severity
from subdrift.linter.model.ignore import Ignore, covers
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import Message, say

SPAN_LINES_MAX = 200
"""Lines of a place in which a comment speaks for it; a longer place is asked for its first lines only."""

NO_REASON = "-"
"""Stands where a suppression gives no reason."""


class Cap(Struct, frozen=True):
    """The highest level of a rule's findings in the paths that match a pattern."""

    rule: str
    pattern: str
    level: Severity


class Triaged(Struct, frozen=True):
    """Everything there was, with `suppressed` and `suppressed_on` filled in."""

    findings: tuple[Finding, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def active(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.suppressed is None)

    @property
    def active_diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(one for one in self.diagnostics if one.suppressed is None)


def triage(
    findings: Iterable[Finding],
    diagnostics: Iterable[Diagnostic],
    suppressions: Iterable[tuple[Origin, Suppression]],
    consumers: Collection[Consumer],
    rules: Collection[Rule],
    whole: bool = True,
    ignores: Mapping[str, Sequence[Ignore]] | None = None,
    today: datetime.date | None = None,
    caps: Mapping[str, Sequence[Cap]] | None = None,
) -> Triaged:
    """Note suppressions, and report those without use or reason as `unused-suppression`.

    `whole`: the run sees a whole organisation. Otherwise a suppression of a group rule is not called unused next to a
    consumer whose group has no second member here: what it answers may lie in another repository. `ignores` are the
    entries of each repository's configuration, which speak for its own sides; `today` decides which still hold. `caps` are
    the levels it gives its own sides by path.
    """
    ledger = _Ledger.of(suppressions)
    entries = _Entries(ignores or {}, today or datetime.date.today())
    noted = tuple(_noted(_capped(one, caps), ledger, entries) for one in findings)
    known = tuple(_noted_diagnostic(one, ledger, entries) for one in diagnostics)
    lonely = frozenset() if whole else _lonely_lines(consumers)
    unused = ledger.unused({rule.name: rule.scope for rule in rules}, lonely)
    return Triaged(noted, (*known, *unused, *entries.complaints(consumers, rules, whole)))


def under(triaged: Triaged, is_selected: Callable[[Origin], bool]) -> Triaged:
    """What has a place among the selected files; everything is judged, only the report is narrowed."""
    return Triaged(
        tuple(one for one in triaged.findings if any(is_selected(place.at.origin) for place in one.places)),
        tuple(one for one in triaged.diagnostics if is_selected(one.at.origin)),
    )


def exit_code(triaged: Triaged, fail_on: str, strict: bool) -> int:
    """1 where something active is at or above `fail_on` (a level's text or "never"), or a diagnostic counts; else 0."""
    if fail_on == "never":
        return 0
    threshold = next(level for level in Severity if level.text == fail_on)
    failed = any(one.level >= threshold for one in triaged.active)
    return int(failed or (strict and bool(triaged.active_diagnostics)))


class _Ledger(Struct):
    """Suppressions by the lines they speak for, and which of their names were used."""

    entries: tuple[tuple[Origin, Suppression], ...]
    by_line: dict[tuple[Origin, int], list[Suppression]]
    used: set[tuple[Origin, Suppression, str]]

    @classmethod
    def of(cls, suppressions: Iterable[tuple[Origin, Suppression]]) -> _Ledger:
        entries = tuple(sorted(suppressions, key=lambda one: (one[0], one[1].at)))
        by_line: dict[tuple[Origin, int], list[Suppression]] = {}
        for origin, suppression in entries:
            for line in suppression.lines:
                by_line.setdefault((origin, line), []).append(suppression)
        return cls(entries, by_line, set())

    def reason(self, name: str, at: Location) -> str | None:
        """Why this name is suppressed at a place, None where it is not."""
        if not self.by_line:
            return None
        span = at.span
        for line in range(span.line, min(span.end_line, span.line + SPAN_LINES_MAX) + 1):
            for suppression in self.by_line.get((at.origin, line), ()):
                if name in suppression.rules:
                    self.used.add((at.origin, suppression, name))
                    return suppression.reason or NO_REASON
        return None

    def unused(
        self, scopes: dict[str, Scope], lonely: Collection[tuple[Origin, int]]
    ) -> Iterable[Diagnostic]:
        for origin, suppression in self.entries:
            for message, remedy in _complaints(origin, suppression, scopes, self, lonely):
                yield Diagnostic("unused-suppression", message, Location(origin, suppression.at), remedy)


class _Entries:
    """The entries of configurations, and which of them were used."""

    def __init__(self, of: Mapping[str, Sequence[Ignore]], today: datetime.date) -> None:
        self._of = of
        self._today = today
        self._used: set[Ignore] = set()

    def about(self, finding: Finding, place: Place) -> str | None:
        """Why this side of a finding is ignored, None where it is not."""
        entries = self._of.get(place.at.origin.repo, ())
        return self._first(one for one in entries if one.covers(finding, place))

    def about_diagnostic(self, diagnostic: Diagnostic) -> str | None:
        entries = self._of.get(diagnostic.at.origin.repo, ())
        return self._first(one for one in entries if one.covers_diagnostic(diagnostic))

    def _first(self, covering: Iterable[Ignore]) -> str | None:
        for one in covering:
            if one.holds(self._today):
                self._used.add(one)
                return one.reason
        return None

    def complaints(
        self, consumers: Collection[Consumer], rules: Collection[Rule], whole: bool
    ) -> Iterable[Diagnostic]:
        """Entries whose day has passed, and entries that ignore nothing."""
        members = Counter(one.group.text for one in consumers)
        scopes = {rule.name: rule.scope for rule in rules}
        for one in dict.fromkeys(one for entries in self._of.values() for one in entries):
            if not one.holds(self._today):
                message = say("ignore.expired", entry=one.shown, day=str(one.until))
                yield Diagnostic("expired-ignore", message, one.at, say("ignore.settle"))
            elif one not in self._used and not one.shared:
                waits = not whole and scopes.get(one.rule) is Scope.GROUP and 0 < members[one.group] < 2
                if not waits:
                    message = say("ignore.unused", entry=one.shown)
                    yield Diagnostic("unused-suppression", message, one.at, say("remove-it"))


def _complaints(
    origin: Origin,
    suppression: Suppression,
    scopes: dict[str, Scope],
    ledger: _Ledger,
    lonely: Collection[tuple[Origin, int]],
) -> Iterable[tuple[Message, Message]]:
    if not suppression.rules:
        yield say("suppression.no-rule"), say("suppression.write-rule")
    elif not suppression.reason:
        yield say("suppression.no-reason"), say("suppression.write-reason")
    for name in suppression.rules:
        if name not in scopes and name not in DIAGNOSTICS:
            yield say("suppression.unknown-rule", rule=name), _suggestion(name, scopes)
        elif (origin, suppression, name) not in ledger.used:
            waits = scopes.get(name) is Scope.GROUP and any(
                (origin, line) in lonely for line in suppression.lines
            )
            if not waits:
                yield say("suppression.unused", rule=name), say("remove-it")


def _suggestion(name: str, scopes: dict[str, Scope]) -> Message:
    from difflib import get_close_matches

    near = get_close_matches(name, [*scopes, *DIAGNOSTICS], 1)
    return say("did-you-mean", name=near[0]) if near else say("explain-lists-rules")


def _capped(finding: Finding, caps: Mapping[str, Sequence[Cap]] | None) -> Finding:
    """The finding at the highest level that any of its sides has; of several patterns that match a path the last counts."""
    if not caps:
        return finding
    level = max(_level_at(finding, place, caps) for place in finding.places)
    return finding if level == finding.level else replace(finding, level=level)


def _level_at(finding: Finding, place: Place, caps: Mapping[str, Sequence[Cap]]) -> Severity:
    origin = place.at.origin
    for one in reversed(caps.get(origin.repo, ())):
        if one.rule == finding.rule and covers(one.pattern, origin.path):
            return min(one.level, finding.level)
    return finding.level


def _noted(finding: Finding, ledger: _Ledger, entries: _Entries) -> Finding:
    reasons: dict[str, list[str]] = {}
    for place in finding.places:
        found = ledger.reason(finding.rule, place.at)
        if found is None:
            found = entries.about(finding, place)
        reasons.setdefault(place.at.origin.repo, []).extend([] if found is None else [found])
    said = list(dict.fromkeys(reason for found in reasons.values() for reason in found))
    if not said:
        return finding
    text = "; ".join(said)
    if all(reasons.values()):
        return replace(finding, suppressed=text)
    where = ", ".join(repo for repo, found in reasons.items() if found)
    return replace(finding, suppressed_on=say("suppressed-on-one-side", reason=text, where=where))


def _noted_diagnostic(diagnostic: Diagnostic, ledger: _Ledger, entries: _Entries) -> Diagnostic:
    reason = ledger.reason(diagnostic.name, diagnostic.at)
    if reason is None:
        reason = entries.about_diagnostic(diagnostic)
    return diagnostic if reason is None else replace(diagnostic, suppressed=reason)


def _lonely_lines(consumers: Collection[Consumer]) -> frozenset[tuple[Origin, int]]:
    """Lines of consumers that have no second one in their group, or whose group is not known."""
    members = Counter(key for _, key in {(one.id, _group_key(one)) for one in consumers})
    return frozenset(
        (at.origin, at.span.line)
        for consumer in consumers
        if consumer.group.text is None or members[_group_key(consumer)] == 1
        for at in (consumer.at, *(subscription.at for subscription in consumer.subscriptions))
    )


def _group_key(consumer: Consumer) -> tuple[str, str, str]:
    return consumer.namespace.text or "", consumer.group.text or "", consumer.cluster
