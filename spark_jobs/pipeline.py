"""Runs the stages on a cluster: listing, reading by demand, consume, judge, triage, tables.

Files are read and facts kept in executors alone. The driver sees names (of repositories, of what is wanted), counts,
settings, and in the end findings and diagnostics. Each step's rows are written below the output folder before the
next begins, so nothing is read twice.

Consuming looks definitions, callers and configuration up in all facts of a run. Here a repository starts by itself;
what it looked up is compared with what other repositories hold, and those that hold any of it join its component,
until no answer could differ from that of one process over everything.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from functools import partial

import pyarrow as pa  # type: ignore[import-untyped]
from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark import TaskContext
from pyspark.errors import PythonException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

import linter
from linter import stages
from linter.model import wire
from linter.model.consumer import Consumer
from linter.model.finding import Diagnostic, Finding
from linter.report.content import Content
from linter.settings import Settings
from linter.triage import Triaged
from spark_jobs import rows as shapes
from spark_jobs import tables, work
from spark_jobs.arrow import map_in_arrow
from spark_jobs.inputs import ScanError as ScanError
from spark_jobs.inputs import Setup, Source, check_names, manifest_sources, org_sources
from spark_jobs.plan import Components, balanced
from spark_jobs.rows import CONSUMED, JUDGED, READ, TEXTS, Row
from spark_jobs.storage import WORK, Folder, absolute

SHARES_PER_CORE = 2
"""Shares of work for each core: enough to even out, few enough that starting them costs nothing."""

SHUFFLE_PARTITIONS = 8
"""Partitions of joins of names where this module starts Spark: one machine's worth."""

MASTER = "local[*, 4]"
"""Without another master: all cores of this machine, and a second try for a share that lost its worker."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Counts:
    """What a scan saw. `workers` are the Python processes that read files, `parsed` the files that gave facts."""

    repositories: int
    unreachable: int
    files: int
    parsed: int
    rounds: int
    components: int
    consumers: int
    groups: int
    blind_spots: tuple[tuple[str, int], ...]
    workers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScanContent(Content):
    """What reports are made from, with counts that were made where the consumers are."""

    counts: Counts = field(default_factory=lambda: Counts(0, 0, 0, 0, 0, 0, 0, 0, (), ()))

    @property
    def groups(self) -> int:
        return self.counts.groups

    @property
    def members(self) -> int:
        return self.counts.consumers

    def blind_spots(self) -> Counter[str]:
        return Counter(dict(self.counts.blind_spots))


@dataclass(frozen=True, slots=True)
class ScanReport:
    """The result of a scan: what reports and exit codes are made from, and remarks that are no findings."""

    content: ScanContent
    triaged: Triaged
    counts: Counts
    remarks: tuple[str, ...]
    seconds: float


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
) -> ScanReport:
    """Scans an organisation (`org`: a folder of repositories) or a manifest, and writes its tables below `out`.

    `settings` are those of the run, `overrides` and `isolated` hold for the settings of every repository too. A
    running Spark is used, else one is started on `master` and stopped in the end. Raises `ScanError`.
    """
    setup = Setup(settings or Settings(), tuple(overrides), isolated, untracked)
    if (org is None) == (manifest is None):
        raise ScanError("give either --org DIR or --manifest FILE")
    sources = org_sources(org) if org is not None else manifest_sources(manifest or "")
    running = SparkSession.getActiveSession()
    spark = running or _session(master)
    try:
        folder = Folder(spark, absolute(out))
        held = folder.held()
        if held == [WORK] and not replace:
            raise ScanError(
                f"{out} holds what a scan works with that has not ended, or was ended before it had a result; "
                "--replace removes it"
            )
        if held and not replace:
            raise ScanError(f"{out} is not empty; give another folder, or --replace to replace what it holds")
        folder.remove(WORK)
        try:
            found = _Scan(spark, folder, setup, progress or (lambda text: None)).run(sources, show_suppressed)
            if not replace and (new := set(folder.held()) & {*tables.NAMES}):
                raise ScanError(f"{out} has {sorted(new)[0]} of another scan by now; nothing was written")
            folder.publish(tables.NAMES)
            return found
        except PythonException as error:
            raise ScanError(f"a worker failed: {_cause(error)}. This is a bug in subdrift.") from error
        except OSError as error:
            raise ScanError(str(error)) from error
        finally:
            # a Spark that has died takes nothing away, and has been told of
            with suppress(Py4JError, OSError):
                folder.leave()
    finally:
        if running is None:
            spark.stop()


def _cause(error: PythonException) -> str:
    """The last line of a worker's traceback: the exception itself."""
    lines = [line for line in str(error).splitlines() if line and not line[0].isspace()]
    return next((line for line in reversed(lines) if "Error" in line or "Exception" in line), lines[0])


def _session(master: str | None) -> SparkSession:
    # workers must be this very Python, unless whoever submits says otherwise
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("subdrift scan").config("spark.ui.enabled", "false")
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    if master or not submitted:
        builder = builder.master(master or MASTER)
    if not submitted:
        builder = builder.config("spark.log.level", "ERROR").config("spark.ui.showConsoleProgress", "false")
        builder = builder.config("spark.sql.shuffle.partitions", SHUFFLE_PARTITIONS)
    return builder.getOrCreate()


class _Scan:
    """One scan. `read` are all rows of reading so far, `members` which repository is consumed where."""

    def __init__(self, spark: SparkSession, folder: Folder, setup: Setup, progress: Progress) -> None:
        self.spark = spark
        self.folder = folder
        self.setup = setup
        self._progress = progress
        self._started = time.monotonic()
        self.shares = max(2, spark.sparkContext.defaultParallelism) * SHARES_PER_CORE
        self.demand = stages.Demand()
        self.rounds = 0
        self._steps = 0

    def run(self, sources: Sequence[Source], show_suppressed: bool) -> ScanReport:
        listed = self.listing(sources)
        repos = self._repositories(listed)
        self.read = self.read_candidates(listed)
        consumed = self.resolve(listed, tuple(sorted(repos)))
        judged = self.judge(consumed)
        triaged = self.triage(listed, consumed, judged)
        found = self.report(repos, consumed, judged, triaged, show_suppressed)
        self.write(consumed, judged, triaged, found.content)
        self.say(f"done: {found.counts.files:,} files of {found.counts.repositories:,} repositories")
        return dataclass_replace(found, seconds=time.monotonic() - self._started)

    def say(self, text: str) -> None:
        self._progress(f"{time.monotonic() - self._started:6.1f} s  {text}")

    # -- listing and reading --------------------------------------------------------------------------------

    def listing(self, sources: Sequence[Source]) -> DataFrame:
        self.say(f"listing {len(sources):,} repositories")
        texts = [(source.dumps(),) for source in sources]
        count = max(1, min(len(texts), self.shares))
        frame = self.spark.createDataFrame(texts, "text string").repartition(count)
        return self._keep(_mapped(frame, work.list_repositories, READ, setup=self.setup), "listed")

    def _repositories(self, listed: DataFrame) -> dict[str, int]:
        """Files of each repository by name; what their configurations say for the run is put together here."""
        found: dict[str, int] = {}
        roots: dict[str, list[str]] = {}
        clusters = dict(self.setup.settings.clusters)
        remarks: list[str] = []
        about = listed.filter("kind in ('fatal', 'repository', 'clusters', 'remark')")
        for row in about.orderBy("kind", "repo").collect():
            match row.kind:
                case "fatal":
                    raise ScanError(row.text)
                case "clusters":
                    for name, addresses in json.loads(row.text):
                        clusters[name] = tuple(dict.fromkeys((*clusters.get(name, ()), *addresses)))
                case "remark":
                    remarks.append(row.text)
                case _:
                    found[row.repo] = row.number
                    roots.setdefault(row.repo, []).append(Source.loads(row.path).root)
        check_names(roots)
        self.clusters = dataclass_replace(self.setup.settings, clusters=tuple(clusters.items()))
        self.remarks = tuple(remarks)
        return found

    def read_candidates(self, listed: DataFrame) -> DataFrame:
        parts = listed.filter("kind = 'part'")
        weights = {
            (row.repo, row.number): row.weight
            for row in parts.select("repo", "number", F.length("text").alias("weight")).collect()
        }
        self.say(f"reading {len(weights):,} parts of repositories")
        shares = [(repo, number, share) for (repo, number), share in balanced(weights, self.shares).items()]
        plan = self.spark.createDataFrame(shares, "repo string, number bigint, share int")
        spread = _spread(parts.join(F.broadcast(plan), ["repo", "number"]), self._width(weights))
        spread = spread.select("kind", "repo", "path", "number", "text")
        read = self._keep(_mapped(spread, work.read_candidates, READ, setup=self.setup), "read-0")
        if read.filter("kind = 'file'").limit(1).count():
            # build, Spring and deployment files count once the run holds a candidate
            plain = F.regexp_replace("kind", "^lasting$", "file")
            read = read.withColumn("kind", F.regexp_replace(plain, "^lasting-", ""))
        else:
            read = read.filter("kind not like 'lasting%' and kind not in ('build', 'hold')")
        return read

    def _demanded(self, listed: DataFrame, wanted: stages.Wanted) -> bool:
        """Reads what a round asked for; False when there was nothing new."""
        request = self.demand.request(wanted)
        if not request.names and not request.learned:
            return False
        parts = listed.filter("kind = 'part'")
        known = self.read.filter("kind = 'file'").select("kind", "repo", "path", "number")
        weights = {
            row.repo: row.weight
            for row in parts.groupBy("repo").agg(F.sum(F.length("text")).alias("weight")).collect()
        }
        plan = self.spark.createDataFrame(
            list(balanced(weights, self.shares).items()), "repo string, share int"
        )
        rows = parts.unionByName(known.withColumn("text", F.lit(None).cast("string")))
        rows = _spread(rows.join(F.broadcast(plan), "repo"), self._width(weights))
        rows = rows.sortWithinPartitions("repo", "kind", "number")
        rows = rows.select("kind", "repo", "path", "number", "text")
        found = self._keep(
            _mapped(
                rows, work.read_demanded, READ, request=request, number=2 * self.rounds, setup=self.setup
            ),
            f"read-{self.rounds}",
        )
        files = found.filter("kind = 'file'").agg(F.countDistinct("repo", "path"), F.countDistinct("repo"))
        count, repos = files.collect()[0]
        self.say(
            f"round {self.rounds}: {len(request.names):,} definitions and {len(request.learned):,} callers wanted, "
            f"{count:,} files read in {repos:,} repositories"
        )
        self.read = self.read.unionByName(found)
        return bool(count)

    # -- consuming ------------------------------------------------------------------------------------------

    def resolve(self, listed: DataFrame, repos: tuple[str, ...]) -> DataFrame:
        """Consumes every component; joins components and reads on until neither changes anything."""
        self.components = Components(repos)
        while True:
            consumed = self._consume(listed, repos)
            if self._join(consumed):
                continue
            self.rounds += 1
            if self.rounds >= stages.ROUNDS_MAX or not self._demanded(listed, _wanted(consumed)):
                return consumed
            self._join(consumed)

    def _consume(self, listed: DataFrame, repos: tuple[str, ...]) -> DataFrame:
        facts = self.read.filter("kind = 'file' and text is not null")
        weights: Counter[str] = Counter()
        mine: dict[str, str] = {}
        sizes = facts.groupBy("repo").agg(F.sum(F.length("text")).alias("weight"))
        for row in sizes.collect():
            mine[row.repo] = self.components.of(row.repo)
            weights[mine[row.repo]] += row.weight
        share = balanced(weights, self.shares)
        self.say(f"consuming {len(mine):,} repositories in {len(weights):,} components")
        plan = self.spark.createDataFrame(
            [(repo, component, share[component]) for repo, component in mine.items()],
            "repo string, component string, share int",
        )
        columns = ("share", "turn", "component", "kind", "repo", "path", "number", "text")
        answers = listed.filter("kind = 'answers'")
        own = facts.unionByName(answers).join(F.broadcast(plan), "repo").withColumn("turn", F.lit(1))
        structure = (
            self.read.filter("kind in ('build', 'start')")
            .crossJoin(F.broadcast(plan.select("share").distinct()))
            .withColumn("component", F.lit(""))
            .withColumn("turn", F.lit(0))
        )
        rows = structure.select(*columns).unionByName(own.select(*columns))
        rows = _spread(rows, self._width(weights))
        rows = rows.sortWithinPartitions("share", "turn", "component", "repo", "path", "number")
        self._steps += 1
        return self._keep(
            _mapped(rows.select(*columns), work.consume, CONSUMED, repos=repos, clusters=self.clusters),
            f"consumed-{self._steps}",
        )

    def _join(self, consumed: DataFrame) -> int:
        """Joins the components that looked something up with those that hold it."""
        holders = self.read.filter("kind = 'hold'").select("repo").distinct().collect()
        if len(holders) < 2:
            return 0
        places = self.spark.createDataFrame(
            [(row.repo, self.components.of(row.repo)) for row in holders], "repo string, holder string"
        )
        holds = self.read.filter("kind = 'hold'").select("repo", F.col("path").alias("key")).distinct()
        held = holds.join(F.broadcast(places), "repo").select("key", "holder").distinct()
        asks = consumed.filter("kind = 'ask'").select("component", "key")
        pairs = asks.join(held, "key").filter("component != holder").select("component", "holder").distinct()
        taken = consumed.filter("kind = 'takes'").select("component", F.col("key").alias("holder"))
        found = [(row.component, row.holder) for row in pairs.unionByName(taken).distinct().collect()]
        joined = self.components.join(found)
        if joined:
            self.say(f"{joined:,} components need facts of others and join them")
        return joined

    # -- judging and results --------------------------------------------------------------------------------

    def judge(self, consumed: DataFrame) -> DataFrame:
        key = ("cluster", "namespace", "grp")
        members = consumed.filter("kind = 'consumer' and grp is not null")
        self.say(f"judging {members.select(*key).distinct().count():,} groups")
        rows = members.select(*key, "text").repartition(self.shares, *key).sortWithinPartitions(*key)
        return self._keep(_mapped(rows, work.judge, JUDGED, settings=self.setup.settings), "judged")

    def triage(self, listed: DataFrame, consumed: DataFrame, judged: DataFrame) -> DataFrame:
        columns = ("kind", "key", "text")
        found = judged.filter("kind = 'finding'").select(*columns)
        found = found.unionByName(
            consumed.filter("kind in ('finding', 'diagnostic', 'suppression')").select(*columns)
        )
        for frame in (listed, self.read):
            said = frame.filter("kind = 'diagnostic'").withColumn("key", F.lit(""))
            found = found.unionByName(said.select(*columns))
        return self._keep(_mapped(found.coalesce(1), work.triaged, TEXTS), "triaged")

    def write(self, consumed: DataFrame, judged: DataFrame, triaged: DataFrame, content: Content) -> None:
        self.say("writing tables")
        order = ("cluster", "namespace", "grp", "key")
        kinds = (
            ("subscriptions", consumed.filter("kind = 'consumer'"), order, tables.SUBSCRIPTIONS),
            ("groups", judged.filter("kind = 'verdict'"), order, tables.GROUPS),
            ("diagnostics", triaged.filter("kind = 'diagnostic'"), ("number",), tables.DIAGNOSTICS),
        )
        for name, frame, columns, ddl in kinds:
            files = max(1, -(-frame.count() // tables.ROWS_PER_FILE))
            spread = frame.repartitionByRange(files, *columns) if files > 1 else frame.coalesce(1)
            texts = spread.sortWithinPartitions(*columns).select("text")
            self.folder.write(_table(texts, name, ddl), name)
        # findings are with the driver already, with what names their members
        schema = StructType.fromDDL(tables.FINDINGS)
        assert isinstance(schema, StructType)
        records = [tables.clean(record) for record in tables.findings(content)]
        self.folder.write(self.spark.createDataFrame(records, schema).coalesce(1), "findings")

    def report(
        self,
        repos: Mapping[str, int],
        consumed: DataFrame,
        judged: DataFrame,
        triaged: DataFrame,
        show_suppressed: bool,
    ) -> ScanReport:
        findings: list[Finding] = []
        diagnostics: list[Diagnostic] = []
        for row in triaged.orderBy("kind", "number").collect():
            if row.kind == "finding":
                findings.append(wire.loads(Finding, row.text))
            else:
                diagnostics.append(wire.loads(Diagnostic, row.text))
        found = Triaged(tuple(findings), tuple(diagnostics))
        counts = self._counts(repos, consumed, diagnostics)
        content = ScanContent(
            version=linter.__version__,
            findings=found.findings,
            diagnostics=found.diagnostics,
            consumers=self._shown(consumed, judged),
            files=counts.files,
            home=next(iter(repos)) if len(repos) == 1 else "",
            show_suppressed=show_suppressed,
            counts=counts,
        )
        return ScanReport(content, found, counts, self.remarks, time.monotonic() - self._started)

    def _shown(self, consumed: DataFrame, judged: DataFrame) -> tuple[Consumer, ...]:
        """The consumers of findings: reports name them and say where their values come from."""
        key = ["cluster", "namespace", "grp"]
        groups = judged.filter("kind = 'finding'").select(*key).distinct()
        rows = consumed.filter("kind = 'consumer' and grp is not null").join(F.broadcast(groups), key, "semi")
        rows = rows.select("text").unionByName(consumed.filter("kind = 'shown'").select("text"))
        found = [wire.loads(Consumer, row.text) for row in rows.collect()]
        return tuple(sorted(found, key=lambda one: (one.at, one.id, one.environments)))

    def _counts(
        self, repos: Mapping[str, int], consumed: DataFrame, diagnostics: Iterable[Diagnostic]
    ) -> Counts:
        files = self.read.filter("kind = 'files'").agg(F.sum("number")).collect()[0][0] or 0
        facts = self.read.filter("kind = 'file' and text is not null").select("repo", "path")
        numbers = consumed.filter("kind = 'count'").groupBy("key").agg(F.sum(F.col("text").cast("bigint")))
        counted = {row[0]: int(row[1]) for row in numbers.collect()}
        named = consumed.filter("kind in ('consumer', 'named') and grp is not null")
        workers = self.read.filter("kind = 'worker'").select("text").distinct().orderBy("text").collect()
        return Counts(
            repositories=len(repos),
            unreachable=sum(
                one.name == "unreadable-file" and one.at.origin.path == "." for one in diagnostics
            ),
            files=int(files),
            parsed=facts.distinct().count(),
            rounds=self.rounds,
            components=len(self.components),
            consumers=counted.get("consumers", 0),
            groups=named.select("cluster", "namespace", "grp").distinct().count(),
            blind_spots=tuple(
                (name.removeprefix("blind:"), count)
                for name, count in sorted(counted.items())
                if name.startswith("blind:")
            ),
            workers=tuple(row.text for row in workers),
        )

    # -- frames ---------------------------------------------------------------------------------------------

    def _keep(self, frame: DataFrame, name: str) -> DataFrame:
        return self.folder.keep(frame, name)

    def _width(
        self, weights: Mapping[object, int] | Mapping[str, int] | Mapping[tuple[str, int], int]
    ) -> int:
        return max(1, min(self.shares, len(weights)))


def _wanted(consumed: DataFrame) -> stages.Wanted:
    """The names components want: names alone come to the driver."""
    types: set[str] = set()
    callers: set[tuple[str, str]] = set()
    files: set[str] = set()
    names = consumed.filter("kind in ('type', 'caller', 'file')").select("kind", "key").distinct()
    for row in names.collect():
        match row.kind:
            case "type":
                types.add(row.key)
            case "caller":
                owner, name = json.loads(row.key)
                callers.add((owner, name))
            case _:
                files.add(row.key)
    return stages.Wanted(frozenset(types), frozenset(callers), frozenset(files))


def _spread(frame: DataFrame, shares: int) -> DataFrame:
    """Rows of one share in one partition; a partition of its own for each where Spark can (4.1 and later)."""
    if hasattr(frame, "repartitionById"):
        return frame.repartitionById(shares, "share")
    return frame.repartition(shares, "share")


def _mapped(frame: DataFrame, function: work.Work, ddl: str, **arguments: object) -> DataFrame:
    """A function of `spark_jobs.work` over each partition."""
    return map_in_arrow(frame, partial(_apply, function, ddl, arguments), ddl)


def _apply(
    function: work.Work, ddl: str, arguments: Mapping[str, object], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    more = dict(arguments)
    context = TaskContext.get()
    if function in (work.read_candidates, work.read_demanded) and context and context.attemptNumber():
        more["alone"] = True
    rows: Iterator[Row] = function(shapes.rows_of(batches), **more)
    yield from shapes.batches_of(rows, shapes.arrow_schema(ddl))


def _table(frame: DataFrame, name: str, ddl: str) -> DataFrame:
    schema = StructType.fromDDL(ddl)
    assert isinstance(schema, StructType)
    return map_in_arrow(frame, partial(_tabulate, name, to_arrow_schema(schema)), ddl)


def _tabulate(name: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    make = {
        "subscriptions": tables.subscriptions,
        "groups": tables.groups,
        "diagnostics": tables.diagnostics,
    }[name]
    yield from tables.batches(make(shapes.rows_of(batches)), schema)
