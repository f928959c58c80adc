"""Which beans of a type a container hands out: a class or method may make one in one environment and none in another."""

from __future__ import annotations

from collections.abc import Sequence

from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import choose, pick
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import Guarded

CANDIDATES_MAX = 8
"""Beans of one type of which each is asked for its presence; of more only those that name a condition are."""

_CONDITIONS = ("Conditional", "Profile")

Maker = Class | Method
"""What makes a bean: a component's class, or a `@Bean` method."""


def presence(run: Interpreter, makers: Sequence[Maker]) -> list[Guarded]:
    """For each maker the guard under which its bean exists; every environment decides it by itself."""
    many = len(makers) > CANDIDATES_MAX
    return [True if many and not _names_condition(maker) else _asked(run, maker) for maker in makers]


def one_of(run: Interpreter, makers: Sequence[Maker], made: Sequence[Guarded], otherwise: Guarded) -> Guarded:
    """The bean of the first maker that has one."""
    found = otherwise
    for guard, value in reversed(list(zip(presence(run, makers), made, strict=True))):
        found = pick(guard, value, found)
    return found


def conditional(maker: Maker) -> bool:
    """Whether a condition written at a maker decides its presence."""
    return _names_condition(maker)


def _asked(run: Interpreter, maker: Maker) -> Guarded:
    owner = maker.owner if isinstance(maker, Method) else maker
    decl = maker.decl
    place = owner.at(decl.name_at)
    number = run.decide(("bean", maker), 2, "condition", place, test=Test("bean", (maker,)))
    found: Guarded = choose(number, 2, 0)
    return found


def _names_condition(maker: Maker) -> bool:
    declared = maker.owner if isinstance(maker, Method) else maker
    written = [*maker.decl.annotations, *declared.decl.annotations]
    return any(one.name.rpartition(".")[2].startswith(_CONDITIONS) for one in written)
