"""One producer group whose messages in transaction are the affair of several applications.

The broker that gets no answer about a half message asks any producer of its group, whichever application that belongs to. An
application that knows nothing of the transaction answers by its own listener: the message is rolled back, or delivered though
nothing was committed. Without a listener it says nothing, and the broker asks again a minute later.

Mirrors: AbstractTransactionalMessageCheckListener#sendCheckMessage, ProducerManager#getAvailableChannel,
DefaultMQProducerImpl#checkTransactionState, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.linter.model.topics import Map, Sent, application_of, is_running
from subdrift.rules.sides import source

_Group = tuple[str | None, str, str]


def check(found: Map) -> Iterator[Remark]:
    """A remark for each group: a warning where several applications send in transaction by it, a note where the others
    only send."""
    groups: dict[_Group, dict[str, list[Sent]]] = {}
    for one in (*(each for topic in found.topics for each in topic.sent), *found.unknown):
        name, sender = one.sender.group.text, one.sender
        if name and is_running(one):
            key = (sender.namespace.text, sender.cluster, name)
            groups.setdefault(key, {}).setdefault(application_of(sender), []).append(one)
    for (_, _, name), applications in sorted(groups.items(), key=str):
        asked = [one for one in sorted(applications) if any(map(_is_asked, applications[one]))]
        if asked and len(applications) > 1:
            yield _remark(name, applications, asked)


def _is_asked(one: Sent) -> bool:
    return one.sender.consume_mode.text == "TRANSACTION"


def _remark(name: str, applications: dict[str, list[Sent]], asked: list[str]) -> Remark:
    several = len(asked) > 1
    shown = [
        one for each in sorted(applications, key=lambda one: one not in asked) for one in applications[each]
    ]
    first = {(application_of(one.sender), _is_asked(one)): one for one in reversed(shown)}
    told = [one for one in shown if first[application_of(one.sender), _is_asked(one)] is one]
    told = [one for one in told if _is_asked(one) or application_of(one.sender) not in asked]
    return Remark(
        message=say(
            "transaction-group-shared" if several else "transaction-group-shared.plain",
            group=name,
            asked=list(map(quoted, asked)),
            others=list(map(quoted, sorted(set(applications) - set(asked)))),
        ),
        topic=None,
        places=tuple(
            Place(
                one.message.at,
                say("sends-in-transaction" if _is_asked(one) else "sends-by-group", group=name),
                one.sender.scope,
                source(one.sender.group),
                side=sorted(applications).index(application_of(one.sender)),
            )
            for one in told
        ),
        differs=(name, *sorted(applications)),
        members=(told[0].sender,),
        at_most=Severity.WARNING if several else Severity.NOTE,
    )


RULE = Rule("transaction-group-shared", at_most=Severity.WARNING, scope=Scope.CONSUMER, check_topics=check)
