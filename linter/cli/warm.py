"""What runs of one process over the same sources leave for the next: files that have not changed are not looked at again."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from subdrift.linter.cli.job import Job
from subdrift.linter.model.location import Origin
from subdrift.linter.pipeline import Looked
from subdrift.linter.sources.checkout import Repository

SETTLED_NS = 100_000_000
"""A file that was changed less than this before it was looked at may change again within one tick of its clock."""

Stamp = object
"""Equal for a file that has not changed between two runs."""


class Warm:
    """The runs so far. Not for several threads at once."""

    def __init__(self) -> None:
        self._looked = Looked()
        self._stamps: dict[Origin, Stamp] = {}
        self._settings: object = None

    def again(self, job: Job) -> Looked:
        """What runs before have seen, as far as it still stands; asked before a run."""
        settings = (job.settings, job.of_repository)
        stamps = _stamps(job.repositories)
        before, verdicts = self._stamps, self._looked.verdicts
        if settings != self._settings:
            verdicts = {}
        same = {origin for origin, stamp in stamps.items() if before.get(origin) == stamp}
        self._stamps, self._settings = stamps, settings
        self._looked = Looked(self._looked.files, self._looked.placed, verdicts, same.__contains__)
        return self._looked


def stamp_of(path: str) -> tuple[int, int, int, int] | None:
    """Equal for a file or folder on disk that is the same; None where it cannot be looked at."""
    try:
        about = os.lstat(path)
    except (OSError, ValueError):
        return None
    return about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino


def _stamps(repositories: Sequence[Repository]) -> dict[Origin, Stamp]:
    """What tells that a file has not changed, by origin; nothing of one that may be changing."""
    found: dict[Origin, Stamp] = {}
    settled = time.time_ns() - SETTLED_NS
    for repository in repositories:
        for path in repository.files():
            origin = Origin(repository.name, path)
            if path in repository.typed:
                found[origin] = repository.typed[path]
                continue
            stamp = stamp_of(repository.path_on_disk(path))
            if stamp is not None and stamp[0] < settled:
                found[origin] = stamp
    return found
