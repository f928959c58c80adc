"""SQL92 selectors of which the broker uses the beginning alone.

The parser stops at the first word it has no use for, and ignores the rest in silence: `LIKE`, a second condition
without AND, a surplus bracket.

Mirrors: SelectorParser#parse without a check for the end of the text, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.rules.selectors import Compiled, about, by_sql, compiled
from subdrift.rules.subject import subject


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each selector with a tail that is more than blanks and comments."""
    for number, one, text in by_sql(consumer):
        found = compiled(text)
        if isinstance(found, Compiled) and found.tail:
            message = say(
                "selector-ignored-tail",
                selector=text,
                subject=subject(consumer, one),
                tail=found.tail,
                compiled=found.text,
            )
            help_ = (say("selector-ignored-tail.repair"),)
            cost = say("selector-ignored-tail.cost", compiled=found.text)
            yield about(consumer, one, number, message, say("ignored-from", tail=found.tail), help_, cost)


RULE = Rule("selector-ignored-tail", at_most=Severity.ERROR, scope=Scope.CONSUMER, check_consumer=check)
