"""Runs the stages on a cluster: listing, reading by demand, consume, judge, triage, tables.

Files are read and facts kept in executors alone. The driver sees names (of repositories, of what is wanted), counts,
settings, and in the end findings and diagnostics. Each step's rows are written below the output folder before the
next begins, so nothing is read twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import groupby
from operator import itemgetter

import pyarrow as pa  # type: ignore[import-untyped]
from msgspec import Struct, field
from msgspec.structs import replace as struct_replace
from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.sql import SparkSession

from subdrift import linter
from subdrift.linter.model import wire
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Diagnostic, Finding, by_cause
from subdrift.linter.model.known import Known
from subdrift.linter.model.location import Origin
from subdrift.linter.model.topics import called_ones
from subdrift.linter.model.unknown import count_unread, lost, unreachable, unread
from subdrift.linter.registry.entries import About, Edges, Published, holder_of
from subdrift.linter.registry.schema import RegistryError
from subdrift.linter.report.content import Content, OwnersOf, Unknown
from subdrift.linter.report.language import english
from subdrift.linter.settings import Settings
from subdrift.linter.stages import senders
from subdrift.linter.stages.ownership import owners_in
from subdrift.linter.store.cache import versions_of_package
from subdrift.linter.store.earlier import known
from subdrift.linter.triage import Triaged
from subdrift.rules import ALL
from subdrift.spark_jobs import publishing, routing, tables, work
from subdrift.spark_jobs.arrow import files_of, schema_of
from subdrift.spark_jobs.consuming import SHARE_CHARS_MAX, Consuming
from subdrift.spark_jobs.earlier import STATE, STEPS, TOLD_SENDS, TOLD_STATE, Before
from subdrift.spark_jobs.inputs import ScanError as ScanError
from subdrift.spark_jobs.inputs import Setup, Source, manifest_sources, org_sources
from subdrift.spark_jobs.judging import judge
from subdrift.spark_jobs.reading import Reading
from subdrift.spark_jobs.rows import Row
from subdrift.spark_jobs.sending import Sending, looked_for, resolved
from subdrift.spark_jobs.session import connected
from subdrift.spark_jobs.steps import LIGHT, Piece, Progress, Steps, Way, mapped, spread
from subdrift.spark_jobs.storage import SUCCESS, WORKER, Folder, StorageError, absolute, reaching
from subdrift.spark_jobs.told import Told

FINDINGS = "findings"
"""The table that a later scan marks by what is new."""
KNOWN_BY = (
    "schema_version", "suppressed", "rule", "level", "scope", "namespace", "consumer_group", "topic", "identity", "state",
    "places",
)  # fmt: skip
"""What of it a later scan goes by."""
STEPS_MAX = 200
"""Steps of scans that went by one another, some ten of each, that a state is made up of at most."""
SMALL = 100_000
"""Consumers whose tables may all come to the driver at once, as the bytes of their files."""
UNKNOWN_MAX = 10_000
"""Kinds of unknown values that reports are made from."""


class Counts(Struct, frozen=True):
    """What a scan saw. `workers` are the Python processes that read files, `parsed` the files that gave facts."""

    repositories: int
    unreachable: int
    files: int
    parsed: int
    rounds: int
    shares: int
    consumers: int
    groups: int
    blind_spots: tuple[tuple[str, int], ...]
    workers: tuple[str, ...]


class ScanContent(Content, frozen=True):
    """What reports are made from, with counts that were made where the consumers are."""

    counts: Counts = field(default_factory=lambda: Counts(0, 0, 0, 0, 0, 0, 0, 0, (), ()))
    unknown: tuple[Unknown, ...] = ()

    @property
    def groups(self) -> int:
        return self.counts.groups

    @property
    def members(self) -> int:
        return self.counts.consumers

    def blind_spots(self) -> Counter[str]:
        return Counter(dict(self.counts.blind_spots))

    def unknowns(self) -> tuple[Unknown, ...]:
        return self.unknown

    @property
    def needed_diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.diagnostics  # the consumers that could tell are not here


class ScanReport(Struct, frozen=True):
    """The result of a scan: what reports and exit codes are made from, and remarks that are no findings."""

    content: ScanContent
    triaged: Triaged
    counts: Counts
    remarks: tuple[str, ...]
    seconds: float
    before: tuple[Known, ...] | None = None
    """The active findings of the earlier scan this one was set beside; None without one."""
    unpublished: tuple[Diagnostic, ...] = ()
    """Why no registry was written: what could not be read."""

    @property
    def nothing_read(self) -> bool:
        """Whether none of the repositories could be read, so that the scan cannot answer anything."""
        return 0 < self.counts.repositories == self.counts.unreachable


def scan(
    org: str | None,
    manifest: str | None,
    out: str,
    master: str | None = None,
    replace: bool = False,
    settings: Settings | None = None,
    overrides: Sequence[str] = (),
    isolated: bool = False,
    untracked: bool = True,
    show_suppressed: bool = False,
    progress: Progress | None = None,
    registry_out: str = "",
    since: str = "",
    force: bool = False,
) -> ScanReport:
    """Scans an organisation (`org`: a folder of repositories) or a manifest, and writes its tables below `out`.

    `registry_out` is a file for the registry, local or in any file system Hadoop is configured for; where something could not
    be read it is written with `force` only. `since` is the output folder of an earlier scan: repositories whose commit is the
    same are not read again, and its findings come back.
    `settings` are those of the run, `overrides` and `isolated` hold for the settings of every repository too. A
    running Spark is used, else one is started on `master` and stopped in the end. Raises `ScanError`.
    """
    setup = Setup(settings or Settings(), tuple(overrides), isolated, untracked)
    if (org is None) == (manifest is None):
        raise ScanError("give either --org DIR or --manifest FILE")
    pa.set_memory_pool(pa.system_memory_pool())  # Arrow's own keeps tens of megabytes for the next table
    sources = org_sources(org) if org is not None else manifest_sources(manifest or "")
    running = SparkSession.getActiveSession()
    spark = running or connected(master, progress)
    try:
        with _working_in(spark, out, replace) as folder:
            steps = Steps(spark, folder, progress)
            with steps.watching():
                one = Scan(steps, setup, absolute(since) if since else "")
                return one.run(sources, show_suppressed, registry_out, force)
    finally:
        if running is None:
            spark.stop()


@contextmanager
def _working_in(spark: SparkSession, out: str, replace: bool) -> Iterator[Folder]:
    """The output folder, taken for this scan; what goes wrong in it is a `ScanError`."""
    try:
        folder = Folder(spark, absolute(out))
        if not folder.is_empty() and not replace:
            raise ScanError(f"{out} is not empty; give another folder, or --replace to replace what it holds")
        folder.take()
        try:
            yield folder
        except Exception:
            folder.check()  # another scan takes away what this one works with
            raise
        finally:
            folder.leave()
    except StorageError as error:
        raise ScanError(str(error)) from error
    except Py4JJavaError as error:
        if WORKER not in str(error):
            raise
        raise ScanError(f"a worker failed: {_cause(str(error))}. This is a bug in subdrift.") from error


def _cause(said: str) -> str:
    """The last line of a worker's traceback: the exception itself."""
    traceback = said[said.index(WORKER) :].partition("\n\n")[0].partition("\n\tat ")[0]
    lines = [line for line in traceback.splitlines() if line and not line[0].isspace()]
    return next((line for line in reversed(lines[1:]) if "Error" in line or "Exception" in line), lines[-1])


class Scan:
    """One scan, set beside an earlier one where `since` names its output folder."""

    def __init__(self, steps: Steps, setup: Setup, since: str = "") -> None:
        self.steps = steps
        self.folder = steps.folder
        self.setup = setup
        self.rounds = 0
        self._began = datetime.now(UTC)
        self._known: tuple[Known, ...] | None = None
        self._remarks: list[str] = []
        self._sends_before: Before | None = None
        self.before = self._earlier(since) if since else None
        self.reading = Reading(steps, setup, self.before)
        self.sending: Sending | None = None

    def _earlier(self, since: str) -> Before | None:
        """An earlier scan; None, with a word about it, where this scan cannot go by it."""
        folder = self.folder if since == self.folder.path else Folder(self.steps.spark, since)
        if not folder.holds(STATE):
            raise ScanError(
                f"{since}: holds no {STATE} of an earlier scan; --since names what --out named then"
            )
        if not folder.holds(SUCCESS):
            raise ScanError(
                f"{since}: holds no {SUCCESS}: the scan that wrote it was ended before its tables were whole; "
                "scan without --since"
            )
        manifest = folder.manifest(STATE)
        if manifest is None:
            self._remark(
                f"{since}: the state of the earlier scan does not prove that it is whole: everything is read"
            )
            return None
        differs = folder.differing(manifest, FINDINGS)
        if differs:
            self._remark(
                f"{since}: the earlier findings are not whole ({differs}): what is new is not marked"
            )
        else:
            self._known = self._findings(folder)
        differs = folder.differing(manifest, STATE)
        if differs:
            self._remark(
                f"{since}: the state of the earlier scan is not whole ({differs}): everything is read"
            )
            return None
        before = Before.of(folder, manifest, self._made) if manifest.made == self._made else None
        if before is not None and len(before.steps) > STEPS_MAX:
            self._remark(
                f"{since}: the state has come to {len(before.steps)} parts: everything is read, and it is one again"
            )
            return None
        if before is None:
            self._remark(
                f"{since}: the earlier scan was made by another version or under other settings: everything is read"
            )
        else:
            if folder.holds(TOLD_SENDS):
                self._sends_before = Before.of(folder, manifest, self._made, TOLD_SENDS)
            for one in filter(None, (before, self._sends_before)):
                self.folder.know(one.steps, f"{folder.path}/{STEPS}")
                self.steps.at |= one.left.at
        return before

    def _remark(self, text: str) -> None:
        self.steps.say(text)
        self._remarks.append(text)

    def _findings(self, folder: Folder) -> tuple[Known, ...] | None:
        """The active findings among the tables of an earlier scan; None, with a word, for tables of another shape."""
        rows = folder.load_table(FINDINGS, KNOWN_BY).to_pylist()
        if any(row.get("schema_version") != tables.SCHEMA_VERSION for row in rows):
            self._remark(
                f"{folder.path}: the findings of the earlier scan are written in another way: what is new is not marked"
            )
            return None
        active = (row for row in rows if row["suppressed"] is None)
        return tuple(known({**row, "group": row["consumer_group"]}) for row in active)

    @cached_property
    def _made(self) -> str:
        """What must be the same for rows of an earlier scan to stand for those of this one."""
        package = os.path.dirname(linter.__file__)
        setup = hashlib.sha256(repr(self.setup).encode()).hexdigest()
        return f"{linter.__version__} {versions_of_package(package)[0]} {setup}"

    def run(
        self, sources: Sequence[Source], show_suppressed: bool, registry_out: str = "", force: bool = False
    ) -> ScanReport:
        self.reading.begin(sources)
        self.consuming = Consuming(self.steps, self.reading, self.before)
        self.rounds = resolved(self.reading, self.consuming)
        if self.setup.settings.asks_of_senders(ALL):
            consumed = self.consuming.consumed()
            self.sending = looked_for(self.steps, self.setup, sources, consumed, self._sends_before)
        judged, told = judge(self.consuming, self.steps, self.setup.settings, self._members())
        found = self.report(told, show_suppressed)
        self.steps.say("writing tables")
        with ThreadPoolExecutor(1) as beside:
            large = beside.submit(self.write_large, judged, found)
            self.write(found)
            large.result()
        self.leave(judged)
        unpublished = tuple(lost(found.triaged.diagnostics)) if registry_out and not force else ()
        self._gone = unreachable(found.triaged.diagnostics)
        publishes = bool(registry_out) and not unpublished
        if publishes and self.before is not None:
            self.publish(registry_out)  # what it is made from may lie where the tables go
        manifest = None if self.before is None else self.before.manifest
        self.folder.seal(self._made, (FINDINGS, STATE), STATE, manifest)
        self.folder.put_in_place((*tables.NAMES, STATE))
        if publishes and self.before is None:
            self.publish(registry_out)
        self.steps.say(f"done: {found.counts.files:,} files of {found.counts.repositories:,} repositories")
        seconds = time.monotonic() - self.steps.started
        return struct_replace(found, seconds=seconds, before=self._known, unpublished=unpublished)

    # -- results --------------------------------------------------------------------------------------------

    def write_large(self, judged: Piece, found: ScanReport) -> None:
        """The tables that are as large as the organisation: `subscriptions`, `groups` and `blind_spots`, each in one task."""
        more = [routing.blind_spot(one) for one in tables.unread(found.content.unread)]
        ways = [
            Way.of(self.consuming.consumed(), routing.subscriptions),
            Way.of([judged], routing.verdicts),
        ]
        given = self.steps.sent(ways, more, LIGHT)
        rows = given.repartitionAndSortWithinPartitions(len(LARGE), routing.table_of)
        schemas = tuple(schema_of(ddl) for _, ddl in LARGE)
        with reaching(self.folder.path):
            files = rows.mapPartitionsWithIndex(partial(_files, schemas))
            # a table after the other costs a job for each
            pieces = files.collect() if self._members() <= SMALL else files.toLocalIterator()
            for number, chunks in groupby(pieces, itemgetter(0)):
                self.folder.stage_chunks((chunk for _, chunk in chunks), LARGE[number][0])

    def write(self, found: ScanReport) -> None:
        """The tables made of what came to the driver."""
        self._write_records(tables.findings(found.content), tables.FINDINGS, FINDINGS)
        said = tables.diagnostics(found.triaged.diagnostics)
        self._write_records(said, tables.DIAGNOSTICS, "diagnostics")
        self._write_records(tables.sends(self.sending.sends if self.sending else ()), tables.SENDS, "sends")
        map_ = self.sending.map.topics if self.sending else ()
        self._write_records(tables.topics(map_), tables.TOPICS, "topics")
        self.write_repositories(found)

    def _about(self) -> dict[str, About]:
        """What each repository tells about itself."""
        clusters = {row[1]: row[4] for row in self.reading.of("clusters")}
        return {
            row[1]: publishing.about_of(row, clusters.get(row[1], "[]")) for row in self.reading.of("about")
        }

    def write_repositories(self, found: ScanReport) -> None:
        """The tables `repositories` and `runs`."""
        held: Counter[str] = Counter()
        for row in self.consuming.held():
            held[row[5]] += int(row[6])
        blind = Counter(one.at.origin.repo for one in found.content.unread)
        blind.update(self._blind)
        sides = Counter(
            repo
            for parts in by_cause(found.triaged.active)
            for repo in {place.at.origin.repo for one in parts for place in one.places}
        )
        about = self._about()
        records = [
            {
                "schema_version": tables.SCHEMA_VERSION,
                "repo": repo,
                "commit": one.head or None,
                "committed": _instant(one.time),
                "url": one.url or None,
                "owners": list(one.owners),
                "files": files,
                "consumers": held[repo],
                "blind_spots": blind[repo],
                "findings": sides[repo],
            }
            for repo, files in sorted(self.reading.repos.items())
            for one in (about.get(repo, About(repo)),)
        ]
        self._write_records(records, tables.REPOSITORIES, "repositories")
        self._write_run(found)

    def _write_run(self, found: ScanReport) -> None:
        tally = found.content.tally
        run = {
            "schema_version": tables.SCHEMA_VERSION,
            "started": self._began,
            "finished": datetime.now(UTC),
            "version": linter.__version__,
            "repositories": found.counts.repositories,
            "unreachable": found.counts.unreachable,
            "files": found.counts.files,
            "parsed": found.counts.parsed,
            "consumers": found.counts.consumers,
            "groups": found.counts.groups,
            "blind_spots": sum(count for _, count in found.counts.blind_spots),
            "errors": tally.errors,
            "warnings": tally.warnings,
            "notes": tally.notes,
            "suppressed": tally.suppressed,
            "diagnostics": tally.diagnostics,
        }
        self._write_records([run], tables.RUNS, "runs")

    def _write_records(self, records: Iterable[tables.Record], ddl: str, name: str) -> None:
        arrow = schema_of(ddl)
        whole = pa.Table.from_batches(tables.batches(records, arrow), schema=arrow)
        self.folder.stage_table(whole, name)

    def leave(self, judged: Piece) -> None:
        """Writes what a later scan can go by."""
        made = self._made
        lefts = {TOLD_STATE: self.consuming.left(made, judged)}
        if self.sending is not None:
            lefts[TOLD_SENDS] = self.sending.consuming.left(made)
        for step in sorted({one.step for left in lefts.values() for one in left.pieces}):
            self.folder.stage_step(step, STEPS)
        for name, left in lefts.items():
            self.folder.stage_table(left.table(), name)

    def publish(self, path: str) -> None:
        """Writes the registry: executors prepare its rows, which stream through the driver into one file."""
        self.steps.say("publishing the registry")
        repos = tuple(sorted(self.reading.repos.keys() - self._gone))
        consumed = self.steps.records(self.consuming.consumed())
        chars = sum(int(row[4]) for row in self.reading.of("parsed"))
        shares = self.steps.shares + chars // SHARE_CHARS_MAX
        kinds = self.reading.kinds
        ways = [
            Way.of(self.reading.read, publishing.to_publish, shares=shares, kinds=kinds),
            Way.of(self.consuming.consumed(), publishing.pointed, shares=shares),
        ]
        looked_up = self.consuming.consumed()
        sends: list[Consumer] = []
        if self.sending is not None:
            sends = list(called_ones(self.sending.sends))
            read, also = self.sending.reading, self.sending.consuming.consumed()
            ways.append(
                Way.of(read.read, publishing.to_publish, shares=shares, kinds=read.kinds, listed=False)
            )
            looked_up = [*looked_up, *also]
        sent = self.steps.sent(ways, list(publishing.pointed_at(sends, shares)))
        step, _ = self.steps.done(spread(sent, shares), publishing.published, "registry", setup=self.setup)
        made = self.steps.records([Piece("registry", step, 0, frozenset(self.reading.repos))])
        edges = Edges.of(self.consuming.structure.modules)
        starts = sorted({(repo, path) for _, repo, path, _, _ in self.reading.of("start")})
        known = self._about()

        def rows(kind: str) -> Iterator[Row]:
            yield from mapped(made, publishing.rows_of, kind=kind).toLocalIterator()

        texts = mapped(consumed, publishing.consumers).toLocalIterator()
        consumers = (wire.loads(Consumer, text) for text in texts)
        published = Published(
            int(time.time()),
            tuple(known.get(repo, About(repo)) for repo in repos),
            (publishing.file_row(repo, path, text) for _, repo, path, _, text in rows("kept")),
            (Origin(repo, path) for repo, path in starts),
            ((holder_of(one), one) for one in consumers),
            None if self.sending is None else [(holder_of(one), one) for one in sends],
            mapped(self.steps.records(looked_up), publishing.asked).toLocalIterator(),
            edges,
            ((Origin(repo, path), number, text) for _, repo, path, number, text in rows("line")),
            ((Origin(repo, path), tuple(json.loads(text))) for _, repo, path, _, text in rows("owners")),
        )
        try:
            self.folder.publish(path, published)
        except RegistryError as error:
            raise ScanError(english().text(error.message)) from error

    def report(self, judged: Told, show_suppressed: bool) -> ScanReport:
        """What reports are made of; `judged` is what judging has told."""
        repos = self.reading.repos
        rows = sorted(judged) + sorted(
            (kind, "", "", "", key, text) for kind, *_, key, text in self.consuming.said()
        )
        apart = ("shown", "unknown", "groups", "blind")
        to_triage = [(kind, key, text) for kind, *_, key, text in rows if kind not in apart]
        to_triage += [("diagnostic", "", text) for text in self.reading.diagnostics()]
        found = work.triaged([*to_triage, *self._silenced_beside(to_triage)], self._with_senders)
        unknown, blind = _unknown_of(row for row in rows if row[0] == "unknown")
        shown = dict.fromkeys(row[-1] for row in rows if row[0] == "shown")
        consumers = [wire.loads(Consumer, text) for text in shown]
        self._blind = Counter[str]()
        for row in rows:
            if row[0] == "blind":
                self._blind[row[1]] += int(row[-1])
        groups = sum(int(row[-1]) for row in rows if row[0] == "groups")
        counts = self._counts(found.diagnostics, blind + count_unread(found.diagnostics), groups)
        content = ScanContent(
            version=linter.__version__,
            findings=found.findings,
            diagnostics=found.diagnostics,
            consumers=tuple(sorted(consumers, key=lambda one: (one.at, one.id, one.environments))),
            files=counts.files,
            home=next(iter(repos)) if len(repos) == 1 else "",
            show_suppressed=show_suppressed,
            repositories=counts.repositories,
            owners=self._owners({place.at.origin.repo for one in found.findings for place in one.places}),
            unread=tuple(unread(found.diagnostics)),
            counts=counts,
            unknown=unknown,
            map=self.sending.map if self.sending else None,
        )
        remarks = (*self._remarks, *self.reading.remarks)
        return ScanReport(content, found, counts, remarks, time.monotonic() - self.steps.started)

    def _with_senders(self, findings: Sequence[Finding]) -> Iterable[Finding]:
        """The findings with the senders of what they lose, and with what rules say of senders."""
        if self.sending is None:
            return findings
        settings, found = self.setup.settings, self.sending.map
        said = senders.with_senders(findings, found, complete=settings.senders_complete)
        return (*said, *senders.judge_topics(found, settings.levelled(ALL)))

    def _silenced_beside(self, rows: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
        """The suppressions of files that were read for what sends alone."""
        read = {key for kind, key, _ in rows if kind == "suppression"}
        for kind, *_, key, text in sorted(self.sending.consuming.said()) if self.sending else ():
            if kind == "suppression" and key not in read:
                yield kind, key, text

    def _owners(self, repos: Collection[str]) -> OwnersOf:
        """Who owns the files of some repositories: those of findings."""
        owned = {row[1] for row in self.reading.of("owned")}.intersection(repos)
        if not owned:
            return lambda origin: ()
        pieces = [one.of(owned) for one in self.reading.first]
        found = self.steps.sent([Way.of(pieces, publishing.rows_of, kind="owners")], here=LIGHT)
        told = self.steps.collect(found)
        texts = {row[1]: json.loads(row[4]) for row in told}
        known = {repo: owners_in(*map(str.encode, each)) for repo, each in texts.items()}
        none = owners_in(b"")
        return lambda origin: known.get(origin.repo, none).of(origin.path)

    def _members(self) -> int:
        return sum(int(row[6]) for row in self.consuming.held())

    def _counts(self, diagnostics: Iterable[Diagnostic], blind: Counter[str], groups: int) -> Counts:
        reading = self.reading
        return Counts(
            repositories=len(reading.repos),
            unreachable=len(unreachable(diagnostics)),
            files=sum(row[3] for row in reading.of("files")),
            parsed=sum(row[3] for row in reading.of("parsed")) if reading.has_candidates else 0,
            rounds=self.rounds,
            shares=self.consuming.shares,
            consumers=self._members(),
            groups=groups,
            blind_spots=tuple(sorted(blind.items())),
            workers=tuple(sorted({row[4] for row in reading.of("worker")})),
        )


def _unknown_of(rows: Iterable[Row]) -> tuple[tuple[Unknown, ...], Counter[str]]:
    """The values that are not known, as `Content.unknowns` gives them (of very many the most frequent), and how many
    there are of each field."""
    blind: Counter[str] = Counter()
    found = []
    for _, repo, path, span, key, text in rows:
        field, why, detail = json.loads(key)
        blind[field] += int(text)
        found.append(Unknown(field, why, detail, int(text), work.placed(repo, path, span)))
    found.sort(key=lambda one: (-one.count, one.why, one.field, one.detail))
    return tuple(found[:UNKNOWN_MAX]), blind


def _instant(seconds: int | None) -> datetime | None:
    """A time a column can hold."""
    if seconds is None or not 0 <= seconds < 1 << 36:
        return None
    return datetime.fromtimestamp(seconds, UTC)


LARGE = (
    ("subscriptions", tables.SUBSCRIPTIONS), ("groups", tables.GROUPS), ("blind_spots", tables.BLIND_SPOTS),
)  # fmt: skip
"""The tables that executors write, in the order of `routing.LARGE`."""


def _files(
    schemas: Sequence[pa.Schema], number: int, rows: Iterable[tuple[object, tables.Record]]
) -> Iterator[tuple[int, tuple[int, bytes]]]:
    """The bytes of the files of one table, in pieces: (which table, (which file, bytes))."""
    for piece in files_of((record for _, record in rows), schemas[number], tables.ROWS_PER_FILE):
        yield number, piece
