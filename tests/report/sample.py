"""A hand-made run with everything a report can meet: both sides, two repositories, odd characters, suppressions."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from subdrift.linter.model.consumer import (
    NOT_APPLICABLE,
    Confidence,
    Consumer,
    Subscription,
    TrailStep,
    Value,
)
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Condition
from subdrift.linter.model.finding import Diagnostic, Finding, Place, Scope, Severity
from subdrift.linter.model.location import START, Location, Origin, Span
from subdrift.linter.model.message import Message, quoted, say, verbatim
from subdrift.linter.model.prediction import (
    NONE,
    Assumptions,
    Basis,
    ClassOutcome,
    ConsoleVerdict,
    Impact,
    MemberShare,
    MessageClass,
    Outcome,
    Prediction,
    Share,
    Step,
    StepCode,
    TopicPrediction,
)
from subdrift.linter.model.unknown import unread
from subdrift.linter.report.content import About, Content, Texts

BILLING = Origin("acme/billing", "src/main/java/com/acme/billing/OrderListener.java")
TOPICS = Origin("acme/billing", "src/main/java/com/acme/billing/Topics.java")
TEST = Origin("acme/billing", "src/test/java/com/acme/billing/OrderListenerTest.java")
PYTHON = Origin("acme/billing", "工具/audit worker.py")
HOSTILE = Origin("acme/billing", "evil\x1b[2J\n::error::x.java")
LONG = Origin("acme/billing", "src/main/java/com/acme/billing/Generated.java")
SHIPPING = Origin("acme/shipping", "src/main/java/com/acme/shipping/OrderConsumer.java")
GONE = Origin("acme/shipping", "src/main/java/com/acme/shipping/Gone.java")

FILES: dict[Origin, bytes] = {
    BILLING: b"""package com.acme.billing;

@RocketMQMessageListener(
    topic = Topics.ORDER,
    selectorExpression = "PAID || REFUNDED",
    consumerGroup = "order-cg")
class OrderListener {}
""",
    TOPICS: b'class Topics {\r\n\tstatic final String ORDER = "ORDER";\r\n}\r\n',
    TEST: b'class OrderListenerTest { void t() { c.subscribe("ORDER", "PAID"); } }\n',
    PYTHON: (
        "import os\n\n"
        'consumer = PushConsumer("audit-cg")  # 审计\n'
        'consumer.subscribe("订单主题", on_message, "已付款 || 已退款")  # 订阅\n'
        'consumer.subscribe(os.environ["AUDIT_TOPIC"], on_message)\n'
    ).encode(),
    HOSTILE: b'// \x1b]0;owned\x07 \xe2\x80\xae\nconsumer.subscribe("ORDER", "A\x1b[31m|B");\n',
    LONG: b'class Generated { String pad = "' + b"x" * 300 + b'"; { c.subscribe("ORDER", "A,B"); } '
    b"/* " + b"y" * 300 + b" */ }\n",
    SHIPPING: b'class OrderConsumer {\n    void run() {\n\tconsumer.subscribe("ORDER", "PAID || SHIPPED");\n    }\n}\n',
}


def at(origin: Origin, line: int, column: int, end_line: int, end_column: int) -> Location:
    return Location(origin, Span(line, column, end_line, end_column))


LISTENER = at(BILLING, 3, 1, 6, 32)
CALL = at(SHIPPING, 3, 11, 3, 20)
AUDIT = at(PYTHON, 4, 10, 4, 19)
AUDIT_ENV = at(PYTHON, 5, 10, 5, 19)

BILLING_ID = "billing:OrderListener"
SHIPPING_ID = "shipping:OrderConsumer"
HALF = Share.exactly(Fraction(1, 2))
ALL = Share.exactly(1)


def _class(tag: str, wanted: tuple[str, ...], delivered: Share, lost: Share) -> ClassOutcome:
    return ClassOutcome(
        MessageClass("ORDER", tag, tag, wanted),
        delivered,
        lost,
        NONE,
        NONE,
        NONE,
        tuple(MemberShare(one, delivered, NONE) for one in wanted),
        (
            Step(
                StepCode.BROKER_SKIPS,
                (("member", BILLING_ID), ("expression", "PAID || SHIPPED"), ("message", tag)),
            ),
        ),
    )


PREDICTION = Prediction(
    Assumptions(4, ((BILLING_ID, 1), (SHIPPING_ID, 1)), "5.3.3", "5.3.3", "AVG", True, Basis.RECORDED, 2),
    (
        TopicPrediction(
            "ORDER",
            (
                Outcome(
                    BILLING_ID,
                    "PAID || REFUNDED",
                    (),
                    (
                        _class("PAID", (BILLING_ID, SHIPPING_ID), ALL, NONE),
                        _class("REFUNDED", (BILLING_ID,), HALF, HALF),
                        _class("SHIPPED", (SHIPPING_ID,), NONE, ALL),
                    ),
                ),
                Outcome(
                    SHIPPING_ID,
                    "PAID || SHIPPED",
                    (),
                    (
                        _class("PAID", (BILLING_ID, SHIPPING_ID), ALL, NONE),
                        _class("REFUNDED", (BILLING_ID,), NONE, ALL),
                        _class("SHIPPED", (SHIPPING_ID,), HALF, HALF),
                    ),
                ),
            ),
            ALL,
            0,
            NONE,
            Impact.LOST,
            Impact.LOST,
            ("REFUNDED", "SHIPPED"),
        ),
    ),
    (),
    ConsoleVerdict.DIFFERENT,
    Impact.LOST,
    Impact.LOST,
)
DELAYED = replace(
    PREDICTION,
    topics=(
        replace(
            PREDICTION.topics[0],
            possible=Impact.DELAYED,
            certain=Impact.NOTHING,
            delay_s=33,
            certainly_lost=(),
        ),
    ),
    worst=Impact.DELAYED,
    certain=Impact.NOTHING,
    console=ConsoleVerdict.NOT_COMPARED,
)


def subscribes(tags: str) -> Message:
    return say("subscribes-to", names=verbatim(tags))


TAGS = Finding(
    rule="divergent-tags",
    level=Severity.ERROR,
    scope=Scope.GROUP,
    message=say(
        "divergent-tags",
        group="order-cg",
        topic="ORDER",
        sides=(quoted("PAID || REFUNDED"), quoted("PAID || SHIPPED")),
    ),
    group="order-cg",
    namespace="",
    topic="ORDER",
    places=(
        Place(LISTENER, subscribes("PAID || REFUNDED"), value_at=at(BILLING, 5, 26, 5, 44)),
        Place(CALL, subscribes("PAID || SHIPPED"), side=1),
        Place(at(GONE, 7, 3, 7, 12), subscribes("PAID || SHIPPED"), side=1),
        Place(at(TEST, 1, 40, 1, 49), subscribes("PAID"), "test", side=2),
    ),
    values=("PAID||REFUNDED", "PAID||SHIPPED"),
    environments=("", "prod"),
    confidence=Confidence.MEDIUM,
    help=(say("give-own-groups"), say("remedy.never-widen", share="50 %")),
    more_places=3,
    counts=(1, 5, 1),
    prediction=PREDICTION,
    suppressed_on=say("suppressed-on-one-side", reason="moving to its own group", where="acme/shipping"),
)
TOPIC_ONLY = replace(
    TAGS,
    rule="divergent-topics",
    level=Severity.NOTE,
    message=say("divergent-topics", group="order-cg", sides=(quoted("ORDER"), say("no-topic"))),
    topic=None,
    namespace="trade",
    places=TAGS.places[:2],
    environments=("",),
    confidence=Confidence.HIGH,
    more_places=0,
    counts=(),
    prediction=DELAYED,
    suppressed_on=None,
)
WIDE = Finding(
    rule="wrong-tag-separator",
    level=Severity.WARNING,
    scope=Scope.CONSUMER,
    message=verbatim("`已付款 || 已退款` is not a list of tags."),
    group="audit-cg",
    namespace="",
    topic="订单主题",
    places=(Place(at(PYTHON, 4, 40, 4, 54), say("odd-blank")),),
    values=("已付款 || 已退款",),
    environments=("",),
    confidence=Confidence.HIGH,
    conditional=say("only-through-members", scopes=say("scope.test")),
    symbol="~",
)
HOSTILE_FINDING = replace(
    WIDE,
    rule="star-in-list",
    level=Severity.ERROR,
    message=verbatim("Tag `A\x1b[31m|B`\n::error::is [odd](1)"),
    group="g\u202e",
    topic=None,
    places=(Place(at(HOSTILE, 2, 29, 2, 39), verbatim("label\x07")),),
    conditional=None,
    symbol="X#y",
)
CROPPED = replace(
    WIDE,
    message=verbatim("`A,B` is one tag."),
    level=Severity.ERROR,
    group=None,
    topic="ORDER",
    places=(Place(at(LONG, 1, 365, 1, 370), verbatim("a comma separates no tags")),),
    conditional=None,
    symbol="Generated",
)
SUPPRESSED = replace(CROPPED, rule="topic-subscribed-twice", suppressed="known, see the ticket", ordinal=1)

DIAGNOSTICS = (
    Diagnostic(
        "unresolved-value",
        say(
            "unresolved-value.of-group",
            field=say("field.topic"),
            group="audit-cg",
            reason=say("reason-with-detail", reason=say("why.undefined"), detail="AUDIT_TOPIC"),
        ),
        AUDIT_ENV,
        say("answer-in-values", key=say("key-and-text", key="AUDIT_TOPIC")),
    ),
    Diagnostic("parse-error", say("syntax-error"), at(TEST, 1, 1, 1, 1), verbatim("repair line 1")),
    Diagnostic(
        "skipped-file",
        say("larger-than", path="big.java", most=2048),
        Location(Origin("acme/billing", "big.java"), START),
    ),
    Diagnostic(
        "unread-language",
        say("unread-language", language="Kotlin"),
        Location(Origin("acme/shipping", "A.kt"), START),
        say("compare-by-hand"),
    ),
    Diagnostic(
        "unread-language",
        say("unread-language", language="Kotlin"),
        Location(Origin("acme/shipping", "B.kt"), START),
        say("compare-by-hand"),
    ),
    Diagnostic(
        "unused-suppression",
        say("suppression.unused", rule="star-in-list"),
        at(BILLING, 1, 1, 1, 8),
        suppressed="on purpose",
    ),
)


def value(
    text: str, *trail: TrailStep, confidence: Confidence = Confidence.HIGH, default: bool = False
) -> Value:
    return Value(text, trail=trail, confidence=confidence, default=default)


def unknown(why: Why, detail: str = "") -> Value:
    return Value(None, why, detail)


def consumer(
    identity: str, api: str, where: Location, group: Value, *subscriptions: Subscription, scope: str = "main"
) -> Consumer:
    remoting = api not in ("grpc-push", "py-grpc-push")
    return Consumer(
        id=identity,
        choice="",
        api=api,
        at=where,
        symbol="com.acme.X",
        deployable="billing",
        scope=scope,
        group=group,
        namespace=value("", default=True),
        message_model=value("CLUSTERING", default=True) if remoting else NOT_APPLICABLE,
        consume_mode=value("CONCURRENTLY", default=True) if remoting else NOT_APPLICABLE,
        instance_name=unknown(Why.UNDEFINED),
        name_server=unknown(Why.UNDEFINED),
        post_subscription=value("false", default=True),
        strategy=value("AVG", default=True),
        version="5.3.3",
        subscriptions=subscriptions,
        environments=("",),
        profiles=(),
        conditions=(),
    )


TAG = value("TAG", default=True)
TRAIL = (TrailStep(LISTENER, "Topics.ORDER"), TrailStep(at(TOPICS, 2, 30, 2, 37), '"ORDER"'))
CONSUMERS = (
    consumer(
        BILLING_ID,
        "spring-listener",
        LISTENER,
        value("order-cg"),
        Subscription(LISTENER, value("ORDER", *TRAIL), value("PAID || REFUNDED"), TAG),
    ),
    consumer(
        SHIPPING_ID,
        "push",
        CALL,
        value("order-cg", confidence=Confidence.MEDIUM, default=True),
        Subscription(CALL, value("ORDER"), value("PAID || SHIPPED"), TAG),
    ),
    consumer(
        "billing:audit",
        "py-push",
        at(PYTHON, 3, 12, 3, 24),
        value("audit-cg"),
        Subscription(AUDIT, value("订单主题"), value("已付款 || 已退款"), TAG),
        Subscription(AUDIT_ENV, unknown(Why.UNDEFINED, "AUDIT_TOPIC"), value("*", default=True), TAG),
    ),
    replace(
        consumer("billing:nobody", "grpc-push", at(TEST, 1, 1, 1, 6), unknown(Why.DYNAMIC), scope="test"),
        environments=("dev", "prod"),
        conditions=(Condition("profile", "dev", Span(1, 1, 1, 5)),),
        disabled=True,
        version=None,
        choice="c1",
        deployable="",
    ),
)

CATALOGUE = (
    About(
        "divergent-tags",
        "one consumer group, one topic, different tags",
        Severity.ERROR,
        "# divergent-tags\n\nConsumers of one group filter\none topic by different tags.\n\nMore.\n",
    ),
    About("divergent-topics", "one consumer group, different topics", Severity.ERROR, "# divergent-topics\n"),
    About("star-in-list", "a star in a list of tags", Severity.ERROR),
    About("wrong-tag-separator", "a tag that looks like a list", Severity.ERROR),
    About("unresolved-value", "a value that could not be determined", Severity.WARNING),
)

CONTENT = Content(
    version="1.2.3",
    findings=(WIDE, TOPIC_ONLY, TAGS, HOSTILE_FINDING, CROPPED, SUPPRESSED),
    diagnostics=DIAGNOSTICS,
    consumers=CONSUMERS,
    files=1412,
    home="acme/billing",
    catalogue=CATALOGUE,
    unread=tuple(unread(DIAGNOSTICS)),
    project="https://git.example.com/tools/subdrift/blob/v0.1.0",
)
CLEAN = replace(CONTENT, findings=(SUPPRESSED,), diagnostics=(), unread=(), consumers=CONSUMERS[:2])
ORGANISATION = replace(CONTENT, home="", show_suppressed=True)


def texts() -> Texts:
    return Texts(FILES.get)
