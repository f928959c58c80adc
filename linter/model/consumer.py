"""Consumers as the broker meets them: one client object of one deployable with all its subscriptions.

A `Consumer` is one row of alternatives: the same id appears once per distinct set of values, with the
environments (profiles, "" for none) in which those values hold. Rows of one id are never members at once.

The records are their own wire shape, and are made of finished parts: none can refer back to itself, so Python's search
for cycles (`gc`) passes them over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum

from msgspec import Struct

from subdrift.linter.model.api import APIS, Api
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Condition
from subdrift.linter.model.location import Location


class Confidence(IntEnum):
    """high: literal or resolved inside the repository; medium: a default, a profile or another repository;
    low: recovered from a broken file, or found by name alone."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2

    @property
    def text(self) -> str:
        return self.name.lower()


class TrailStep(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """One stop on the way to a value: a place a reader can open, and what it contributed."""

    at: Location
    what: str


class Value(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A resolved attribute. `text` is None exactly when `why` says why; `detail` names the key or symbol.

    `default`: nobody wrote it in this form (an API's default, `${k:d}`'s d): the API's own default keeps
    confidence high, a written fallback is medium. `trail` leads from the place of use to the text. `symbol` is what is
    known of an unknown text, with `${key}` for each key nobody in sight answers; "" where it has none.
    """

    text: str | None
    why: Why | None = None
    detail: str = ""
    trail: tuple[TrailStep, ...] = ()
    confidence: Confidence = Confidence.HIGH
    default: bool = False
    symbol: str = ""

    @property
    def known(self) -> bool:
        return self.text is not None

    @property
    def not_applicable(self) -> bool:
        return self.why is Why.NOT_APPLICABLE


NOT_APPLICABLE = Value(None, Why.NOT_APPLICABLE)


class Property(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A property that a message gets: `sure` whenever it is sent, else perhaps."""

    name: str
    sure: bool


class Carried(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """What a message is sent with beside topic and tag: the properties that the program sets, by name, keys (`KEYS`) among
    them. `more` is why there may be others, "" where there are none. `delay` is what it waits for: "" nothing, else `level 3`,
    `30 s`, `500 ms` or `at 1700000000000`."""

    properties: tuple[Property, ...]
    more: str
    delay: Value


class Subscription(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """One topic with its filter; `at` is its line. `filter_type` is TAG, SQL92 or CLASS.

    In the order of the program that makes the consumer: `late` where it is made after `start()`, `dropped` the place
    where the running consumer unsubscribes from the topic. Both say nothing where the order is not known. `carried` is of
    what is sent alone, None where nothing is known of it.
    """

    at: Location
    topic: Value
    expression: Value
    filter_type: Value
    late: bool = False
    dropped: Location | None = None
    carried: Carried | None = None


SAMPLE_GROUP = re.compile(
    r"please_rename_unique_group_name(?:_\w*)?|CID_JODIE_1|CID_LRW_DEV_SUBS|CID_XXX"
    r"|[yY]ourConsumerGroup|YOUR_CONSUMER_GROUP"
)
"""Group names of RocketMQ's own examples, 4.8.0 to 5.3.3, of its 5.x quick start and of rocketmq-client-python's readme."""

SWITCHES = frozenset({"property", "expression", "condition"})
"""Kinds of conditions that hold or not as an application is configured; of a live consumer they are open."""
_NO_MEMBER = frozenset(("never-started", "not-reached"))
"""Conditions of a consumer that nothing is compared with: nothing starts it, or no run came to where it is made."""


class Consumer(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """One client object in one set of environments.

    `id` is stable against moved lines: repository, deployable, path, symbol, ordinal. `choice` groups rows that
    exclude each other ("" for none). `deployable` is "" when unknown. `profiles` are those its deployable
    defines. `process` is the class whose `main` makes it, "" for the components of a container and where that is not
    known. `scope` is main, test or sample. `version` is the client's, None when unknown (`version_why`). `consume_from`
    is where a queue begins for which the group has no offset. `owners` are those the repository's CODEOWNERS names for
    the file, sorted; empty where it names nobody. `made_under` stands for the condition under which a program makes it,
    "" where it surely does: consumers of one process with the same are made together. `sign` is what makes it a sample, ""
    where the folder it stands in does. `tags` are those that its listener's code names, each with its place; empty where it
    does not look at tags, or in a way that is not known.
    """

    id: str
    choice: str
    api: str
    at: Location
    symbol: str
    deployable: str
    scope: str
    group: Value
    namespace: Value
    message_model: Value
    consume_mode: Value
    instance_name: Value
    name_server: Value
    post_subscription: Value
    strategy: Value
    version: str | None
    subscriptions: tuple[Subscription, ...]
    environments: tuple[str, ...]
    profiles: tuple[str, ...]
    conditions: tuple[Condition, ...]
    disabled: bool = False
    broken: bool = False
    cluster: str = ""
    process: str = ""
    consume_from: Value = NOT_APPLICABLE
    owners: tuple[str, ...] = ()
    made_under: str = ""
    sign: str = ""
    tags: tuple[TrailStep, ...] = ()

    @property
    def traits(self) -> Api:
        return APIS[self.api]

    @property
    def takes_part(self) -> bool:
        """Whether it is a member of its group: it is neither switched off nor left without a `start()`, and a run came
        to where it is made."""
        return not self.disabled and all(one.kind not in _NO_MEMBER for one in self.conditions)

    @property
    def not_reached(self) -> bool:
        """Whether no run came to where it is made, so that nothing is known of it but its place."""
        return any(one.kind == "not-reached" for one in self.conditions)

    @property
    def switches(self) -> tuple[Condition, ...]:
        """The conditions that are open: nothing in sight says whether they hold where it is deployed."""
        return () if self.disabled else tuple(one for one in self.conditions if one.kind in SWITCHES)

    @property
    def values(self) -> Iterator[tuple[str, Value]]:
        """Every resolved value with the name of its field."""
        yield "group", self.group
        yield "namespace", self.namespace
        yield "message_model", self.message_model
        yield "consume_mode", self.consume_mode
        for subscription in self.subscriptions:
            yield "topic", subscription.topic
            yield "expression", subscription.expression
            yield "filter_type", subscription.filter_type

    @property
    def confidence(self) -> Confidence:
        found = min((v.confidence for _, v in self.values if v.known), default=Confidence.HIGH)
        if self.group.symbol:
            found = min(found, Confidence.MEDIUM)
        return Confidence.LOW if self.broken else found


class ConsumerGroup(Struct, frozen=True):
    """All consumers that share (namespace, group) in one cluster, over all environments."""

    namespace: str
    name: str
    cluster: str
    consumers: tuple[Consumer, ...]

    @property
    def environments(self) -> tuple[str, ...]:
        """Every environment in which some member has values of its own; the one without profile first."""
        return tuple(sorted({e for c in self.consumers for e in c.environments}))

    def members(self, environment: str) -> tuple[Consumer, ...]:
        """Who is in the group at once in one environment.

        A consumer takes part with its row for the environment; one whose deployable does not define that
        profile takes part with its row without profile. Rows of one `choice` are alternatives: see `choices`.
        """
        named = {c.id for c in self.consumers if environment in c.environments}
        return tuple(
            c
            for c in self.consumers
            if c.takes_part
            and (
                environment in c.environments
                or (c.id not in named and environment not in c.profiles and "" in c.environments)
            )
        )

    def defined_by_all(self, environment: str) -> bool:
        """Whether every side defines the environment ("" counts as defined by everybody)."""
        return environment == "" or all(
            environment in c.profiles or not c.profiles for c in self.members(environment)
        )
