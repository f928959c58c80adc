"""SQL92 selectors that are true for every message: a filter that costs work and filters nothing.

Mirrors: MessageEvaluationContext, LogicExpression, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.rules.selectors import Compiled, about, by_sql, compiled
from subdrift.rules.subject import subject


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each selector that is proven to be true always."""
    for number, one, text in by_sql(consumer):
        found = compiled(text)
        if isinstance(found, Compiled) and found.outcomes == frozenset(("true",)):
            message = say("selector-always-true", selector=text, subject=subject(consumer, one))
            help_ = (say("selector-always-true.star"),)
            yield about(consumer, one, number, message, say("always-true"), help_)


RULE = Rule("selector-always-true", at_most=Severity.NOTE, scope=Scope.CONSUMER, check_consumer=check)
