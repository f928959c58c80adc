"""What rules say about code (findings), what the analysis could not do (diagnostics), and their verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, IntEnum

from msgspec import Struct

from subdrift.linter.model.consumer import Confidence, Consumer, ConsumerGroup
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import Message
from subdrift.linter.model.prediction import Fate, Impact, Prediction
from subdrift.linter.model.topics import Map

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


class Place(Struct, frozen=True):
    """One side of a finding. `label` is the short text under the caret; the first place is the primary one.

    `at` is the line of the subscription or consumer: suppressions and annotations go by it. `value_at` is where the
    value itself was written, None where it is not known or nobody wrote it. Places of equal values have one `side`.
    """

    at: Location
    label: Message
    scope: str = "main"
    value_at: Location | None = None
    side: int = 0


class Rollout(Struct, frozen=True):
    """What a `subdrift rollout` that a finding advises has as its goal: new groups for members, or tags of a topic for
    all. Members are called as the command line calls them."""

    split: tuple[tuple[str, str], ...] = ()
    topic: str = ""
    to: str = ""


class SentTag(Struct, frozen=True):
    """Who sends messages of a tag that a finding is about: applications with their `places`, and how many sends `may_be` of it,
    since their topic or tag is not known. `complete`: every sender there is takes part in the run."""

    topic: str
    tag: str
    places: tuple[tuple[str, Location], ...]
    may_be: int
    complete: bool

    @property
    def is_nobody(self) -> bool:
        """Whether no send in the run is, or may be, of it."""
        return not self.places and not self.may_be


class Finding(Struct, frozen=True):
    """One fact a rule states, once, however many members show it.

    `values` are what the sides say (their hash is the `state`); a group finding is identified by rule, namespace,
    cluster, group and topic, and by the first profile it holds in unless it holds without one: two disagreements of
    one group and topic are two findings. A consumer finding is identified by rule, repository, path and symbol.
    `ordinal` tells apart what would have one identity. The members are comparable because they share namespace,
    group and `cluster` in these environments; `left_out` are places of members on other name servers.
    `conditional` is said when the disagreement needs a test or sample member or a profile that some side does not
    define: it is a warning then. `help` says what to do, the safest first. `counts` are the consumers on each side, in
    the order of `Place.side`; empty where the finding is not about sides. `cost` says what becomes of messages where
    no prediction does, None where `message` says it. `suppressed` holds the reason where every
    side has suppressed it, `suppressed_on` is said where only one side has. `cause` is equal for findings that one change
    of the group's members settles: reports show and count them as one with parts; "" for findings about one consumer.
    `not_own` are the fates of messages in `prediction`, which is the group's, that are another rule's doing. `rollout` is
    the goal of the first plan that `help` names, None where it names none. `senders` are those of the tags that are lost, where
    they were looked for.
    """

    rule: str
    level: Severity
    scope: Scope
    message: Message
    group: str | None
    namespace: str
    topic: str | None
    places: tuple[Place, ...]
    values: tuple[str, ...]
    environments: tuple[str, ...]
    confidence: Confidence
    cluster: str = ""
    left_out: tuple[str, ...] = ()
    conditional: Message | None = None
    help: tuple[Message, ...] = ()
    symbol: str = ""
    ordinal: int = 0
    more_places: int = 0
    counts: tuple[int, ...] = ()
    prediction: Prediction | None = None
    suppressed: str | None = None
    suppressed_on: Message | None = None
    cost: Message | None = None
    cause: str = ""
    not_own: tuple[Fate, ...] = ()
    rollout: Rollout | None = None
    senders: tuple[SentTag, ...] = ()

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
        return digest(parts)

    @property
    def state(self) -> str:
        return digest(self.values)

    @property
    def own(self) -> Prediction | None:
        """The prediction with what is this rule's doing alone."""
        return None if self.prediction is None else self.prediction.without(self.not_own)

    @property
    def impact(self) -> Impact:
        """The worst that this rule's doing can come to; NOTHING where nothing is predicted."""
        own = self.own
        return Impact.NOTHING if own is None else own.impact(self.topic)


def sent_order(one: Finding) -> int:
    """What is surely sent comes before what is not looked for or not known, and that before what nobody sends."""
    if any(each.places for each in one.senders):
        return 0
    return 2 if one.senders and all(each.is_nobody for each in one.senders) else 1


def by_cause(findings: Iterable[Finding]) -> list[tuple[Finding, ...]]:
    """What a reader counts: the findings of each cause together, the worst and costliest first, in the order of the
    first of each. What is suppressed is apart from what is not."""
    found: dict[object, list[Finding]] = {}
    for number, one in enumerate(findings):
        key = (one.cause, one.suppressed is None) if one.cause else number
        found.setdefault(key, []).append(one)
    return [tuple(sorted(parts, key=_by_weight)) for parts in found.values()]


def _by_weight(one: Finding) -> tuple[object, ...]:
    return (
        -one.level,
        -one.impact,
        sent_order(one),
        one.cost is None,
        one.topic is None,
        one.rule,
        one.topic or "",
        one.identity,
    )


def digest(parts: tuple[str, ...]) -> str:
    """Names for what consists of these parts."""
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:16]


class Remark(Struct, frozen=True):
    """What a rule yields: the finding without what judging adds (level, prediction, environments).

    `places` in stable order, primary first; `topic` None when the whole group is meant; `differs` are the values
    of the sides. `members` are the consumers concerned, side by side: their scope and confidence set the level;
    `counts` is how many of them each side has, empty where there are no sides. `more_places` is added by judging
    where it showed the rule some of many equal members. `at_most` is a level below the rule's own, for this remark. `cost` is
    what a rule that is not predicted knows of it, as `Finding.cost`.
    """

    message: Message
    topic: str | None
    places: tuple[Place, ...]
    differs: tuple[str, ...]
    members: tuple[Consumer, ...]
    help: tuple[Message, ...] = ()
    ordinal: int = 0
    more_places: int = 0
    counts: tuple[int, ...] = ()
    at_most: Severity | None = None
    cost: Message | None = None


class Rule(Struct, frozen=True):
    """A rule: kebab-case name, highest level, scope, and its check.

    The level of a group rule follows the prediction unless `predicted` is false: some harm is not a message's fate.

    A group rule's check gets the group and its members in one environment; a consumer rule's a consumer, or all topics with
    their senders and readers, where those were looked for. A rule that
    `contrasts` has nothing to say of members that all say the same (`linter.stages.examples`). `explains` are the fates
    of messages that are the doing of what it flags.
    """

    name: str
    at_most: Severity
    scope: Scope
    check_group: Callable[[ConsumerGroup, tuple[Consumer, ...]], Iterator[Remark]] | None = None
    check_consumer: Callable[[Consumer], Iterator[Remark]] | None = None
    check_topics: Callable[[Map], Iterator[Remark]] | None = None
    predicted: bool = True
    contrasts: bool = False
    explains: tuple[Fate, ...] = ()


class Diagnostic(Struct, frozen=True):
    """Something the analysis could not do, with the place and what would help. `name` is one of `DIAGNOSTICS`."""

    name: str
    message: Message
    at: Location
    help: Message | None = None
    suppressed: str | None = None


DIAGNOSTICS: tuple[str, ...] = (
    "unresolved-value",
    "parse-error",
    "unrecognised-use",
    "not-followed",
    "unread-language",
    "unreadable-file",
    "skipped-file",
    "unused-suppression",
    "expired-ignore",
    "internal-error",
)


class Verdict(Struct, frozen=True):
    """What judging one consumer group gave."""

    namespace: str
    group: str
    cluster: str
    consumers: int
    findings: tuple[Finding, ...]
    prediction: Prediction | None
