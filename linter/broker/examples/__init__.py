"""Scenarios that ship with the project: those of the articles it began with, runnable by name."""

from collections.abc import Iterator
from importlib.resources import files

from msgspec import Struct

from subdrift.linter.broker.scenario import Scenario
from subdrift.linter.broker.scenario.reader import parse_scenario


class Example(Struct, frozen=True):
    """A scenario that can be run by its name."""

    name: str
    text: str
    """The TOML file, as it ships."""

    def scenario(self) -> Scenario:
        return parse_scenario(self.text, f"{self.name}.toml")


def examples() -> Iterator[Example]:
    """All examples, in the order of their names."""
    found = [one for one in files(__name__).iterdir() if one.name.endswith(".toml")]
    for one in sorted(found, key=lambda file: file.name):
        yield Example(one.name.removesuffix(".toml"), one.read_text(encoding="utf-8"))


def example(name: str) -> Example | None:
    """The example of that name, upper or lower case; None if there is none."""
    return next((one for one in examples() if one.name.lower() == name.lower()), None)
