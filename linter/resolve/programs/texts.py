"""Texts of programs, looked up in one environment."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from subdrift.linter.model.consumer import TrailStep, Value
from subdrift.linter.model.expr import Call, Concat, Config, EnvVar, Expr, Interpolate, Literal, Why
from subdrift.linter.model.expr import Unknown as UnknownExpr
from subdrift.linter.model.location import Span
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.evaluate import Evaluator
from subdrift.linter.resolve.execute.deferred import operation_of
from subdrift.linter.resolve.execute.values import Gap, Key, Step, Text
from subdrift.linter.resolve.listed import settled
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.values import Missing, Null
from subdrift.linter.resolve.values import Text as EvaluatedText
from subdrift.linter.resolve.world import World


class Texts:
    """Evaluates texts in one environment; `_asked` and `_undefined` are what that took since they were last cleared,
    `_differs` whether anything was decided by the environment."""

    def __init__(self, world: World, deployable: Deployable, environment: Environment) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment
        self._asked = False
        self._differs = False
        self._undefined: set[str] = set()

    def text(self, value: Text) -> EvaluatedText | Missing:
        """A text with its keys looked up in this environment, and what waited for them done."""
        found = settled(self.environment, value, lambda _, inner: self.text(inner))
        return self._text(found) if isinstance(found, Text) else found

    def _text(self, value: Text) -> EvaluatedText | Missing:
        """A text with its keys looked up in this environment."""
        at = value.steps[0].at if value.steps else None
        placed = self.world.files.get(at.origin) if at is not None else None
        if placed is None:
            placed = next(iter(self.world.files.values()))
        evaluator = Evaluator(self.world, self.deployable, self.environment.seen_from(placed.origin))
        span = at.span if at is not None else Span(1, 1, 1, 1)
        found = evaluator.value(expr_of(value, span), placed)
        self._asked = evaluator.asked_configuration or self._asked
        self._undefined |= evaluator.undefined_keys
        if isinstance(found, EvaluatedText):
            return found
        if isinstance(found, Missing):
            return found
        if isinstance(found, Null):
            return Missing(Why.DYNAMIC, phrase("it-is-null"), found.trail)
        return Missing(Why.DYNAMIC, phrase("not-a-text"))


def named(value: Value) -> Value:
    """The value of a group or topic: an empty one stands for what is set where the code runs."""
    if value.text is None or value.text.strip():
        return value
    return Value(None, Why.SET_AT_DEPLOY, "", value.trail)


def filter_kind(value: Value) -> Value:
    """A filter type by the name that the client knows it by."""
    if value.text is None:
        return value
    text = value.text.strip().upper()
    known = {"SQL": "SQL92", "SQL92": "SQL92", "CLASS": "CLASS", "TAG": "TAG", "": "TAG"}
    return replace(value, text=known.get(text, value.text))


def trail_of(steps: Sequence[Step]) -> tuple[TrailStep, ...]:
    """The steps of a run as rows tell them."""
    return tuple(TrailStep(step.at, step.what) for step in steps)


def expr_of(value: Text, span: Span) -> Expr:
    """A text with keys as the evaluator of configuration reads it."""
    parts: list[Expr] = []
    for part in value.parts:
        if isinstance(part, str):
            parts.append(Literal(part, span))
        elif isinstance(part, Gap):
            parts.append(UnknownExpr(part.why, part.detail, span))
        else:
            parts.append(_key_expr(part, span))
    return parts[0] if len(parts) == 1 else Concat(tuple(parts), span)


def _key_expr(part: Key, span: Span) -> Expr:
    if operation_of(part) is not None:
        return UnknownExpr(Why.DYNAMIC, phrase("computed-text"), span)
    key = expr_of(part.key, span)
    default = expr_of(part.default, span) if part.default is not None else None
    if part.variable in ("env", "system"):
        return EnvVar(key, default, span)
    if part.variable in ("value", "placeholders"):
        return Interpolate(key, span)
    if part.variable.startswith("file:"):
        loaded = Call("load_file", (Literal(part.variable[5:], span),), span)
        return Call("item", (loaded, key) if default is None else (loaded, key, default), span)
    return Config(key, default, span)
