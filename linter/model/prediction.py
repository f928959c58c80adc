"""What becomes of a group's messages: the broker model's answer, as findings carry it and reports print it.

Shares are exact fractions of one class of messages, spread evenly over the queues of its topic. Where the
order of the client ids, a number of clients or a value of the code is open, a share is a range. Nothing here
is text for people: a step is a code with parameters, and a report renders it in the reader's language.
"""

from collections.abc import Collection, Iterable
from enum import Enum, IntEnum
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

ZERO = Fraction(0)
ONE = Fraction(1)


class Impact(IntEnum):
    """How bad it can get, mildest first: `max` of several is the one that counts."""

    NOTHING = 0
    CONSOLE_ONLY = 1
    """Every wanted message arrives, but RocketMQ's own consistency check calls the group inconsistent."""
    DELAYED = 2
    """Every wanted message arrives, some only after the group's next heartbeat."""
    STUCK = 3
    """Messages stay in queues that nobody pulls, until the membership of the group changes."""
    LOST = 4
    """The committed offset passes wanted messages that nobody received."""
    FAILS_TO_START = 5
    """A member's `start()` throws, whatever the others do."""

    @property
    def is_damage(self) -> bool:
        """Whether messages or members are hurt; otherwise it is a matter of delay or appearance."""
        return self >= Impact.STUCK


class Fate(Enum):
    """What can become of messages, or of a member, that nobody wants; a rule names those that are its doing. The values
    are the fields of a `ClassOutcome` and `MemberShare`."""

    LOST = "lost"
    STUCK = "stuck"
    DELAYED = "delayed"
    DUPLICATE = "duplicate"
    UNEXPECTED = "unexpected"
    FAILS_TO_START = "fails-to-start"


class Basis(Enum):
    """What the statement rests on."""

    RECORDED = "recorded"
    """Runs of real brokers, replayed exactly."""
    SOURCE = "source"
    """The sources of RocketMQ; no recording shows it (gRPC through a proxy, several brokers, old topics)."""


class ConsoleVerdict(Enum):
    """What `ConsumerRunningInfo#analyzeSubscription` says: it compares the text of expressions, not sets."""

    SAME = "same"
    DIFFERENT = "different"
    NOT_COMPARED = "not-compared"
    """A client that is no push consumer sorts first or may sort first, or a text is unknown."""


class Share(Struct, frozen=True):
    """A fraction of messages, 0 to 1; `low < high` where something is open."""

    low: Fraction
    high: Fraction

    @classmethod
    def exactly(cls, value: Fraction | int) -> "Share":
        return cls(Fraction(value), Fraction(value))

    @classmethod
    def over(cls, values: "Iterable[Share]") -> "Share":
        """The smallest range that holds all of them; raises ValueError for none."""
        listed = tuple(values)
        return cls(min(one.low for one in listed), max(one.high for one in listed))

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def is_possible(self) -> bool:
        return self.high > 0


NONE = Share(ZERO, ZERO)
ALL = Share(ONE, ONE)


class StepCode(Enum):
    """A fact that explains an outcome. The comment names the parameters a `Step` of this code carries."""

    WINS = "wins"  # topic, expression, members: the broker keeps this subscription for the whole group
    OWN_FILTER = "own-filter"  # member: its pulls carry its own expression, the table plays no part
    BROKER_SKIPS = "broker-skips"  # member, expression, message: the broker's filter passes over it
    CLIENT_DROPS = "client-drops"  # member, expression, message: the client's exact tag test drops it
    RECEIVES = "receives"  # member, message: both filters pass, and it wants the message
    TAKES_UNFILTERED = "takes-unfiltered"  # member, message: without tags it takes what the broker sends
    SAME_HASH = "same-hash"  # message, tags: the broker compares hash codes and takes the tag for another
    SHARE = "share"  # member, queues, of: how many queues of the topic the members' allocation gives it
    OWNER_NOT_SUBSCRIBED = "owner-not-subscribed"  # member, topic: it owns queues that it never pulls
    LOCK_HELD = "lock-held"  # member: it listens orderly, and another member may hold the lock of the queue
    OWNER_SILENT = (
        "owner-silent"  # member: it owns queues and has stopped pulling (frozen, or only its id is left)
    )
    NOBODY_OWNS = "nobody-owns"  # topic: the allocations of the members leave queues without an owner
    TWICE_OWNED = "twice-owned"  # members: they pull the same queue, each hands the message on
    TOPIC_FLAPS = "topic-flaps"  # topic, members: each heartbeat without the topic deletes it for the group
    RETRY_FLAPS = "retry-flaps"  # members: the same for the retry topic
    RETRY_NOT_PULLED = "retry-not-pulled"  # member: it owns the retry queue and does not read it
    BROADCAST_COUNTS = "broadcast-counts"  # member: it reads all queues, yet takes its share from the others
    SQL_SWITCHED_OFF = "sql-switched-off"  # members: the broker refuses SQL92 (enablePropertyFilter=false)
    PULLS_REFUSED = "pulls-refused"  # member, code: its pulls of the topic are answered with this error
    SAME_JVM = "same-jvm"  # members: before client 4.9.0 a second consumer of a group in one process fails
    BAD_EXPRESSION = "bad-expression"  # member, expression: `subscribe` or `start` throws
    ANY_POP = (
        "any-pop"  # topic: every member pops every queue, whoever reads a message first decides about it
    )
    UNKNOWN_MEMBER = "unknown-member"  # member, reason: a value of the code is not known
    TOO_MANY_ORDERS = (
        "too-many-orders"  # clients, bound: id orders were not enumerated, the shares are ranges
    )
    TOO_MANY_SIDES = "too-many-sides"  # topic, sides, bound: winners were not listed one by one, the shares are ranges over all
    TOO_MANY_CLASSES = "too-many-classes"  # bound: combinations of SQL92 results were not enumerated


class Step(Struct, frozen=True):
    """One sentence of an explanation: a code, and its parameters in the order the code names them."""

    code: StepCode
    values: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, code: StepCode, /, **values: str) -> "Step":
        """A step with its parameters by name, in their order."""
        return cls(code, tuple(values.items()))

    def value(self, name: str) -> str:
        """The parameter of that name, "" if the step has none."""
        return dict(self.values).get(name, "")


class Assumptions(Struct, frozen=True):
    """What had to be supposed, because source code does not say it."""

    queues: int
    """Queues of each topic, on one broker."""
    clients: tuple[tuple[str, int], ...]
    """Member and number of running instances of it and of the members that are like it."""
    client_version: str
    broker_version: str
    strategy: str
    """Name of the allocation strategy, as RocketMQ spells it; several are joined by a comma."""
    property_filter: bool
    """Whether the broker is taken to allow SQL92 (`enablePropertyFilter`)."""
    basis: Basis
    id_orders: int = 0
    """Distinct orders of client ids that were looked at; 0 where a range was given instead."""
    instances: int = 1
    """Running instances of one member."""

    def alike(self, member: str) -> int:
        """How many members are like this one, which stands for them."""
        return max(0, dict(self.clients).get(member, 0) // self.instances - 1)


class MessageClass(Struct, frozen=True):
    """Messages that every filter of the group treats alike."""

    topic: str
    label: str
    """The tag; for other messages a short description, such as `other tags`."""
    tag: str | None
    """None where the class is not that of one tag: untagged, any other tag, or told apart by SQL92."""
    wanted_by: tuple[str, ...]
    """Members whose own subscription matches; messages that nobody wants cannot be lost."""
    matches: tuple[str, ...] = ()
    """SQL92 expressions of the group that are true for these messages."""


class MemberShare(Struct, frozen=True):
    """What one member (all its instances together) receives of one class."""

    member: str
    delivered: Share
    unexpected: Share
    """Received although its own subscription does not match."""


class ClassOutcome(Struct, frozen=True):
    """Where the messages of one class end. delivered + lost + stuck is 1 wherever the shares are exact."""

    message: MessageClass
    delivered: Share
    """Received by a member that wants it, sooner or later."""
    lost: Share
    stuck: Share
    delayed: Share
    """The part of `delivered` that may wait for a heartbeat, see `TopicPrediction.delay_s`."""
    duplicate: Share
    """Received by more than one clustering member or instance."""
    members: tuple[MemberShare, ...]
    why: tuple[Step, ...] = ()

    def without(self, fates: Collection[Fate]) -> "ClassOutcome":
        """The same with nothing said of some fates; its shares are no whole then."""
        gone = {one.value: NONE for one in fates if one.value in self.__struct_fields__}
        members = self.members
        if Fate.UNEXPECTED in fates:
            members = tuple(replace(one, unexpected=NONE) for one in members)
        return replace(self, members=members, **gone)


class Outcome(Struct, frozen=True):
    """One way the race for a topic's subscription can end."""

    winner: str | None
    """Member whose subscription the broker keeps; None where nobody's pulls depend on the table, or where the winners
    are too many (`TOO_MANY_SIDES`): the shares are ranges over all of them then."""
    expression: str | None
    also: tuple[str, ...]
    """Other members with an equal subscription: that one of them wins makes no difference."""
    classes: tuple[ClassOutcome, ...]

    @property
    def lost(self) -> bool:
        return any(one.lost.is_possible for one in self.classes)

    @property
    def stuck(self) -> bool:
        return any(one.stuck.is_possible for one in self.classes)


class TopicPrediction(Struct, frozen=True):
    """All the ways one topic can go."""

    topic: str
    outcomes: tuple[Outcome, ...]
    """At least one; several where it is open whose subscription the broker keeps."""
    availability: Share
    """Part of the time the topic is in the group's subscription table; 1 where no heartbeat deletes it."""
    delay_s: int
    """Longest wait of a message in a pulled queue, seconds; 0 where nothing delays it. It holds where the topic is in the
    table for some seconds of every heartbeat cycle: pulls are repeated after 3 s and may miss shorter windows for ever."""
    retry_stuck: Share
    """Part of the cases in which failed messages are not read again, by the order of ids."""
    possible: Impact
    certain: Impact
    """Holds for every winner, every order of ids, 1 to 4 instances a member and 1 to 16 queues."""
    certainly_lost: tuple[str, ...] = ()
    """Labels of classes of which something is lost in every such case."""
    why: tuple[Step, ...] = ()

    def without(self, fates: Collection[Fate]) -> "TopicPrediction":
        """The same with nothing said of some fates: what is possible and certain is what the others come to."""
        outcomes = tuple(
            replace(one, classes=tuple(each.without(fates) for each in one.classes)) for one in self.outcomes
        )
        left = [each for one in outcomes for each in one.classes]
        possible = next(
            (
                impact
                for impact, name in _IMPACTS
                if any(getattr(one, name.value).is_possible for one in left)
            ),
            min(self.possible, Impact.CONSOLE_ONLY),
        )
        hidden = {impact for impact, name in _IMPACTS if name in fates}
        return replace(
            self,
            outcomes=outcomes,
            possible=possible,
            certain=Impact.NOTHING if self.certain in hidden else self.certain,
            certainly_lost=() if Fate.LOST in fates else self.certainly_lost,
        )


_IMPACTS = ((Impact.LOST, Fate.LOST), (Impact.STUCK, Fate.STUCK), (Impact.DELAYED, Fate.DELAYED))


class StartFailure(Struct, frozen=True):
    """A member whose `start()` or `subscribe()` throws."""

    member: str
    why: Step


class Prediction(Struct, frozen=True):
    """What the model says about one group in one environment."""

    assumptions: Assumptions
    topics: tuple[TopicPrediction, ...]
    fails_to_start: tuple[StartFailure, ...]
    console: ConsoleVerdict
    worst: Impact
    """The worst that is possible; it sets the level of a finding about the group."""
    certain: Impact
    why: tuple[Step, ...] = ()
    """What concerns the group as a whole, unknown members among it."""

    def topic(self, name: str) -> TopicPrediction | None:
        """The prediction for that topic, None where no member is known to subscribe it."""
        return next((one for one in self.topics if one.topic == name), None)

    def without(self, fates: Collection[Fate]) -> "Prediction":
        """The same with nothing said of some fates, which are another rule's doing."""
        if not fates:
            return self
        topics = tuple(one.without(fates) for one in self.topics)
        failing = () if Fate.FAILS_TO_START in fates else self.fails_to_start
        console = self.console is ConsoleVerdict.DIFFERENT
        worst = max((one.possible for one in topics), default=Impact.NOTHING)
        worst = max(worst, Impact.CONSOLE_ONLY if console else Impact.NOTHING)
        certain = max((one.certain for one in topics), default=Impact.NOTHING)
        return replace(
            self,
            topics=topics,
            fails_to_start=failing,
            worst=Impact.FAILS_TO_START if failing else worst,
            certain=min(certain, self.certain),
        )

    def impact(self, topic: str | None) -> Impact:
        """The worst that is possible for that topic, or for the group where it is None or unknown.

        A member that fails to start counts for every topic; a console verdict counts where nothing is worse.
        """
        found = self.topic(topic) if topic is not None else None
        if found is None:
            return self.worst
        group = Impact.FAILS_TO_START if self.fails_to_start else Impact.NOTHING
        if self.console is ConsoleVerdict.DIFFERENT:
            group = max(group, Impact.CONSOLE_ONLY)
        return max(found.possible, group)
