"""Plain values of a run in their public form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from subdrift.linter.clients.apis import WORDS
from subdrift.linter.model.consumer import Confidence, Value
from subdrift.linter.model.expr import Name, Why
from subdrift.linter.model.location import Origin, Span
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.definitions import Distance
from subdrift.linter.resolve.evaluate import Evaluator
from subdrift.linter.resolve.execute.values import LibraryConstant, Object, Step, Text, TypeValue, Unknown
from subdrift.linter.resolve.programs.texts import Texts, trail_of
from subdrift.linter.resolve.values import shown


class Values(Texts):
    """Gives the values of a run as rows show them, in one environment."""

    def value(self, value: Any, near: Origin) -> Value:
        """The public form of a plain value."""
        if isinstance(value, Text):
            known = value.known
            trail = trail_of(value.steps)
            if known is not None:
                if "${" in known:
                    return Value(None, Why.UNDEFINED, known, trail)
                confidence = self.confidence_of(value.steps, near)
                default = any(step.default for step in value.steps)
                if default:
                    confidence = min(confidence, Confidence.MEDIUM)
                return Value(known, None, "", trail, confidence, default)
            found = self.text(value)
            found = replace(found, trail=(*trail, *found.trail))
            if not found.known:
                return found
            return shown(
                replace(found, confidence=min(found.confidence, self.confidence_of(value.steps, near)))
            )
        if value is None:
            return Value(None, Why.DYNAMIC, phrase("it-is-null"))
        if isinstance(value, bool):
            return Value("true" if value else "false")
        if isinstance(value, int | float):
            return Value(str(value))
        if isinstance(value, LibraryConstant):
            return self._constant(value, near)
        if isinstance(value, Object):
            if value.constant:
                return Value(value.constant)
            return Value(None, Why.DYNAMIC, phrase("not-a-text"))
        if isinstance(value, Unknown):
            return Value(None, value.why, value.detail, trail_of(value.steps))
        if isinstance(value, TypeValue):
            if value.guessed:
                owner, _, name = value.name.rpartition(".")
                return self._constant(LibraryConstant(owner, name), near)
            if value.declared is None and value.simple not in WORDS:
                return Value(None, Why.UNDEFINED, value.name)  # of a class or module nobody has read
            return Value(value.simple)
        return Value(None, Why.DYNAMIC, phrase("not-a-text"))

    def _constant(self, value: LibraryConstant, near: Origin) -> Value:
        """A constant whose class is not here: a word of a client library, an answer, or not defined."""
        if value.name in WORDS:
            return Value(value.name)
        placed = self.world.files[near]
        evaluator = Evaluator(self.world, self.deployable, self.environment.seen_from(placed.origin))
        name = Name((f"{value.owner}#{value.name}",), Span(1, 1, 1, 1))
        found = evaluator.value(name, placed)
        return (
            found if isinstance(found, Value) else Value(None, Why.UNDEFINED, f"{value.owner}.{value.name}")
        )

    def confidence_of(self, steps: Sequence[Step], near: Origin) -> Confidence:
        """No more than the farthest place a value came through allows."""
        found = Confidence.HIGH
        placed = self.world.files.get(near)
        if placed is None:
            return found
        for step in steps:
            if step.at.origin.repo == near.repo:
                continue
            distance = self.world.definitions.distance(placed, step.at.origin, self.deployable)
            found = min(found, Confidence.MEDIUM if distance <= Distance.DEPENDENCY else Confidence.LOW)
        return found
