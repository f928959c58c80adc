"""Native peers: library functions that are not written in the analysed language, each with what it promises.

A library is modelled by sources in the analysed language (`resolve/models`). What these stand on, and what is not worth
a source, is a Python function: a *peer*, the word Java PathFinder has for it. A peer says what it does to what it gets
(`Effect`), what its result is where an operand is not known (`Unknowns`), what it costs before it runs, and what its
result is at most. `Interpreter.native` is the one way to a peer: it charges the cost first, and does not run what is
over the bound. There is one registry, so that all peers can be listed, and one can be taken away: a call without a peer
is a call of an unknown (`havoc`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum, Flag, auto
from typing import Any

from msgspec import Struct

from subdrift.linter.resolve.execute.guards import some
from subdrift.linter.resolve.execute.values import TEXT_MAX, Gap, Guarded, Key, Long, Object, Text, Unknown

ELEMENTS_MAX = 4_096
"""Elements of one collection."""

LEAVES_MAX = 64
"""Alternatives of an operand that are asked for their size."""


class Effect(Flag):
    """What a peer does beside giving a value."""

    PURE = 0
    MUTATES_RECEIVER = auto()
    MUTATES_ARGUMENT = auto()
    VIEW = auto()
    """The result shows the receiver or an argument: a write to one is seen in the other."""
    STORES_ARGUMENT = auto()
    CALLS_ARGUMENT = auto()
    STARTS_ARGUMENT = auto()
    """A function it is given may run later, or on another thread."""
    MAY_RAISE = auto()


MUTATES = Effect.MUTATES_RECEIVER | Effect.MUTATES_ARGUMENT


class Unknowns(Enum):
    """What the result is where an operand is not known."""

    PURE = "pure"
    """Unknown; equal operands give an equal result."""
    FRESH = "fresh"
    """Unknown; each call gives another value."""
    KEEPS_IDENTITY = "keeps identity"
    """The first operand itself, as `Objects.requireNonNull` and `String.intern` give it."""


class Cost(Struct, frozen=True):
    """What a call takes, or what its result may hold: statements, characters of a text, elements of a collection."""

    steps: int = 0
    characters: int = 0
    elements: int = 0


CONSTANT = Cost()
LIMIT = Cost(0, TEXT_MAX, ELEMENTS_MAX)
"""What one value of a run holds at most."""

Costs = Callable[[Guarded, Sequence[Guarded]], Cost]
"""The cost of a call with a receiver (None: of a static call) and arguments."""


class Peer(Struct, frozen=True, eq=False):
    """One declared native function. `sees_unknowns`: it is called with operands that are not known too, as a container
    is that knows its other elements; else the interpreter answers these by `unknowns`."""

    language: str
    owner: str
    name: str
    function: Callable[..., Guarded]
    effect: Effect
    unknowns: Unknowns
    cost: Costs
    bound: Cost
    sees_unknowns: bool

    @property
    def full(self) -> str:
        return f"{self.owner}.{self.name}" if self.owner else self.name


REGISTRY: dict[tuple[str, str, str], Peer] = {}
"""Every peer by language, owner and name. Only `Declare` adds to it."""


class Declare:
    """The decorator of one language's peers: `peer = Declare("java")`, then `@peer("Objects", "hash", …)`."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(
        self,
        owner: str,
        *names: str,
        effect: Effect,
        unknowns: Unknowns,
        cost: Costs,
        bound: Cost = LIMIT,
        sees_unknowns: bool = False,
    ) -> Callable[[Callable[..., Guarded]], Callable[..., Guarded]]:
        """Declares a function under each of some names; a name that is declared already is a `ValueError`."""

        def declare(function: Callable[..., Guarded]) -> Callable[..., Guarded]:
            for name in names:
                key = (self.language, owner, name)
                if key in REGISTRY:
                    raise ValueError(f"declared twice: {self.language} {owner}.{name}")
                REGISTRY[key] = Peer(
                    self.language, owner, name, function, effect, unknowns, cost, bound, sees_unknowns
                )
            return function

        return declare

    def find(self, owner: str, name: str) -> Peer | None:
        return REGISTRY.get((self.language, owner, name))

    def all(self) -> Iterator[Peer]:
        """The peers of the language, in the order of their names."""
        for key in sorted(REGISTRY):
            if key[0] == self.language:
                yield REGISTRY[key]


# -- costs ----------------------------------------------------------------------------------------------------------


def constant(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    """A call that costs what the step costs that calls it."""
    return CONSTANT


def linear(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    """A call that looks at all its operands once, and makes no more than they hold."""
    operands = (receiver, *arguments)
    return Cost(0, sum(map(characters, operands)), sum(map(elements, operands)))


def characters(value: Guarded) -> int:
    """Characters of the longest text a value may be; of a collection those of its own texts."""
    return max((_characters(leaf) for leaf in some(value, LEAVES_MAX)), default=0)


def _characters(leaf: Any) -> int:
    if type(leaf) is Text:
        return sum(len(part) if type(part) is str else 1 for part in leaf.parts)
    if type(leaf) is Object:
        return sum(_characters(item) for _, item in leaf.items or () if type(item) is Text)
    return 0


def elements(value: Guarded) -> int:
    """Elements of the largest collection a value may be."""
    return max((_elements(leaf) for leaf in some(value, LEAVES_MAX)), default=0)


def _elements(leaf: Any) -> int:
    if type(leaf) is Object:
        return len(leaf.items or ()) + len(leaf.entries or ())
    return len(leaf) if type(leaf) is tuple else 0


def number(value: Guarded) -> int:
    """The largest number a value may be, by its size; 0 for what is none: `"x".repeat(n)` makes so many."""
    return max(
        (
            abs(int(leaf))
            for leaf in some(value, LEAVES_MAX)
            if type(leaf) in (int, Long, float) and _finite(leaf)
        ),
        default=0,
    )


def _finite(leaf: float) -> bool:
    return leaf == leaf and leaf not in (float("inf"), float("-inf"))


def is_known(leaf: Any) -> bool:
    """Whether a plain operand is all known: neither an unknown nor a text with a gap or a key in it."""
    if type(leaf) is Text:
        return not any(isinstance(part, Gap | Key) for part in leaf.parts)
    if type(leaf) is Object:
        return leaf.open is None
    return type(leaf) is not Unknown
