"""SQL92 selectors that do not compile: `start` throws.

A client asks the broker to check its configuration when it starts, and the broker compiles the selector. Where that
check is not made, the broker keeps the subscription without a filter, and the pulls of the whole group are refused.
A gRPC client starts: the proxy compiles nothing, and the broker refuses each of its requests for messages.

Mirrors: client MQClientInstance#checkClientInBroker, broker ClientManageProcessor#checkClientConfig, SelectorParser,
4.8.0 to 5.3.3; proxy ClientActivity#buildSubscriptionData, broker PopMessageProcessor#processRequest, recorded on 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.api import Client
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.rules.selectors import Refused, about, by_sql, compiled
from subdrift.rules.subject import subject


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each selector that the newest broker refuses."""
    for number, one, text in by_sql(consumer):
        found = compiled(text)
        if isinstance(found, Refused):
            code = "selector-refused" + (".grpc" if consumer.traits.client is Client.GRPC else "")
            message = say(code, selector=text, subject=subject(consumer, one), detail=found.reason)
            help_ = "selector-refused.tags" if "||" in text else "selector-refused.repair"
            yield about(consumer, one, number, message, say("does-not-compile"), (say(help_),))


RULE = Rule("selector-refused", at_most=Severity.ERROR, scope=Scope.CONSUMER, check_consumer=check)
