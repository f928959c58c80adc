"""Consumer objects with all that was said of them -> `ConsumerSite`s."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

from linter.extract.java.objects import Object
from linter.extract.java.subscriptions import PART
from linter.model.expr import Expr, OneOf, Param, walk
from linter.model.facts import Attribute, Condition, ConsumerSite, Setting, SubscriptionSite
from linter.model.location import Span


def merged(made: Object, sites: dict[int, ConsumerSite]) -> ConsumerSite | None:
    """One site for objects made in branches that exclude each other; None where they subscribe differently.

    `sites` are the finished sites of the objects by identity; what their settings disagree in becomes `OneOf`.
    """
    own = sites[id(made)]
    others = [sites[id(each)] for each in made.instead]
    if any(
        [_shape(s) for s in other.subscriptions] != [_shape(s) for s in own.subscriptions] for other in others
    ):
        return None
    settings: list[Setting] = []
    for attribute in Attribute:
        found = [_last(site, attribute) for site in (own, *others)]
        written = [setting for setting in found if setting is not None]
        if not written:
            continue
        distinct = {_shape(setting.value): setting.value for setting in written}
        first = written[0]
        if len(distinct) == 1:
            settings.append(first)
        else:
            settings.append(replace(first, value=OneOf(tuple(distinct.values()), own.at)))
    return replace(own, settings=tuple(settings))


def _last(site: ConsumerSite, attribute: Attribute) -> Setting | None:
    return next((each for each in reversed(site.settings) if each.attribute is attribute), None)


def _shape(value: object) -> object:
    """A value of facts without its places, for comparing what two pieces of code say."""
    if isinstance(value, Span):
        return None
    if isinstance(value, tuple):
        return tuple(map(_shape, value))
    if is_dataclass(value):
        return (type(value).__name__, *(_shape(getattr(value, each.name)) for each in fields(value)))
    return value


def finished(made: Object, conditions: tuple[Condition, ...]) -> ConsumerSite:
    """The site of an object after every call was applied, in source order."""
    made.settings.sort(key=lambda each: each[0])
    made.subscriptions.sort(key=lambda each: each[0])
    forgotten = max(made.cleared, default=-1)
    subscriptions = [site for order, site in made.subscriptions if order > forgotten]
    return ConsumerSite(
        made.api,
        made.at,
        made.place.symbol,
        made.place.type,
        tuple(setting for _, setting in made.settings),
        tuple(_joined(subscriptions)),
        conditions,
        made.broken,
    )


def _joined(subscriptions: list[SubscriptionSite]) -> list[SubscriptionSite]:
    """Topic, expression and type that were set apart become one subscription."""
    parts = [site for site in subscriptions if site.topic is PART]
    whole = [site for site in subscriptions if site.topic is not PART]
    for part in parts:
        for index, site in enumerate(whole):
            whole[index] = replace(
                site,
                expression=part.expression if part.expression is not None else site.expression,
                filter_type=part.filter_type if part.filter_type is not None else site.filter_type,
            )
    return whole


def parameters_of(expr: Expr) -> frozenset[str]:
    """Names of the parameters an expression depends on."""
    return frozenset(part.name for part in walk(expr) if isinstance(part, Param))
