"""Group names copied from RocketMQ's own examples, such as `please_rename_unique_group_name`.

Whoever else copied the example on the same cluster is a member of the same group, and takes a share of the queues.

Mirrors: the examples of RocketMQ 4.8.0 to 5.3.3 (example/src/main/java), of its 5.x quick start and of the readme of
rocketmq-client-python.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import SAMPLE_GROUP, Consumer
from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.rules.sides import source


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for a consumer of main code with such a name; an example may bear an example's name."""
    group = consumer.group.text
    if group is None or consumer.scope != "main" or not SAMPLE_GROUP.fullmatch(group):
        return
    yield Remark(
        message=say("sample-group-name", group=group),
        topic=None,
        places=(Place(consumer.at, say("the-group", group=group), consumer.scope, source(consumer.group)),),
        differs=(group,),
        members=(consumer,),
        help=(say("sample-group-name.rename"),),
        cost=say("sample-group-name.cost"),
    )


RULE = Rule("sample-group-name", at_most=Severity.WARNING, scope=Scope.CONSUMER, check_consumer=check)
