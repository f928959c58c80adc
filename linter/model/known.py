"""Findings that were there before: in the base of a change, or in a baseline; and which ones are new beside them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from msgspec import Struct

from subdrift.linter.model.finding import Diagnostic, Finding, Scope, Severity
from subdrift.linter.model.message import Message


class Known(Struct, frozen=True):
    """What is remembered of a finding: what it is about and what its sides say, never a line.

    `repo`, `path` and `symbol` are those of a finding about one consumer, "" for one about a group.
    """

    rule: str
    level: Severity
    scope: Scope
    namespace: str
    group: str | None
    topic: str | None
    identity: str
    state: str
    repo: str = ""
    path: str = ""
    symbol: str = ""

    @classmethod
    def of(cls, finding: Finding) -> Known:
        alone = finding.scope is Scope.CONSUMER
        origin = finding.places[0].at.origin
        return cls(
            finding.rule,
            finding.level,
            finding.scope,
            finding.namespace,
            finding.group,
            finding.topic,
            finding.identity,
            finding.state,
            origin.repo if alone else "",
            origin.path if alone else "",
            finding.symbol if alone else "",
        )

    @classmethod
    def of_diagnostic(cls, one: Diagnostic) -> Known:
        said = hashlib.sha256(_key(one.message).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return cls(
            one.name,
            Severity.WARNING,
            Scope.CONSUMER,
            "",
            None,
            None,
            said,
            said,
            one.at.origin.repo,
            one.at.origin.path,
        )

    @property
    def fact(self) -> tuple[object, ...]:
        """Equal for what is the same fact elsewhere: a moved file, a renamed class."""
        if self.scope is Scope.GROUP:
            return (self.identity, self.state)
        # without the repository: a fork or a clone without origin is called otherwise
        return (self.rule, self.namespace, self.group, self.topic, self.state)


def _key(message: Message) -> str:
    """A message as one text, the same in every language and release."""
    rows = [f"{name}=[{' '.join(map(_key, row))}]" for name, row in message.rows]
    return " ".join([message.code, *(f"{name}={value!r}" for name, value in message.values), *rows])


class Split(Struct, frozen=True):
    """`new` and `old` are positions among what was compared; `gone` what is remembered and not there any more."""

    new: tuple[int, ...]
    old: tuple[int, ...]
    gone: tuple[Known, ...]


def split(now: Iterable[Known], before: Iterable[Known]) -> Split:
    """What of `now` is not in `before`, or is there at a lower level.

    Each remembered finding answers for one: first for the one of its identity that says the same, then for one that says the
    same elsewhere, which is how a moved consumer looks. So of equal facts as many are new as have been added.
    """
    found = list(now)
    exact: dict[tuple[object, ...], list[Known]] = {}
    for one in sorted(before, key=lambda each: each.level):
        exact.setdefault((one.identity, one.fact), []).append(one)
    old: set[int] = set()
    for position, one in enumerate(found):
        left = exact.get((one.identity, one.fact))
        if left and left[-1].level >= one.level:
            left.pop()
            old.add(position)
    moved: dict[tuple[object, ...], list[Known]] = {}
    for left in exact.values():
        for one in left:
            moved.setdefault(one.fact, []).append(one)
    for position, one in enumerate(found):
        left = moved.get(one.fact)
        if position in old or not left:
            continue
        match = next((each for each in left if each.level >= one.level), None)
        if match is not None:
            left.remove(match)
            old.add(position)
    every = range(len(found))
    return Split(
        tuple(position for position in every if position not in old),
        tuple(sorted(old)),
        tuple(one for left in moved.values() for one in left),
    )
