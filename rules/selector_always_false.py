"""SQL92 selectors that are true for no message, so that none is delivered.

Only TRUE delivers; false, null and exceptions do not. A bare property is never true, `NOT a = 1` compares a truth value
with a number, `TRUE = p` throws for every text.

Mirrors: MessageEvaluationContext, ComparisonExpression, UnaryExpression, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.rules.selectors import Compiled, about, by_sql, compiled
from subdrift.rules.subject import subject


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each selector that is proven never to be true."""
    for number, one, text in by_sql(consumer):
        found = compiled(text)
        if not isinstance(found, Compiled) or found.outcomes is None:
            continue
        if "true" not in found.outcomes:
            message = say(
                "selector-always-false", selector=text, subject=subject(consumer, one), compiled=found.text
            )
            help_ = (say("selector-always-false.compare"),)
            yield about(consumer, one, number, message, say("never-true"), help_)


RULE = Rule("selector-always-false", at_most=Severity.ERROR, scope=Scope.CONSUMER, check_consumer=check)
