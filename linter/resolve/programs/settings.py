"""The settings of a deployable as programs that run ask for them, in all of its environments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from subdrift.linter.model.expr import Why
from subdrift.linter.model.languages import is_env_file
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.configuration import Configuration
from subdrift.linter.resolve.execute.settings import Document, Setting, Told, Variable
from subdrift.linter.resolve.execute.values import Text
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.programs.texts import Texts
from subdrift.linter.resolve.world import World

ENVIRONMENTS_MAX = 48
"""Environments that lists are compared over; a list that differs in a further one has no more elements than here."""


class ConfiguredSettings:
    """The settings of a deployable in each of its environments."""

    def __init__(self, world: World, deployable: Deployable, configuration: Configuration) -> None:
        self.is_application = bool(configuration.applications)
        self.boot = configuration.boot
        names = ("", *configuration.profiles, *configuration.deployments)
        environments = [configuration.environment(name) for name in islice(names, ENVIRONMENTS_MAX)]
        self._texts = [Texts(world, deployable, each) for each in environments]
        self._world = world
        self._deployable = deployable

    def texts(self, value: Text) -> Sequence[Told | None]:
        found = [each.text(value) for each in self._texts]
        return [Told(each.text, each.default) if each.text is not None else None for each in found]

    def lacks(self, value: Text) -> Sequence[bool]:
        return [each.text(value).why is Why.UNDEFINED for each in self._texts]

    def counts(self, prefix: str) -> Sequence[int]:
        return [each.count(prefix) for each in self._texts]

    def names(self, prefix: str) -> Sequence[Sequence[str]]:
        return [each.environment.children(prefix) for each in self._texts]

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

    def _load(self, tail: str, near: Origin) -> Placed | None:
        placed = self._world.files.get(near)
        return None if placed is None else self._world.file_named(tail, placed, self._deployable)
