"""A topic that is sent to and that no group is seen to read.

Messages of a topic without a group are stored and deleted when their time is over; sending them succeeds.

Silent where any consumer's topic is not known: that may be the one. No note where a consumer of it is switched off here.

Mirrors: DefaultMessageStore#putMessage, which asks for no group, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.linter.model.topics import Map, application_of, is_sure
from subdrift.rules.near import nearly
from subdrift.rules.sides import reading, sending


def check(found: Map) -> Iterator[Remark]:
    """A remark for each such topic: a warning where a topic that is read, and that others send to, is nearly the same; else, in
    an organisation, a note. Where nobody sends to that one either, `topic-nobody-sends` says both."""
    if found.may_read_more:
        return
    read = {one.name: one for one in found.topics if one.read}
    for topic in found.topics:
        sent = [one for one in topic.sent if is_sure(one)]
        if topic.read or not sent:
            continue
        meant = nearly(topic.name, read)
        if meant and not read[meant].sent and not found.may_send_more:
            continue
        if not meant and (not found.organisation or topic.name in found.idle):
            continue
        applications = list(map(quoted, sorted({application_of(one.sender) for one in sent})))
        asking = read[meant].read if meant else ()
        yield Remark(
            message=say(
                "topic-nobody-reads.nearly" if meant else "topic-nobody-reads",
                topic=topic.name,
                meant=meant,
                applications=applications,
            ),
            topic=topic.name,
            places=(*(sending(one, topic.name) for one in sent), *(reading(one, meant, 1) for one in asking)),
            differs=(topic.name, meant),
            members=(sent[0].sender,),
            help=(say("topic-nobody-sends.one-name" if meant else "topic-nobody-reads.look"),),
            at_most=Severity.WARNING if meant else Severity.NOTE,
        )


RULE = Rule("topic-nobody-reads", at_most=Severity.WARNING, scope=Scope.CONSUMER, check_topics=check)
