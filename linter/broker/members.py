"""From code to model: the consumers of a group, as resolution found them, in; sides the closed form understands, out.

Consumers that behave alike become one side, named after the first of them. What resolution could not find out stays
unknown here too: nothing is held against a member for it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.closed_form import predict_sides
from subdrift.linter.broker.fates import sieve
from subdrift.linter.broker.side import Side
from subdrift.linter.broker.versions import Feature, Version, VersionError, behaves
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from subdrift.linter.model.api import Client, ConsumerKind
from subdrift.linter.model.consumer import Consumer, Value
from subdrift.linter.model.prediction import Prediction, StartFailure, Step, StepCode

if TYPE_CHECKING:
    from subdrift.linter.broker.rollout.plan import Supposed
    from subdrift.linter.broker.scenario import Member

COMBINATIONS_MAX: Final = 16
"""Combinations of alternatives (a ternary, a condition) of one group that are predicted; the worst one counts."""

VERSIONS_MAX: Final = 1_024
"""Version texts whose parsed form is kept."""

STRATEGY_OF_CLASS: Final = {
    "AllocateMessageQueueAveragely": "AVG",
    "AllocateMessageQueueAveragelyByCircle": "AVG_BY_CIRCLE",
    "AllocateMessageQueueConsistentHash": "CONSISTENT_HASH",
    "AllocateMessageQueueByConfig": "CONFIG",
    "AllocateMessageQueueByMachineRoom": "MACHINE_ROOM",
    "AllocateMachineRoomNearby": "MACHINE_ROOM_NEARBY",
}
_KINDS: Final = {
    ConsumerKind.PUSH: ClientKind.PUSH,
    ConsumerKind.LITE_PULL: ClientKind.LITE_PULL,
    ConsumerKind.PULL: ClientKind.PULL,
    ConsumerKind.SIMPLE: ClientKind.GRPC,
}
_FILTER_TYPES: Final = {one.value: one for one in FilterType}
_MODELS: Final = {one.value: one for one in MessageModel}
_NAMES_ITSELF: Final = ("push", "lite-pull", "pull")
"""APIs whose instance name is RocketMQ's own default; frameworks set one for each consumer."""


def predict_group(members: Sequence[Consumer], assume: Assume) -> Prediction:
    """What becomes of the messages of a group whose members, in one environment, are these consumers.

    Rows of one `choice` are alternatives: every combination is predicted, up to COMBINATIONS_MAX, and the worst is
    the answer. Disabled consumers take no part.
    """
    fixed = [one for one in members if one.takes_part and not one.choice]
    choices: dict[str, list[Consumer]] = {}
    for one in members:
        if one.choice and one.takes_part:
            choices.setdefault(one.choice, []).append(one)
    found = [
        _predict((*fixed, *chosen), assume) for chosen in islice(product(*choices.values()), COMBINATIONS_MAX)
    ]
    return max(found, key=lambda one: (one.worst, one.certain))


def _predict(members: Sequence[Consumer], assume: Assume) -> Prediction:
    failures = [*_bad_expressions(members, assume), *_same_process(members, assume)]
    broken = {one.member for one in failures if one.why.code is StepCode.BAD_EXPRESSION}
    return predict_sides(sides(members, assume, broken), assume, failures)


def clients(consumers: Iterable[Consumer], names: Mapping[str, str]) -> "tuple[Member, ...]":
    """The consumers as members of a scenario, one client each, under the given names (by id).

    Subscriptions that are not known are left out; what else is not known has RocketMQ's default (`supposed`).
    """
    from subdrift.linter.broker.scenario import STRATEGIES, Member, Options  # a verdict needs no scenario

    return tuple(
        Member(
            names[one.id],
            side.kind,
            side.model or MessageModel.CLUSTERING,
            side.subscriptions,
            Options(side.post_subscription, side.strategy if side.strategy in STRATEGIES else "AVG"),
            client_version=side.version,
        )
        for one in consumers
        for side in (_side(one),)
    )


def supposed(consumers: Iterable[Consumer], names: Mapping[str, str]) -> "tuple[Supposed, ...]":
    """What `clients` takes for members whose own setting is not known, or is a strategy that no scenario knows."""
    from subdrift.linter.broker.rollout.plan import Supposed
    from subdrift.linter.broker.scenario import STRATEGIES

    found: dict[tuple[str, str], list[str]] = {}
    for one in consumers:
        side = _side(one)
        told = (
            (side.strategy in STRATEGIES or side.kind is ClientKind.GRPC, ("strategy", "AVG")),
            (side.model is not None, ("message-model", "CLUSTERING")),
            (not _is_dark(one.post_subscription), ("post-subscription", "false")),
        )
        for is_known, key in told:
            if not is_known:
                found.setdefault(key, []).append(names[one.id])
    return tuple(Supposed(what, value, tuple(members)) for (what, value), members in found.items())


def _is_dark(value: Value) -> bool:
    return value.text is None and not value.not_applicable


def sides(members: Iterable[Consumer], assume: Assume, left_out: Iterable[str] = ()) -> tuple[Side, ...]:
    """The members as sides, alike ones together, in the order of their first member."""
    without = frozenset(left_out)
    found: dict[Side, tuple[str, int]] = {}
    known: dict[object, Side] = {}
    for one in members:
        if one.id not in without:
            shape = _shape(one)
            side = known.get(shape)
            if side is None:
                side = known[shape] = _side(one)
            label, count = found.get(side, (one.id, 0))
            found[side] = (label, count + assume.instances)
    return tuple(replace(side, label=label, clients=count) for side, (label, count) in found.items())


def _shape(one: Consumer) -> tuple[object, ...]:
    """All that `_side` looks at; large groups have few shapes."""
    return (
        one.api,
        one.version,
        one.message_model.text,
        one.message_model.why,
        one.post_subscription.text,
        one.strategy.text,
        one.strategy.why,
        tuple(
            value
            for each in one.subscriptions
            for value in (
                each.topic.text,
                each.topic.why,
                each.expression.text,
                each.expression.why,
                each.filter_type.text,
                each.filter_type.why,
            )
        ),
    )


def _side(consumer: Consumer) -> Side:
    """What one consumer does, without its name."""
    known: dict[str, Subscription] = {}
    dark: dict[str, str] = {}
    more, why = False, ""
    for one in consumer.subscriptions:
        topic = one.topic.text
        if topic is None:
            if not one.topic.not_applicable:
                more, why = True, _reason(one.topic)
            continue
        known.pop(topic, None)
        dark.pop(topic, None)
        filter_type = _FILTER_TYPES.get(one.filter_type.text or "")
        if one.expression.text is None or filter_type is None:
            dark[topic] = _reason(one.expression if one.expression.text is None else one.filter_type)
        else:
            known[topic] = Subscription(topic, filter_type, one.expression.text)
    kind = _kind(consumer)
    model = _model(consumer.message_model)
    if dark and not why:
        why = next(iter(dark.values()))
    if model is None and not why:
        why = _reason(consumer.message_model)
    return Side(
        label="",
        clients=1,
        kind=kind,
        model=MessageModel.CLUSTERING if kind is ClientKind.GRPC else model,
        subscriptions=tuple(sorted(known.values(), key=lambda one: one.topic)),
        post_subscription=consumer.post_subscription.text == "true",
        strategy=_strategy(consumer.strategy),
        version=_version(consumer),
        dark_topics=tuple(sorted(dark)),
        more_topics=more,
        why_dark=why,
    )


def _reason(value: Value) -> str:
    return value.why.value if value.why is not None else "unsupported"


def _kind(consumer: Consumer) -> ClientKind:
    traits = consumer.traits
    return _KINDS[traits.kind] if traits.client is Client.REMOTING else ClientKind.GRPC


def _model(value: Value) -> MessageModel | None:
    if value.text is None:
        return MessageModel.CLUSTERING if value.not_applicable else None
    return _MODELS.get(value.text.upper())


def _strategy(value: Value) -> str | None:
    if value.text is None:
        return "AVG" if value.not_applicable else None
    name = value.text.rpartition(".")[2]
    return STRATEGY_OF_CLASS.get(name, name)


def _version(consumer: Consumer) -> Version | None:
    """The version of RocketMQ's Java client; other artifacts number theirs differently."""
    if consumer.version is None:
        return None
    first = consumer.traits.artifacts[:1]
    if not any(one.endswith(":rocketmq-client") for one in first):
        return None
    return _parsed(consumer.version)


@lru_cache(maxsize=VERSIONS_MAX)
def _parsed(version: str) -> Version | None:
    try:
        return Version.parse(version)
    except VersionError:
        return None


def _bad_expressions(members: Iterable[Consumer], assume: Assume) -> Iterator[StartFailure]:
    """Members whose expression makes `subscribe` or `start` throw."""
    broken: dict[tuple[str | None, str | None], bool] = {}
    for member in members:
        for one in member.subscriptions:
            key = (one.filter_type.text, one.expression.text)
            if key not in broken:
                kind = _FILTER_TYPES.get(one.filter_type.text or "")
                text = one.expression.text
                broken[key] = (
                    kind is not None
                    and text is not None
                    and sieve(kind, text, assume.broker_version).broken != ""
                )
            if broken[key] and one.expression.text is not None:
                values = (("member", member.id), ("expression", one.expression.text))
                yield StartFailure(member.id, Step(StepCode.BAD_EXPRESSION, values))
                break


def _same_process(members: Iterable[Consumer], assume: Assume) -> Iterator[StartFailure]:
    """Members that surely meet another one of the group under the same client id in their own process.

    Mirrors MQClientManager and DefaultMQPushConsumerImpl#start, RocketMQ 4.8.0 to 5.3.3.
    """
    first: dict[tuple[str, ...], str] = {}
    for member in members:
        if not member.deployable or member.api not in _NAMES_ITSELF:
            continue
        name = _instance_name(member, assume)
        if name is None:
            continue
        key = (member.at.origin.repo, member.deployable, member.process, member.made_under, name)
        if key in first:
            values = (("members", f"{first[key]}, {member.id}"),)
            yield StartFailure(member.id, Step(StepCode.SAME_JVM, values))
        else:
            first[key] = member.id


def _instance_name(member: Consumer, assume: Assume) -> str | None:
    """What makes its client id differ from others of its process; None where it is unique or not known."""
    given = member.instance_name
    if given.text is None and not given.not_applicable:
        return None
    if given.text not in (None, "", "DEFAULT"):
        return given.text
    model = _model(member.message_model)
    if model is MessageModel.BROADCASTING:
        return "DEFAULT"
    version = _version(member) or assume.client_version
    unique = behaves(Feature.NANO_TIME_IN_INSTANCE_NAME, version)
    return None if unique or model is None else "<pid>"
