"""Writes the registry of a run in this process: its result and repositories in, one file out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from subdrift.linter import workers
from subdrift.linter.cli.job import Inputs, Job, asks_of_senders
from subdrift.linter.cli.output import CannotError
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.model.topics import called_ones
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
    held = _held(material)
    sending = result.sending.material if result.sending is not None and asks_of_senders(job) else None
    sends = None if sending is None else _called(_held(sending))
    wanted = lines_of(consumer for _, consumer in (*held, *(sends or ())))
    also = () if sending is None else (sending,)
    gone = unreachable(result.diagnostics)
    there = [one for one in job.repositories if one.name not in gone]
    roots = {one.name: one for one in there}

    def read(origin: Origin) -> bytes | None:
        content = roots[origin.repo].read(origin.path)
        return content if isinstance(content, bytes) else None

    return Published(
        int(time.time()),
        tuple(_about(one, job) for one in there),
        map(FileRow.of, _files(there, (material, *also), inputs.jobs)),
        material.starts,
        held,
        sends,
        [(unit.repo, key) for one in (material, *also) for unit in one.units for key in unit.asked],
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


def _held(material: Material) -> list[tuple[str, Consumer]]:
    """What consumes or sends, with the repository whose deployable does, in order."""
    found = [(unit.repo, one) for unit in material.units for one in unit.found.consumers]
    return sorted(found, key=lambda one: (one[0], one[1].at, one[1].id, one[1].environments))


def _called(sends: Sequence[tuple[str, Consumer]]) -> list[tuple[str, Consumer]]:
    kept = {id(one) for one in called_ones(one for _, one in sends)}
    return [(repo, one) for repo, one in sends if id(one) in kept]


def _files(repositories: Sequence[Repository], materials: Sequence[Material], jobs: int) -> Iterator[Placed]:
    """The facts of files that the runs read, then those of others whose constants other repositories may mention."""
    read = {placed.origin: placed for one in materials for placed in one.files}
    yield from read.values()
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
