"""The files of a run beside those of one deployable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from subdrift.linter.model.placed import Placed, spring_file

ANY_FILE = "*"
"""Stands for all files among the names that were looked up."""


class Named(Mapping[str, list[Placed]]):
    """The files of a run by base name. `looked` collects the names that are asked for, `ANY_FILE` where all are gone
    through."""

    def __init__(self) -> None:
        self._files: dict[str, list[Placed]] = {}
        self.looked: set[str] = set()

    def add(self, placed: Placed) -> None:
        """One more file."""
        self._files.setdefault(base_name(placed.origin.path), []).append(placed)

    def __getitem__(self, name: str) -> list[Placed]:
        self.looked.add(name)
        return self._files[name]

    def __iter__(self) -> Iterator[str]:
        self.looked.add(ANY_FILE)
        return iter(self._files)

    def __len__(self) -> int:
        self.looked.add(ANY_FILE)
        return len(self._files)


class Surroundings(Struct, frozen=True):
    """The files of a run by base name, and the deployment files of each repository. `wanted` collects base names
    of files that a configuration names and that were not read yet."""

    by_name: Named = field(default_factory=Named)
    deployments: Mapping[str, Sequence[Placed]] = field(default_factory=dict)
    mounted: Mapping[str, Sequence[Placed]] = field(default_factory=dict)
    wanted: set[str] = field(default_factory=set)
    values: Mapping[tuple[str, str], Sequence[Placed]] = field(default_factory=dict)
    """The values files of each Helm chart, by repository and folder, the chart's own first."""
    settings: Mapping[str, Sequence[Placed]] = field(default_factory=dict)
    """The files of each repository that are called as Spring's are."""

    def settings_at(self, repo: str, path: str) -> Iterator[Placed]:
        """The settings file of a path, or those below a folder."""
        self.by_name.looked.add(ANY_FILE)
        for placed in self.settings.get(repo, ()):
            if placed.origin.path == path or placed.origin.path.startswith(f"{path}/"):
                yield placed

    @classmethod
    def of(cls, files: Iterable[Placed], wanted: set[str]) -> Surroundings:
        by_name = Named()
        deployments: dict[str, list[Placed]] = {}
        mounted: dict[str, list[Placed]] = {}
        values: dict[tuple[str, str], list[Placed]] = {}
        settings: dict[str, list[Placed]] = {}
        for placed in files:
            if placed.facts.config and spring_file(placed.origin.path) is not None:
                settings.setdefault(placed.origin.repo, []).append(placed)
            if is_values(placed.origin.path):
                folder = placed.origin.path.rpartition("/")[0]
                values.setdefault((placed.origin.repo, folder), []).append(placed)
            by_name.add(placed)
            if placed.facts.environment or placed.facts.mounts or placed.facts.launches:
                deployments.setdefault(placed.origin.repo, []).append(placed)
            if any(entry.file for entry in placed.facts.config):
                mounted.setdefault(placed.origin.repo, []).append(placed)
        for every in values.values():
            every.sort(key=lambda placed: (len(base_name(placed.origin.path)), placed.origin))
        return cls(by_name, deployments, mounted, wanted, values, settings)


def is_values(path: str) -> bool:
    """Whether a file is called as the values of a Helm chart are."""
    return _VALUES.fullmatch(base_name(path)) is not None


def base_name(path: str) -> str:
    return path.rpartition("/")[2]


_VALUES = re.compile(r"values(?:[._-].+)?\.ya?ml")
