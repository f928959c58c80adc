"""Two consumers of one group in one process under one client id: the second fails to start.

A client id is address, process id and instance name. Clients before 4.9.0 take the bare process id for a clustering
consumer's instance name, so two of them in one process are the same; broadcasting ones keep the name DEFAULT in every
version, and a name that is set by hand is used as it is. A client has one consumer of a group.

Mirrors: client ClientConfig#changeInstanceNameToPID, MQClientInstance#registerConsumer, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.linter.model.prediction import Fate
from subdrift.rules.subject import within_repository
from subdrift.rules.versions import client_version

_NAMES_ITSELF = ("push", "lite-pull", "pull")
"""APIs whose instance name is RocketMQ's own default; frameworks set one for each consumer."""

_UNIQUE_SINCE = (4, 9, 0)


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each process with such consumers."""
    found: dict[tuple[str, str, str, str], list[Consumer]] = {}
    for member in sorted(members, key=lambda one: (one.at, one.id)):
        name = _instance_name(member) if member.deployable and member.api in _NAMES_ITSELF else None
        if name is not None:
            key = (member.at.origin.repo, member.deployable, member.process, name)
            found.setdefault(key, []).append(member)
    shown = within_repository(members)
    for (_, deployable, _, name), alike in found.items():
        if len(alike) > 1:
            yield Remark(
                message=say("same-client-id", group=group.name, deployable=shown(alike[0]), count=len(alike)),
                topic=None,
                places=tuple(
                    Place(
                        at, say("client-id-again") if side else say("client-id", name=name), scope, side=side
                    )
                    for side, (at, scope) in enumerate(dict.fromkeys((one.at, one.scope) for one in alike))
                ),
                differs=tuple(sorted((deployable, name))),
                members=tuple(alike),
                help=(say("same-client-id.name"), say("same-client-id.version")),
                at_most=None if _together(alike) else Severity.WARNING,
            )


def _together(members: list[Consumer]) -> bool:
    """Whether a process that makes one of them makes the others too; else they may be the sides of a condition."""
    return len({one.made_under for one in members}) == 1


def _instance_name(member: Consumer) -> str | None:
    """What its client id ends in; None where that is unique or not known."""
    given = member.instance_name
    if given.text is None and not given.not_applicable:
        return None
    if given.text not in (None, "", "DEFAULT"):
        return given.text
    if member.message_model.text == "BROADCASTING":
        return "DEFAULT"
    version = client_version(member)
    if member.message_model.text is None or version is None or version >= _UNIQUE_SINCE:
        return None
    return "<pid>"


RULE = Rule(
    "same-client-id",
    at_most=Severity.ERROR,
    scope=Scope.GROUP,
    check_group=check,
    explains=(Fate.FAILS_TO_START,),
)
