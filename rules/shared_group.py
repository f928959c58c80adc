"""Two deployables that share one group and agree about everything else.

For RocketMQ that is consistent, and nothing is reported by it: the queues are divided, so each deployable handles
about half of the messages, and what the other would have done with them does not happen: an error, however consistent.
Where both run listeners of the same classes that may be meant so, and is a note.

Mirrors: client RebalanceImpl#rebalanceByTopic with AllocateMessageQueueAveragely, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.api import ConsumerKind
from subdrift.linter.model.consumer import Consumer, ConsumerGroup, Subscription
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import Message, quoted, say
from subdrift.rules.filters import filter_of, meetings
from subdrift.rules.sides import Voice, listed, remark, sides
from subdrift.rules.subject import application, within_repository


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each topic that several deployables handle: a note where their listeners are of the same classes."""
    for topic, met in meetings(members):
        spoken = [(member, one) for member, one in met if _handles(member)]
        filters = {filter_of(one) for _, one in spoken}
        if len(filters) != 1 or None in filters:
            continue  # unknown, or what other rules speak of
        found = sides(_voices(spoken))
        classes: dict[str, set[str]] = {}
        for member, _ in spoken:
            classes.setdefault(application(member), set()).add(_class(member))
        copies = len(set(map(frozenset, classes.values()))) == 1
        several = any(len(each) > 1 for each in classes.values())
        yield from remark(
            found,
            message=say(
                "shared-group" if not copies else "shared-group.copies" + (".several" if several else ""),
                group=group.name,
                topic=topic,
                deployables=listed([side[0].said for side in found], 4),
                count=len(found),
            ),
            topic=topic,
            remedy=(say("shared-group.if-own"),)
            if copies
            else (say("give-own-groups"), say("shared-group.same")),
            at_most=Severity.NOTE if copies else None,
            cost=None if copies else _cost(len(found)),
        )


def _cost(deployables: int) -> Message:
    if deployables == 2:  # a half
        return say("shared-group.cost.half")
    return say("shared-group.cost", count=deployables)


def _handles(member: Consumer) -> bool:
    return (
        bool(member.deployable)
        and member.scope == "main"
        and member.message_model.text != "BROADCASTING"
        and member.traits.kind is ConsumerKind.PUSH
        and not member.symbol.startswith("~")
    )


def _voices(met: list[tuple[Consumer, Subscription]]) -> Iterator[Voice]:
    shown = within_repository(member for member, _ in met)
    for member, one in met:
        label = say("handled-by", name=_class(member))
        yield Voice(application(member), quoted(shown(member)), one.at, label, member)


def _class(member: Consumer) -> str:
    """The simple name of the class that listens: copies of one class in two packages do the same."""
    return member.symbol.partition("#")[0].rpartition(".")[2]


RULE = Rule("shared-group", at_most=Severity.ERROR, scope=Scope.GROUP, check_group=check, predicted=False)
