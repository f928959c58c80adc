"""A tag that is sent, and that no group on its topic asks for, though they ask for others that are sent beside it.

A message of a tag is handed to the groups whose subscription names the tag, or names none. One that no group asks for is
stored, passed over and deleted, and nothing says so.

Silent where any consumer's topic, or an expression on this topic, is not known: that may be the one that asks.

Mirrors: ExpressionMessageFilter#isMatchedByConsumeQueue, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.linter.model.topics import Map, Topic, is_sure
from subdrift.rules.near import nearly
from subdrift.rules.sides import source


def check(found: Map) -> Iterator[Remark]:
    """A remark for each such tag; a warning where a tag that is asked for and not sent is nearly the same."""
    if found.may_read_more:
        return
    for topic in found.topics:
        if all(one.sure and one.tags is not None for one in topic.read):
            for tag in topic.unread:
                yield from _remark(topic, tag)


def _remark(topic: Topic, tag: str) -> Iterator[Remark]:
    sent = [one for one in topic.sent if one.tag == tag and is_sure(one)]
    if not tag or not sent:
        return
    meant = nearly(tag, topic.unsent)
    beside = sorted(topic.asked & {one.tag for one in topic.sent if one.tag})
    if not meant and not beside:
        return
    asking = [one for one in topic.read if meant in (one.tags or ())] if meant else list(topic.read)
    groups = sorted({one.group for one in asking})
    code = "tag-nobody-reads.nearly" if meant else "tag-nobody-reads"
    yield Remark(
        message=say(
            code,
            topic=topic.name,
            tag=tag,
            meant=meant,
            beside=list(map(quoted, beside)),
            groups=list(map(quoted, groups)),
        ),
        topic=topic.name,
        places=(
            *(
                Place(
                    one.message.at,
                    say("sends-tag", tag=tag),
                    one.sender.scope,
                    source(one.message.expression),
                )
                for one in sent
            ),
            *(
                Place(
                    one.subscription.at,
                    say("asks-for", group=one.group, expression=one.subscription.expression.text or ""),
                    one.reader.scope,
                    source(one.subscription.expression),
                    side=1,
                )
                for one in asking
            ),
        ),
        differs=(tag, *groups),
        members=(sent[0].sender,),
        help=(say("tag-nobody-reads.ask"),),
        at_most=Severity.WARNING if meant else Severity.NOTE,
    )


RULE = Rule("tag-nobody-reads", at_most=Severity.WARNING, scope=Scope.CONSUMER, check_topics=check)
