"""What executors add to a scan whose result is published as a registry, row by row; and the rows as a registry takes them.

Facts stream through the driver, which writes the one file; they are never held there.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator

from subdrift.linter.model import wire
from subdrift.linter.model.answers import Answers
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.registry.entries import About, FileRow, is_source, lines_of, referable
from subdrift.linter.report.content import Texts
from subdrift.linter.settings import SettingsError, answers_of
from subdrift.linter.sources.about import commit_of, url_of
from subdrift.linter.sources.checkout import SourceError
from subdrift.linter.sources.git_tree import GitTree
from subdrift.linter.sources.owners import owners_of as owners_in
from subdrift.linter.workers import Job, read_all
from subdrift.spark_jobs.inputs import Opened, Setup, Source, opened
from subdrift.spark_jobs.rows import Row, key_text, runs

_PATHS = "\0"
_KEYS = "\n"


def wanted(rows: Iterable[Row]) -> Iterator[Row]:
    """The lines of each file that places of consumers point at. In: (text of a consumer)."""
    for (text,) in rows:
        for origin, numbers in lines_of([wire.loads(Consumer, text)]).items():
            for number in sorted(numbers):
                yield "wanted", origin.repo, origin.path, number, None


def kept(rows: Iterable[Row]) -> Iterator[Row]:
    """Files as a registry keeps them. In: (repository, path, text of its facts)."""
    for repo, path, text in rows:
        yield _kept(FileRow.of(Placed(Origin(repo, path), wire.loads(FileFacts, text))))


def _kept(one: FileRow) -> Row:
    keys = _KEYS.join(key_text(key).replace(_KEYS, " ") for key in one.keys)
    flags = "".join(str(int(flag)) for flag in (one.builds, one.silences, one.brief))
    text = _PATHS.join((flags + keys, b64encode(one.unit).decode(), one.text))
    return "kept", one.origin.repo, one.origin.path, 0, text


def file_row(repo: str, path: str, text: str) -> FileRow:
    """The file of a `kept` row."""
    keys, unit, facts = text[3:].split(_PATHS, 2)
    builds, silences, brief = (flag == "1" for flag in text[:3])
    named = tuple(filter(None, keys.split(_KEYS)))
    return FileRow(Origin(repo, path), facts, b64decode(unit), named, builds, silences, brief)


def about(rows: Iterable[Row], setup: Setup) -> Iterator[Row]:
    """What a registry keeps of each repository besides facts. In: by repository its `part`, `file` and `wanted` rows."""
    for run in runs(rows, lambda row: row[1]):
        paths: list[str] = []
        read: set[str] = set()
        lines: dict[str, set[int]] = {}
        place = ""
        for kind, _, path, number, text in run:
            if kind == "part":
                place = path
                paths += text.split(_PATHS)
            elif kind == "wanted":
                lines.setdefault(path, set()).add(number)
            else:
                read.add(path)
        if not place:
            continue
        try:
            source = Source.loads(place)
            with opened(source, setup) as repository:
                yield from _shown(repository, lines)
                yield from _spare(repository, (path for path in paths if path not in read))
        except (SourceError, SettingsError, OSError):
            continue  # it was said when the repository was listed or read


def told(source: Source, repository: Opened, setup: Setup) -> Iterator[Row]:
    """What a repository tells about itself: an `about` row."""
    tree = repository.tree
    commit = tree.commit() if isinstance(tree, GitTree) else commit_of(source.root, source.head)
    text = json.dumps(
        [commit.head, commit.time, url_of(source.root), owners_in(repository.tree).whole],
        ensure_ascii=True,
    )
    answers = wire.dumps(answers_of(repository.name, repository.settings, setup.settings))
    yield "about", repository.name, answers, 0, text


def about_of(row: Row, clusters: str) -> About:
    """The repository of an `about` row."""
    _, repo, answers, _, text = row
    head, time, url, owners = json.loads(text)
    named = tuple((name, tuple(addresses)) for name, addresses in json.loads(clusters))
    read = wire.loads(Answers, answers) if answers else Answers()
    return About(repo, head, time, url, tuple(owners), read, named)


def _shown(repository: Opened, lines: dict[str, set[int]]) -> Iterator[Row]:
    owners = owners_in(repository.tree) if lines else None
    for path, numbers in sorted(lines.items()):
        texts = Texts(lambda origin: repository.content(origin.path))
        origin = Origin(repository.name, path)
        for number in sorted(numbers):
            text = texts.line(origin, number)
            if text is not None:
                yield "line", repository.name, path, number, key_text(text)
        if owners is not None and owners.of(path) != owners.whole:
            yield "owners", repository.name, path, 0, json.dumps(owners.of(path), ensure_ascii=True)


def _spare(repository: Opened, paths: Iterable[str]) -> Iterator[Row]:
    for path in paths:
        if not is_source(path):
            continue
        content = repository.content(path)
        if content is None or not referable(path, content):
            continue
        (facts,) = read_all([Job(path, content)], 1)
        if facts is not None:
            yield _kept(FileRow.of(Placed(Origin(repository.name, path), facts)))


def holder_of(consumer: Consumer) -> str:
    """The repository whose deployable a consumer belongs to."""
    whole, colon, _ = consumer.deployable.rpartition(":")
    return whole if colon else consumer.at.origin.repo
