"""Lists and maps of configuration as Spring Boot binds them, in one environment and in all of a deployable's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice

from msgspec.structs import replace

from subdrift.linter.model.consumer import Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.languages import is_env_file
from subdrift.linter.model.location import Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.configuration import Configuration
from subdrift.linter.resolve.configured import symbol_of
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.execute.deferred import PROFILES, operation_of, parts_of, performed
from subdrift.linter.resolve.execute.settings import Document, Setting, Told, Variable
from subdrift.linter.resolve.execute.values import Key, Step, Text, text

ENVIRONMENTS_MAX = 48
"""Environments that lists are compared over; a list that differs in a further one has no more elements than here."""

_INDEX = re.compile(r"\[(\d+)\]")

Evaluate = Callable[[Environment, Text], Value]
Load = Callable[[str, Origin], Placed | None]


class ConfiguredSettings:
    """The settings of a deployable in each of its environments."""

    def __init__(self, configuration: Configuration, evaluate: Evaluate, load: Load) -> None:
        self._load = load
        self.is_application = bool(configuration.applications)
        self.boot = configuration.boot
        names = ("", *configuration.profiles, *configuration.deployments)
        self._environments = [configuration.environment(name) for name in islice(names, ENVIRONMENTS_MAX)]
        self._evaluate = evaluate

    def texts(self, value: Text) -> Sequence[Told | None]:
        found = [self._evaluate(each, value) for each in self._environments]
        return [Told(each.text, each.default) if each.text is not None else None for each in found]

    def lacks(self, value: Text) -> Sequence[bool]:
        found = [self._evaluate(each, value) for each in self._environments]
        return [each.why is Why.UNDEFINED for each in found]

    def counts(self, prefix: str) -> Sequence[int]:
        return [count(each, prefix, self._evaluate) for each in self._environments]

    def names(self, prefix: str) -> Sequence[Sequence[str]]:
        return [each.children(prefix) for each in self._environments]

    def file(self, tail: str, near: Origin) -> list[Setting] | None:
        placed = self._load(tail, near)
        if placed is None:
            return None
        return [Setting(each.key, each.text, placed.at(each.at)) for each in placed.facts.config]

    def variables(self, tail: str, near: Origin) -> list[Variable] | None:
        placed = self._load(tail, near)
        if placed is None:
            return None
        listed = placed.facts.environment if is_env_file(placed.origin.path.rpartition("/")[2]) else ()
        return [
            *(Variable(each.key, each.text, placed.at(each.at)) for each in placed.facts.config),
            *(Variable(each.variable, each.text, placed.at(each.at)) for each in listed),
        ]

    def document(self, tail: str, near: Origin) -> Document | None:
        placed = self._load(tail, near)
        if placed is None:
            return None
        places = {each.key: placed.at(each.at) for each in placed.facts.config}
        return Document(placed.origin.path, placed.facts.text, places)


def count(environment: Environment, prefix: str, evaluate: Evaluate) -> int:
    """The length of the list below a key: of the one source that wins, or of a text with commas."""
    listed = environment.list_source(prefix)
    if listed is not None:
        return len({int(match[1]) for entry in listed if (match := _INDEX.match(_below(entry.key, prefix)))})
    if environment.lookup(prefix, loosely=True) is None:
        return 0
    found = evaluate(environment, _scalar(prefix))
    if found.text is not None:
        return len(parts_of(found.text, ""))
    if found.why is Why.UNDEFINED and "[" in prefix:
        return 0  # another source has it than that of the list
    return 1


def waits(part: Key) -> bool:
    """Whether a part of a text is more than the text of one key: what its environment makes of one, or a list's element."""
    indexed = part.variable == "property" and part.key.known is not None and "[" in part.key.known
    return indexed or part.variable == PROFILES or operation_of(part) is not None


def settled(environment: Environment, part: Key, steps: tuple[Step, ...], evaluate: Evaluate) -> Value:
    """What a part of a text comes to that waited for its environment."""
    operation = operation_of(part)
    if part.variable == PROFILES:
        if environment.is_open:
            return Value(None, Why.DYNAMIC, part.key.known or "")
        return Value(",".join(reversed(environment.active)))
    if operation is None:
        return _element(environment, part, steps, evaluate)
    inner = evaluate(environment, Text(part.key.parts, steps))
    if inner.text is None:
        return replace(inner, symbol="")
    made = performed(inner.text, operation)
    if made is None:
        return Value(None, Why.UNDEFINED, phrase("element-that-is-not-there"), inner.trail)
    return replace(inner, text=made)


def _element(environment: Environment, part: Key, steps: tuple[Step, ...], evaluate: Evaluate) -> Value:
    """A key with an index: the source that wins for the whole list says it, or nothing does."""
    key = part.key.known or ""
    prefix, _, rest = key.partition("[")
    listed = environment.list_source(prefix)
    if listed is None:
        index, bracket, tail = rest.partition("]")
        if bracket and not tail and index.isdigit():
            whole = evaluate(environment, _scalar(prefix, steps))
            if whole.text is None:
                return replace(whole, symbol=symbol_of(key) if whole.symbol else "")
            found = parts_of(whole.text, "")
            if int(index) < len(found):
                return replace(whole, text=found[int(index)])
    else:
        wanted = environment.lookup_among(listed, key)
        inner, _, last = key.rpartition("[")
        if wanted is None and "[" in inner and last[:-1].isdigit():
            whole = _element(environment, Key(text(inner), None, part.variable), steps, evaluate)
            found = parts_of(whole.text, "") if whole.text is not None else []
            if int(last[:-1]) < len(found):
                return replace(whole, text=found[int(last[:-1])])
        if wanted is not None:
            filtered = environment.configuration.filtered(wanted)
            here = Step(wanted.at, phrase("configured-here", key))
            return evaluate(environment, Text((Key(text(filtered), None, "value"),), (here,)))
    if part.default is not None:
        return evaluate(environment, part.default)
    return Value(None, Why.UNDEFINED, key, symbol=symbol_of(key))


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
