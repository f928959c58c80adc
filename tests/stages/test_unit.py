"""What no deployable of a repository has followed is told by one of them."""

from __future__ import annotations

import pytest

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.resolve.consumers import Consumers
from subdrift.linter.stages import Unit, with_unmet
from tests.report.sample import consumer, value

HERE, THERE = (Location(Origin("r", "Worker.java"), Span(line, 1, line, 9)) for line in (3, 7))


def unit(unmet: tuple[Location, ...], followed: tuple[Location, ...] = (), repo: str = "r") -> Unit:
    return Unit(repo, Consumers((), (), tuple(map(at, unmet)), frozenset(followed)), frozenset())


def at(place: Location) -> Consumer:
    return consumer(str(place), "push", place, value("g"))


@pytest.mark.parametrize(
    ("units", "told"),
    [
        ([unit((HERE,)), unit((HERE,))], [[HERE], []]),
        ([unit((HERE,)), unit((), (HERE,))], [[], []]),
        ([unit((), (HERE,)), unit((HERE, THERE))], [[], [THERE]]),
        ([unit((HERE,)), unit((), (HERE,), repo="another")], [[HERE], []]),
    ],
)
def test_a_place_that_nobody_followed_is_told_once(units: list[Unit], told: list[list[Location]]) -> None:
    assert [[one.at for one in each.found.consumers] for each in with_unmet(units)] == told
