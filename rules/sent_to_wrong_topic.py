"""A message about one thing that is sent to the topic of another, while the topic of that thing is read and nobody sends to it.

A copy of a sender that got another name, but not another topic, sends to the old topic: its readers get or pass over what is
not theirs, and the consumer that was written for it waits for ever.

It is said where the words by which the topic nobody sends to differs from the other (`REFUND` from `PAYMENT`) stand in the
name of the sending method, of its class, or in the tag. Silent where any send's topic is not known: that may be the one.

Mirrors: DefaultMQProducerImpl#sendDefaultImpl, which takes any topic, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Final

from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.linter.model.topics import Map, Sent, Topic, is_certain, is_sure
from subdrift.rules.near import words
from subdrift.rules.sides import reading, sending

LETTERS_MIN: Final = 4
"""Of a word that tells one topic from another."""

_OF_MESSAGING: Final = frozenset(
    {
        "topic",
        "topics",
        "message",
        "messages",
        "rocketmq",
        "queue",
        "event",
        "events",
        "test",
        "demo",
        "send",
        "sender",
    }
    | {
        "producer",
        "consumer",
        "service",
        "impl",
        "normal",
        "delay",
        "transaction",
        "sync",
        "async",
        "oneway",
        "order",
    }
    | {
        "orderly",
        "spring",
        "boot",
        "stream",
        "cloud",
        "system",
        "common",
        "default",
        "example",
        "simple",
        "group",
    }
)
"""Words of a name that do not tell what a message is about."""


def check(found: Map) -> Iterator[Remark]:
    """A remark for each topic that is read and not sent to, where the messages of another one are likely to be meant for it."""
    if found.may_send_more:
        return
    for topic in found.topics:
        if not topic.sent and not topic.by_broker and any(map(is_certain, topic.read)):
            sent = [one for other in found.topics for one in _meant_for(topic, other)]
            if sent:
                yield _remark(topic, sent)


def _meant_for(topic: Topic, other: Topic) -> Iterator[Sent]:
    """The messages of another topic that are about what a topic's name says, and the other's does not."""
    own = _telling(topic.name) - set(words(other.name))
    for one in other.sent:
        if own and is_sure(one) and own <= _about(one):
            yield one


def _telling(name: str) -> Set[str]:
    return {word for word in words(name) if len(word) >= LETTERS_MIN} - _OF_MESSAGING


def _about(one: Sent) -> Set[str]:
    """What a send speaks of: its method, its class, its tag; `refund` is spoken of by `refunded` and `refunds`, too."""
    owner, _, method = one.sender.symbol.partition("#")
    spoken = {*words(method), *words(owner.rpartition(".")[2]), *words(one.tag or "")}
    return {*spoken, *(stem for word in spoken for stem in _stems(word))}


def _stems(word: str) -> Iterable[str]:
    return (word[: -len(ending)] for ending in ("s", "ed", "d", "ing") if word.endswith(ending))


def _remark(topic: Topic, sent: list[Sent]) -> Remark:
    read = [one for one in topic.read if is_certain(one)]
    return Remark(
        message=say(
            "sent-to-wrong-topic",
            topic=topic.name,
            groups=list(map(quoted, sorted({one.group for one in read}))),
            sent=list(map(quoted, sorted({one.message.topic.text or "" for one in sent}))),
        ),
        topic=topic.name,
        places=(
            *(sending(one, one.message.topic.text or "") for one in sent),
            *(reading(one, topic.name, 1) for one in read),
        ),
        differs=(topic.name, *sorted({one.message.topic.text or "" for one in sent})),
        members=(sent[0].sender,),
        help=(say("sent-to-wrong-topic.look"),),
    )


RULE = Rule("sent-to-wrong-topic", at_most=Severity.NOTE, scope=Scope.CONSUMER, check_topics=check)
