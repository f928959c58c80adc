"""What a plan says: states of one or more groups, and the steps between them."""

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.broker.scenario import Member, Options
from subdrift.linter.broker.versions import CHANGES, Feature, Version, behaves
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from subdrift.linter.model.message import UnusableError
from subdrift.linter.model.prediction import Basis, Share

MEMBERS_MAX: Final = 12
"""Members whose rollout is worked out; each is two more states to judge."""
TAGS_MAX: Final = 24
"""Kinds of messages that the old and new subscriptions of one topic may tell apart."""
TOPICS_MAX: Final = 6
"""Topics of which a plan says what becomes of their messages."""
RUNS: Final = 10
"""Runs of the event model for the usual loss."""

Jobs = Mapping[str, tuple[str, ...]]
"""Member -> all members that do its job; a member that is missing does the job of everybody."""


class Change(Enum):
    """What the goal does to what the members ask for now."""

    NOTHING = "nothing"
    WIDEN = "widen"
    NARROW = "narrow"
    REPLACE = "replace"
    SPLIT = "split"
    UNION = "union"
    ALIKE = "alike"


class Do(Enum):
    """One thing to do; the comment says which fields of a step count."""

    RESTART = "restart"  # members, group, expression, from_first: stop, then start with what is named
    STOP = "stop"  # members, together
    START = "start"  # members, group, from_first
    START_BESIDE = "start-beside"  # members, group: its old instance runs on
    CREATE_GROUP = "create-group"  # group; members: those that are BROADCASTING
    CREATE_RETRY_TOPIC = "create-retry-topic"  # group: that of the plan
    CLONE_OFFSETS = "clone-offsets"  # group, topics: from the plan's group
    STOP_SENDING = "stop-sending"  # tags
    WAIT_UNTIL_CONSUMED = "wait-until-consumed"  # tags; members: those whose offsets only they know
    START_SENDING = "start-sending"  # tags


class Order(Enum):
    """An order of steps to one goal."""

    PAUSE = "pause"
    """All members are stopped for a while: messages wait, and nothing is ever judged by two subscriptions."""
    CAREFUL = "careful"
    """Members are restarted one after the other, and nothing is asked of producers that is not needed."""
    CARELESS = "careless"
    """The restarts alone, while everything is sent."""


class Placement(Struct, frozen=True):
    """One running client: which member it is, in which group, with which subscriptions."""

    member: str
    group: str
    subscriptions: tuple[Subscription, ...]
    beside: bool = False
    """Whether it runs beside the instance that it replaces."""
    options: Options | None = None
    """Its settings, where they are other ones than the member's now."""

    def expression(self, topic: str) -> str:
        """What it asks for of a topic; "" where it does not subscribe to it."""
        return next((one.expression or "*" for one in self.subscriptions if one.topic == topic), "")


class Loss(Struct, frozen=True):
    """What becomes of the messages of one kind, sent in a state, for those who do one job."""

    topic: str
    tag: str
    job: tuple[str, ...]
    """The members that do this job; empty where all members of the plan do one."""
    lost: Share
    """Never handled by any of them; where another job's member got it instead, too."""
    stuck: Share
    twice: Share
    usually: Fraction
    """The part that is lost in simulated runs, on average."""
    asked: bool = True
    """Whether a running member that does the job asks for it; else what is sent reaches nobody."""


class State(Struct, frozen=True):
    """The groups between two steps."""

    placements: tuple[Placement, ...]
    """Who runs; messages of a group that nobody is in wait."""
    sent: tuple[tuple[str, str], ...]
    """Topic and kind of message."""
    losses: tuple[Loss, ...] = ()

    @property
    def is_safe(self) -> bool:
        """Whether nothing that is sent can be lost or stay unread."""
        return not any(one.lost.is_possible or one.stuck.is_possible for one in self.losses)

    @property
    def is_once(self) -> bool:
        """Whether nothing that is sent can be handled twice."""
        return not any(one.twice.is_possible for one in self.losses)


class Step(Struct, frozen=True):
    """One thing to do, and the groups after it."""

    do: Do
    after: State
    members: tuple[str, ...] = ()
    group: str = ""
    expression: str = ""
    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    from_first: bool = False
    """The members begin queues that their group has never read at the first message (`CONSUME_FROM_FIRST_OFFSET`)."""
    together: bool = False
    """All members must stop at once: who outlives the others takes over queues that nobody has read, and begins them at
    their end where the topic is old."""
    gap: bool = False
    """A group without offsets of its own begins: at the end of an old topic, which loses what was sent since the stop and
    what waits; at the beginning of a young one, of which everything comes again."""
    again: bool = False
    """Its members begin with offsets that were cloned while they ran: what they handled since then comes again."""
    forgets: tuple[str, ...] = ()
    """BROADCASTING members that stop. Each keeps its offsets in a file by its client id: where that does not survive, it
    begins at the end, and misses what was sent in between."""


class Way(Struct, frozen=True):
    """One order of steps."""

    order: Order
    steps: tuple[Step, ...]

    @property
    def is_safe(self) -> bool:
        """Whether nothing that is sent after its first step can be lost or stay unread."""
        return self.is_safe_with_files and not any(one.forgets for one in self.steps)

    @property
    def is_safe_with_files(self) -> bool:
        """The same where the offset files of BROADCASTING members survive."""
        return all(one.after.is_safe and not one.gap for one in self.steps)

    @property
    def is_once(self) -> bool:
        """Whether nothing that is sent after its first step can be handled twice, but by a restart itself."""
        return all(one.after.is_once and not one.gap and not one.again for one in self.steps)


class Supposed(Struct, frozen=True):
    """What code does not say of members, or says in a way that no model knows, and what is taken in its place."""

    what: str
    """`strategy`, `message-model`, `post-subscription` or `lock`."""
    value: str
    members: tuple[str, ...]


class Plan(Struct, frozen=True):
    """The ways from what members ask for to what they shall ask for."""

    group: str
    topic: str
    """Whose tags change; "" where the plan is about the members' topics."""
    goal: tuple[Placement, ...]
    change: Change
    now: State
    ways: tuple[Way, ...]
    """The safest first."""
    basis: Basis
    supposed: tuple[Supposed, ...] = ()
    namespace: str = ""
    pops: bool = False
    """Whether members pop: what one of them did not answer for comes again, and is filtered anew."""
    shares: bool = False
    """Whether a member is CLUSTERING: the group's offsets are kept by brokers."""
    lite: tuple[str, ...] = ()
    """Members by lite pull: their offset stays before what is filtered at the end of a queue."""

    @property
    def supposes_offsets(self) -> bool:
        """Whether a way that promises something stops members which do not begin queues without an offset at the first
        message. They begin them at the end of an old topic (`RebalancePushImpl`, `CONSUME_FROM_LAST_OFFSET`)."""
        ways = (one for one in self.ways if one.order is not Order.CARELESS)
        return self.shares and any(
            any(each.do in (Do.RESTART, Do.STOP) for each in one.steps)
            and not any(each.from_first for each in one.steps)
            for one in ways
        )

    def called(self, name: str) -> str:
        """A group or topic as brokers and `mqadmin` know it: clients put their namespace before it (NamespaceUtil)."""
        return f"{self.namespace}%{name}" if self.namespace else name

    def way(self, order: Order) -> Way | None:
        """The way of that order, None where the plan has none."""
        return next((one for one in self.ways if one.order is order), None)


class RolloutError(UnusableError):
    """The rollout cannot be worked out; the text says why and what would help."""


class Setting(Struct, frozen=True):
    """What a plan is worked out for: the group as it runs now."""

    group: str
    members: tuple[Member, ...]
    queues: tuple[tuple[str, int], ...]
    """Topic and its number of queues."""
    namespace: str = ""
    """That of the members' clients, which name group and topics without it."""
    pop: bool = False
    """Whether brokers hand out messages of the group (`requestMode`); a new group pulls."""
    proxy_apart: bool = False
    """Whether gRPC members come through a proxy beside the brokers. Where remoting ones are in the group, too, states are
    judged as if it held a broker: both move the same offsets, and one of them was seen to miss what the other had passed."""

    def member(self, name: str) -> Member:
        return next(one for one in self.members if one.name == name)

    def placements(self) -> tuple[Placement, ...]:
        """Who runs now."""
        return tuple(Placement(one.name, self.group, one.subscriptions) for one in self.members)

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.topic for each in self.members for one in each.subscriptions))

    @property
    def jobs(self) -> Jobs:
        """All members do one job, but for BROADCASTING ones, each of which does its own; empty where there are none."""
        apart = self.broadcasting
        shared = tuple(one.name for one in self.members if one.name not in apart)
        return {one.name: (one.name,) if one.name in apart else shared for one in self.members if apart}

    @property
    def pops(self) -> bool:
        return self.pop or any(one.kind is ClientKind.GRPC for one in self.members)

    @property
    def shares(self) -> bool:
        return any(one.model is not MessageModel.BROADCASTING for one in self.members)

    @property
    def is_grpc(self) -> bool:
        """Whether all members are clients of a proxy: no heartbeat of theirs creates the group's topic for retries."""
        return all(one.kind is ClientKind.GRPC for one in self.members)

    def supposed(self, client: Version) -> tuple[Supposed, ...]:
        """That clients ask for no lock in BROADCASTING, as they do since a version that not every member may have."""
        since = CHANGES[Feature.BROADCASTING_ORDERLY_NEEDS_NO_LOCK].since
        names = tuple(
            one.name
            for one in self.members
            if one.options.orderly
            and one.model is MessageModel.BROADCASTING
            and behaves(Feature.BROADCASTING_ORDERLY_NEEDS_NO_LOCK, one.client_version or client)
        )
        return (Supposed("lock", str(since), names),) if names else ()

    @property
    def broadcasting(self) -> frozenset[str]:
        return frozenset(one.name for one in self.members if one.model is MessageModel.BROADCASTING)


def check_size(setting: Setting) -> None:
    """Refuse what is too large to be worked out. Raises RolloutError."""
    if len(setting.members) > MEMBERS_MAX:
        raise RolloutError("rollout.too-many-members", members=len(setting.members), members_max=MEMBERS_MAX)


def is_tag(subscription: Subscription) -> bool:
    return subscription.filter_type is FilterType.TAG


def with_states(way: Way, states: Sequence[State], broadcasting: Collection[str]) -> Way:
    """The way with judged states in the place of its own, and what BROADCASTING members miss while they restart."""
    beside = {name for one in way.steps if one.do is Do.START_BESIDE for name in one.members}
    steps = []
    for one, state in zip(way.steps, states, strict=True):
        stopped = one.members if one.do in (Do.RESTART, Do.STOP) else ()
        forgets = tuple(name for name in stopped if name in broadcasting and name not in beside)
        steps.append(replace(one, after=state, forgets=forgets))
    return Way(way.order, tuple(steps))
