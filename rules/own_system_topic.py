"""A consumer that subscribes to the retry or dead-letter topic of its own group.

The client subscribes to `%RETRY%<group>` by itself: a second subscription with a filter replaces it, and messages that
were put back are then filtered. What fails in `%DLQ%<group>` returns to the same dead-letter topic, for ever.

Mirrors: client DefaultMQPushConsumerImpl#copySubscription and #sendMessageBack, broker SendMessageProcessor, 4.8.0 to
5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.rules.sides import source

_PREFIXES = {"%RETRY%": "retry", "%DLQ%": "dead-letter"}


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each such subscription."""
    group = consumer.group.text
    for ordinal, one in enumerate(consumer.subscriptions):
        for prefix, kind in _PREFIXES.items():
            if group and one.topic.text == prefix + group:
                yield Remark(
                    message=say(f"own-system-topic.{kind}", group=group, topic=prefix + group),
                    topic=one.topic.text,
                    places=(
                        Place(
                            one.at, say(f"own-system-topic.{kind}-label"), consumer.scope, source(one.topic)
                        ),
                    ),
                    differs=(kind,),
                    members=(consumer,),
                    help=(say(f"own-system-topic.{kind}-help"),),
                    ordinal=ordinal,
                )


RULE = Rule("own-system-topic", at_most=Severity.WARNING, scope=Scope.CONSUMER, check_consumer=check)
