"""Texts of programs, looked up in one environment."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from subdrift.linter.model.consumer import TrailStep, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import START, Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.configured import BOUNDS, NOT_SET, Configured, as_default, symbol_of
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.execute.values import Gap, Part, Step, Text
from subdrift.linter.resolve.listed import settled, waits
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.values import Many, joined
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

    def text(self, value: Text) -> Value:
        """A text with its keys looked up in this environment, and what waited for them done."""
        at = value.steps[0].at if value.steps else None
        placed = self.world.files.get(at.origin) if at is not None else None
        if placed is None:
            placed = next(iter(self.world.files.values()))
        configured = Configured(self.world, self.deployable, self.environment.seen_from(placed.origin))
        found = self._joined(configured, value, placed.at(at.span if at is not None else START), 0)
        self._asked = configured.asked_configuration or self._asked
        self._undefined |= configured.undefined_keys
        return found

    def _joined(self, configured: Configured, value: Text, at: Location, depth: int) -> Value:
        if configured.is_spent(depth):
            return Value(None, Why.TOO_MANY, BOUNDS, (TrailStep(at, phrase("expression")),))
        found: list[Value] = []
        for part in value.parts:
            one = self._looked_up(configured, part, value.steps, at, depth)
            found.append(one if isinstance(one, Value) else Value(None, Why.DYNAMIC, phrase("not-a-text")))
            if not found[-1].known and not found[-1].symbol:
                break
        return found[0] if len(value.parts) == 1 else joined(found)

    def _looked_up(
        self, configured: Configured, part: Part, steps: tuple[Step, ...], at: Location, depth: int
    ) -> Value | Many:
        if isinstance(part, str):
            return Value(part, trail=(TrailStep(at, f'"{part}"'),))
        if isinstance(part, Gap):
            step = TrailStep(at, part.detail or phrase("not-read"))
            return Value(None, part.why, part.detail, (step,))
        if waits(part):
            return settled(self.environment, part, steps, lambda _, inner: self.text(inner))
        key = self._joined(configured, part.key, at, depth + 1)
        if part.variable in ("value", "placeholders"):
            if key.known and at.origin.path.endswith(".xml"):
                built = configured.filtered(key.text or "", at.origin)
                key = replace(key if built.known else built, text=built.text, trail=key.trail)
            return configured.interpolate(key, at, depth) if key.known else key
        if key.text is None:
            return replace(key, symbol=symbol_of(key.symbol)) if key.symbol else key
        default = part.default
        if part.variable.startswith("file:"):
            return self._of_file(configured, part.variable[5:], key.text, at)
        found = configured.lookup(key.text, at, depth + 1)
        of_process = part.variable in ("env", "system")
        if default is not None and configured.takes_default(found, key.text, of_process=of_process):
            return as_default(self._joined(configured, default, at, depth + 1), key.text, at)
        if of_process and isinstance(found, Value) and found.why in NOT_SET:
            step = TrailStep(at, phrase("set-where-it-runs", key.text))
            return Value(None, Why.SET_AT_DEPLOY, key.text, (step,), symbol=found.symbol)
        return found

    def _of_file(self, configured: Configured, path: str, key: str, at: Location) -> Value:
        """What a settings file says that code loads."""
        placed = self.world.file_named(path, self.world.files[at.origin], self.deployable)
        if placed is None:
            return Value(None, Why.UNDEFINED, path, (TrailStep(at, phrase("no-tracked-file", path)),))
        for entry in placed.facts.config:
            if entry.key == key:
                step = TrailStep(placed.at(entry.at), f"`{key}`")
                return replace(configured.filtered(entry.text, placed.origin), trail=(step,))
        return Value(None, Why.UNDEFINED, key)


def trail_of(steps: Sequence[Step]) -> tuple[TrailStep, ...]:
    """The steps of a run as rows tell them."""
    return tuple(TrailStep(step.at, step.what) for step in steps)
