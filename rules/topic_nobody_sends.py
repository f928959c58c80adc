"""A topic that a group reads and that nobody is seen to send to.

A subscription to a topic without messages waits for ever; neither client nor broker says a word.

Silent where any send's topic is not known: that may be the one. No note where a sender to it is switched off here.

Mirrors: DefaultMQPushConsumerImpl#subscribe, which takes any topic, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.linter.model.topics import Map, is_certain, is_sure
from subdrift.rules.near import nearly
from subdrift.rules.sides import reading, sending


def check(found: Map) -> Iterator[Remark]:
    """A remark for each such topic: a warning where a topic that is sent to, and nobody reads, is nearly the same; else, in an
    organisation, a note."""
    if found.may_send_more:
        return
    dangling = (
        {one.name: one for one in found.topics if one.sent and not one.read}
        if not found.may_read_more
        else {}
    )
    for topic in found.topics:
        read = [one for one in topic.read if is_certain(one)]
        if topic.sent or topic.by_broker or not read:
            continue
        meant = nearly(topic.name, dangling)
        sent = [one for one in dangling[meant].sent if is_sure(one)] if meant else []
        if not sent and (not found.organisation or topic.name in found.idle):
            continue
        groups = list(map(quoted, sorted({one.group for one in read})))
        code = "topic-nobody-sends.nearly" if sent else "topic-nobody-sends"
        yield Remark(
            message=say(code, topic=topic.name, meant=meant, groups=groups),
            topic=topic.name,
            places=(*(reading(one, topic.name) for one in read), *(sending(one, meant, 1) for one in sent)),
            differs=(topic.name, meant),
            members=(read[0].reader,),
            help=(say("topic-nobody-sends.one-name" if sent else "topic-nobody-sends.look"),),
            at_most=Severity.WARNING if sent else Severity.NOTE,
        )


RULE = Rule("topic-nobody-sends", at_most=Severity.WARNING, scope=Scope.CONSUMER, check_topics=check)
