"""Remarks about one group in, those of one cause together out: what one change of its members settles is one finding.

Two remarks have one cause where they are about the same members: those of one are among those of the other, or they share
two. What becomes of messages is told beside the rule whose doing it is, not beside every rule that has something to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from subdrift.linter.model.finding import Remark, Rule
from subdrift.linter.model.prediction import Fate

_PAIR = 2
"""Members that two remarks share at least where neither is about more members than the other."""


def causes(remarks: Sequence[Remark]) -> list[list[int]]:
    """The positions of the remarks of each cause, in their order."""
    members = [frozenset(one.id for one in remark.members) for remark in remarks]
    first = list(range(len(remarks)))
    for one, other in combinations(range(len(remarks)), 2):
        if _together(members[one], members[other]):
            old, new = first[other], first[one]
            first = [new if each == old else each for each in first]
    found: dict[int, list[int]] = {}
    for position, each in enumerate(first):
        found.setdefault(each, []).append(position)
    return list(found.values())


def _together(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = one & other
    return len(shared) >= min(_PAIR, len(one), len(other)) > 0


def not_own(rule: Rule, topic: str | None, others: Sequence[tuple[Rule, str | None]]) -> tuple[Fate, ...]:
    """The fates of messages that are not this rule's doing: all for a rule that is not predicted, else those that another
    rule of the cause explains on the same topic and this one does not."""
    if not rule.predicted and not rule.explains:
        return tuple(Fate)
    return tuple(one for one in Fate if one not in rule.explains and one in _explained(topic, others))


def _explained(topic: str | None, others: Sequence[tuple[Rule, str | None]]) -> Iterator[Fate]:
    for rule, about in others:
        if None in (topic, about) or topic == about:
            yield from rule.explains
