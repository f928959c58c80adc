"""The prediction for a group at rest: its sides and the assumptions in, every possible outcome as exact shares out.

A side is a set of members that behave alike. Nothing is known of client ids and start order, so every side may win a
topic and every order of ids may occur; a share that depends on the order is a range whose ends are both reached. The
group's shape is answered once and remembered, with names put in afterwards (`shape`); each topic is answered by itself
(`topic_form`), the parts of its queues by `partition`.

Mirrors: the steady state of ConsumerGroupInfo, RebalanceImpl and PullMessageProcessor, RocketMQ 4.8.0 to 5.3.3.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.partition import orders
from subdrift.linter.broker.shape import anonymous, named
from subdrift.linter.broker.side import Side
from subdrift.linter.broker.topic_form import TopicForm
from subdrift.linter.broker.versions import Feature, behaves
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel
from subdrift.linter.model.prediction import (
    Assumptions,
    Basis,
    ConsoleVerdict,
    Impact,
    Prediction,
    StartFailure,
    Step,
    StepCode,
)

SHAPES_MAX: Final = 8_192
"""Group shapes whose prediction is remembered."""


def predict_sides(sides: Sequence[Side], assume: Assume, failures: Sequence[StartFailure] = ()) -> Prediction:
    """What becomes of the messages of a group with these sides.

    `failures` are members that never come to run; they are no sides. Equal shapes are answered from memory.
    """
    names = tuple(side.label for side in sides)
    topics = tuple(sorted({topic for side in sides for topic in (*_topics(side), *side.dark_topics)}))
    numbers = {topic: f"\0t{index}\0" for index, topic in enumerate(topics)}
    shape = tuple(anonymous(side, index, numbers) for index, side in enumerate(sides))
    supposed = replace(
        assume, topic_queues=tuple((numbers[t], n) for t, n in assume.topic_queues if t in numbers)
    )
    found = _predict(shape, supposed)
    real = {f"\0m{index}\0": name for index, name in enumerate(names)} | {v: k for k, v in numbers.items()}
    prediction = named(found, real)
    if not failures:
        return prediction
    return replace(
        prediction,
        fails_to_start=(*prediction.fails_to_start, *failures),
        worst=Impact.FAILS_TO_START,
        certain=Impact.FAILS_TO_START,
    )


def _topics(side: Side) -> Iterator[str]:
    return (one.topic for one in side.subscriptions)


@lru_cache(maxsize=SHAPES_MAX)
def _predict(sides: tuple[Side, ...], assume: Assume) -> Prediction:
    failures = tuple(_sql_failures(sides, assume))
    topics = sorted({topic for side in sides for topic in _topics(side)})
    found = tuple(TopicForm(topic, sides, assume).predict() for topic in topics)
    console = _console(sides, assume)
    impact = Impact.CONSOLE_ONLY if console is ConsoleVerdict.DIFFERENT else Impact.NOTHING
    if failures:
        impact = Impact.FAILS_TO_START
    strategies = sorted({side.strategy or "?" for side in sides if not side.pops})
    versions = sorted({str(side.version or assume.client_version) for side in sides})
    return Prediction(
        assumptions=Assumptions(
            queues=assume.queues,
            clients=tuple((side.label, side.clients) for side in sides),
            client_version=", ".join(versions) or str(assume.client_version),
            broker_version=str(assume.broker_version),
            strategy=", ".join(strategies),
            property_filter=assume.property_filter,
            basis=Basis.SOURCE if any(side.pops for side in sides) else Basis.RECORDED,
            id_orders=orders(sides),
            instances=assume.instances,
        ),
        topics=found,
        fails_to_start=failures,
        console=console,
        worst=max((impact, *(one.possible for one in found))),
        certain=max((impact, *(one.certain for one in found))),
        why=tuple(
            Step.of(StepCode.UNKNOWN_MEMBER, member=side.label, reason=side.why_dark)
            for side in sides
            if side.dark_topics or side.more_topics or side.model is None
        ),
    )


def _sql_failures(sides: Iterable[Side], assume: Assume) -> Iterator[StartFailure]:
    """Members whose `start()` throws because the broker refuses SQL92; gRPC clients do not ask it beforehand."""
    if assume.property_filter:
        return
    for side in sides:
        if not side.pops and any(one.filter_type is FilterType.SQL92 for one in side.subscriptions):
            yield StartFailure(side.label, Step.of(StepCode.SQL_SWITCHED_OFF, members=side.label))


def _console(sides: Sequence[Side], assume: Assume) -> ConsoleVerdict:
    """What `mqadmin consumerStatus` would say, once every member has run for two minutes.

    It compares topics and expression texts only, and nothing if the first client is no push consumer.
    Mirrors ConsumerRunningInfo#analyzeSubscription, RocketMQ 4.8.0 to 5.3.3.
    """
    if not all(side.kind is ClientKind.PUSH for side in sides):
        return ConsoleVerdict.NOT_COMPARED
    known = [side for side in sides if not (side.dark_topics or side.more_topics or side.model is None)]
    texts = {
        frozenset(f"{one.topic}@{one.expression or '*'}" for one in side.subscriptions)
        | {side.model is MessageModel.CLUSTERING}
        for side in known
    }
    if len(texts) > 1:
        return ConsoleVerdict.DIFFERENT
    if len(known) < len(sides):
        return ConsoleVerdict.NOT_COMPARED
    empty = any(not side.subscriptions and side.model is MessageModel.BROADCASTING for side in known)
    if empty and behaves(Feature.EMPTY_SUBSCRIPTIONS_REPORTED_DIFFERENT, assume.client_version):
        return ConsoleVerdict.DIFFERENT
    return ConsoleVerdict.SAME
