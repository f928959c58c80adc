"""Runs the stages on a cluster: listing, reading by demand, consume, judge, triage, tables.

Files are read and facts kept in executors alone. The driver sees names (of repositories, of what is wanted), counts,
settings, and in the end findings and diagnostics. Each step's rows are written below the output folder before the
next begins, so nothing is read twice.

Consuming looks definitions, callers and configuration up in all facts of a run. Here a share of the repositories is
consumed with the facts of its own repositories and of those they take in by their build files. What it looked up is
compared with what other repositories hold; files that hold any of it are lent to the share, which is consumed again,
until no answer could differ from that of one process over everything.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

import pyarrow as pa  # type: ignore[import-untyped]
from msgspec import Struct, field
from msgspec.structs import replace as struct_replace
from pyspark import TaskContext
from pyspark.accumulators import Accumulator
from pyspark.core.broadcast import Broadcast
from pyspark.errors import PythonException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

import linter
from linter import stages
from linter.model import wire
from linter.model.consumer import Consumer
from linter.model.finding import Diagnostic
from linter.model.known import Known
from linter.model.location import Origin
from linter.model.unknown import count_unread, unread
from linter.registry.entries import About, Edges, Published
from linter.registry.schema import RegistryError
from linter.report.content import Content, OwnersOf, Unknown
from linter.report.language import english
from linter.settings import Settings
from linter.stages.ownership import owners_in
from linter.store.cache import versions_of_package
from linter.store.earlier import known
from linter.triage import Triaged
from spark_jobs import earlier, publishing, tables, work
from spark_jobs import rows as shapes
from spark_jobs.arrow import frame_of, map_in_arrow, rows_frame, schema_of
from spark_jobs.earlier import STATE
from spark_jobs.inputs import ScanError as ScanError
from spark_jobs.inputs import Setup, Source, check_names, is_commit, manifest_sources, org_sources
from spark_jobs.plan import balanced
from spark_jobs.rows import CONSUMED, JUDGED, LENT, LISTED, READ, TOLD, Row
from spark_jobs.storage import SUCCESS, Folder, StorageError, absolute
from spark_jobs.told import Told, ear

SHARES_PER_CORE = 2
"""Shares of work for each core: enough to even out, few enough that starting them costs nothing."""

SLOWEST_TOLD = 3
"""Repositories that progress names."""

SHARE_CHARS = 4 << 20
"""Facts, in characters, from which on a share of consuming is worth a task of its own beyond one for each core."""
SHARE_CHARS_MAX = 64 << 20
"""Facts of a share at most, as far as repositories can be told apart: what a worker holds at once."""

MASTER = "local[*, 4]"
"""Without another master: all cores of this machine, and a second try for a share that lost its worker."""

SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For the Java of one machine, whose cores belong to Python: compiling well takes longer than what it would save."""
INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
"""For the plans of one machine, for the same reason."""

_READ_COLUMNS = ("kind", "repo", "path", "number", "text")
UNKNOWN_MAX = 10_000
"""Kinds of unknown values that reports are made from."""
TASK_REPOSITORIES = 128
"""Repositories of one task of reading, where there are many."""
TOLD_EVERY_SECONDS = 5.0
"""How often progress is told while repositories are read."""
_READING = (work.survey_repositories, work.read_candidates, work.read_demanded)

Progress = Callable[[str], None]


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


class ScanReport(Struct, frozen=True):
    """The result of a scan: what reports and exit codes are made from, and remarks that are no findings."""

    content: ScanContent
    triaged: Triaged
    counts: Counts
    remarks: tuple[str, ...]
    seconds: float
    before: tuple[Known, ...] | None = None
    """The active findings of the earlier scan this one was set beside; None without one."""


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
) -> ScanReport:
    """Scans an organisation (`org`: a folder of repositories) or a manifest, and writes its tables below `out`.

    `registry_out` is a file for the registry, local or in any file system Hadoop is configured for. `since` is the output
    folder of an earlier scan: repositories whose commit is the same are not read again, and its findings come back.
    `settings` are those of the run, `overrides` and `isolated` hold for the settings of every repository too. A
    running Spark is used, else one is started on `master` and stopped in the end. Raises `ScanError`.
    """
    setup = Setup(settings or Settings(), tuple(overrides), isolated, untracked)
    if (org is None) == (manifest is None):
        raise ScanError("give either --org DIR or --manifest FILE")
    sources = org_sources(org) if org is not None else manifest_sources(manifest or "")
    running = SparkSession.getActiveSession()
    spark = running or session(master)
    try:
        try:
            folder = Folder(spark, absolute(out))
            if not folder.is_empty() and not replace:
                raise ScanError(
                    f"{out} is not empty; give another folder, or --replace to replace what it holds"
                )
            folder.take()
            try:
                one = Scan(spark, folder, setup, progress)
                one.begin(absolute(since) if since else "")
                return one.run(sources, show_suppressed, registry_out)
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
            for name, value in INTERPRETED.items():
                builder = builder.config(name, value)
    spark = builder.getOrCreate()
    if not submitted:
        spark.conf.set("spark.sql.shuffle.partitions", max(2, spark.sparkContext.defaultParallelism))
    return spark


class Scan:
    """One scan. `read` are all rows of reading so far, `told` what the tasks of listing and reading have told."""

    def __init__(
        self, spark: SparkSession, folder: Folder, setup: Setup, progress: Progress | None = None
    ) -> None:
        self.spark = spark
        self.folder = folder
        self.setup = setup
        self._progress = progress or (lambda text: None)
        self._reached = time.monotonic()
        self._started = time.monotonic()
        self._began = datetime.now(UTC)
        self.cores = max(2, spark.sparkContext.defaultParallelism)
        self.shares = self.cores * SHARES_PER_CORE
        self.told: Told = set()
        self.demand = stages.Demand()
        self.rounds = 0
        self._steps = 0
        self._state: DataFrame | None = None
        self._before: tuple[Known, ...] | None = None
        self._asked: frozenset[tuple[str, str]] = frozenset()
        self._unchanged: DataFrame | None = None
        self._asked_for: list[DataFrame] = []
        self._pieces: list[_Piece] = []
        self._structure: tuple[int, work.Structure, Broadcast[work.Structure]] | None = None
        self._taken: set[tuple[int, str]] = set()
        self._lent: DataFrame | None = None
        self.staged: dict[str, DataFrame] = {}

    def begin(self, since: str) -> None:
        """Takes up what an earlier scan has left."""
        if since:
            state = self._earlier(since)
            if state is not None:
                self._state = self.keep(state, "earlier")  # it may lie where this scan will leave its own
                pairs = self._state.filter("kind = 'asked'").select("text").collect()
                self._asked = frozenset((owner, name) for owner, name in (json.loads(r.text) for r in pairs))

    def _earlier(self, since: str) -> DataFrame | None:
        """The state of an earlier scan; None, with a word about it, where this scan cannot go by it."""
        folder = self.folder if since == self.folder.path else Folder(self.spark, since)
        if not folder.holds(STATE):
            raise ScanError(
                f"{since}: holds no {STATE} of an earlier scan; --since names what --out named then"
            )
        if not folder.holds(SUCCESS):
            raise ScanError(
                f"{since}: holds no {SUCCESS}: the scan that wrote it was ended before its tables were whole; "
                "scan without --since"
            )
        state = folder.read(STATE, READ)
        made = [row.text for row in state.filter("kind = 'made'").select("text").collect()]
        self._before = self._findings(folder)
        if made == [self._made()]:
            return state
        self.say("the earlier scan was made by another version or under other settings: everything is read")
        return None

    def _findings(self, folder: Folder) -> tuple[Known, ...] | None:
        """The active findings among the tables of an earlier scan; None, with a word, for tables of another shape."""
        if not folder.holds("findings"):
            return None
        table = folder.read("findings", tables.FINDINGS).filter("suppressed is null")
        if table.filter(F.col("schema_version") != tables.SCHEMA_VERSION).limit(1).count():
            self.say("the findings of the earlier scan are written in another way: what is new is not marked")
            return None
        said = F.transform("places", lambda one: F.struct(one.repo, one.path)).alias("places")
        names = ("rule", "level", "scope", "namespace", "topic", "identity", "state")
        rows = table.select(*names, F.col("consumer_group").alias("group"), said).collect()
        return tuple(known(row.asDict()) for row in rows)

    def _made(self) -> str:
        """What must be the same for rows of an earlier scan to stand for those of this one."""
        package = os.path.dirname(linter.__file__)
        setup = hashlib.sha256(repr(self.setup).encode()).hexdigest()
        return f"{linter.__version__} {versions_of_package(package)[0]} {setup}"

    def run(self, sources: Sequence[Source], show_suppressed: bool, registry_out: str = "") -> ScanReport:
        self.listed = listed = self.survey(sources)
        repos = self._repositories()
        self.read = self.read_candidates(listed)
        consumed = self.resolve(listed, tuple(sorted(repos)))
        judged = self.judge(consumed)
        found = self.report(repos, self.collect(listed, consumed, judged), show_suppressed)
        self.write(consumed, judged, found)
        self.write_repositories(repos, found)
        self.leave(listed)
        self.folder.put_in_place((*tables.NAMES, STATE))
        if registry_out:
            self.publish(registry_out, listed, consumed, tuple(sorted(repos)))
        self.say(f"done: {found.counts.files:,} files of {found.counts.repositories:,} repositories")
        return struct_replace(found, seconds=time.monotonic() - self._started, before=self._before)

    def say(self, text: str) -> None:
        self._progress(f"{time.monotonic() - self._started:6.1f} s  {text}")

    # -- listing and reading --------------------------------------------------------------------------------

    def survey(self, sources: Sequence[Source]) -> DataFrame:
        """Lists every repository, and reads those that are one part; what was listed."""
        sources, kept = self._changed(sources)
        self.say(f"reading {len(sources):,} repositories")
        self._reached = time.monotonic()
        texts = [(source.dumps(),) for source in sources]
        count = max(1, min(len(texts), max(self.shares, len(texts) // TASK_REPOSITORIES)))
        spread = self._frame(texts, "text string").repartition(count)
        done = self.spark.sparkContext.accumulator(0)
        with self._progress_of(done, len(texts)):
            first, self.told = self._done(
                spread, work.survey_repositories, READ, "read", done, setup=self.setup
            )
        self._say_reading(self.told, len(texts))
        listing = F.col("kind").isin(*LISTED)
        self._first = first.filter(~listing)
        listed = first.filter(listing)
        if not kept or self._state is None:
            return listed
        self.say(f"{len(kept):,} repositories are at the commit of the earlier scan and are not read again")
        names = self._frame([(name,) for name in kept], "repo string")
        self._unchanged = F.broadcast(names)
        self.told |= {
            (row.kind.removeprefix("told-"), *row[1:])
            for row in self._of_unchanged("kind like 'told-%'").collect()
        }
        return listed.unionByName(self._of_unchanged(listing))

    @contextmanager
    def _progress_of(self, done: Accumulator[int], count: int) -> Iterator[None]:
        """Says now and then how many repositories have been read, as tasks end."""
        ended = threading.Event()

        def tell() -> None:
            while not ended.wait(TOLD_EVERY_SECONDS):
                seconds = max(time.monotonic() - self._reached, 0.001)
                read = done.value
                self.say(f"{read:,} of {count:,} repositories read, {read / seconds:,.0f} a second")

        teller = threading.Thread(target=tell, daemon=True)
        teller.start()
        try:
            yield
        finally:
            ended.set()
            teller.join()

    def _done(
        self,
        frame: DataFrame,
        function: work.Work,
        ddl: str,
        name: str,
        done: Accumulator[int] | None = None,
        **arguments: object,
    ) -> tuple[DataFrame, Told]:
        """A step, done: its rows, kept, and what its tasks have told. `done` counts the repositories they have read."""
        told = ear(self.spark)
        kept = self.keep(mapped(frame, function, ddl, told, done, **arguments), name)
        return kept, told.value

    def _of(self, kind: str) -> list[Row]:
        """What was told of one kind, in order."""
        return sorted(row for row in self.told if row[0] == kind)

    def _changed(self, sources: Sequence[Source]) -> tuple[Sequence[Source], list[str]]:
        """The sources that must be read, and the names of the repositories that need not be."""
        if self._state is None:
            return sources, []
        before: dict[str, list[tuple[str, str]]] = {}
        for row in self._state.filter("kind = 'head'").collect():
            before.setdefault(Source.loads(row.path).root, []).append((row.repo, row.text))
        at = self._commits(sources)
        kept: dict[Source, str] = {}
        for source in sources:
            for name, commit in before.get(source.root, ()):
                if source.repo in ("", name) and commit == at.get(source.dumps()):
                    kept[source] = name
        return [source for source in sources if source not in kept], sorted(kept.values())

    def _commits(self, sources: Sequence[Source]) -> dict[str, str]:
        """The commit each source is read at, by its text; a manifest that gives them all leaves nothing to ask."""
        given = {source.dumps(): source.head for source in sources if is_commit(source.head)}
        texts = [(text,) for source in sources if (text := source.dumps()) not in given]
        if texts:
            spread = self._frame(texts, "text string").repartition(min(len(texts), self.shares))
            given |= {row.path: row.text for row in mapped(spread, earlier.heads, READ).collect()}
        return given

    def _of_unchanged(self, condition: str | Column) -> DataFrame:
        """Rows of the earlier scan for repositories that are not read again."""
        assert self._state is not None
        assert self._unchanged is not None
        return self._state.filter(condition).join(self._unchanged, "repo", "semi").select(*_READ_COLUMNS)

    def leave(self, listed: DataFrame) -> None:
        """Writes what a later scan can go by."""
        first = self._first.withColumn("kind", F.regexp_replace("kind", "^", "first-"))
        demanded = self.read.filter("kind = 'used'").dropDuplicates()
        facts = self._demanded_facts()
        own = [("asked", "", "", 0, json.dumps(pair)) for pair in sorted(self.demand.learned)]
        own.append(("made", "", "", 0, self._made()))
        own += [(f"told-{row[0]}", *row[1:]) for row in sorted(self._first_told, key=str)]
        frames = (first, demanded, facts, self._frame(own, READ))
        state = listed
        for frame in frames:
            state = state.unionByName(frame)
        self.folder.stage(state.coalesce(self.shares), STATE)

    def _demanded_facts(self) -> DataFrame:
        """The facts that were read because something asked for them."""
        kept: DataFrame | None = None
        for frame in self._asked_for:
            had = frame.filter("kind = 'file'").withColumn("kind", F.lit("had"))
            kept = had if kept is None else kept.unionByName(had)
        return self._frame([], READ) if kept is None else kept

    def _repositories(self) -> dict[str, int]:
        """Files of each repository by name; what their configurations say for the run is put together here."""
        for row in self._of("fatal"):
            raise ScanError(row[4])
        clusters = dict(self.setup.settings.clusters)
        for row in self._of("clusters"):
            for name, addresses in json.loads(row[4]):
                clusters[name] = tuple(dict.fromkeys((*clusters.get(name, ()), *addresses)))
        self.clusters = struct_replace(self.setup.settings, clusters=tuple(clusters.items()))
        self.remarks = tuple(row[4] for row in self._of("remark"))
        found: dict[str, int] = {}
        roots: dict[str, list[str]] = {}
        for _, repo, source, files, _ in self._of("repository"):
            found[repo] = files
            roots.setdefault(repo, []).append(Source.loads(source).root)
        check_names(roots)
        return found

    def read_candidates(self, listed: DataFrame) -> DataFrame:
        """What the files of all repositories hold, at first sight: those of large ones are still to be read."""
        read = self._first
        weights = {(repo, int(number)): weight for _, repo, number, weight, _ in self._of("sized")}
        known = {row[1] for row in self.told if row[0] == "files"}
        weights = {key: weight for key, weight in weights.items() if key[0] not in known}
        if weights:
            self.say(f"reading {len(weights):,} parts of large repositories")
            self._reached = time.monotonic()
            spread = balanced(weights, self.shares)
            shares = [(repo, number, share) for (repo, number), share in spread.items()]
            plan = self._frame(shares, "repo string, number bigint, share int")
            parts = listed.filter("kind = 'part'").join(F.broadcast(plan), ["repo", "number"])
            parts = _spread(parts, self._width(weights)).select(*_READ_COLUMNS)
            more, told = self._done(parts, work.read_candidates, READ, "read-parts", setup=self.setup)
            self._say_reading(told, len({repo for repo, _ in weights}))
            self.told |= told
            read = read.unionByName(more)
        kept = ("repository", "clusters", "remark", "about", "sized", "files", "parsed", "build", "start")
        self._first_told = {row for row in self.told if row[0] in kept}
        if self._unchanged is not None:
            first = self._of_unchanged("kind like 'first-%'")
            read = read.unionByName(first.withColumn("kind", F.regexp_replace("kind", "^first-", "")))
        self._first = read
        if any(row[0] == "parsed" and row[2].startswith("file ") for row in self.told):
            # build, Spring and deployment files count once the run holds a candidate
            plain = F.regexp_replace("kind", "^lasting$", "file")
            read = read.withColumn("kind", F.regexp_replace(plain, "^lasting-", ""))
        else:
            read = read.filter("kind not like 'lasting%' and kind <> 'hold'")
            self.told = {row for row in self.told if row[0] not in ("parsed", "build")}
        return read

    def _say_reading(self, told: Told, count: int) -> None:
        """Says how far reading has come, how fast, and which repositories took longest."""
        begun, self._reached = self._reached, time.monotonic()
        times: Counter[str] = Counter()
        for kind, repo, _, number, _ in told:
            if kind == "spent":
                times[repo] += number
        slowest = sorted(times.items(), key=lambda one: (-one[1], one[0]))[:SLOWEST_TOLD]
        seconds = max(self._reached - begun, 0.001)
        shown = ", ".join(f"{repo} {spent / 1_000:.1f} s" for repo, spent in slowest)
        self.say(
            f"{len(times):,} of {count:,} repositories read, {len(times) / seconds:,.0f} a second; "
            f"slowest: {shown or 'none'}"
        )

    def _demanded(self, listed: DataFrame, wanted: stages.Wanted) -> set[str]:
        """Reads what a round asked for; the repositories that had something new."""
        request = self.demand.request(wanted)
        if not request.names and not request.learned:
            return set()
        parts = listed.filter("kind = 'part'")
        known = self.read.filter("kind = 'file'").select("kind", "repo", "path", "number")
        weights: Counter[str] = Counter()
        for _, repo, _, size, _ in self._of("sized"):
            weights[repo] += size
        plan = self._frame(list(balanced(weights, self.shares).items()), "repo string, share int")
        rows = parts.unionByName(known.withColumn("text", F.lit(None).cast("string")))
        if self._unchanged is not None:
            rows = rows.unionByName(self._of_unchanged("kind in ('used', 'had')"))
            mark = self._unchanged.select(F.lit("unchanged").alias("kind"), "repo")
            rows = rows.unionByName(mark, allowMissingColumns=True)
        rows = _spread(rows.join(F.broadcast(plan), "repo"), self._width(weights))
        rows = rows.sortWithinPartitions("repo", "kind", "number")
        rows = rows.select("kind", "repo", "path", "number", "text")
        found, told = self._done(
            rows,
            work.read_demanded,
            READ,
            f"read-{self.rounds}",
            request=request,
            number=2 * self.rounds,
            setup=self.setup,
            asked=self._asked,
        )
        self._asked_for.append(found)
        parsed = {
            (kind, repo, f"{path} {self.rounds}", *more)
            for kind, repo, path, *more in told
            if kind == "parsed"
        }
        repos = {row[1] for row in parsed}
        self.say(
            f"round {self.rounds}: {len(request.names):,} definitions and {len(request.learned):,} callers wanted, "
            f"{sum(row[3] for row in parsed):,} files read in {len(repos):,} repositories"
        )
        if repos:
            self.told |= parsed
            self.told |= {row for row in told if row[0] in ("build", "start")}
            self.read = self.read.unionByName(found)
        return repos

    # -- consuming ------------------------------------------------------------------------------------------

    def resolve(self, listed: DataFrame, repos: tuple[str, ...]) -> DataFrame:
        """Consumes every share; lends files between them and reads on until neither changes anything."""
        self._share(repos)
        due: Collection[int] = set(self.share_of.values())
        while due:
            self._consume(listed, repos, due)
            due = self._lend()
            if due:
                continue
            self.rounds += 1
            if self.rounds >= stages.ROUNDS_MAX:
                break
            changed = self._demanded(listed, self._wanted())
            if not changed:
                break
            due = {self.share_of[repo] for repo in changed}
            due |= {share for share, repo in self._taken if repo in changed}
            due |= self._lend()
        return self._consumed()

    def _share(self, repos: tuple[str, ...]) -> None:
        """Which share each repository is consumed in, and the repositories that are lent to a share as a whole."""
        weights = Counter(dict.fromkeys(repos, 1))
        for _, repo, _, _, chars in self._of("parsed"):
            weights[repo] += int(chars)
        total = weights.total()
        count = min(self.shares, max(self.cores, total // SHARE_CHARS))
        self.share_of = balanced(weights, max(count, -(-total // SHARE_CHARS_MAX)))
        self.parts = max(1, len(set(self.share_of.values())))
        self._take((self.share_of[repo], taken) for repo, taken in self._structured(repos).takes())

    def _structured(self, repos: tuple[str, ...]) -> work.Structure:
        """The modules of the whole run as they are known by now; executors get them once, whatever their shares."""
        rows = sorted((row for row in self.told if row[0] in ("build", "start")), key=lambda row: row[:3])
        if self._structure is None or self._structure[0] != len(rows):
            structure = work.Structure.of(rows, repos)
            self._structure = len(rows), structure, self.spark.sparkContext.broadcast(structure)
        return self._structure[1]

    def _take(self, pairs: Iterable[tuple[int, str]]) -> set[int]:
        """Lends whole repositories; the shares that did not have one of them."""
        new = {(share, repo) for share, repo in pairs if self.share_of[repo] != share} - self._taken
        self._taken |= new
        return {share for share, _ in new}

    def _consume(self, listed: DataFrame, repos: tuple[str, ...], due: Collection[int]) -> None:
        facts = self.read.filter("kind = 'file' and text is not null").select(*_READ_COLUMNS)
        self.say(f"consuming {len(self.share_of):,} repositories: {len(due):,} of {self.parts:,} shares")
        places = [(repo, share, work.OWN) for repo, share in self.share_of.items() if share in due]
        places += [(repo, share, work.LENT) for share, repo in sorted(self._taken) if share in due]
        plan = self._frame(places, "repo string, share bigint, turn int")
        answers = listed.filter("kind = 'answers'").select(*_READ_COLUMNS)
        rows = facts.unionByName(answers).join(F.broadcast(plan), "repo")
        if self._lent is not None:
            lent = self._lent.filter(F.col("share").isin(sorted(due))).select("share", "repo", "path")
            rows = rows.unionByName(facts.join(lent, ["repo", "path"]).withColumn("turn", F.lit(work.LENT)))
        self._structured(repos)
        assert self._structure is not None
        rows = _spread(rows.withColumn("share", F.col("share").cast("int")), self.parts)
        rows = rows.sortWithinPartitions("share", "turn", "repo", "path", "number")
        rows = rows.select("share", "turn", "kind", "repo", "path", "number", "text")
        self._steps += 1
        name = f"consumed-{self._steps}"
        structure = self._structure[2]
        found, told = self._done(
            rows, work.consume, CONSUMED, name, structure=structure, clusters=self.clusters
        )
        for piece in self._pieces:
            piece.shares.difference_update(due)
        self._pieces = [*(piece for piece in self._pieces if piece.shares), _Piece(found, told, set(due))]

    def _lend(self) -> set[int]:
        """Lends files that hold what a share looked up; the shares that get something they did not have."""
        if self.parts < 2:
            return set()
        due = self._take((share, row[5]) for piece in self._pieces for share, row in piece.of("takes"))
        asks = self._consumed().filter("kind = 'ask'").select("share", "key").distinct()
        holds = self.read.filter("kind = 'hold'").select("repo", "path", F.col("text").alias("key"))
        needed = asks.join(holds.hint("shuffle_hash"), "key").select("share", "repo", "path").distinct()
        if self._lent is not None:
            needed = needed.join(self._lent, ["share", "repo", "path"], "anti")
        self._steps += 1
        lent, told = self._done(
            needed.select(F.lit("lent").alias("kind"), "share", "repo", "path"),
            work.lend,
            LENT,
            f"lent-{self._steps}",
            homes=self.share_of,
            taken=frozenset(self._taken),
        )
        if told:
            self._lent = lent if self._lent is None else self._lent.unionByName(lent)
            self.say(f"{len(told):,} shares need facts of others")
        return due | {row[1] for row in told}

    def _consumed(self) -> DataFrame:
        """What consuming gave, of each share what it gave last."""
        found: DataFrame | None = None
        for piece in self._pieces:
            frame = piece.rows.filter(F.col("share").isin(sorted(piece.shares)))
            found = frame if found is None else found.unionByName(frame)
        return self._frame([], CONSUMED) if found is None else found

    def _wanted(self) -> stages.Wanted:
        """The names that shares want: names alone come to the driver."""
        told = [
            row
            for piece in self._pieces
            for kind in ("type", "caller", "file-wanted")
            for _, row in piece.of(kind)
        ]
        names: dict[str, set[str]] = {"type": set(), "caller": set(), "file-wanted": set()}
        for row in told:
            names[row[0]].add(row[5])
        callers = {(owner, name) for owner, name in map(json.loads, names["caller"])}
        return stages.Wanted(frozenset(names["type"]), frozenset(callers), frozenset(names["file-wanted"]))

    # -- judging and results --------------------------------------------------------------------------------

    def judge(self, consumed: DataFrame) -> DataFrame:
        """Verdicts of groups, and the places of unknown values: rows of one group, or of one kind of value, meet in one
        task."""
        self.say("judging groups")
        rows = consumed.filter("kind in ('consumer', 'named', 'unknown') and grp is not null")
        group = F.concat_ws("\n", F.lit(""), "cluster", "namespace", "grp")
        spot = F.when(F.col("kind") == "unknown", F.col("key")).otherwise(group)
        told = F.when(F.col("kind") == "unknown", F.col("text"))  # of one place the same in each run
        columns = ("cluster", "namespace", "grp", "kind")
        rows = rows.select(spot.alias("spot"), *columns, told.alias("told"), "key", "text")
        rows = rows.repartition(self.shares, "spot").sortWithinPartitions("spot", *columns, "told")
        rows = rows.select("spot", "kind", "cluster", "namespace", "grp", "key", "text")
        judged, told_ = self._done(rows, work.judge, JUDGED, "judged", settings=self.setup.settings)
        self.told |= told_
        return judged

    def collect(self, listed: DataFrame, consumed: DataFrame, judged: DataFrame) -> list[Row]:
        """What reports are made from, as (kind, group or place, key, text)."""
        columns = ("kind", "cluster", "namespace", "grp", "key", "text")
        of_judging = judged.filter("kind in ('finding', 'shown', 'unknown')").select(*columns)
        of_consuming = consumed.filter("kind in ('finding', 'diagnostic', 'suppression', 'shown')")
        found = of_judging.unionByName(of_consuming.select(*columns))
        none = F.lit(None).cast("string")
        for frame, kind in ((listed, "listing-diagnostic"), (self.read, "diagnostic")):
            said = frame.filter(F.col("kind") == kind).select(F.lit("diagnostic").alias("kind"), "text")
            more = dict.fromkeys(columns[1:-1], none)
            found = found.unionByName(said.withColumns(more))
        return [tuple(row) for row in found.collect()]

    def write(self, consumed: DataFrame, judged: DataFrame, found: ScanReport) -> None:
        self.say("writing tables")
        order = ("cluster", "namespace", "grp", "key")
        whole = F.from_json("text", tables.GROUPS).alias("row")
        verdicts = judged.filter("kind = 'verdict'").select(*order, whole)
        members = consumed.filter("kind = 'consumer'")
        self.folder.stage(
            _table(self._sorted(members, order, found).select("text"), tables.SUBSCRIPTIONS), "subscriptions"
        )
        self.folder.stage(self._sorted(verdicts, order, found).select("row.*"), "groups")
        # what comes to the driver for the report is written from there
        self._write_records(tables.findings(found.content), tables.FINDINGS, "findings")
        said = tables.diagnostics(found.triaged.diagnostics)
        self._write_records(said, tables.DIAGNOSTICS, "diagnostics")
        spot = F.from_json("text", tables.BLIND_SPOTS).alias("row")
        spots = judged.filter("kind = 'spot'").select(spot).select("row.*")
        rest = (tables.clean(record) for record in tables.unread(found.content.unread))
        spots = spots.unionByName(frame_of(self.spark, rest, tables.BLIND_SPOTS))
        seen = ("repo", "path", "line", "column", "field", "reason", "detail")
        self.folder.stage(spots.coalesce(1).sortWithinPartitions(*seen), "blind_spots")

    @staticmethod
    def _sorted(frame: DataFrame, columns: Sequence[str], found: ScanReport) -> DataFrame:
        """Rows in order, in few files."""
        files = max(1, -(-found.content.members // tables.ROWS_PER_FILE))
        spread = frame.repartitionByRange(files, *columns) if files > 1 else frame.coalesce(1)
        return spread.sortWithinPartitions(*columns)

    def _about(self) -> dict[str, About]:
        """What each repository tells about itself."""
        clusters = {row[1]: row[4] for row in self._of("clusters")}
        return {row[1]: publishing.about_of(row, clusters.get(row[1], "[]")) for row in self._of("about")}

    def write_repositories(self, repos: Mapping[str, int], found: ScanReport) -> None:
        """The tables `repositories` and `runs`."""
        held: Counter[str] = Counter()
        for piece in self._pieces:
            for _, row in piece.of("held"):
                held[row[5]] += int(row[6])
        blind = Counter(one.at.origin.repo for one in found.content.unread)
        for _, repo, _, _, _, text in self._of("blind"):
            blind[repo] += int(text)
        sides = Counter(
            repo for one in found.triaged.active for repo in {place.at.origin.repo for place in one.places}
        )
        about = self._about()
        records = []
        for repo, files in sorted(repos.items()):
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
        levels = Counter(one.level.text for one in found.triaged.active)
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
            "errors": levels["error"],
            "warnings": levels["warning"],
            "notes": levels["note"],
            "suppressed": found.triaged.suppressed,
            "diagnostics": len(found.triaged.active_diagnostics),
        }
        self._write_records([run], tables.RUNS, "runs")

    def _write_records(self, records: Iterable[tables.Record], ddl: str, name: str) -> None:
        arrow = schema_of(ddl)
        whole = pa.Table.from_batches(tables.batches(records, arrow), schema=arrow)
        self.folder.stage_table(whole, name)

    def publish(self, path: str, listed: DataFrame, consumed: DataFrame, repos: tuple[str, ...]) -> None:
        """Writes the registry: executors prepare its rows, which stream through the driver into one file."""
        self.say("publishing the registry")
        consumers = consumed.filter("kind = 'consumer' and grp is not null").select("text")
        pointed = mapped(consumers, publishing.wanted, READ).distinct()
        facts = self.read.filter("kind = 'file' and text is not null").groupBy("repo", "path")
        files = facts.agg(F.max_by("text", "number").alias("text"))
        kept = self.keep(mapped(files, publishing.kept, READ), "registry-files")
        parts = listed.filter("kind = 'part'")
        had = files.select(
            F.lit("file").alias("kind"), "repo", "path", F.lit(0).cast("bigint").alias("number")
        )
        rows = parts.unionByName(pointed).unionByName(had.withColumn("text", F.lit(None).cast("string")))
        rows = rows.repartition(self.shares, "repo").sortWithinPartitions("repo", "kind", "number")
        rows = rows.select("kind", "repo", "path", "number", "text")
        about = self.keep(mapped(rows, publishing.about, READ, setup=self.setup), "registry-about")
        edges = Edges.of(self._structured(repos).modules)
        starts = sorted({(repo, path) for _, repo, path, _, _ in self._of("start")})
        asked = consumed.filter(f"kind = 'ask' AND key NOT LIKE '{work.owners_key('%')}'")
        asked = asked.select("text", "key").distinct()
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
            ((row.text, row.key) for row in asked.toLocalIterator()),
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

    def report(self, repos: Mapping[str, int], rows: Sequence[Row], show_suppressed: bool) -> ScanReport:
        to_triage = ((kind, key, text) for kind, *_, key, text in rows if kind not in ("shown", "unknown"))
        found = work.triaged(to_triage)
        unknown, blind = _unknown_of(row for row in rows if row[0] == "unknown")
        shown = dict.fromkeys(row[-1] for row in rows if row[0] == "shown")
        consumers = [wire.loads(Consumer, text) for text in shown]
        counts = self._counts(repos, found.diagnostics, blind + count_unread(found.diagnostics))
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
        return ScanReport(content, found, counts, self.remarks, time.monotonic() - self._started)

    def _owners(self, repos: Collection[str]) -> OwnersOf:
        """Who owns the files of some repositories: those of findings."""
        if not repos:
            return lambda origin: ()
        wanted = self._frame([(repo,) for repo in sorted(repos)], "repo string")
        rows = self.listed.filter("kind = 'owners'").join(F.broadcast(wanted), "repo", "semi").collect()
        known = {row.repo: owners_in(*map(str.encode, json.loads(row.text))) for row in rows}
        none = owners_in(b"")
        return lambda origin: known.get(origin.repo, none).of(origin.path)

    def _counts(
        self,
        repos: Mapping[str, int],
        diagnostics: Iterable[Diagnostic],
        blind: Counter[str],
    ) -> Counts:
        return Counts(
            repositories=len(repos),
            unreachable=sum(
                one.name == "unreadable-file" and one.at.origin.path == "." for one in diagnostics
            ),
            files=sum(row[3] for row in self._of("files")),
            parsed=sum(row[3] for row in self._of("parsed")),
            rounds=self.rounds,
            shares=self.parts,
            consumers=sum(int(row[6]) for piece in self._pieces for _, row in piece.of("members")),
            groups=sum(int(row[-1]) for row in self._of("judged")),
            blind_spots=tuple(sorted(blind.items())),
            workers=tuple(sorted({row[4] for row in self._of("worker")})),
        )

    # -- frames ---------------------------------------------------------------------------------------------

    def keep(self, frame: DataFrame, name: str) -> DataFrame:
        return self.folder.keep(frame, name)

    def _frame(self, rows: Iterable[Sequence[object]], ddl: str) -> DataFrame:
        return rows_frame(self.spark, rows, ddl)

    def _width(
        self, weights: Mapping[object, int] | Mapping[str, int] | Mapping[tuple[str, int], int]
    ) -> int:
        return max(1, min(self.shares, len(weights)))


class _Piece(Struct):
    """What consuming some shares gave, as far as no later step replaces it."""

    rows: DataFrame
    told: Told
    shares: set[int]

    def of(self, kind: str) -> Iterator[tuple[int, Row]]:
        """What was told of one kind, with its share."""
        return ((row[1], row) for row in self.told if row[0] == kind and row[1] in self.shares)


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


def _spread(frame: DataFrame, shares: int) -> DataFrame:
    """Rows of one share in one partition; a partition of its own for each where Spark can (4.1 and later)."""
    if hasattr(frame, "repartitionById"):
        return frame.repartitionById(shares, "share")
    return frame.repartition(shares, "share")


def mapped(
    frame: DataFrame,
    function: work.Work,
    ddl: str,
    told: Accumulator[Told] | None = None,
    done: Accumulator[int] | None = None,
    **arguments: object,
) -> DataFrame:
    """A function of `spark_jobs.work` over each partition; what it tells goes to `told`, the number of repositories it has
    read to `done`."""
    return map_in_arrow(frame, partial(_apply, function, ddl, told, done, arguments), ddl)


def _apply(
    function: work.Work,
    ddl: str,
    told: Accumulator[Told] | None,
    done: Accumulator[int] | None,
    arguments: Mapping[str, object],
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    more = {name: one.value if isinstance(one, Broadcast) else one for name, one in arguments.items()}
    context = TaskContext.get()
    if function in _READING and context and context.attemptNumber():
        more["alone"] = True
    heard: Told = set()

    def kept() -> Iterator[Row]:
        for row in function(shapes.rows_of(batches), **more):
            if told is not None and row[0] in TOLD:
                heard.add(row)
            else:
                yield row

    yield from shapes.batches_of(kept(), shapes.arrow_schema(ddl))
    if told is not None:
        told.add(heard)
    if done is not None:
        done.add(len({row[1] for row in heard if row[0] == "repository"}))


def _table(frame: DataFrame, ddl: str) -> DataFrame:
    return map_in_arrow(frame, partial(_tabulate, schema_of(ddl)), ddl)


def _tabulate(schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from tables.batches(tables.subscriptions(shapes.rows_of(batches)), schema)
