"""A generated program with the truth of its runs, and its one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Language = Literal["java", "kotlin", "python"]
Files = Mapping[str, str]
"""Path, with forward slashes, to text."""

INPUT_MARK = "zq"
"""Stands in every text that comes from outside (arguments, environment): a value that holds it cannot be known."""


@dataclass(frozen=True, slots=True)
class Subscribed:
    """One subscription a run made; `places` is the stack of its call, innermost first, as `path:line`.

    Not `required`: taken back after `start`, or replaced by a second one on its topic; an analyzer may list it.
    """

    topic: str | None
    expression: str | None
    filter_type: str | None
    required: bool
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """What a consumer was at the end of one run; group and model are those at `start`."""

    group: str | None
    namespace: str | None
    model: str
    started: bool
    subscriptions: tuple[Subscribed, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """One consumer that runs made: at which stack of places, by which mains; a variant for each differing run."""

    mains: tuple[str, ...]
    api: str
    created: tuple[str, ...]
    variants: tuple[Variant, ...]

    @property
    def started(self) -> bool:
        return any(variant.started for variant in self.variants)


@dataclass(frozen=True, slots=True)
class Program:
    """The files, how they are run (every main with each of the inputs), and what the runs did.

    `random`: texts differ from run to run, so that each input is run twice. `grammar` names the generator's sources,
    so that a stored program of another grammar is not taken for this one's.
    """

    name: str
    seed: int
    language: Language
    grammar: str
    tags: tuple[str, ...]
    mains: tuple[str, ...]
    inputs: tuple[tuple[str, ...], ...]
    random: bool
    files: Files
    truth: tuple[Made, ...] = ()
    error: str = ""
    """Why there is no truth: it does not compile, or a run threw."""


def dumps(program: Program) -> str:
    """One line of JSON."""
    return json.dumps(asdict(program), sort_keys=True, ensure_ascii=False)


def loads(line: str) -> Program:
    """The inverse of `dumps`."""
    raw: dict[str, Any] = json.loads(line)
    for name in ("tags", "mains"):
        raw[name] = tuple(raw[name])
    raw["inputs"] = tuple(map(tuple, raw["inputs"]))
    raw["truth"] = tuple(map(made, raw["truth"]))
    return Program(**raw)


def made(raw: dict[str, Any]) -> Made:
    """A consumer from its JSON."""
    return Made(tuple(raw["mains"]), raw["api"], tuple(raw["created"]), tuple(map(_variant, raw["variants"])))


def _variant(raw: dict[str, Any]) -> Variant:
    return Variant(**{**raw, "subscriptions": tuple(map(_subscribed, raw["subscriptions"]))})


def _subscribed(raw: dict[str, Any]) -> Subscribed:
    return Subscribed(**{**raw, "places": tuple(raw["places"])})
