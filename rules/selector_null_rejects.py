"""SQL92 selectors with NOT or `<>` that no message without a certain property can pass.

A property that a message does not have is null, `NOT null` is null, and null does not deliver: `NOT (x = 1)` and
`x <> 1` mean "x is there and is not 1".

Mirrors: UnaryExpression#createNOT, ComparisonExpression, MessageEvaluationContext, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.rules.selectors import Compiled, about, by_sql, compiled
from subdrift.rules.subject import subject


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each selector that negates properties and cannot be true without them."""
    for number, one, text in by_sql(consumer):
        found = compiled(text)
        if not isinstance(found, Compiled) or found.tail:
            continue
        if found.outcomes is None or "true" not in found.outcomes:
            continue
        needed = [name for name in found.needs if name in found.negated]
        if needed and "IS NOT NULL" not in text.upper():
            message = say(
                "selector-null-rejects",
                selector=text,
                subject=subject(consumer, one),
                properties=[quoted(name) for name in needed],
            )
            help_ = (say("selector-null-rejects.or-null", property=needed[0]),)
            yield about(consumer, one, number, message, say("null-is-not-true"), help_)


RULE = Rule("selector-null-rejects", at_most=Severity.NOTE, scope=Scope.CONSUMER, check_consumer=check)
