"""A member whose SQL92 selector does not compile, beside healthy members that subscribe to the same topic.

Its `start()` throws, and its subscription reaches the broker all the same. A client since 5.2.0 has sent a heartbeat by
then, when its connection came up: the entry stays in the group's table after the client is gone, and pulls of the
healthy members are refused until one of them raises its version (a new share of the queues, or a restart). An older
client goes on as a zombie that sends heartbeats, where the application catches what `start()` threw.

Mirrors: client DefaultMQPushConsumerImpl#start, MQClientInstance#checkClientInBroker, broker
PullMessageProcessor#processRequest; recorded on 4.8.0 and 5.3.3, in every failed start.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.api import Client, ConsumerKind
from subdrift.linter.model.consumer import Consumer, ConsumerGroup, Subscription
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.linter.model.prediction import Fate
from subdrift.rules.filters import SQL92, TAG, meetings
from subdrift.rules.selectors import Compiled, Refused, compiled
from subdrift.rules.sides import Voice, remark, sides
from subdrift.rules.versions import client_version

_HEARTBEAT_BEFORE_CHECK = (5, 2, 0)


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each topic; a warning where an old client must be kept running for it to happen."""
    for topic, met in meetings(members):
        pushing = [(member, one) for member, one in met if _is_filtered_by_broker(member)]
        failing = [(member, one) for member, one in pushing if _fails(one)]
        healthy = [(member, one) for member, one in pushing if _starts(one)]
        if failing and healthy:
            refused = "\n".join(sorted({one.expression.text or "" for _, one in failing}))
            always = any((client_version(member) or ()) >= _HEARTBEAT_BEFORE_CHECK for member, _ in failing)
            yield from remark(
                (
                    *sides(
                        Voice(refused, quoted(refused), one.at, said, member, one.expression)
                        for said in [say("does-not-compile")]
                        for member, one in failing
                    ),
                    *sides(
                        Voice("", quoted(topic), one.at, said, member)
                        for said in [say("stalls")]
                        for member, one in healthy
                    ),
                ),
                message=say(
                    "ghost-of-a-failed-sql-start",
                    group=group.name,
                    topic=topic,
                    selector=refused.partition("\n")[0],
                ),
                topic=topic,
                remedy=(say("selector-refused.repair"), say("ghost-of-a-failed-sql-start.restart")),
                at_most=None if always else Severity.WARNING,
            )


def _is_filtered_by_broker(member: Consumer) -> bool:
    """Whether its pulls carry no expression of their own, so that the group's table decides."""
    return (
        member.traits.client is Client.REMOTING
        and member.traits.kind is ConsumerKind.PUSH
        and member.post_subscription.text != "true"
    )


def _fails(one: Subscription) -> bool:
    text = one.expression.text
    return one.filter_type.text == SQL92 and text is not None and isinstance(compiled(text), Refused)


def _starts(one: Subscription) -> bool:
    text = one.expression.text
    if text is None:
        return False
    return one.filter_type.text == TAG or (
        one.filter_type.text == SQL92 and isinstance(compiled(text), Compiled)
    )


RULE = Rule(
    "ghost-of-a-failed-sql-start",
    at_most=Severity.ERROR,
    scope=Scope.GROUP,
    check_group=check,
    contrasts=True,
    explains=(Fate.STUCK, Fate.DELAYED, Fate.FAILS_TO_START),
)
