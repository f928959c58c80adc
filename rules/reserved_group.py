"""Group names that a client refuses at start, or that RocketMQ keeps for itself.

`start` throws for an empty name, more than 255 UTF-16 units, characters other than letters, digits, `%`, `|`, `-` and
`_`, and for DEFAULT_CONSUMER, which is what a consumer without a name has. Groups that begin with CID_RMQ_SYS_ are
RocketMQ's own: a proxy refuses them; with a broker they work, but get no namespace and are left out of what people watch.

Mirrors: client Validators#checkGroup, DefaultMQPushConsumerImpl#checkConfig, MixAll#isSysConsumerGroup, 4.8.0 to 5.3.3;
NamespaceUtil#isSystemResource; proxy GrpcValidator#validateConsumerGroup; BrokerMetricsManager#isSystemGroup, 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from subdrift.linter.model.api import Client
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import Message, say
from subdrift.rules.names import illegal_character, units
from subdrift.rules.sides import source

UNITS_MAX: Final = 255
_DEFAULT: Final = "DEFAULT_CONSUMER"
_SYSTEM: Final = "CID_RMQ_SYS_"


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for a consumer whose group is such a name; a name that is a setting's symbol is left alone.

    The default name is refused at `start()` alone: what is never started has only not been given a name.
    """
    group = consumer.group.text
    if group is None or "${" in group or (group == _DEFAULT and not consumer.takes_part):
        return
    message = _complaint(group, consumer.traits.client)
    if message is not None:
        works = message.code == "reserved-group.system"
        yield Remark(
            message=message,
            topic=None,
            places=(
                Place(consumer.at, say("the-group", group=group), consumer.scope, source(consumer.group)),
            ),
            differs=(group,),
            members=(consumer,),
            help=(say("reserved-group.prefix" if group.startswith(_SYSTEM) else "reserved-group.rename"),),
            at_most=Severity.WARNING if works else None,
        )


def _complaint(group: str, client: Client) -> Message | None:
    if group == _DEFAULT and client is Client.REMOTING:
        return say("reserved-group.default", group=group)
    if group.startswith(_SYSTEM):
        refused = client is not Client.REMOTING
        return say("reserved-group.system-refused" if refused else "reserved-group.system", group=group)
    if units(group) > UNITS_MAX:
        return say("reserved-group.too-long", group=f"{group[:40]}…", count=units(group), most=UNITS_MAX)
    odd = illegal_character(group)
    return None if odd is None else say("reserved-group.illegal", group=group, character=odd)


RULE = Rule("reserved-group", at_most=Severity.ERROR, scope=Scope.CONSUMER, check_consumer=check)
