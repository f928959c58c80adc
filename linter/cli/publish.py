"""Writes the registry of a run in this process: its result and repositories in, one file out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from subdrift.linter import workers
from subdrift.linter.cli.job import Inputs, Job
from subdrift.linter.cli.output import CannotError
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.model.unknown import unreachable
from subdrift.linter.pipeline import Material, Result
from subdrift.linter.registry.entries import About, Edges, FileRow, Published, is_source, lines_of, referable
from subdrift.linter.registry.schema import RegistryError
from subdrift.linter.registry.writer import publish as write
from subdrift.linter.report.content import ReadText, Texts
from subdrift.linter.settings import answers_of
from subdrift.linter.sources.about import commit_of, url_of
from subdrift.linter.sources.checkout import Repository
from subdrift.linter.sources.owners import owners_of


def publish(path: str, job: Job, result: Result, inputs: Inputs) -> None:
    """Write what a run has found into a registry. Raises `CannotError`."""
    try:
        write(path, gathered(job, result, inputs))
    except RegistryError as error:
        raise CannotError(error.message) from error


def gathered(job: Job, result: Result, inputs: Inputs) -> Published:
    """What a registry keeps of a run; files are read and rows made while it is written."""
    material = result.material
    assert material is not None  # `Inputs.publishes`
    held = [(unit.repo, one) for unit in material.units for one in unit.found.consumers]
    wanted = lines_of(consumer for _, consumer in held)
    gone = unreachable(result.diagnostics)
    there = [one for one in job.repositories if one.name not in gone]
    roots = {one.name: one for one in there}

    def read(origin: Origin) -> bytes | None:
        content = roots[origin.repo].read(origin.path)
        return content if isinstance(content, bytes) else None

    return Published(
        int(time.time()),
        tuple(_about(one, job) for one in there),
        map(FileRow.of, chain(material.files, _spare(there, material, inputs.jobs))),
        material.starts,
        sorted(held, key=lambda one: (one[0], one[1].at, one[1].id, one[1].environments)),
        [(unit.repo, key) for unit in material.units for key in unit.asked],
        Edges.of(material.modules),
        _lines(wanted, read),
        _owners(wanted, roots),
    )


def _about(one: Repository, job: Job) -> About:
    commit = commit_of(one.root)
    own = job.of_repository[one.name]
    return About(
        one.name,
        commit.head,
        commit.time,
        url_of(one.root),
        owners_of(one).whole,
        answers_of(one.name, own, job.settings),
        tuple(own.clusters),
    )


def _spare(repositories: Sequence[Repository], material: Material, jobs: int) -> Iterator[Placed]:
    """The facts of files that the run did not read and whose constants other repositories may mention."""
    read = {placed.origin for placed in material.files}
    for repository in repositories:
        reading: list[workers.Job] = []
        for path in repository.files():
            if Origin(repository.name, path) in read or not is_source(path):
                continue
            content = repository.read(path)
            if isinstance(content, bytes) and referable(path, content):
                reading.append(workers.Job(path, content))
        found = workers.read_all(reading, jobs or workers.processors())
        for one, facts in zip(reading, found, strict=True):
            if facts is not None:
                yield Placed(Origin(repository.name, one.path), facts)


def _lines(wanted: Mapping[Origin, set[int]], read: ReadText) -> Iterator[tuple[Origin, int, str]]:
    for origin, numbers in sorted(wanted.items()):
        texts = Texts(read)  # one file at a time
        for number in sorted(numbers):
            text = texts.line(origin, number)
            if text is not None:
                yield origin, number, text


def _owners(
    wanted: Mapping[Origin, set[int]], roots: Mapping[str, Repository]
) -> Iterator[tuple[Origin, tuple[str, ...]]]:
    by_repository: dict[str, list[Origin]] = {}
    for origin in sorted(wanted):
        by_repository.setdefault(origin.repo, []).append(origin)
    for name, origins in by_repository.items():
        owners = owners_of(roots[name])
        for origin in origins:
            found = owners.of(origin.path)
            if found != owners.whole:
                yield origin, found
