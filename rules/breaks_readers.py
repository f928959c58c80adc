"""A tag that groups ask for and that this repository no longer sends, or one that is sent and that it no longer reads.

Both sides go on without an error: the group waits for messages that do not come, or messages are stored, passed over and
deleted. What the repository sent and read before is what its registry says (`check --against`).

It is a note where the topic of any send or subscription, here or in another repository, is not known: that may be the one.
Silent where the tag of a send to the topic, or an expression on it, is not known.

Mirrors: ExpressionMessageFilter#isMatchedByConsumeQueue, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.location import Location, Span
from subdrift.linter.model.message import quoted, say
from subdrift.linter.model.topics import Map, Read, Sent, Topic, is_certain, is_sure
from subdrift.rules.sides import source


def check(found: Map) -> Iterator[Remark]:
    """A remark for each topic on which own code stopped sending, and one for each on which it stopped reading."""
    for before in found.before:
        now = [one for one in found.topics if (one.namespace, one.name) == (before.namespace, before.name)]
        yield from _no_longer_sent(before, now, Severity.NOTE if found.may_send_more else Severity.WARNING)
        yield from _no_longer_read(before, now, Severity.NOTE if found.may_read_more else Severity.WARNING)


def _no_longer_sent(before: Topic, now: Sequence[Topic], level: Severity) -> Iterator[Remark]:
    left = [one for topic in now for one in topic.sent]
    stopped = [one for one in before.sent if is_sure(one) and one.tag is not None]
    gone = {one.tag for one in stopped} - {one.tag for one in left}
    if any(one.tag is None for one in left) or not gone:
        return
    reading = [each for topic in now for each in topic.read if each.sure and is_certain(each)]
    broken = [
        each for each in reading if (each.tags is None and not left) or gone & (each.tags or frozenset())
    ]
    tags = sorted(tag for tag in gone if tag and any(tag in (each.tags or ()) for each in broken))
    at = [one for one in stopped if one.tag in tags or not tags]
    if broken:
        then = _then("sent-before", ((one.message.at, one.sender) for one in at))
        yield _remark(
            "breaks-readers" if tags else "breaks-readers.topic",
            before.name,
            tags,
            broken,
            (*then, *(_sending(one, side=0) for one in left), *(_asking(each, side=1) for each in broken)),
            at[0].sender,
            level,
            remedy="breaks-readers.ask",
        )


def _no_longer_read(before: Topic, now: Sequence[Topic], level: Severity) -> Iterator[Remark]:
    reading = [each for topic in now for each in topic.read]
    stopped = [each for each in before.read if each.sure and is_certain(each)]
    sent = [
        one
        for topic in now
        for one in topic.sent
        if is_sure(one)
        and one.tag is not None
        and any(each.takes(one.tag) for each in stopped)
        and not any(each.takes(one.tag) for each in reading)
    ]
    at = [each for each in stopped if any(each.takes(one.tag) for one in sent)]
    tags = sorted({one.tag for one in sent if one.tag})
    if sent:
        then = _then("read-before", ((each.subscription.at, each.reader) for each in at))
        others = (_asking(each, side=0) for each in reading if is_certain(each))
        yield _remark(
            "breaks-readers.unread" if tags else "breaks-readers.unread-topic",
            before.name,
            tags,
            at,
            (*then, *others, *(_sending(one, side=1) for one in sent)),
            at[0].reader,
            level,
            remedy="breaks-readers.read",
        )


def _remark(
    code: str,
    topic: str,
    tags: Sequence[str],
    groups: Sequence[Read],
    places: tuple[Place, ...],
    about: Consumer,
    level: Severity,
    *,
    remedy: str,
) -> Remark:
    named = list(map(quoted, sorted({one.group for one in groups})))
    return Remark(
        message=say(code, topic=topic, tags=list(map(quoted, tags)), groups=named),
        topic=topic,
        places=places,
        differs=(topic, *tags),
        members=(about,),
        help=(say(remedy),),
        at_most=level,
    )


def _then(code: str, places: Iterable[tuple[Location, Consumer]]) -> Iterator[Place]:
    """The beginnings of the files in which something stood, with the line; what stands there now is something else."""
    of = dict(places)
    for at, about in sorted(of.items(), key=lambda one: one[0]):
        yield Place(Location(at.origin, Span(1, 1, 1, 1)), say(code, line=at.span.line), about.scope)


def _asking(one: Read, side: int) -> Place:
    label = say("asks-for", group=one.group, expression=one.subscription.expression.text or "")
    return Place(one.subscription.at, label, one.reader.scope, source(one.subscription.expression), side=side)


def _sending(one: Sent, side: int) -> Place:
    label = say("sends-tag", tag=one.tag) if one.tag else say("sends-to", topic=one.message.topic.text or "")
    return Place(one.message.at, label, one.sender.scope, source(one.message.expression), side=side)


RULE = Rule("breaks-readers", at_most=Severity.WARNING, scope=Scope.CONSUMER, check_topics=check)
