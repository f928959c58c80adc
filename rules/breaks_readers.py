"""A tag that groups ask for and that this repository no longer sends, or one that is sent and that it no longer reads.

Both sides go on without an error: the group waits for messages that do not come, or messages are stored, passed over and
deleted. What the repository sent and read before is what its registry says (`check --against`).

It is a note where the topic of any send or subscription at hand is not known: that may be the one. Silent where the tag of a
send to the topic, or an expression on it, is not known.

Mirrors: ExpressionMessageFilter#isMatchedByConsumeQueue, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.location import Location, Span
from subdrift.linter.model.message import Message, quoted, say
from subdrift.linter.model.topics import Map, Read, Sent, Topic, is_certain, is_sure
from subdrift.rules.sides import source


def check(found: Map) -> Iterator[Remark]:
    """A remark for each topic on which own code stopped sending, and one for each on which it stopped reading."""
    for before in found.before:
        now = [one for one in found.topics if (one.namespace, one.name) == (before.namespace, before.name)]
        yield from _no_longer_sent(before, now, is_open=bool(found.unknown))
        yield from _no_longer_read(before, now, is_open=bool(found.blind))


def _no_longer_sent(before: Topic, now: Sequence[Topic], *, is_open: bool) -> Iterator[Remark]:
    left = [one for topic in now for one in topic.sent]
    stopped = [one for one in before.sent if is_sure(one) and one.tag is not None]
    gone = {one.tag for one in stopped} - {one.tag for one in left}
    if any(one.tag is None for one in left) or not gone:
        return
    reading = [each for topic in now for each in topic.read if each.sure and is_certain(each)]
    broken = [
        each for each in reading if (each.tags is None and not left) or gone & (each.tags or frozenset())
    ]
    if not broken:
        return
    tags = sorted(tag for tag in gone if tag and any(tag in (each.tags or ()) for each in broken))
    at = [one for one in stopped if one.tag in tags or not tags]
    then = _then(one.message.at for one in at)
    yield Remark(
        message=say(
            "breaks-readers" if tags else "breaks-readers.topic",
            topic=before.name,
            tags=list(map(quoted, tags)),
            groups=_groups(broken),
        ),
        topic=before.name,
        places=(
            *(Place(each, say("sent-before", line=line), at[0].sender.scope) for each, line in then),
            *(_sending(one, side=0) for one in left),
            *(_asking(each, side=1) for each in broken),
        ),
        differs=(before.name, *tags),
        members=(at[0].sender,),
        help=(say("breaks-readers.ask"),),
        at_most=Severity.NOTE if is_open else Severity.WARNING,
    )


def _no_longer_read(before: Topic, now: Sequence[Topic], *, is_open: bool) -> Iterator[Remark]:
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
    if not sent:
        return
    at = [each for each in stopped if any(each.takes(one.tag) for one in sent)]
    tags = sorted({one.tag for one in sent if one.tag})
    yield Remark(
        message=say(
            "breaks-readers.unread" if tags else "breaks-readers.unread-topic",
            topic=before.name,
            tags=list(map(quoted, tags)),
            groups=_groups(at),
        ),
        topic=before.name,
        places=(
            *(
                Place(each, say("read-before", line=line), at[0].reader.scope)
                for each, line in _then(each.subscription.at for each in at)
            ),
            *(_asking(each, side=0) for each in reading if is_certain(each)),
            *(_sending(one, side=1) for one in sent),
        ),
        differs=(before.name, *tags),
        members=(at[0].reader,),
        help=(say("breaks-readers.read"),),
        at_most=Severity.NOTE if is_open else Severity.WARNING,
    )


def _then(places: Iterable[Location]) -> Iterator[tuple[Location, int]]:
    """The beginnings of the files in which something stood, each with the line; what stands there now is something else."""
    for at in sorted(set(places)):
        yield Location(at.origin, Span(1, 1, 1, 1)), at.span.line


def _groups(some: Iterable[Read]) -> list[Message]:
    return list(map(quoted, sorted({one.group for one in some})))


def _asking(one: Read, side: int) -> Place:
    label = say("asks-for", group=one.group, expression=one.subscription.expression.text or "")
    return Place(one.subscription.at, label, one.reader.scope, source(one.subscription.expression), side=side)


def _sending(one: Sent, side: int) -> Place:
    label = say("sends-tag", tag=one.tag) if one.tag else say("sends-to", topic=one.message.topic.text or "")
    return Place(one.message.at, label, one.sender.scope, source(one.message.expression), side=side)


RULE = Rule("breaks-readers", at_most=Severity.WARNING, scope=Scope.CONSUMER, check_topics=check)
