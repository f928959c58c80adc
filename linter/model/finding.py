"""What rules say about code (findings), what the analysis could not do (diagnostics), and their verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum

from linter.model.consumer import Confidence, Consumer, ConsumerGroup
from linter.model.location import Location
from linter.model.prediction import Prediction

PLACES_MAX = 10
"""Example places a finding shows; the number it left out is kept in `Finding.more_places`."""


class Severity(IntEnum):
    NOTE = 0
    WARNING = 1
    ERROR = 2

    @property
    def text(self) -> str:
        return self.name.lower()


class Scope(Enum):
    """Where a rule looks: one consumer (also when its group is unknown) or a whole group."""

    CONSUMER = "consumer"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Place:
    """One side of a finding. `label` is the short text under the caret; the first place is the primary one."""

    at: Location
    label: str
    scope: str = "main"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact a rule states, once, however many members show it.

    `values` are what the sides say (their hash is the `state`); a group finding is identified by rule, namespace,
    cluster, group and topic, and by the first profile it holds in unless it holds without one: two disagreements of
    one group and topic are two findings. A consumer finding is identified by rule, repository, path and symbol.
    `ordinal` tells apart what would have one identity. `evidence` says what makes the
    members comparable. `conditional` is a sentence when the disagreement needs a test or sample member or a
    profile that some side does not define: it is a warning then. `suppressed` holds the reason where
    every side has suppressed it, `suppressed_on` a sentence where only one side has.
    """

    rule: str
    level: Severity
    scope: Scope
    message: str
    group: str | None
    namespace: str
    topic: str | None
    places: tuple[Place, ...]
    values: tuple[str, ...]
    environments: tuple[str, ...]
    confidence: Confidence
    evidence: str = ""
    conditional: str = ""
    help: str = ""
    symbol: str = ""
    ordinal: int = 0
    more_places: int = 0
    prediction: Prediction | None = None
    suppressed: str | None = None
    suppressed_on: str = ""
    cluster: str = ""

    @property
    def identity(self) -> str:
        if self.scope is Scope.GROUP:
            profile = "" if "" in self.environments else min(self.environments, default="")
            told_apart = (
                ("cluster", self.cluster),
                ("profile", profile),
                ("ordinal", str(self.ordinal or "")),
            )
            more = tuple(f"{name}={text}" for name, text in told_apart if text)
            parts: tuple[str, ...] = (self.rule, self.namespace, self.group or "", self.topic or "", *more)
        else:
            origin = self.places[0].at.origin
            parts = (self.rule, origin.repo, origin.path, self.symbol, str(self.ordinal))
        return _digest(parts)

    @property
    def state(self) -> str:
        return _digest(self.values)


def _digest(parts: tuple[str, ...]) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Remark:
    """What a rule yields: the finding without what judging adds (level, prediction, environments).

    `places` in stable order, primary first; `topic` None when the whole group is meant; `differs` are the values
    of the sides. `members` are the consumers concerned: their scope and confidence set the level. `more_places` is
    added by judging where it showed the rule some of many equal members.
    """

    message: str
    topic: str | None
    places: tuple[Place, ...]
    differs: tuple[str, ...]
    members: tuple[Consumer, ...]
    help: str = ""
    ordinal: int = 0
    more_places: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: kebab-case name, one-line summary, highest level, scope, and its check.

    A group rule's check gets the group and its members in one environment; a consumer rule's a consumer.
    """

    name: str
    summary: str
    at_most: Severity
    scope: Scope
    check_group: Callable[[ConsumerGroup, tuple[Consumer, ...]], Iterator[Remark]] | None = None
    check_consumer: Callable[[Consumer], Iterator[Remark]] | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something the analysis could not do, with the place and what would help. `name` is one of `DIAGNOSTICS`."""

    name: str
    message: str
    at: Location
    help: str = ""
    suppressed: str | None = None


DIAGNOSTICS: dict[str, str] = {
    "unresolved-value": "a group, topic, expression or mode that could not be determined",
    "parse-error": "a file that was not read completely",
    "unrecognised-use": "code that touches a consumer API but became no subscription",
    "unread-language": "a file of a language that is not read, although it mentions a consumer API",
    "unreadable-file": "a file or folder that could not be opened",
    "skipped-file": "a file left out by a limit: size, depth, symbolic link",
    "unused-suppression": "a suppression that silences nothing, or has no reason",
    "expired-ignore": "an entry of [[ignore]] whose day has passed",
    "internal-error": "a bug in subdrift met in this file",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What judging one consumer group gave."""

    namespace: str
    group: str
    cluster: str
    consumers: int
    findings: tuple[Finding, ...]
    prediction: Prediction | None
