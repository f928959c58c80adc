"""A subscription to a topic that cannot exist: a character RocketMQ does not allow, or a name that is too long.

`subscribe` takes any text. No broker creates such a topic and no producer can send to it, so nothing ever arrives, and
nothing says so. `topic:tag` is how RocketMQTemplate of rocketmq-spring writes a destination; a consumer takes it for
the name of a topic.

Mirrors: Validators#checkTopic, TopicValidator#validateTopic, 4.6.1 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from subdrift.linter.model.api import Client
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import Message, say
from subdrift.rules.names import illegal_character, units
from subdrift.rules.sides import source

UNITS_MAX: Final = 127
_OWN_SYNTAX: Final = frozenset({"stream", "own-annotation"})
"""APIs whose framework may take a text apart before it subscribes."""


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each such subscription; a name that is a setting's symbol is left alone."""
    if consumer.traits.client is Client.HTTP or consumer.api in _OWN_SYNTAX:
        return
    for ordinal, one in enumerate(consumer.subscriptions):
        topic = one.topic.text
        if not topic or "${" in topic:
            continue
        message = _complaint(topic)
        if message is not None:
            yield Remark(
                message=message,
                topic=topic,
                places=(Place(one.at, say("no-such-topic"), consumer.scope, source(one.topic)),),
                differs=(topic,),
                members=(consumer,),
                help=(say("illegal-topic.tag" if ":" in topic else "illegal-topic.rename"),),
                ordinal=ordinal,
            )


def _complaint(topic: str) -> Message | None:
    if units(topic) > UNITS_MAX:
        return say("illegal-topic.too-long", topic=f"{topic[:40]}…", count=units(topic), most=UNITS_MAX)
    odd = illegal_character(topic)
    return None if odd is None else say("illegal-topic.illegal", topic=topic, character=odd)


RULE = Rule("illegal-topic", at_most=Severity.ERROR, scope=Scope.CONSUMER, check_consumer=check)
