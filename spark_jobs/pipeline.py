"""Runs the stages on a cluster: listing, reading by demand, consume, judge, triage, tables.

Files are read and facts kept in executors alone. The driver sees names (of repositories, of what is wanted), counts,
settings, and in the end findings and diagnostics. Each step's rows are written below the output folder before the
next begins, so nothing is read twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

import pyarrow as pa  # type: ignore[import-untyped]
from msgspec import Struct, field
from msgspec.structs import replace as struct_replace
from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.errors import PythonException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

from subdrift import linter
from subdrift.linter import stages
from subdrift.linter.model import wire
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Diagnostic, by_cause
from subdrift.linter.model.known import Known
from subdrift.linter.model.location import Origin
from subdrift.linter.model.unknown import count_unread, lost, unreachable, unread
from subdrift.linter.registry.entries import About, Edges, Published
from subdrift.linter.registry.schema import RegistryError
from subdrift.linter.report.content import Content, OwnersOf, Unknown
from subdrift.linter.report.language import english
from subdrift.linter.settings import Settings
from subdrift.linter.stages.ownership import owners_in
from subdrift.linter.store.cache import versions_of_package
from subdrift.linter.store.earlier import known
from subdrift.linter.triage import Triaged
from subdrift.spark_jobs import publishing, tables, work
from subdrift.spark_jobs import rows as shapes
from subdrift.spark_jobs.arrow import frame_of, map_in_arrow, schema_of
from subdrift.spark_jobs.consuming import Consuming
from subdrift.spark_jobs.earlier import CONSUMED_STATE, READ_STATE, STATE, TOLD_STATE, Before, Left
from subdrift.spark_jobs.inputs import ScanError as ScanError
from subdrift.spark_jobs.inputs import Setup, Source, manifest_sources, org_sources
from subdrift.spark_jobs.judging import judge
from subdrift.spark_jobs.reading import Reading
from subdrift.spark_jobs.rows import READ, Row
from subdrift.spark_jobs.steps import Progress, Steps, mapped
from subdrift.spark_jobs.storage import SUCCESS, Folder, StorageError, absolute

MASTER = "local[*, 4]"
"""Without another master: all cores of this machine, and a second try for a share that lost its worker."""

SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For the Java of one machine, whose cores belong to Python: compiling well takes longer than what it would save."""
INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
"""For the plans of one machine, for the same reason."""
FEW_TASKS = {"spark.sql.files.minPartitionNum": "1", "spark.sql.files.maxPartitionBytes": "8m"}
"""For the rows between the steps there: a file of a few rows is not cut for each core."""

FINDINGS = "findings"
"""The table that a later scan marks by what is new."""
CONNECTING_SECONDS = 10.0
"""How often it is said that a master has not answered."""
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
    sources = org_sources(org) if org is not None else manifest_sources(manifest or "")
    running = SparkSession.getActiveSession()
    spark = running or connected(master, progress)
    try:
        try:
            folder = Folder(spark, absolute(out))
            if not folder.is_empty() and not replace:
                raise ScanError(
                    f"{out} is not empty; give another folder, or --replace to replace what it holds"
                )
            folder.take()
            try:
                steps = Steps(spark, folder, progress)
                with steps.watching():
                    one = Scan(steps, setup, absolute(since) if since else "")
                    return one.run(sources, show_suppressed, registry_out, force)
            except Exception:
                folder.check()  # another scan takes away what this one works with
                raise
            finally:
                folder.leave()
        except StorageError as error:
            raise ScanError(str(error)) from error
        except PythonException as error:
            raise ScanError(f"a worker failed: {_cause(error)}. This is a bug in subdrift.") from error
    finally:
        if running is None:
            spark.stop()


def _cause(error: PythonException) -> str:
    """The last line of a worker's traceback: the exception itself."""
    lines = [line for line in str(error).splitlines() if line and not line[0].isspace()]
    return next((line for line in reversed(lines) if "Error" in line or "Exception" in line), lines[0])


def connected(master: str | None, progress: Progress | None = None) -> SparkSession:
    """The Spark of a master; of a cluster's it is said that it is waited for. Raises `ScanError` where none answers."""
    if master is None or master.startswith("local"):
        return session(master)
    begun = time.monotonic()
    answered = threading.Event()

    def tell() -> None:
        while not answered.wait(CONNECTING_SECONDS):
            if progress is not None:
                progress(f"{time.monotonic() - begun:6.1f} s  {master} has not answered yet")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        return session(master)
    except Py4JJavaError as error:
        seconds = time.monotonic() - begun
        cause = error.java_exception
        while cause.getCause() is not None:
            cause = cause.getCause()
        said = str(cause.getMessage() or "").strip().partition("\n")[0]
        raise ScanError(
            f"{master}: Spark could not be started there ({said} {seconds:.0f} s after it was asked); "
            "is the address right, and does a master run there?"
        ) from error
    finally:
        answered.set()
        teller.join()


def session(master: str | None) -> SparkSession:
    """The Spark a scan starts where there is none."""
    # workers must be this very Python, unless whoever submits says otherwise
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("subdrift scan").config("spark.ui.enabled", "false")
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    if master or not submitted:
        builder = builder.master(master or MASTER)
    if not submitted:
        builder = builder.config("spark.log.level", "ERROR").config("spark.ui.showConsoleProgress", "false")
        # plans are small and known: to plan again after each step would cost a job for each of them
        builder = builder.config("spark.sql.adaptive.enabled", "false")
        if (master or MASTER).startswith("local"):
            builder = builder.config("spark.driver.extraJavaOptions", SHORT_LIVED)
            for name, value in (INTERPRETED | FEW_TASKS).items():
                builder = builder.config(name, value)
    spark = builder.getOrCreate()
    if not submitted:
        spark.conf.set("spark.sql.shuffle.partitions", max(2, spark.sparkContext.defaultParallelism))
    return spark


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
        self.before = self._earlier(since) if since else None
        self.reading = Reading(steps, setup, self.before)

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
        before = Before.of(folder, self._made()) if manifest.made == self._made() else None
        if before is None:
            self._remark(
                f"{since}: the earlier scan was made by another version or under other settings: everything is read"
            )
        return before

    def _remark(self, text: str) -> None:
        self.steps.say(text)
        self._remarks.append(text)

    def _findings(self, folder: Folder) -> tuple[Known, ...] | None:
        """The active findings among the tables of an earlier scan; None, with a word, for tables of another shape."""
        table = folder.read(FINDINGS, tables.FINDINGS).filter("suppressed is null")
        said = F.transform("places", lambda one: F.struct(one.repo, one.path)).alias("places")
        names = ("schema_version", "rule", "level", "scope", "namespace", "topic", "identity", "state")
        rows = self.steps.collect(table.select(*names, F.col("consumer_group").alias("group"), said))
        if any(row.schema_version != tables.SCHEMA_VERSION for row in rows):
            self._remark(
                f"{folder.path}: the findings of the earlier scan are written in another way: what is new is not marked"
            )
            return None
        return tuple(known(row.asDict()) for row in rows)

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
        self.resolve()
        with self.steps.beside() as begin:
            begin(self.write_subscriptions)
            begin(self.leave)
            judged = judge(self.consuming, self.steps, self.setup.settings)
            found = self.report(self.collect(judged), show_suppressed)
            self.steps.say("writing tables")
            begin(self.write_groups, judged, found)
            self.write(found)
        unpublished = tuple(lost(found.triaged.diagnostics)) if registry_out and not force else ()
        self._gone = unreachable(found.triaged.diagnostics)
        publishes = bool(registry_out) and not unpublished
        if publishes and self.before is not None:
            self.publish(registry_out)  # what it is made from may lie where the tables go
        self.folder.seal(self._made(), (FINDINGS, STATE), STATE)
        self.folder.put_in_place((*tables.NAMES, STATE))
        if publishes and self.before is None:
            self.publish(registry_out)
        self.steps.say(f"done: {found.counts.files:,} files of {found.counts.repositories:,} repositories")
        seconds = time.monotonic() - self.steps.started
        return struct_replace(found, seconds=seconds, before=self._known, unpublished=unpublished)

    def resolve(self) -> None:
        """Consumes the repositories, and reads on, until nothing new is asked for."""
        number = 0
        due = self.consuming.begin()
        while True:
            self.consuming.settle(due, number)
            self.rounds += 1
            if self.rounds >= stages.ROUNDS_MAX:
                break
            changed = self.reading.demanded(self.consuming.wanted(number), self.rounds)
            if not changed:
                break
            number = self.rounds
            due = self.consuming.touched(number, changed)
        due = self.consuming.overdue(number)
        if due:
            self.consuming.settle(due, number)

    # -- results --------------------------------------------------------------------------------------------

    def collect(self, judged: DataFrame) -> list[Row]:
        """What reports are made from, as (kind, group or place, key, text)."""
        columns = ("kind", "cluster", "namespace", "grp", "key", "text")
        of_judging = judged.filter("kind in ('finding', 'shown', 'unknown')").select(*columns)
        is_spot = F.col("kind") == "spot"
        counted = (F.when(is_spot, "blind").otherwise("groups"), F.when(is_spot, F.col("cluster")))
        counts = judged.filter("kind in ('verdict', 'named', 'spot')")
        counts = counts.groupBy(counted[0].alias("kind"), counted[1].alias("cluster")).count()
        counts = counts.select("kind", "cluster", F.col("count").cast("string").alias("text"))
        of_judging = of_judging.unionByName(counts, allowMissingColumns=True)
        of_consuming = self.consuming.consumed().filter(
            "kind in ('finding', 'diagnostic', 'suppression', 'shown')"
        )
        found = of_judging.unionByName(of_consuming.select(*columns))
        none = F.lit(None).cast("string")
        for frame, kind in ((self.reading.listed, "listing-diagnostic"), (self.reading.read, "diagnostic")):
            said = frame.filter(F.col("kind") == kind).select(F.lit("diagnostic").alias("kind"), "text")
            more = dict.fromkeys(columns[1:-1], none)
            found = found.unionByName(said.withColumns(more))
        return [tuple(row) for row in self.steps.collect(found)]

    def write_subscriptions(self) -> None:
        """The table `subscriptions`."""
        order = ("cluster", "namespace", "grp", "key")
        members = self._sorted(self.consuming.consumed().filter("kind = 'consumer'"), order)
        self.folder.stage(_table(members.select("text"), tables.SUBSCRIPTIONS), "subscriptions")

    def write_groups(self, judged: DataFrame, found: ScanReport) -> None:
        """The tables `groups` and `blind_spots`."""
        whole = F.from_json("text", tables.GROUPS).alias("row")
        verdicts = judged.filter("kind = 'verdict'").select("cluster", "namespace", "grp", "key", whole)
        order = ("cluster", "namespace", "grp", "key")
        self.folder.stage(self._sorted(verdicts, order).select("row.*"), "groups")
        spot = F.from_json("text", tables.BLIND_SPOTS).alias("row")
        spots = judged.filter("kind = 'spot'").select(spot).select("row.*")
        rest = (tables.clean(record) for record in tables.unread(found.content.unread))
        spots = spots.unionByName(frame_of(self.steps.spark, rest, tables.BLIND_SPOTS))
        seen = ("repo", "path", "line", "column", "field", "reason", "detail")
        self.folder.stage(spots.coalesce(1).sortWithinPartitions(*seen), "blind_spots")

    def write(self, found: ScanReport) -> None:
        """The tables made of what came to the driver."""
        self._write_records(tables.findings(found.content), tables.FINDINGS, FINDINGS)
        said = tables.diagnostics(found.triaged.diagnostics)
        self._write_records(said, tables.DIAGNOSTICS, "diagnostics")
        self.write_repositories(found)

    def _sorted(self, frame: DataFrame, columns: Sequence[str]) -> DataFrame:
        """Rows in order, in few files."""
        files = max(1, -(-self._members() // tables.ROWS_PER_FILE))
        spread = frame.repartitionByRange(files, *columns) if files > 1 else frame.coalesce(1)
        return spread.sortWithinPartitions(*columns)

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
        records = []
        for repo, files in sorted(self.reading.repos.items()):
            one = about.get(repo, About(repo))
            records.append(
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
            )
        self._write_records(records, tables.REPOSITORIES, "repositories")
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

    def leave(self) -> None:
        """Writes what a later scan can go by, verdicts apart."""
        read, told = self.reading.left()
        self.folder.stage(read.coalesce(self.steps.shares), READ_STATE)
        consumed = self.consuming.consumed()
        consumed = consumed.unionByName(self.consuming.asked(), allowMissingColumns=True)
        self.folder.stage(consumed.coalesce(self.steps.shares), CONSUMED_STATE)
        left = Left(
            self._made(),
            self.consuming.whole(),
            told,
            self.consuming.wanted_by_round(),
            self.consuming.came(),
            self.consuming.held(),
            self.consuming.looked(),
            self.reading.asked,
        )
        columns = [field.name for field in shapes.arrow_schema(READ)]
        records = (tables.clean(dict(zip(columns, row, strict=True))) for row in left.rows())
        self._write_records(records, READ, TOLD_STATE)

    def publish(self, path: str) -> None:
        """Writes the registry: executors prepare its rows, which stream through the driver into one file."""
        self.steps.say("publishing the registry")
        listed, repos = self.reading.listed, tuple(sorted(self.reading.repos.keys() - self._gone))
        consumers = self.consuming.consumed().filter("kind = 'consumer' and grp is not null").select("text")
        pointed = mapped(consumers, publishing.wanted, READ).distinct()
        facts = self.reading.read.filter("kind = 'file' and text is not null").groupBy("repo", "path")
        files = facts.agg(F.max_by("text", "number").alias("text"))
        kept = self.steps.keep(mapped(files, publishing.kept, READ), "registry-files")
        parts = listed.filter("kind = 'part'")
        had = files.select(
            F.lit("file").alias("kind"), "repo", "path", F.lit(0).cast("bigint").alias("number")
        )
        rows = parts.unionByName(pointed).unionByName(had.withColumn("text", F.lit(None).cast("string")))
        rows = rows.repartition(self.steps.shares, "repo").sortWithinPartitions("repo", "kind", "number")
        rows = rows.select("kind", "repo", "path", "number", "text")
        about = self.steps.keep(mapped(rows, publishing.about, READ, setup=self.setup), "registry-about")
        edges = Edges.of(self.consuming.structure.modules)
        starts = sorted({(repo, path) for _, repo, path, _, _ in self.reading.of("start")})
        asked = self.consuming.consumed().filter(f"kind = 'ask' AND key NOT LIKE '{work.owners_key('%')}'")
        known = self._about()
        spare = about.filter("kind = 'kept'")
        published = Published(
            int(time.time()),
            tuple(known.get(repo, About(repo)) for repo in repos),
            (
                publishing.file_row(row.repo, row.path, row.text)
                for row in kept.unionByName(spare).toLocalIterator()
            ),
            (Origin(repo, path) for repo, path in starts),
            (
                (publishing.holder_of(one), one)
                for one in (wire.loads(Consumer, row.text) for row in consumers.toLocalIterator())
            ),
            ((row.repo, row.key) for row in asked.toLocalIterator()),
            edges,
            (
                (Origin(row.repo, row.path), row.number, row.text)
                for row in about.filter("kind = 'line'").toLocalIterator()
            ),
            (
                (Origin(row.repo, row.path), tuple(json.loads(row.text)))
                for row in about.filter("kind = 'owners'").toLocalIterator()
            ),
        )
        try:
            self.folder.publish(path, published)
        except RegistryError as error:
            raise ScanError(english().text(error.message)) from error

    def report(self, rows: Sequence[Row], show_suppressed: bool) -> ScanReport:
        repos = self.reading.repos
        apart = ("shown", "unknown", "groups", "blind")
        to_triage = ((kind, key, text) for kind, *_, key, text in rows if kind not in apart)
        found = work.triaged(to_triage)
        unknown, blind = _unknown_of(row for row in rows if row[0] == "unknown")
        shown = dict.fromkeys(row[-1] for row in rows if row[0] == "shown")
        consumers = [wire.loads(Consumer, text) for text in shown]
        self._blind = Counter({row[1]: int(row[-1]) for row in rows if row[0] == "blind"})
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
        )
        remarks = (*self._remarks, *self.reading.remarks)
        return ScanReport(content, found, counts, remarks, time.monotonic() - self.steps.started)

    def _owners(self, repos: Collection[str]) -> OwnersOf:
        """Who owns the files of some repositories: those of findings."""
        if not repos:
            return lambda origin: ()
        told = self.steps.of(self.reading.listed.filter("kind = 'owners'"), repos)
        texts = {row.repo: json.loads(row.text) for row in self.steps.collect(told)}
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


def _table(frame: DataFrame, ddl: str) -> DataFrame:
    return map_in_arrow(frame, partial(_tabulate, schema_of(ddl)), ddl)


def _tabulate(schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from tables.batches(tables.subscriptions(shapes.rows_of(batches)), schema)
