"""Consumers that are declared: their values, evaluated in one environment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from subdrift.linter.clients.apis import WORDS
from subdrift.linter.model.consumer import Subscription, TrailStep, Value
from subdrift.linter.model.expr import Expr, Interpolate, Literal, Name, Why
from subdrift.linter.model.facts import Attribute, SubscriptionSite
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.assemble import TAKEN_APART, Assembler, Row
from subdrift.linter.resolve.evaluate import Evaluator
from subdrift.linter.resolve.programs.hooks import Hooked
from subdrift.linter.resolve.values import Many, Null, filter_kind, named, shown, tags_of
from subdrift.linter.resolve.world import Choice, Fork

ROWS_MAX = 256
"""Alternatives of one declared consumer that are told apart in one environment; of more nothing is compared."""

_QUIET = (
    Attribute.INSTANCE_NAME,
    Attribute.UNIT_NAME,
    Attribute.NAME_SERVER,
    Attribute.CONSUME_FROM,
    Attribute.STRATEGY,
    Attribute.ENABLED,
)


class TooManyError(Exception):
    """A site stands for more consumers than the bound."""


class Builder(Assembler):
    """Builds the rows of one site in one environment."""

    def rows(self, hooks: Sequence[Sequence[Hooked]]) -> Iterator[Row]:
        """The rows of a declared consumer. `hooks`: what code does to it before it starts, one after the other, as
        alternatives."""
        if self.is_machinery(each.attribute for each in self.site.settings):
            return
        for hooked in hooks or ((),):
            pending: list[dict[Choice, int]] = [{}]
            count = 0
            while pending:
                choices = pending.pop()
                try:
                    row = self._row(choices, hooked)
                except Fork as fork:
                    pending += [{**choices, fork.choice: index} for index in reversed(range(fork.count))]
                    if len(pending) > ROWS_MAX:
                        raise TooManyError from None
                    continue
                count += 1
                if count > ROWS_MAX:
                    raise TooManyError
                if self.belongs_here(row):
                    yield row

    def crowd(self) -> Row:
        """One row for a site that stands for more consumers than the bound: nothing of it is compared."""
        crowded = Value(None, Why.TOO_MANY, phrase("more-than-consumers", ROWS_MAX))
        one = Subscription(self.placed.at(self.site.at), crowded, crowded, crowded)
        return self.assemble({Attribute.GROUP: crowded}, [one])

    def _row(self, choices: dict[Choice, int], hooks: Sequence[Hooked]) -> Row:
        evaluator = Evaluator(self.world, self.deployable, self.environment, choices)
        evaluator.speaks = self.site.api != "spring-listener"
        settings: dict[Attribute, Value] = {}
        for setting in self.site.settings:
            value = self._quiet if setting.attribute in _QUIET else self._value
            settings[setting.attribute] = value(evaluator, setting.value)
        subscriptions = [self._declared(evaluator, site) for site in self.site.subscriptions]
        for hooked in hooks:
            settings.update(hooked.settings)
            subscriptions = hooked.after(subscriptions)
        tags = self._tags(evaluator)
        row = self.assemble(settings, subscriptions, undefined=evaluator.undefined_keys, tags=tags)
        made = sorted(evaluator.used, key=lambda one: (one.origin, one.span))
        taken = [(one.origin, one.span, choices[one]) for one in made]
        return replace(
            row,
            alternative=(*taken, *(each for hooked in hooks for each in hooked.alternative)),
            asked=evaluator.asked_configuration or any(hooked.asked for hooked in hooks),
        )

    def _declared(self, evaluator: Evaluator, site: SubscriptionSite) -> Subscription:
        at = self.placed.at(site.at)
        topic = self._as_named(named(self._value(evaluator, site.topic)))
        kind = Value("TAG", default=True)
        if site.filter_type is not None:
            kind = filter_kind(self._value(evaluator, site.filter_type))
        if topic.why is Why.DYNAMIC and topic.detail == TAKEN_APART:
            return Subscription(at, topic, topic, kind)
        expression = Value("*", default=True)
        if site.expression is not None:
            expression = self._expression(evaluator, site.expression)
        return Subscription(at, topic, expression, kind)

    def _expression(self, evaluator: Evaluator, expr: Expr) -> Value:
        """A filter expression; null, empty and `*` all mean everything, lists are joined as tags."""
        value = evaluator.value(expr, self.placed)
        match value:
            case Null(trail=trail):
                return Value("*", trail=trail)
            case Value(text=""):
                return replace(value, text=self._when_empty(expr))
            case Many(items=items):
                parts = [shown(item) for item in items if isinstance(item, Value)]
                if len(parts) == len(items):
                    return tags_of(parts)
        return self._value(evaluator, expr)

    def _when_empty(self, expr: Expr) -> str:
        """What an expression that turns out empty stands for: everything.

        The starter then keeps the text of the annotation, placeholders and all. Mirrors
        ListenerContainerConfiguration#createRocketMQListenerContainer, rocketmq-spring 2.0.0 to 2.3.5.
        """
        if self.site.api == "spring-listener" and isinstance(expr, Interpolate):
            raw = expr.text
            if isinstance(raw, Literal) and "${" in raw.text:
                return raw.text
        return "*"

    def _tags(self, evaluator: Evaluator) -> tuple[TrailStep, ...]:
        """The tags that the listener's code names, none where one of them is not known."""
        found = [(self.placed.at(one.at), self._quiet(evaluator, one)) for one in self.site.tags]
        if not all(value.known for _, value in found):
            return ()
        return tuple(TrailStep(at, value.text or "") for at, value in found)

    def _quiet(self, evaluator: Evaluator, expr: Expr) -> Value:
        """A value that must not multiply consumers: what is open stays unknown."""
        try:
            return self._value(evaluator, expr)
        except Fork as fork:
            return Value(None, Why.DYNAMIC, phrase("possibilities", fork.count))

    def _value(self, evaluator: Evaluator, expr: Expr) -> Value:
        value = shown(evaluator.text(expr, self.placed))
        if value.why is Why.UNDEFINED and isinstance(expr, Name) and expr.candidates:
            word = expr.candidates[0].rpartition("#")[2]
            if word in WORDS:  # a constant of a client library's enumeration
                return Value(word, trail=(TrailStep(self.placed.at(expr.at), word),))
        return value
