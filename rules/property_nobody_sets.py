"""An SQL92 expression that asks for properties which no message of the topic is sent with, so that none is let through.

A property that a message does not have is null, and null compares with nothing: `a > 1` is not true of a message without `a`,
while `a IS NULL OR a > 1` is. Each send is held against the expression with what it may set; the finding is a note where a
sender outside of this run may set the property.

Silent where a send to the topic, or one whose topic is not known, may set it: by a name that is not known, by code that nobody
sees, by a hook.

Mirrors: ExpressionMessageFilter#isMatchedByCommitLog, MessageEvaluationContext#get, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.linter.model.topics import Map, Read, Sent, is_certain, is_sure
from subdrift.rules.filters import SQL92
from subdrift.rules.selectors import never_true_without, properties_of
from subdrift.rules.sides import source

_BY_CLIENTS: Final = frozenset(
    {
        "TAGS",
        "KEYS",
        "WAIT",
        "DELAY",
        "RETRY_TOPIC",
        "REAL_TOPIC",
        "REAL_QID",
        "TRAN_MSG",
        "PGROUP",
        "MIN_OFFSET",
    }
    | {
        "MAX_OFFSET",
        "BUYER_ID",
        "ORIGIN_MESSAGE_ID",
        "TRANSFER_FLAG",
        "CORRECTION_FLAG",
        "MQ2_FLAG",
        "RECONSUME_TIME",
    }
    | {"MSG_REGION", "TRACE_ON", "UNIQ_KEY", "EXTEND_UNIQ_INFO", "MAX_RECONSUME_TIMES", "CONSUME_START_TIME"}
    | {
        "TRAN_PREPARED_QUEUE_OFFSET",
        "TRANSACTION_CHECK_TIMES",
        "CHECK_IMMUNITY_TIME_IN_SECONDS",
        "INSTANCE_ID",
    }
    | {
        "CORRELATION_ID",
        "REPLY_TO_CLIENT",
        "TTL",
        "ARRIVE_TIME",
        "PUSH_REPLY_TIME",
        "CLUSTER",
        "MSG_TYPE",
        "POP_CK",
    }
    | {"POP_CK_OFFSET", "1ST_POP_TIME", "DUP_INFO", "BORN_HOST", "BORN_TIMESTAMP", "CRC32", "TRACE_CONTEXT"}
    | {"id", "timestamp", "contentType", "replyChannel", "errorChannel", "nativeHeaders"}
)
"""Properties that clients, frameworks and brokers set themselves."""
_BEGINS_BY_CLIENTS: Final = ("__", "TIMER_", "INNER_", "DLQ_", "rocketmq_", "ROCKET", "scst_", "spring")


def check(found: Map) -> Iterator[Remark]:
    """A remark for each expression on a topic that no send seen can satisfy, for want of a property."""
    if found.unknown_elsewhere:
        return
    for topic in found.topics:
        told: dict[str, list[Read]] = {}
        for one in topic.read:
            text = one.subscription.expression.text
            if text and one.subscription.filter_type.text == SQL92 and is_certain(one):
                told.setdefault(text, []).append(one)
        sent = [one for one in topic.sent if is_sure(one)]
        for text, read in sorted(told.items()) if sent else ():
            asked = [name for name in properties_of(text) if not _is_by_clients(name)]
            absent = _absent(asked, (*topic.sent, *found.unknown))
            if absent and all(never_true_without(text, one) for one in absent):
                unset = [name for name in asked if all(name in one for one in absent)]
                yield _remark(topic.name, text, unset or asked, sent, read, closed=found.organisation)


def _is_by_clients(name: str) -> bool:
    return name in _BY_CLIENTS or name.startswith(_BEGINS_BY_CLIENTS)


def _absent(asked: Sequence[str], sent: Sequence[Sent]) -> set[frozenset[str]]:
    """Which of the properties are surely not set, in each way that messages are sent; of a send that may set any none is."""
    found: set[frozenset[str]] = set()
    for one in sent:
        carried = one.message.carried
        known = carried is not None and not carried.more
        names = {each.name for each in carried.properties} if carried is not None else set()
        found.add(frozenset(asked) - names if known else frozenset())
    return found


def _remark(
    topic: str, text: str, unset: Sequence[str], sent: Sequence[Sent], read: Sequence[Read], *, closed: bool
) -> Remark:
    groups = sorted({one.group for one in read})
    return Remark(
        message=say(
            "property-nobody-sets",
            topic=topic,
            selector=text,
            properties=list(map(quoted, unset)),
            groups=list(map(quoted, groups)),
        ),
        topic=topic,
        places=(
            *(
                Place(
                    one.subscription.at,
                    say("asks-for", group=one.group, expression=text),
                    one.reader.scope,
                    source(one.subscription.expression),
                )
                for one in read
            ),
            *(Place(one.message.at, say("sends-to", topic=topic), one.sender.scope, side=1) for one in sent),
        ),
        differs=(text, *groups),
        members=(read[0].reader,),
        help=(say("property-nobody-sets.set"),),
        at_most=Severity.WARNING if closed else Severity.NOTE,
    )


RULE = Rule("property-nobody-sets", at_most=Severity.WARNING, scope=Scope.CONSUMER, check_topics=check)
