"""What executors add to a scan whose result is published as a registry, row by row; and the rows as a registry takes them.

Facts stream through the driver, which writes the one file; they are never held there.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Collection, Container, Iterable, Iterator, Sequence

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
from subdrift.spark_jobs.records import Record, pack, unpack
from subdrift.spark_jobs.rows import Row, key_text, owners_key

_PATHS = "\0"
_KEYS = "\n"


def to_publish(
    records: Iterable[Record], shares: int, kinds: Collection[str], *, listed: bool = True
) -> Iterator[tuple[int, tuple[str, bytes]]]:
    """(share, (repository, rows)): the facts and, where they are to be `listed`, the parts of repositories."""
    for record in records:
        rows = [row for row in record.rows("listing") if listed and row[0] == "part"]
        rows += [("file", *row[1:]) for row in record.rows("facts") if row[0] in kinds]
        if rows:
            yield _share(record.repo, shares), (record.repo, pack(rows))


def pointed(records: Iterable[Record], shares: int) -> Iterator[tuple[int, tuple[str, bytes]]]:
    """The same of the lines of each file that places of consumers point at."""
    yield from pointed_at((wire.loads(Consumer, text) for text in consumers(records)), shares)


def pointed_at(found: Iterable[Consumer], shares: int) -> Iterator[tuple[int, tuple[str, bytes]]]:
    """The same of consumers, or sends, at hand."""
    for one in found:
        for origin, numbers in lines_of([one]).items():
            rows = [("wanted", origin.repo, origin.path, number, None) for number in sorted(numbers)]
            yield _share(origin.repo, shares), (origin.repo, pack(rows))


def _share(repo: str, shares: int) -> int:
    return zlib.crc32(repo.encode("utf-8", "backslashreplace")) % shares


def consumers(records: Iterable[Record]) -> Iterator[str]:
    """The consumers, as wire text."""
    for record in records:
        yield from (row[6] for row in record.rows("members") if row[0] == "consumer")


def asked(records: Iterable[Record]) -> Iterator[tuple[str, str]]:
    """(repository, what it has looked up)."""
    for record in records:
        for row in record.rows("asks"):
            yield from (
                (record.repo, key) for key in json.loads(row[6]) if not key.startswith(owners_key(""))
            )


def rows_of(records: Iterable[Record], kind: str) -> Iterator[Row]:
    """The rows of one kind, which have a blob of their own."""
    for record in records:
        yield from record.rows(kind)


def published(sent: Iterable[tuple[int, tuple[str, bytes]]], setup: Setup) -> Iterator[Row]:
    """What a registry keeps of each repository: its files, and what `_about` gives."""
    by_repo: dict[str, list[bytes]] = {}
    for _, (repo, blob) in sent:
        by_repo.setdefault(repo, []).append(blob)
    for repo in sorted(by_repo):
        rows = [row for blob in by_repo[repo] for row in unpack(blob)]
        latest: dict[str, Row] = {}
        for row in sorted((row for row in rows if row[0] == "file"), key=lambda row: int(row[3])):
            latest[row[2]] = row
        for _, _, path, _, text in latest.values():
            yield _kept(FileRow.of(Placed(Origin(repo, path), wire.loads(FileFacts, text))))
        yield from _about(sorted((row for row in rows if row[0] == "part"), key=lambda row: int(row[3])),
                          latest, (row for row in rows if row[0] == "wanted"), setup)  # fmt: skip


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


def _about(parts: Sequence[Row], read: Container[str], wanted: Iterable[Row], setup: Setup) -> Iterator[Row]:
    """Of one repository the lines that are `wanted`, and what of its files is not `read` and others may refer to."""
    paths = [path for row in parts for path in row[4].split(_PATHS)]
    lines: dict[str, set[int]] = {}
    for row in wanted:
        lines.setdefault(row[2], set()).add(row[3])
    place = next((row[2] for row in parts), "")
    if not place:
        return
    try:
        with opened(Source.loads(place), setup) as repository:
            yield from _shown(repository, lines)
            yield from _spare(repository, (path for path in paths if path not in read))
    except (SourceError, SettingsError, OSError):
        pass  # it was said when the repository was listed or read


def told(source: Source, repository: Opened, setup: Setup) -> Iterator[Row]:
    """What a repository tells about itself: an `about` row."""
    tree = repository.tree
    commit = tree.commit() if isinstance(tree, GitTree) else commit_of(source.root, source.head)
    text = json.dumps(
        [commit.head, commit.time, url_of(source.root), owners_in(repository.tree).whole], ensure_ascii=True
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
