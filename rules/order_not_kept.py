"""Messages that are sent in order, and handled at once; or sent to the queues in turn, or with several delays, and handled in
order.

Order holds inside a queue alone. Whoever sends by a key or selector puts what belongs together into one queue; a listener that
consumes concurrently hands messages of one queue to several threads. The other way round a listener that consumes
orderly waits for each message of a queue, and what belongs together lies in several.

A message that is delayed comes to its queue when its time is over, behind those that were sent after it with less delay.

It is a note where another group handles the same messages in order: those of this one may not need it.

The second is said where no send to the topic is seen that keeps order; it is silent where any send's topic is not known.

Mirrors: DefaultMQProducerImpl#sendSelectImpl, ScheduleMessageService#messageTimeUp,
ConsumeMessageConcurrentlyService#submitConsumeRequest and ConsumeMessageOrderlyService, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import Message, quoted, say
from subdrift.linter.model.topics import Map, Read, Sent, Topic, is_certain, is_sure
from subdrift.rules.sides import source


def check(found: Map) -> Iterator[Remark]:
    """At most one remark for each topic."""
    for topic in found.topics:
        read = [one for one in topic.read if is_certain(one)]
        sent = [one for one in topic.sent if is_sure(one)]
        ordered = [one for one in sent if one.sender.consume_mode.text == "ORDERLY"]
        at_once = [
            one
            for one in read
            if one.reader.consume_mode.text == "CONCURRENTLY" and any(one.takes(each.tag) for each in ordered)
        ]
        orderly = [one for one in read if one.reader.consume_mode.text == "ORDERLY"]
        if at_once:
            mixed = {one.group for one in at_once}
            apart = [one for one in orderly if one.group not in mixed]
            nowhere = [each for each in ordered if not any(one.takes(each.tag) for one in apart)]
            told = [one for one in at_once if any(one.takes(each.tag) for each in nowhere)]
            level = Severity.WARNING if told else Severity.NOTE
            of, by = (nowhere, told) if told else (ordered, at_once)
            yield _remark(topic, of, by, "order-not-kept", level, remedy="order-not-kept.help")
            continue
        kept = [one for one in ordered if any(each.takes(one.tag) for each in orderly)]
        delays = {one.message.carried.delay.text for one in kept if one.message.carried is not None}
        if orderly and len(delays - {None}) > 1:
            code = "order-not-kept.delayed"
            yield _remark(topic, kept, orderly, code, Severity.NOTE, remedy="order-not-kept.delayed.help")
            continue
        in_turn = all(one.sender.consume_mode.text == "CONCURRENTLY" for one in topic.sent)
        if orderly and sent and in_turn and not found.may_send_more:
            code = "order-not-kept.in-turn"
            yield _remark(topic, sent, orderly, code, Severity.NOTE, remedy="order-not-kept.in-turn.help")


def _remark(
    topic: Topic, sent: Sequence[Sent], read: Sequence[Read], code: str, level: Severity, *, remedy: str
) -> Remark:
    groups = sorted({one.group for one in read})
    return Remark(
        message=say(code, topic=topic.name, groups=list(map(quoted, groups))),
        topic=topic.name,
        places=(
            *(
                Place(
                    one.subscription.at,
                    say("handles-at-once" if code == "order-not-kept" else "handles-in-order"),
                    one.reader.scope,
                    source(one.reader.consume_mode),
                )
                for one in read
            ),
            *(Place(one.message.at, _how(one), one.sender.scope, side=1) for one in sent),
        ),
        differs=(topic.name, *groups),
        members=(read[0].reader,),
        help=(say(remedy),),
        at_most=level,
    )


def _how(one: Sent) -> Message:
    delay = one.message.carried.delay.text if one.message.carried is not None else ""
    if one.sender.consume_mode.text != "ORDERLY":
        return say("sends-in-turn")
    return say("sends-in-order-delayed", delay=delay) if delay else say("sends-in-order")


RULE = Rule("order-not-kept", at_most=Severity.WARNING, scope=Scope.CONSUMER, check_topics=check)
