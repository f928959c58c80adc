"""Texts of programs, looked up in one environment."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from subdrift.linter.model.consumer import TrailStep, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import START, Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.configured import BOUNDS, NOT_SET, Resolver, as_default, symbol_of
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.execute.deferred import PROFILES, operation_of, parts_of, performed
from subdrift.linter.resolve.execute.values import Gap, Key, Part, Step, Text, text
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.values import Many, joined
from subdrift.linter.resolve.world import World

_INDEX = re.compile(r"\[(\d+)\]")


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
        resolver = Resolver(self.world, self.deployable, self.environment.seen_from(placed.origin))
        found = self._joined(resolver, value, placed.at(at.span if at is not None else START), 0)
        self._asked = resolver.asked_configuration or self._asked
        self._undefined |= resolver.undefined_keys
        return found

    def _joined(self, resolver: Resolver, value: Text, at: Location, depth: int) -> Value:
        if resolver.is_spent(depth):
            return Value(None, Why.TOO_MANY, BOUNDS, (TrailStep(at, phrase("expression")),))
        found: list[Value] = []
        for part in value.parts:
            one = self._looked_up(resolver, part, value.steps, at, depth)
            found.append(one if isinstance(one, Value) else Value(None, Why.DYNAMIC, phrase("not-a-text")))
            if not found[-1].known and not found[-1].symbol:
                break
        return found[0] if len(value.parts) == 1 else joined(found)

    def _looked_up(
        self, resolver: Resolver, part: Part, steps: tuple[Step, ...], at: Location, depth: int
    ) -> Value | Many:
        if isinstance(part, str):
            return Value(part, trail=(TrailStep(at, f'"{part}"'),))
        if isinstance(part, Gap):
            step = TrailStep(at, part.detail or phrase("not-read"))
            return Value(None, part.why, part.detail, (step,))
        operation = operation_of(part)
        if operation is not None:
            return _performed(self.text(Text(part.key.parts, steps)), operation)
        if part.variable == PROFILES:
            return self._active_profiles(part)
        if part.variable == "property" and part.key.known is not None and "[" in part.key.known:
            return self._element(resolver, part.key.known, part, steps)
        key = self._joined(resolver, part.key, at, depth + 1)
        if part.variable in ("value", "placeholders"):
            return resolver.declared(key, at, depth)
        if key.text is None:
            return replace(key, symbol=symbol_of(key.symbol)) if key.symbol else key
        default = part.default
        if part.variable.startswith("file:"):
            return self._of_file(resolver, part.variable[5:], key.text, at)
        found = resolver.lookup(key.text, at, depth + 1)
        of_process = part.variable in ("env", "system")
        if default is not None and resolver.takes_default(found, key.text, of_process=of_process):
            return as_default(self._joined(resolver, default, at, depth + 1), key.text, at)
        if of_process and isinstance(found, Value) and found.why in NOT_SET:
            step = TrailStep(at, phrase("set-where-it-runs", key.text))
            return Value(None, Why.SET_AT_DEPLOY, key.text, (step,), symbol=found.symbol)
        return found

    def _active_profiles(self, part: Key) -> Value:
        if self.environment.is_open:
            return Value(None, Why.DYNAMIC, part.key.known or "")
        return Value(",".join(reversed(self.environment.active)))

    def _element(self, resolver: Resolver, key: str, part: Key, steps: tuple[Step, ...]) -> Value | Many:
        """A key with an index: the source that wins for the whole list says it, or nothing does."""
        prefix, _, rest = key.partition("[")
        listed = self.environment.list_source(prefix)
        if listed is None:
            index, bracket, tail = rest.partition("]")
            if bracket and not tail and index.isdigit():
                whole = self.text(_scalar(prefix, steps))
                if whole.text is None:
                    return replace(whole, symbol=symbol_of(key) if whole.symbol else "")
                found = parts_of(whole.text, "")
                if int(index) < len(found):
                    return replace(whole, text=found[int(index)])
        else:
            wanted = self.environment.lookup_among(listed, key)
            if wanted is not None:
                return resolver.text_of(wanted, key)
            inner, _, last = key.rpartition("[")
            if "[" in inner and last[:-1].isdigit():
                around = self._element(resolver, inner, Key(text(inner), None, part.variable), steps)
                found = parts_of(around.text, "") if isinstance(around, Value) and around.text else []
                if isinstance(around, Value) and int(last[:-1]) < len(found):
                    return replace(around, text=found[int(last[:-1])])
        if part.default is not None:
            return self.text(part.default)
        return Value(None, Why.UNDEFINED, key, symbol=symbol_of(key))

    def count(self, prefix: str) -> int:
        """The length of the list below a key: of the one source that wins, or of a text with commas."""
        listed = self.environment.list_source(prefix)
        if listed is not None:
            numbers = (_INDEX.match(_below(entry.key, prefix)) for entry in listed)
            return len({int(number[1]) for number in numbers if number})
        if self.environment.lookup(prefix, loosely=True) is None:
            return 0
        found = self.text(_scalar(prefix))
        if found.text is not None:
            return len(parts_of(found.text, ""))
        if found.why is Why.UNDEFINED and "[" in prefix:
            return 0  # another source has it than that of the list
        return 1

    def _of_file(self, resolver: Resolver, path: str, key: str, at: Location) -> Value:
        """What a settings file says that code loads."""
        placed = self.world.file_named(path, self.world.files[at.origin], self.deployable)
        if placed is None:
            return Value(None, Why.UNDEFINED, path, (TrailStep(at, phrase("no-tracked-file", path)),))
        for entry in placed.facts.config:
            if entry.key == key:
                step = TrailStep(placed.at(entry.at), f"`{key}`")
                return replace(resolver.filtered(entry.text, placed.origin), trail=(step,))
        return Value(None, Why.UNDEFINED, key)


def _performed(inner: Value, operation: Sequence[str | int]) -> Value:
    """What code makes of a text that waited for its environment."""
    if inner.text is None:
        return replace(inner, symbol="")
    made = performed(inner.text, operation)
    if made is None:
        return Value(None, Why.UNDEFINED, phrase("element-that-is-not-there"), inner.trail)
    return replace(inner, text=made)


def _scalar(prefix: str, steps: tuple[Step, ...] = ()) -> Text:
    return Text((Key(text(prefix), None, "property"),), steps)


def _below(key: str, prefix: str) -> str:
    """What follows the first `prefix.count` names of a key, from its bracket on."""
    depth = prefix.count(".")
    position = 0
    for _ in range(depth):
        position = key.find(".", position) + 1
    bracket = key.find("[", position)
    return key[bracket:] if bracket >= 0 else ""


def trail_of(steps: Sequence[Step]) -> tuple[TrailStep, ...]:
    """The steps of a run as rows tell them."""
    return tuple(TrailStep(step.at, step.what) for step in steps)
