"""Consumers that are declared: their values, evaluated in one environment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from subdrift.linter.model.consumer import Subscription, Value
from subdrift.linter.model.expr import Expr, Interpolate, Literal, Why
from subdrift.linter.model.facts import Attribute, SubscriptionSite
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.assemble import TAKEN_APART, Assembler, Row, public_of
from subdrift.linter.resolve.evaluate import Evaluator
from subdrift.linter.resolve.profiles import profile_holds
from subdrift.linter.resolve.programs.hooks import Hooked
from subdrift.linter.resolve.programs.texts import filter_kind, named
from subdrift.linter.resolve.symbols import SAME_UNKNOWN, symbol_of
from subdrift.linter.resolve.values import Many, Null, Text
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
        if not self._active() or self.is_machinery(each.attribute for each in self.site.settings):
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
        evaluator = Evaluator(self.world, self.deployable, self.environment)
        one = Subscription(self.placed.at(self.site.at), crowded, crowded, crowded)
        return self.assemble(evaluator, {Attribute.GROUP: crowded}, [one])

    def _active(self) -> bool:
        """Whether the site's own profile conditions hold here; where Spring has a say, it said so already."""
        if self.registered is not None:
            return True
        active = self.environment.active
        for condition in self.site.conditions:
            if condition.kind == "profile" and not any(
                profile_holds(part, active) for part in condition.text.split(",")
            ):
                return False
        return True

    def _row(self, choices: dict[Choice, int], hooks: Sequence[Hooked]) -> Row:
        evaluator = Evaluator(self.world, self.deployable, self.environment, choices)
        evaluator.speaks = self.site.api != "spring-listener"
        settings: dict[Attribute, Value] = {}
        for setting in self.site.settings:
            quiet = setting.attribute in _QUIET
            value = (self._quiet if quiet else self._value)(evaluator, setting.value)
            if setting.attribute is Attribute.GROUP and value.why in SAME_UNKNOWN:
                value = replace(value, symbol=symbol_of(setting.value, self.environment))
            settings[setting.attribute] = value
        subscriptions = [self._declared(evaluator, site) for site in self.site.subscriptions]
        for hooked in hooks:
            settings.update(hooked.settings)
            subscriptions = hooked.after(subscriptions)
        row = self.assemble(evaluator, settings, subscriptions)
        if not hooks:
            return row
        taken = (each for hooked in hooks for each in hooked.alternative)
        asked = row.asked or any(hooked.asked for hooked in hooks)
        return replace(row, alternative=(*row.alternative, *taken), asked=asked)

    def _declared(self, evaluator: Evaluator, site: SubscriptionSite) -> Subscription:
        topic = self._as_named(named(self._value(evaluator, site.topic)))
        if topic.why is Why.DYNAMIC and topic.detail == TAKEN_APART:
            return Subscription(
                self.placed.at(site.at), topic, topic, self._filter_type(evaluator, site.filter_type)
            )
        if site.expression is None:
            expression = Value("*", default=True)
        else:
            expression = self._expression(evaluator, site.expression)
        kind = self._filter_type(evaluator, site.filter_type)
        return Subscription(self.placed.at(site.at), topic, expression, kind)

    def _expression(self, evaluator: Evaluator, expr: Expr) -> Value:
        """A filter expression; null, empty and `*` all mean everything, lists are joined as tags."""
        value = evaluator.value(expr, self.placed)
        match value:
            case Null(trail=trail):
                return Value("*", trail=trail)
            case Text() if value.text == "":
                return replace(public_of(value), text=self._when_empty(expr))
            case Many(items=items):
                parts = [public_of(item) for item in items if isinstance(item, Text)]
                if len(parts) == len(items):
                    texts = [part.text or "" for part in parts]
                    trail = tuple(step for part in parts for step in part.trail)
                    return Value("||".join(texts) or "*", trail=trail)
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

    def _filter_type(self, evaluator: Evaluator, expr: Expr | None) -> Value:
        if expr is None:
            return Value("TAG", default=True)
        value = self._value(evaluator, expr)
        return filter_kind(value)
