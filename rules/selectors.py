"""SQL92 selectors of a consumer as the broker compiles them, and the remark that rules make about one."""

from __future__ import annotations

from collections.abc import Iterator

from linter.broker.selector import Selector, SelectorRejected, SelectorTooDeep, compile_selector
from linter.model.consumer import Consumer, Subscription
from linter.model.finding import Place, Remark
from linter.model.message import Message
from rules.filters import SQL92
from rules.sides import source


def by_sql(consumer: Consumer) -> Iterator[tuple[int, Subscription, str]]:
    """Number, subscription and text of each selector that is known."""
    for number, one in enumerate(consumer.subscriptions):
        if one.filter_type.text == SQL92 and one.expression.text is not None:
            yield number, one, one.expression.text


def compiled(text: str) -> Selector | SelectorRejected | None:
    """What the newest broker makes of it; None where that depends on its virtual machine."""
    try:
        return compile_selector(text)
    except SelectorRejected as rejected:
        return rejected
    except SelectorTooDeep:
        return None


def about(
    consumer: Consumer,
    subscription: Subscription,
    number: int,
    message: Message,
    label: Message,
    help_: tuple[Message, ...],
) -> Remark:
    """A remark about one selector."""
    return Remark(
        message=message,
        topic=subscription.topic.text,
        places=(Place(subscription.at, label, consumer.scope, source(subscription.expression)),),
        differs=(subscription.expression.text or "",),
        members=(consumer,),
        help=help_,
        ordinal=number,
    )
