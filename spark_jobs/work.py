"""What executors do, row by row: list, read, demand, consume, judge, triage. Plain Python; no Spark in here.

Each function takes the rows of one partition in the order its docstring names and gives rows again. All decisions
are those of `linter.stages`; this module cuts streams and keeps count.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import rules
from linter import stages
from linter.model import wire
from linter.model.answers import Answers
from linter.model.consumer import Consumer
from linter.model.facts import FileFacts, Suppression
from linter.model.finding import Diagnostic, Finding
from linter.model.languages import language_of
from linter.model.location import Location, Origin
from linter.model.placed import Placed
from linter.report.content import Content
from linter.resolve.modules import Deployable, Modules
from linter.settings import Settings, SettingsError, answers_of
from linter.sources import owners
from linter.sources.checkout import SourceError
from linter.triage import triage
from linter.workers import Job, read_all
from spark_jobs import publishing
from spark_jobs.earlier import Earlier, Late
from spark_jobs.inputs import Opened, Setup, Source, commit_read, opened, unreachable
from spark_jobs.rows import Row, key_text, runs

PART_FILES = 20_000
"""Files of one row of work: a larger repository is cut."""

CHUNK_BYTES = 1 << 20
"""Bytes of files read at once."""

_PATHS = "\0"


# -- listing ------------------------------------------------------------------------------------------------------


def list_repositories(sources: Iterable[Row], setup: Setup) -> Iterator[Row]:
    """`READ` rows of repositories, their parts, answers and remarks; in: sources as JSON."""
    for (text,) in sources:
        source = Source.loads(text)
        try:
            with opened(source, setup) as repository:
                yield from _listed(source, repository, setup)
        except SettingsError as error:
            yield "fatal", source.repo, text, 0, str(error)
        except (SourceError, OSError) as error:
            name = source.repo or source.root
            yield "repository", name, text, 0, None
            yield _diagnostic(unreachable(Source(name, source.root, source.head), error))


def _listed(source: Source, repository: Opened, setup: Setup) -> Iterator[Row]:
    listing = repository.listing()
    name = repository.name
    place = Source(name, source.root, source.head).dumps()
    yield "repository", name, place, len(listing.paths), None
    yield from publishing.told(source, repository, setup)
    commit = commit_read(source)
    if commit:
        yield "head", name, place, 0, commit
    for number, start in enumerate(range(0, len(listing.paths), PART_FILES)):
        part = listing.paths[start : start + PART_FILES]
        yield "part", name, place, number, _PATHS.join(part)
    for diagnostic in listing.diagnostics:
        yield _diagnostic(diagnostic)
    yield "answers", name, "", 0, wire.dumps(answers_of(name, repository.settings, setup.settings))
    named, catalogue = owners.texts_of(repository.tree)
    if named or catalogue:
        texts = [text.decode("utf-8", "replace") for text in (named, catalogue)]
        yield "owners", name, "", 0, json.dumps(texts)
    if repository.settings.clusters:
        yield "clusters", name, "", 0, json.dumps(repository.settings.clusters)
    if listing.remark:
        yield "remark", name, "", 0, listing.remark


def _diagnostic(diagnostic: Diagnostic, kind: str = "diagnostic") -> Row:
    origin = diagnostic.at.origin
    return kind, origin.repo, origin.path, 0, wire.dumps(diagnostic)


# -- reading ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reader:
    """Reads files of one repository in chunks, and says what else their facts mean for the run."""

    repository: Opened | Late
    number: int
    alone: bool
    """Whether each file is read in a process to lose: an earlier attempt at these rows ended the worker."""
    jobs: list[tuple[str, Job]]
    size: int = 0

    def add(self, job: Job, kind: str = "file") -> Iterator[Row]:
        self.jobs.append((kind, job))
        self.size += len(job.content)
        if self.size >= CHUNK_BYTES:
            yield from self.flush()

    def flush(self) -> Iterator[Row]:
        jobs, self.jobs, self.size = self.jobs, [], 0
        found = read_all([job for _, job in jobs], 1, isolated=self.alone)
        for (kind, job), facts in zip(jobs, found, strict=True):
            yield from self._rows(kind, job.path, facts)

    def rows(self, path: str, text: str | None) -> Iterator[Row]:
        """The rows of a file whose facts are at hand."""
        yield from self._rows("file", path, None if text is None else wire.loads(FileFacts, text))

    def _rows(self, kind: str, path: str, facts: FileFacts | None) -> Iterator[Row]:
        repo = self.repository.name
        if facts is None:
            yield kind, repo, path, self.number, None
            return
        yield kind, repo, path, self.number, wire.dumps(facts)
        if facts.runs:
            yield "start", repo, path, 0, None
        if facts.build is not None:
            yield "build", repo, path, 0, wire.dumps(FileFacts(facts.language, build=facts.build))
        for key in sorted(stages.keys_of(Placed(Origin(repo, path), facts))):
            yield "hold", repo, key_text(key), 0, None

    def content(self, path: str, kind: str = "diagnostic") -> Iterator[bytes | Row]:
        """The bytes of a file, or the row that says why there are none."""
        found = self.repository.read(path)
        if isinstance(found, bytes):
            yield found
        elif language_of(path) is not None:
            yield _diagnostic(found, kind)


def read_candidates(parts: Iterable[Row], setup: Setup, alone: bool = False) -> Iterator[Row]:
    """Round 0: one look at the bytes of every source file, then reading what may matter. In: `part` rows."""
    for _, repo, place, _, text in parts:
        try:
            with opened(Source.loads(place), setup) as repository:
                yield from _candidates(_Reader(repository, 0, alone, []), text.split(_PATHS))
        except (SourceError, SettingsError, OSError) as error:
            yield _diagnostic(unreachable(Source(repo, ""), error))
    yield "worker", "", "", 0, f"{socket.gethostname()} {os.getpid()} {os.getppid()}"


def _candidates(reader: _Reader, paths: Iterable[str]) -> Iterator[Row]:
    repo = reader.repository.name
    begun = time.monotonic()
    files = 0
    for path in paths:
        lasting = stages.always_read(path)
        surveyed = stages.surveyed(path)
        files += surveyed or lasting
        candidate = False
        if surveyed:
            for content in reader.content(path):
                if not isinstance(content, bytes):
                    yield content
                    continue
                seen = stages.survey(path, content)
                candidate = seen.candidate
                lasting = lasting or seen.context
                if seen.unread:
                    yield _diagnostic(stages.unread(Origin(repo, path), seen.unread))
                if seen.starts:
                    yield "start", repo, path, 0, None
                if candidate:
                    yield from reader.add(Job(path, content))
        if lasting and not candidate:
            for content in reader.content(path, "lasting-diagnostic"):
                if isinstance(content, bytes):
                    yield from reader.add(Job(path, content), "lasting")
                else:
                    yield content
    yield from reader.flush()
    yield "files", repo, "", files, None
    yield "spent", repo, "", round((time.monotonic() - begun) * 1_000), None


def read_demanded(
    rows: Iterable[Row],
    request: stages.Request,
    number: int,
    setup: Setup,
    alone: bool = False,
    asked: frozenset[tuple[str, str]] = frozenset(),
) -> Iterator[Row]:
    """One round of demand. In: by repository its `part` rows, the `file` rows of what was read, without text, and what an
    earlier scan of the same commit has left: `unchanged`, `used` and `had` rows, under the pairs it has `asked` for.

    Besides facts it gives `used` rows: the files that use a learned pair, read or not.
    """
    for run in runs(rows, lambda row: row[1]):
        paths: list[str] = []
        read: set[str] = set()
        earlier = Earlier(asked)
        place = repo = ""
        for row in run:
            kind, name, path, _, text = row
            if kind == "part":
                repo, place = name, path
                paths += text.split(_PATHS)
            elif kind == "file":
                read.add(path)
            else:
                earlier.add(row)
        if not place:
            continue
        try:
            with Late(repo, Source.loads(place), setup) as repository:
                yield from _demanded(_Reader(repository, number, alone, []), paths, read, request, earlier)
        except (SourceError, SettingsError, OSError) as error:
            yield _diagnostic(unreachable(Source(repo, ""), error))


def _demanded(
    reader: _Reader, paths: list[str], read: set[str], request: stages.Request, earlier: Earlier
) -> Iterator[Row]:
    repository = reader.repository
    if request.names:
        for path in stages.defining(request, stages.Paths(paths), read, repository.content):
            read.add(path)
            yield from _again(reader, path, earlier)
        yield from reader.flush()
    reader.number += 1
    known = request.learned & earlier.asked if earlier.unchanged else frozenset[tuple[str, str]]()
    users: dict[str, set[tuple[str, str]]] = {}
    for path, pairs in earlier.used.items():
        if pairs & known:
            users[path] = pairs & known
    uses = stages.Uses(request.learned - known)
    for path in paths if uses else ():
        if language_of(path) in ("java", "kotlin", "python"):
            content = repository.content(path)
            pairs = set(uses.found(content)) if content is not None else set()
            if pairs:
                users.setdefault(path, set()).update(pairs)
    for path, pairs in sorted(users.items()):
        for pair in sorted(pairs):
            yield "used", repository.name, path, 0, json.dumps(pair)
        if path not in read:
            yield from _again(reader, path, earlier)
    yield from reader.flush()


def _again(reader: _Reader, path: str, earlier: Earlier) -> Iterator[Row]:
    """The rows of a file that is asked for: those of an earlier scan where it had them, else it is read."""
    if path in earlier.had:
        yield from reader.rows(path, earlier.had[path])
        return
    for content in reader.content(path):
        if isinstance(content, bytes):
            yield from reader.add(Job(path, content))
        else:
            yield content


# -- consuming ----------------------------------------------------------------------------------------------------


def consume(rows: Iterable[Row], repos: tuple[str, ...], clusters: Settings) -> Iterator[Row]:
    """Consumes every deployable of some components.

    In: (share, order, component, kind, repo, path, number, text), sorted by these. Order 0 are the `build` and `start`
    rows of the whole run, which every share gets; order 1 the `answers` and `file` rows of its components.
    """
    structure: _Structure | None = None
    for run in runs(rows, lambda row: row[:3]):
        first = next(run)
        if first[1] == 0:
            structure = _Structure.of((first, *run), repos)
        else:
            if structure is None:
                structure = _Structure.of((), repos)
            yield from _component(first[2], (first, *run), structure, clusters)


@dataclass(slots=True)
class _Structure:
    """The modules of the whole run."""

    builds: dict[Origin, Placed]
    modules: Modules
    deployables: dict[str, list[Deployable]]

    @classmethod
    def of(cls, rows: Iterable[Row], repos: tuple[str, ...]) -> _Structure:
        builds: dict[Origin, Placed] = {}
        starts: list[Origin] = []
        for _, _, _, kind, repo, path, _, text in rows:
            origin = Origin(repo, path)
            if kind == "start":
                starts.append(origin)
            else:
                builds[origin] = Placed(origin, wire.loads(FileFacts, text))
        modules = Modules((builds[origin] for origin in sorted(builds)), starts, repos)
        deployables: dict[str, list[Deployable]] = {}
        for deployable in modules.deployables:
            deployables.setdefault(deployable.key.repo, []).append(deployable)
        return cls(builds, modules, deployables)


def _component(
    component: str, rows: Iterable[Row], structure: _Structure, clusters: Settings
) -> Iterator[Row]:
    placed: dict[Origin, Placed] = {}
    answers: dict[str, Answers] = {}
    repos: dict[str, None] = {}
    for _, _, _, kind, repo, path, _, text in rows:
        repos[repo] = None
        if kind == "answers":
            answers[repo] = wire.loads(Answers, text)
        elif text is not None:
            # a file that was read twice says the same twice
            placed[Origin(repo, path)] = Placed(Origin(repo, path), wire.loads(FileFacts, text))
    known = stages.Known.of(placed.values(), (), (), answers, structure.modules)
    consumers: list[Consumer] = []
    asked: dict[str, set[str]] = {}
    taken: set[str] = set()

    def row(kind: str, key: str = "", text: str | None = None) -> Row:
        return kind, component, "", "", "", key_text(key), text

    for deployable in (d for repo in sorted(repos) for d in structure.deployables.get(repo, ())):
        taken.update(key.repo for key in deployable.takes_in)
        if not known.may_consume(deployable):
            continue
        unit = known.apart(deployable, clusters.cluster_of)
        consumers += unit.found.consumers
        for diagnostic in unit.found.diagnostics:
            yield row("diagnostic", "", wire.dumps(diagnostic))
        asked.setdefault(unit.repo, set()).update(unit.asked)
    for consumer in consumers:
        yield from _consumer_rows(consumer, component)
    for each in known.files:
        for diagnostic in stages.problems(each):
            yield row("diagnostic", "", wire.dumps(diagnostic))
        for suppression in each.facts.suppressions:
            yield row(
                "suppression", json.dumps([each.origin.repo, each.origin.path]), wire.dumps(suppression)
            )
    for repo, keys in sorted(asked.items()):
        yield from (row("ask", key, repo) for key in sorted(keys))
    for repo in sorted(taken - set(repos)):
        yield row("takes", repo)
    wanted = known.wanted()
    for name in sorted(wanted.types):
        yield row("type", name)
    for pair in sorted(wanted.callers):
        yield row("caller", json.dumps(pair))
    for name in sorted(wanted.files):
        yield row("file", name)
    content = Content("", (), (), tuple(consumers), 0, "")
    counts = {"consumers": content.members, **{f"blind:{k}": n for k, n in content.blind_spots().items()}}
    for name, count in counts.items():
        yield row("count", name, str(count))
    for one in content.unknowns():
        key = json.dumps([one.field, one.why, one.detail])
        yield "unknown", component, *_sortable(one.at), key, str(one.count)


def _consumer_rows(consumer: Consumer, component: str) -> Iterator[Row]:
    text = wire.dumps(consumer)
    key = stages.group_key(consumer)
    cluster, namespace, group = (key_text(part) for part in key) if key else (consumer.cluster, None, None)
    named = consumer.group.text
    if key is None and named is not None:
        # counted as a group, compared with none: its namespace is not known
        yield "named", component, cluster, consumer.namespace.text or "", key_text(named), "", None
    yield "consumer", component, cluster, namespace, group, key_text(consumer.id), text
    if key is None:
        place = [1, *_place(consumer.at), consumer.id, list(consumer.environments)]
        found = list(stages.judge_consumer(consumer, rules.ALL))
        for number, finding in enumerate(found):
            yield "finding", component, "", "", "", json.dumps([*place, number]), wire.dumps(finding)
        if found:
            yield "shown", component, "", "", "", "", text


def _sortable(at: Location) -> tuple[str, str, str]:
    """A place as three texts that sort as places do."""
    span = at.span
    numbers = (span.line, span.column, span.end_line, span.end_column)
    return key_text(at.origin.repo), key_text(at.origin.path), " ".join(f"{one:09}" for one in numbers)


def _place(at: Location) -> list[str | int]:
    span = at.span
    return [at.origin.repo, at.origin.path, span.line, span.column, span.end_line, span.end_column]


# -- judging ------------------------------------------------------------------------------------------------------


def judge(rows: Iterable[Row], settings: Settings) -> Iterator[Row]:
    """One verdict for each group. In: (cluster, namespace, group, text of a consumer), sorted by the first three."""
    for run in runs(rows, lambda row: row[:3]):
        for group in stages.groups(wire.loads(Consumer, text) for *_, text in run):
            verdict = stages.judge(group, rules.ALL, settings.assume.of(group.name))
            key = (key_text(group.cluster), key_text(group.namespace), key_text(group.name))
            order = [0, *key]
            for number, finding in enumerate(verdict.findings):
                yield "finding", *key, json.dumps([*order, number]), wire.dumps(finding)
            yield "verdict", *key, "", wire.dumps(verdict)


def triaged(rows: Iterable[Row]) -> Iterator[Row]:
    """All findings and diagnostics with their suppressions, in order. In: (kind, key, text) in any order."""
    findings: list[tuple[list[object], Finding]] = []
    diagnostics: set[Diagnostic] = set()
    suppressions: list[tuple[Origin, Suppression]] = []
    for kind, key, text in rows:
        match kind:
            case "finding":
                findings.append((json.loads(key), wire.loads(Finding, text)))
            case "suppression":
                suppressions.append((Origin(*json.loads(key)), wire.loads(Suppression, text)))
            case _:
                diagnostics.add(wire.loads(Diagnostic, text))
    findings.sort(key=lambda one: one[0])
    ordered = sorted(diagnostics, key=lambda one: (one.at, one.name, one.message))
    found = triage([one for _, one in findings], ordered, suppressions, (), rules.ALL)
    for number, finding in enumerate(found.findings):
        yield "finding", number, wire.dumps(finding)
    for number, diagnostic in enumerate(found.diagnostics):
        yield "diagnostic", number, wire.dumps(diagnostic)


Work = Callable[..., Iterator[Row]]
