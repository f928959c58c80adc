"""What executors do, row by row: list, read, demand, consume, judge, triage. Plain Python; no Spark in here.

Each function takes the rows of one partition in the order its docstring names and gives rows again. All decisions
are those of `linter.stages`; this module cuts streams and keeps count.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift import rules
from subdrift.linter import stages
from subdrift.linter.model import wire
from subdrift.linter.model.answers import Answers
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.facts import FileFacts, Suppression
from subdrift.linter.model.finding import Diagnostic, Finding, Rule
from subdrift.linter.model.languages import language_of
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.placed import Placed
from subdrift.linter.model.unknown import unknown_values
from subdrift.linter.report.language import english
from subdrift.linter.resolve.modules import Deployable, Modules
from subdrift.linter.settings import Settings, SettingsError, answers_of
from subdrift.linter.sources import owners
from subdrift.linter.sources.checkout import SourceError, name_of
from subdrift.linter.sources.git_tree import GitTree
from subdrift.linter.sources.listing import Listing
from subdrift.linter.triage import Triaged, triage
from subdrift.linter.workers import Job, read_all
from subdrift.spark_jobs import publishing, tables
from subdrift.spark_jobs.inputs import Late, Opened, Setup, Source, commit_read, opened, unreachable
from subdrift.spark_jobs.records import hashed
from subdrift.spark_jobs.rows import Row, key_text, owners_key, runs

PART_FILES = 20_000
"""Files of one row of work: a larger repository is cut."""

CHUNK_BYTES = 1 << 20
"""Bytes of files read at once."""

_PATHS = "\0"


# -- listing ------------------------------------------------------------------------------------------------------


def survey_repositories(sources: Iterable[Row], setup: Setup, alone: bool = False) -> Iterator[Row]:
    """Rows of repositories, their parts, answers and remarks, and what reading a repository of one part gives, as
    `read_candidates`: it is opened and listed once. In: sources as JSON."""
    for (text,) in sources:
        source = Source.loads(text)
        try:
            with opened(source, setup) as repository:
                listing = repository.listing()
                scoped = bool(answers_of(repository.name, repository.settings, setup.settings).scopes)
                paths = tuple(stages.looked_at(listing.paths, sends=setup.sends, scoped=scoped))
                listing = replace(listing, paths=paths)
                yield from _listed(source, repository, listing, setup)
                if len(listing.paths) <= PART_FILES:
                    yield from _read_once(repository, setup, 0, listing.paths, alone)
        except SettingsError as error:
            yield "fatal", source.repo, text, 0, english().text(error.message)
        except (SourceError, OSError) as error:
            name = source.repo or name_of(source.root)
            yield "repository", name, text, 0, None
            yield _diagnostic(
                unreachable(Source(name, source.root, source.head), error), "listing-diagnostic"
            )
    yield _worker()


def _read_once(
    repository: Opened, setup: Setup, part: int, paths: Iterable[str], alone: bool
) -> Iterator[Row]:
    """What one part of a repository gives; a repository that cannot be read any more costs that part."""
    try:
        yield from _candidates(_Reader(repository, 0, alone), part, paths, sends=setup.sends)
    except (SourceError, SettingsError, OSError) as error:
        yield _diagnostic(unreachable(Source(repository.name, ""), error))


def _worker() -> Row:
    return "worker", "", "", 0, f"{socket.gethostname()} {os.getpid()} {os.getppid()}"


def _listed(source: Source, repository: Opened, listing: Listing, setup: Setup) -> Iterator[Row]:
    name = repository.name
    place = Source(name, source.root, source.head).dumps()
    yield "repository", name, place, len(listing.paths), None
    yield from publishing.told(source, repository, setup)
    commit = commit_read(source)
    if commit:
        yield "head", name, place, 0, commit
    for number, start in enumerate(range(0, len(listing.paths), PART_FILES)):
        part = listing.paths[start : start + PART_FILES]
        text = _PATHS.join(part)
        yield "part", name, place, number, text
        yield "sized", name, str(number), len(text), None
        if isinstance(repository.tree, GitTree):
            yield "objects", name, place, number, " ".join(repository.tree.objects_of(part))
    for diagnostic in listing.diagnostics:
        yield _diagnostic(diagnostic, "listing-diagnostic")
    yield "answers", name, "", 0, wire.dumps(answers_of(name, repository.settings, setup.settings))
    named, catalogue = owners.texts_of(repository.tree)
    if named or catalogue:
        texts = [text.decode("utf-8", "replace") for text in (named, catalogue)]
        yield "owners", name, "", 0, json.dumps(texts)
        yield "owned", name, "", 0, None
    if repository.settings.clusters:
        yield "clusters", name, "", 0, json.dumps(repository.settings.clusters)
    if listing.remark:
        yield "remark", name, "", 0, english().text(listing.remark)


def _diagnostic(diagnostic: Diagnostic, kind: str = "diagnostic", number: int = 0) -> Row:
    origin = diagnostic.at.origin
    return kind, origin.repo, origin.path, number, wire.dumps(diagnostic)


def heads(sources: Iterable[Row]) -> Iterator[Row]:
    """`head` rows: the commit each source is read at, "" for a work tree. In: sources as JSON."""
    for (text,) in sources:
        yield "head", "", text, 0, commit_read(Source.loads(text))


# -- reading ------------------------------------------------------------------------------------------------------


class _Reader(Struct):
    """Reads files of one repository in chunks, and says what else their facts mean for the run."""

    repository: Opened | Late
    number: int
    alone: bool
    """Whether each file is read in a process to lose: an earlier attempt at these rows ended the worker."""
    jobs: list[tuple[str, Job]] = field(default_factory=list)
    size: int = 0
    counted: dict[str, list[int]] = field(default_factory=dict)
    """By kind of row the files that gave facts, and the characters of those."""

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

    def _rows(self, kind: str, path: str, facts: FileFacts | None) -> Iterator[Row]:
        repo = self.repository.name
        if facts is None:
            yield "index", repo, path, self.number, kind, b"", b""
            return
        text = wire.dumps(facts)
        yield kind, repo, path, self.number, text
        keys = [key_text(key) for key in stages.keys_of(Placed(Origin(repo, path), facts))]
        keys += [
            f"name:{key.rpartition(':')[2].rpartition('.')[2]}" for key in keys if key.startswith("type:")
        ]
        keys += [owners_key(repo)] if facts.owned else []
        yield "index", repo, path, self.number, kind, hashed([text]), hashed(keys)
        counted = self.counted.setdefault(kind, [0, 0])
        counted[0] += 1
        counted[1] += len(text)
        if facts.runs:
            yield "start", repo, path, self.number, None
        if facts.build is not None:
            yield "build", repo, path, self.number, wire.dumps(FileFacts(facts.language, build=facts.build))

    def counts(self, part: int = 0) -> Iterator[Row]:
        """What came of one part of a repository in one round of reading."""
        for kind, (files, chars) in sorted(self.counted.items()):
            yield "parsed", self.repository.name, f"{kind} {part}", files, str(chars)

    def content(self, path: str, kind: str = "diagnostic") -> Iterator[bytes | Row]:
        """The bytes of a file, or the row that says why there are none."""
        found = self.repository.read(path)
        if isinstance(found, bytes):
            yield found
        elif language_of(path) is not None:
            yield _diagnostic(found, kind, self.number)


def read_candidates(parts: Iterable[Row], setup: Setup, alone: bool = False) -> Iterator[Row]:
    """Round 0: one look at the bytes of every source file, then reading what may matter. In: `part` rows."""
    for _, repo, place, number, text in parts:
        try:
            with opened(Source.loads(place), setup) as repository:
                yield from _read_once(repository, setup, number, text.split(_PATHS), alone)
        except (SourceError, SettingsError, OSError) as error:
            yield _diagnostic(unreachable(Source(repo, ""), error))
    yield _worker()


def _candidates(reader: _Reader, part: int, paths: Iterable[str], *, sends: bool) -> Iterator[Row]:
    repo = reader.repository.name
    begun = time.monotonic()
    looked_at = [path for path in paths if stages.surveyed(path) or stages.always_read(path)]
    for path in reader.repository.expected(looked_at):
        surveyed, lasting = stages.surveyed(path), stages.always_read(path)
        for content in reader.content(path, "diagnostic" if surveyed else "lasting-diagnostic"):
            if not isinstance(content, bytes):
                yield content
                continue
            seen = stages.survey(path, content, sends=sends) if surveyed else None
            if seen is not None and seen.unread:
                yield _diagnostic(stages.unread(Origin(repo, path), seen))
            if seen is not None and seen.starts:
                yield "start", repo, path, 0, None
            if seen is not None and seen.candidate:
                yield from reader.add(Job(path, content))
            elif lasting or (seen is not None and seen.context):
                yield from reader.add(Job(path, content), "lasting")
    yield from reader.flush()
    yield from reader.counts(part)
    yield "files", repo, str(part), len(looked_at), None
    yield "spent", repo, str(part), round((time.monotonic() - begun) * 1_000), None


def read_demanded(
    rows: Iterable[Row],
    request: stages.Request,
    more: stages.Request,
    number: int,
    setup: Setup,
    alone: bool = False,
) -> Iterator[Row]:
    """One round of demand. In: by repository its `part` and `objects` rows, and the `index` rows of what was read, without what
    they are found under; an `unchanged` row where an earlier scan has asked it for all of the `request` but some (`more`); and
    of that scan, where this round is not the same as there, the rows of files and their reasons under `old` and their kind.

    Besides facts it gives why each file was asked for, whether it had been read or not: `defined` rows (text: the name) and
    `used` rows (text: the pair).
    """
    whole, rest = _Search(request), _Search(more)
    for run in runs(rows, lambda row: row[1]):
        paths: list[str] = []
        objects: list[str] = []
        read: set[str] = set()
        first: set[str] = set()
        old: list[Row] = []
        search = whole
        place = repo = ""
        for kind, name, path, round_, *more_of in run:
            repo = name
            if kind == "part":
                place = path
                paths += more_of[0].split(_PATHS)
            elif kind == "objects":
                objects += more_of[0].split()
            elif kind == "index":
                read.add(path)
                if not round_:
                    first.add(path)
            elif kind == "unchanged":
                search = rest
            else:
                old.append((kind.removeprefix("old-"), name, path, round_, *more_of))
        if old:
            yield from _taken_over(repo, old, read, whole, number)
        if not place or not search:
            continue
        try:
            known = dict(zip(paths, objects, strict=True)) if objects else None
            with Late(repo, Source.loads(place), setup, known) as repository:
                yield from _demanded(_Reader(repository, number, alone), paths, first, read, search)
        except (SourceError, SettingsError, OSError) as error:
            yield _diagnostic(unreachable(Source(repo, ""), error), number=number)


def _taken_over(repo: str, old: Iterable[Row], read: set[str], search: _Search, number: int) -> Iterator[Row]:
    """What an unchanged repository has of what an earlier scan asked for too: those of its files that are not read by now
    become so (`read`), and every reason is one again."""
    names = frozenset(search.request.names)
    pairs = {json.dumps(pair) for pair in search.request.learned}
    turns: dict[str, int] = {}
    for kind, _, path, _, *more in old:
        if kind in ("defined", "used") and more[0] in (names if kind == "defined" else pairs):
            yield kind, repo, path, 0, more[0]
            if kind == "used":
                yield "used-before", repo, "", number, more[0]
            turns[path] = min(turns.get(path, number + 1), number + (kind == "used"))
    took = {path: turn for path, turn in turns.items() if path not in read}
    files = chars = 0
    for kind, _, path, _, *more in sorted(old, key=lambda row: (row[2], row[0])):
        if path in took and kind in ("file", "index"):
            yield kind, repo, path, took[path], *more
            if kind == "file":
                files, chars = files + 1, chars + len(more[0])
    for path, turn in sorted(took.items()):
        read.add(path)
        yield "took", repo, path, turn, None
    if files:
        yield "parsed", repo, "file earlier", files, str(chars)


class _Search:
    """What a round asks for. Prepared once, for thousands of repositories."""

    def __init__(self, request: stages.Request) -> None:
        self.request = request
        self.uses = stages.Uses(request.learned)

    def __bool__(self) -> bool:
        return bool(self.request.names or self.request.learned)


def _demanded(
    reader: _Reader, paths: list[str], first: set[str], read: set[str], search: _Search
) -> Iterator[Row]:
    repository = reader.repository
    if search.request.names:
        # what was read at first sight is read in any scan; why another file is read may matter to a later one
        found = stages.defining(search.request, stages.Paths(paths), first, repository.content)
        for path, names in found.items():
            for name in names:
                yield "defined", repository.name, path, 0, name
            if path not in read:
                read.add(path)
                yield from _asked_for(reader, path)
        yield from reader.flush()
    reader.number += 1
    sources = [path for path in paths if language_of(path) in ("java", "kotlin", "python")]
    for path in repository.expected(sources) if search.uses and sources else ():
        for content in reader.content(path):
            pairs = sorted(set(search.uses.found(content))) if isinstance(content, bytes) else []
            for pair in pairs:
                yield "used", repository.name, path, 0, json.dumps(pair)
                yield "uses", repository.name, "", reader.number - 1, json.dumps(pair)
            if pairs and path not in read and isinstance(content, bytes):
                yield from reader.add(Job(path, content))
    yield from reader.flush()
    yield from reader.counts()


def _asked_for(reader: _Reader, path: str) -> Iterator[Row]:
    for content in reader.content(path):
        if isinstance(content, bytes):
            yield from reader.add(Job(path, content))
        else:
            yield content


# -- consuming ----------------------------------------------------------------------------------------------------

OWN, LENT = range(2)
"""In which turn a share gets its rows: those of its own repositories, of files of others."""


def consume(
    rows: Iterable[Row], structure: Structure, clusters: Settings, *, sends: bool = False
) -> Iterator[Row]:
    """Consumes every deployable of the repositories of some shares; `sends`: what is looked for sends, and is not judged.

    In: (share, turn, kind, repo, path, number, text), sorted by these: the `answers` and `file` rows of its own
    repositories, then `file` rows of other repositories: those its own refer to.
    """
    for run in runs(rows, lambda row: row[0]):
        held: dict[int, list[Row]] = {OWN: [], LENT: []}
        for turn in runs(run, lambda row: row[1]):
            first = next(turn)
            held[first[1]] = [first, *turn]
        yield from _share(held[OWN], held[LENT], structure, clusters, sends=sends)


class Structure(Struct):
    """The modules of the whole run, and what runs in each repository."""

    modules: Modules
    deployables: dict[str, list[Deployable]]

    @classmethod
    def of(cls, rows: Iterable[Row], repos: tuple[str, ...]) -> Structure:
        """Of the `build` and `start` rows of the whole run."""
        builds: dict[Origin, Placed] = {}
        starts: set[Origin] = set()
        for kind, repo, path, _, text in rows:
            origin = Origin(repo, path)
            if kind == "start":
                starts.add(origin)
            else:
                builds[origin] = Placed(origin, wire.loads(FileFacts, text))
        modules = Modules((builds[origin] for origin in sorted(builds)), sorted(starts), repos)
        deployables: dict[str, list[Deployable]] = {}
        for deployable in modules.deployables:
            deployables.setdefault(deployable.key.repo, []).append(deployable)
        return cls(modules, deployables)

    def takes(self, repo: str) -> set[str]:
        """The repositories that the deployables of a repository take in."""
        return {key.repo for one in self.deployables.get(repo, ()) for key in one.takes_in} - {repo}

    def view(self, repo: str) -> bytes:
        """Equal where modules mean the same to a repository."""
        told = [self.modules.told(one) for one in self.deployables.get(repo, ())]
        return hashlib.sha256(repr(told).encode("utf-8", "surrogatepass")).digest()


def _share(
    own: Iterable[Row], lent: Iterable[Row], structure: Structure, clusters: Settings, *, sends: bool
) -> Iterator[Row]:
    placed: dict[Origin, Placed] = {}
    answers: dict[str, Answers] = {}
    mine: dict[str, list[Placed]] = {}
    for _, _, kind, repo, path, _, text in own:
        inside = mine.setdefault(repo, [])
        if kind == "answers":
            answers[repo] = wire.loads(Answers, text)
        elif Origin(repo, path) not in placed:
            one = placed[Origin(repo, path)] = Placed(Origin(repo, path), wire.loads(FileFacts, text))
            inside.append(one)
    for _, _, kind, repo, path, _, text in lent:
        origin = Origin(repo, path)
        if kind == "file" and origin not in placed:
            placed[origin] = Placed(origin, wire.loads(FileFacts, text))
    known = stages.Known.of(placed.values(), (), (), answers, structure.modules, sends=sends)
    for repo, files in sorted(mine.items()):
        yield from _consumed(known, repo, files, structure.deployables.get(repo, ()), clusters, sends=sends)


def _consumed(
    known: stages.Known,
    repo: str,
    files: Sequence[Placed],
    deployables: Sequence[Deployable],
    clusters: Settings,
    *,
    sends: bool,
) -> Iterator[Row]:
    """The rows of one repository: its `files` and what its deployables come to."""

    def row(kind: str, key: str = "", text: str | None = None) -> Row:
        return kind, repo, "", "", "", key_text(key), text

    consumers: list[Consumer] = []
    asked: set[str] = set()
    due = filter(known.may_consume, deployables)
    for unit in stages.with_unmet(known.apart(each, clusters.cluster_of) for each in due):
        consumers += unit.found.consumers
        asked |= unit.asked
        for diagnostic in unit.found.diagnostics:
            yield row("diagnostic", "", wire.dumps(diagnostic))
    held: dict[str, set[str]] = {}
    for consumer in consumers:
        held.setdefault(consumer.at.origin.repo, set()).add(consumer.id)
        if sends:
            yield "consumer", repo, "", None, None, key_text(consumer.id), wire.dumps(consumer)
        else:
            yield from _consumer_rows(consumer, repo, clusters.levelled(rules.ALL))
        if consumer.at.origin.repo != repo:
            asked.add(owners_key(consumer.at.origin.repo))
    for one in () if sends else unknown_values(consumers):
        key = json.dumps([one.field, one.why.value, one.value.detail])
        text = json.dumps([one.consumer.group.text, one.consumer.id, one.consumer.deployable])
        yield "unknown", repo, *_sortable(one.at), key, text
    keys = [key_text(key) for key in sorted(asked)]
    yield row("asks", "", json.dumps(keys))
    yield row("looked", "", hashlib.sha256("\n".join(keys).encode()).hexdigest())
    for holder, ids in sorted(held.items()):
        yield row("held", holder, str(len(ids)))
    for each in files:
        for diagnostic in stages.problems(each):
            yield row("diagnostic", "", wire.dumps(diagnostic))
        for suppression in each.facts.suppressions:
            key = json.dumps([each.origin.repo, each.origin.path])
            yield row("suppression", key, wire.dumps(suppression))
    wanted = known.wanted_by(deployables, files, repo)
    yield from (row("type", name) for name in sorted(wanted.types))
    yield from (row("caller", json.dumps(pair)) for pair in sorted(wanted.callers))
    yield from (row("file-wanted", name) for name in sorted(wanted.files))


def _consumer_rows(consumer: Consumer, repo: str, levelled: Sequence[Rule]) -> Iterator[Row]:
    text = wire.dumps(consumer)
    key = stages.group_key(consumer)
    cluster, namespace, group = (key_text(part) for part in key) if key else (consumer.cluster, None, None)
    named = consumer.group.text
    if key is None and named is not None:
        # counted as a group, compared with none: its namespace is not known
        yield "named", repo, cluster, consumer.namespace.text or "", key_text(named), "", None
    yield "consumer", repo, cluster, namespace, group, key_text(consumer.id), text
    if key is None:
        place = [1, *_place(consumer.at), consumer.id, list(consumer.environments)]
        found = list(stages.judge_consumer(consumer, levelled))
        for number, finding in enumerate(found):
            yield "finding", repo, "", "", "", json.dumps([*place, number]), wire.dumps(finding)
        if found:
            yield "shown", repo, "", "", "", "", text


def _sortable(at: Location) -> tuple[str, str, str]:
    """A place as three texts that sort as places do."""
    span = at.span
    numbers = (span.line, span.column, span.end_line, span.end_column)
    return key_text(at.origin.repo), key_text(at.origin.path), " ".join(f"{one:09}" for one in numbers)


def placed(repo: str, path: str, span: str) -> Location:
    """The place of three such texts."""
    return Location(Origin(repo, path), Span(*map(int, span.split())))


def _place(at: Location) -> list[str | int]:
    span = at.span
    return [at.origin.repo, at.origin.path, span.line, span.column, span.end_line, span.end_column]


# -- judging ------------------------------------------------------------------------------------------------------


def judge(rows: Iterable[Row], settings: Settings) -> Iterator[Row]:
    """One verdict for each group, and each unknown value once.

    In: `consumer`, `named` and `unknown` rows (place, kind, cluster, namespace, group, key, text), sorted by all but the
    last. Rows of one group, and those of one kind of unknown values, have one place.
    """
    for spot in runs(rows, lambda row: row[0]):
        first = next(spot)
        if first[1] == "unknown":
            yield from _unknown(chain((first,), spot))
            continue
        for group in runs(chain((first,), spot), lambda row: row[2:5]):
            first = next(group)
            if first[1] == "named":  # sorts behind all consumers: there are none
                yield "named", *first[2:5], "", None
                continue
            yield from _judged((row[-1] for row in chain((first,), group) if row[1] == "consumer"), settings)


def _judged(texts: Iterable[str], settings: Settings) -> Iterator[Row]:
    kept: list[str] = []

    def loaded() -> Iterator[Consumer]:
        for text in texts:
            kept.append(text)
            yield wire.loads(Consumer, text)

    for group in stages.groups(loaded()):
        verdict = stages.judge(group, settings.levelled(rules.ALL), settings.assume.of(group.name))
        key = (key_text(group.cluster), key_text(group.namespace), key_text(group.name))
        order = [0, *key]
        for number, finding in enumerate(verdict.findings):
            yield "finding", *key, json.dumps([*order, number]), wire.dumps(finding)
        if verdict.findings:
            yield from (("shown", *key, "", text) for text in kept)
        if any(one.group.text is not None for one in group.consumers):  # else nobody knows what it is called
            yield "verdict", *key, "", json.dumps(tables.clean(tables.group(verdict)))


def _unknown(rows: Iterable[Row]) -> Iterator[Row]:
    """The places of one kind of unknown values, each once, and how many there are, with the first."""
    kind = ""
    first: tuple[str, ...] = ()
    places = 0
    for run in runs(rows, lambda row: row[2:5]):
        _, _, *place, kind, text = next(run)
        at = placed(*place)
        first = first or tuple(place)
        places += 1
        record = tables.blind_spot(at, *json.loads(kind), *json.loads(text))
        yield "spot", *place, kind, json.dumps(tables.clean(record))
    yield "unknown", *first, kind, str(places)


def triaged(
    rows: Iterable[Row], besides: Callable[[Sequence[Finding]], Iterable[Finding]] = tuple
) -> Triaged:
    """All findings and diagnostics with their suppressions, in order. In: (kind, key, text) in any order. `besides` gives the
    findings with what is known of senders."""
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
    return triage(tuple(besides([one for _, one in findings])), ordered, suppressions, (), rules.ALL)
