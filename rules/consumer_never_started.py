"""A consumer that is made and subscribes, and is never started as far as can be seen.

Only `start()` registers a consumer with the broker: without it no message arrives, and nothing says so.

Mirrors: client DefaultMQPushConsumerImpl#start, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for a consumer of main code that subscribes to something."""
    # with a reason (nothing calls the method it is made in) the whole method is dead, and its `start()` with it
    never = any(one.kind == "never-started" and not one.text for one in consumer.conditions)
    if never and consumer.scope == "main" and any(one.topic.known for one in consumer.subscriptions):
        group = consumer.group.text
        named = {} if group is None else {"group": group}
        yield Remark(
            message=say("consumer-never-started.in-group" if named else "consumer-never-started", **named),
            topic=None,
            places=(Place(consumer.at, say("never-started"), consumer.scope),),
            differs=("never-started",),
            members=(consumer,),
            help=(say("consumer-never-started.start"),),
            cost=say("consumer-never-started.cost"),
        )


RULE = Rule("consumer-never-started", at_most=Severity.NOTE, scope=Scope.CONSUMER, check_consumer=check)
