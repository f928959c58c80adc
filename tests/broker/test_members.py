"""From consumers in code to sides of the model: what merges, what stays unknown, what fails to start."""

import pytest
from msgspec.structs import replace

from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.members import predict_group, sides
from subdrift.linter.broker.versions import Version
from subdrift.linter.broker.vocabulary import ClientKind, MessageModel
from subdrift.linter.model.consumer import NOT_APPLICABLE, Consumer, Subscription, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import START, Location, Origin
from subdrift.linter.model.prediction import Impact, StepCode

AT = Location(Origin("acme/orders", "A.java"), START)
UNKNOWN = Value(None, Why.DYNAMIC)


def subscription(topic: str | None, expression: str | None, filter_type: str = "TAG") -> Subscription:
    """None for a value that is not known."""
    return Subscription(
        AT,
        UNKNOWN if topic is None else Value(topic),
        UNKNOWN if expression is None else Value(expression),
        Value(filter_type),
    )


def consumer(
    name: str, *subscriptions: Subscription, api: str = "push", version: str | None = None
) -> Consumer:
    return Consumer(
        id=name,
        choice="",
        api=api,
        at=AT,
        symbol=name,
        deployable=name,
        scope="main",
        group=Value("g"),
        namespace=Value(""),
        message_model=Value("CLUSTERING", default=True),
        consume_mode=Value("CONCURRENTLY", default=True),
        instance_name=NOT_APPLICABLE,
        name_server=NOT_APPLICABLE,
        post_subscription=NOT_APPLICABLE,
        strategy=NOT_APPLICABLE,
        version=version,
        subscriptions=subscriptions,
        environments=("",),
        profiles=(),
        conditions=(),
    )


def test_alike_consumers_become_one_side_with_all_their_instances() -> None:
    a, b = consumer("a", subscription("T", "x")), consumer("b", subscription("T", "x"))
    other = consumer("c", subscription("T", "y"))
    found = sides([a, other, b], Assume(instances=2))
    assert [(one.label, one.clients) for one in found] == [("a", 4), ("c", 2)]


def test_a_topic_subscribed_twice_counts_with_its_last_expression() -> None:
    (side,) = sides([consumer("a", subscription("T", "x"), subscription("T", "y"))], Assume())
    assert [one.expression for one in side.subscriptions] == ["y"]


def test_unknown_values_are_never_held_against_a_member() -> None:
    known = consumer("a", subscription("T", "x"))
    for other in (
        consumer("b", subscription("T", None)),
        consumer("b", subscription(None, "x")),
        replace(consumer("b", subscription("T", "x")), message_model=UNKNOWN),
        consumer("b", subscription("T", "x", "CLASS")),
    ):
        assert predict_group([known, other], Assume()).worst is Impact.NOTHING


@pytest.mark.parametrize(
    ("api", "kind"),
    [
        ("push", ClientKind.PUSH),
        ("spring-lite-pull", ClientKind.LITE_PULL),
        ("pull", ClientKind.PULL),
        ("grpc-push", ClientKind.GRPC),
        ("http", ClientKind.GRPC),
    ],
)
def test_the_api_decides_how_a_member_is_filtered_for(api: str, kind: ClientKind) -> None:
    (side,) = sides([consumer("a", subscription("T", "x"), api=api)], Assume())
    assert (side.kind, side.model) == (kind, MessageModel.CLUSTERING)


def test_the_client_generation_changes_the_verdict() -> None:
    for api, worst in (("push", Impact.STUCK), ("grpc-push", Impact.NOTHING)):
        members = [
            consumer("a", subscription("T", "*"), api=api),
            consumer("b", subscription("U", "*"), api=api),
        ]
        assert predict_group(members, Assume()).worst is worst
    tags = [consumer(n, subscription("T", n), api="grpc-push") for n in "ab"]
    assert predict_group(tags, Assume()).worst is Impact.LOST


def test_alternatives_are_never_members_at_once_and_the_worst_counts() -> None:
    fixed = consumer("a", subscription("T", "x"))
    same = replace(consumer("b", subscription("T", "x")), choice="b?")
    other = replace(consumer("b", subscription("T", "y")), choice="b?")
    prediction = predict_group([fixed, same, other], Assume())
    assert prediction.worst is Impact.LOST
    assert {name for name, _ in prediction.assumptions.clients} == {"a", "b"}
    assert predict_group([fixed, same], Assume()).worst is Impact.NOTHING
    assert predict_group([same, other], Assume()).worst is Impact.NOTHING


@pytest.mark.parametrize(
    ("version", "name", "fails"),
    [
        ("4.8.0", NOT_APPLICABLE, True),
        ("4.9.0", NOT_APPLICABLE, False),
        ("5.3.3", Value("mine"), True),
        ("4.8.0", UNKNOWN, False),
    ],
)
def test_two_consumers_of_one_process_need_different_client_ids(
    version: str, name: Value, fails: bool
) -> None:
    members = [
        replace(consumer(n, subscription("T", "x"), version=version), deployable="app", instance_name=name)
        for n in "ab"
    ]
    prediction = predict_group(members, Assume())
    assert bool(prediction.fails_to_start) is fails
    if fails:
        assert prediction.worst is Impact.FAILS_TO_START
        assert [one.why.code for one in prediction.fails_to_start] == [StepCode.SAME_JVM]


def test_an_expression_that_does_not_compile_fails_to_start() -> None:
    for text, kind in (("||", "TAG"), ("k >", "SQL92")):
        prediction = predict_group([consumer("a", subscription("T", text, kind))], Assume())
        assert [one.why.code for one in prediction.fails_to_start] == [StepCode.BAD_EXPRESSION]


def test_the_broker_version_decides_what_sql92_knows() -> None:
    members = [
        consumer(n, subscription("T", text, "SQL92")) for n, text in (("a", "s"), ("b", "s CONTAINS 'x'"))
    ]
    old = predict_group(members, Assume(broker_version=Version(5, 1, 2)))
    assert old.worst is Impact.CONSOLE_ONLY  # both compile to the bare property
    assert predict_group(members, Assume(broker_version=Version(5, 1, 3))).worst is Impact.LOST


def test_assumptions_say_what_the_shares_rest_on() -> None:
    members = [consumer("a", subscription("T", "x"), version="4.9.8"), consumer("b", subscription("T", "y"))]
    assumed = predict_group(members, Assume(queues=8, topic_queues=(("T", 2),))).assumptions
    assert assumed.client_version == "4.9.8, 5.3.3"
    assert assumed.clients == (("a", 1), ("b", 1))
