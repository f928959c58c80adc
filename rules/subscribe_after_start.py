"""A push consumer that subscribes to a topic after it was started.

`start()` sends a heartbeat with what is subscribed to by then, and the broker deletes from the group's table what a
heartbeat leaves out: until the later `subscribe` sends the next one, the topic is gone for the whole group. The
client looks for the topic's queues in its next poll of routes (every 30 s) and takes its share in the rebalance after
it (every 20 s).

Mirrors: client DefaultMQPushConsumerImpl#start and #subscribe, broker ConsumerGroupInfo#updateSubscription, 4.8.0 to
5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.rules.subject import subject


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each subscription that one program makes after the start."""
    if consumer.api != "push":
        return
    for ordinal, one in enumerate(consumer.subscriptions):
        if one.late:
            yield Remark(
                message=say("subscribe-after-start", subject=subject(consumer, one)),
                topic=one.topic.text,
                places=(Place(one.at, say("after-start"), consumer.scope),),
                differs=("late",),
                members=(consumer,),
                help=(say("subscribe-after-start.before"),),
                ordinal=ordinal,
            )


RULE = Rule("subscribe-after-start", at_most=Severity.NOTE, scope=Scope.CONSUMER, check_consumer=check)
