"""Lists and reads the repositories: at first sight, then what each round asks for. What an earlier scan of the same commit
has read is taken over from there."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

from subdrift.linter import stages
from subdrift.linter.settings import Settings
from subdrift.spark_jobs import work
from subdrift.spark_jobs.earlier import Before, round_of
from subdrift.spark_jobs.inputs import ScanError, Setup, Source, check_names, is_commit
from subdrift.spark_jobs.plan import balanced
from subdrift.spark_jobs.rows import FILES, LISTED, READ, Row
from subdrift.spark_jobs.steps import Steps, mapped, spread
from subdrift.spark_jobs.told import Told

SLOWEST_TOLD = 3
"""Repositories that progress names."""
TASK_REPOSITORIES = 128
"""Repositories of one task of reading, where there are many."""
READ_COLUMNS = ("kind", "repo", "path", "number", "text")
_KEPT = ("repository", "clusters", "remark", "about", "head", "sized", "files", "parsed", "build", "start")
"""Kinds of told rows a later scan has use for."""


class Reading:
    """What is read of the repositories, so far.

    `repos` are their files by name, `listed` and `read` the rows of listing and of reading, `found` those that each round of
    demand has added, `told` what the tasks have told; `unchanged` are the repositories that are as in the scan `before`.
    """

    listed: DataFrame
    read: DataFrame
    _first: DataFrame

    def __init__(self, steps: Steps, setup: Setup, before: Before | None) -> None:
        self.steps = steps
        self.setup = setup
        self.before = before
        self.told: Told = set()
        self.repos: dict[str, int] = {}
        self.clusters: Settings = setup.settings
        self.remarks: tuple[str, ...] = ()
        self.unchanged: frozenset[str] = frozenset()
        self.found: dict[int, DataFrame] = {}
        self.asked: dict[int, stages.Request] = {}
        self._reasons: list[DataFrame] = []
        self._demand = stages.Demand()
        self._reached = time.monotonic()
        self._follows = before is not None
        """Whether every round so far has asked for what it asked for in the scan before."""

    # -- first sight ----------------------------------------------------------------------------------------

    def begin(self, sources: Sequence[Source]) -> None:
        """Lists every repository and reads what may matter at first sight. Raises `ScanError`."""
        changed, kept = self._changed(sources)
        first = self._survey(changed)
        listing = F.col("kind").isin(*LISTED)
        self.listed = first.filter(listing)
        first = first.filter(~listing)
        if kept:
            assert self.before is not None
            self.unchanged = frozenset(kept)
            self.steps.say(
                f"{len(kept):,} repositories are at the commit of the earlier scan and are not read again"
            )
            self.told |= {
                row for row in self.before.left.told if row[1] in self.unchanged and not round_of(row)
            }
            self.listed = self.listed.unionByName(self.of_unchanged(self.before.read.filter(listing)))
        self._summed_up()
        first = self._parts(first)
        if kept:
            assert self.before is not None
            again = self.of_unchanged(self.before.read.filter("kind like 'first-%'"))
            first = first.unionByName(again.withColumn("kind", F.regexp_replace("kind", "^first-", "")))
        self._first = self.read = first
        if self.has_candidates:
            # build, Spring and deployment files count once the run holds a candidate
            plain = F.regexp_replace("kind", "^lasting$", "file")
            self.read = first.withColumn("kind", F.regexp_replace(plain, "^lasting-", ""))
        else:
            self.read = first.filter("kind not like 'lasting%' and kind <> 'hold'")

    @property
    def has_candidates(self) -> bool:
        """Whether any file may declare a consumer."""
        return any(row[0] == "parsed" and row[2].startswith("file ") for row in self.told)

    def of(self, kind: str) -> list[Row]:
        """What was told of one kind, in order."""
        return sorted(row for row in self.told if row[0] == kind)

    def structure(self) -> frozenset[Row]:
        """The `build` and `start` rows of what counts."""
        return structure_of(self.told, stages.ROUNDS_MAX) if self.has_candidates else starts_of(self.told)

    def of_unchanged(self, frame: DataFrame) -> DataFrame:
        """Those rows of the earlier scan whose repository is as it was."""
        return self._apart(frame, "anti")

    def of_others(self, frame: DataFrame) -> DataFrame:
        """Those rows of the earlier scan whose repository has changed or is gone."""
        return self._apart(frame, "semi")

    def _apart(self, frame: DataFrame, how: str) -> DataFrame:
        assert self.before is not None
        return self.steps.of(frame, set(self.before.left.repos) - self.unchanged, how)

    def _survey(self, sources: Sequence[Source]) -> DataFrame:
        self.steps.say(f"reading {len(sources):,} repositories")
        self._reached = time.monotonic()
        texts = [(source.dumps(),) for source in sources]
        count = max(1, min(len(texts), max(self.steps.shares, len(texts) // TASK_REPOSITORIES)))
        rows = self.steps.frame(texts, "text string").repartition(count)
        with self.steps.counting(len(texts)) as done:
            first, self.told = self.steps.done(
                rows, work.survey_repositories, READ, "read", done, setup=self.setup
            )
        self._say_reading(self.told, len(texts))
        return first

    def _changed(self, sources: Sequence[Source]) -> tuple[Sequence[Source], Collection[str]]:
        """The sources that must be read, and the names of the repositories that need not be."""
        if self.before is None:
            return sources, ()
        heads = self.before.left.heads()
        at = self._commits(sources)
        kept: dict[Source, str] = {}
        for source in sources:
            for name, commit in heads.get(source.root, ()):
                if source.repo in ("", name) and commit == at.get(source.dumps()):
                    kept[source] = name
        return [source for source in sources if source not in kept], kept.values()

    def _commits(self, sources: Sequence[Source]) -> dict[str, str]:
        """The commit each source is read at, by its text; a manifest that gives them all leaves nothing to ask."""
        given = {source.dumps(): source.head for source in sources if is_commit(source.head)}
        texts = [(text,) for source in sources if (text := source.dumps()) not in given]
        if texts:
            rows = self.steps.frame(texts, "text string").repartition(min(len(texts), self.steps.shares))
            given |= {row.path: row.text for row in self.steps.collect(mapped(rows, work.heads, READ))}
        return given

    def _summed_up(self) -> None:
        """What the configurations say for the run, and the repositories by name."""
        for row in self.of("fatal"):
            raise ScanError(row[4])
        clusters = dict(self.setup.settings.clusters)
        for row in self.of("clusters"):
            for name, addresses in json.loads(row[4]):
                clusters[name] = tuple(dict.fromkeys((*clusters.get(name, ()), *addresses)))
        self.clusters = replace(self.setup.settings, clusters=tuple(clusters.items()))
        self.remarks = tuple(row[4] for row in self.of("remark"))
        roots: dict[str, list[str]] = {}
        for _, repo, source, files, _ in self.of("repository"):
            self.repos[repo] = files
            roots.setdefault(repo, []).append(Source.loads(source).root)
        check_names(roots)

    def _parts(self, first: DataFrame) -> DataFrame:
        """Reads the parts of large repositories; with what was read before."""
        weights = {(repo, int(number)): weight for _, repo, number, weight, _ in self.of("sized")}
        known = {row[1] for row in self.told if row[0] == "files"}
        weights = {key: weight for key, weight in weights.items() if key[0] not in known}
        if not weights:
            return first
        self.steps.say(f"reading {len(weights):,} parts of large repositories")
        self._reached = time.monotonic()
        shares = [
            (repo, number, share) for (repo, number), share in balanced(weights, self.steps.shares).items()
        ]
        plan = self.steps.frame(shares, "repo string, number bigint, share int")
        parts = self.listed.filter("kind = 'part'").join(F.broadcast(plan), ["repo", "number"])
        parts = spread(parts, self._width(weights)).select(*READ_COLUMNS)
        more, told = self.steps.done(parts, work.read_candidates, READ, "read-parts", setup=self.setup)
        self._say_reading(told, len({repo for repo, _ in weights}))
        self.told |= told
        return first.unionByName(more)

    def _width(self, weights: Collection[object]) -> int:
        return max(1, min(self.steps.shares, len(weights)))

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
        self.steps.say(
            f"{len(times):,} of {count:,} repositories read, {len(times) / seconds:,.0f} a second; "
            f"slowest: {shown or 'none'}"
        )

    # -- rounds of demand -----------------------------------------------------------------------------------

    def demanded(self, wanted: stages.Wanted, number: int) -> set[str]:
        """Reads what a round asked for; the repositories that had something new."""
        request = self._demand.request(wanted)
        if not request.names and not request.learned:
            return set()
        self.asked[number] = request
        taken, told = self._taken_over(request, number)
        read, more = self._read(request, number, taken)
        told |= more
        frames = [frame for frame in (taken, read) if frame is not None]
        repos = {row[1] for row in told if row[0] == "parsed"}
        self.steps.say(
            f"round {number}: {len(request.names):,} definitions and {len(request.learned):,} callers wanted, "
            f"{sum(row[3] for row in told if row[0] == 'parsed'):,} files read in {len(repos):,} repositories"
        )
        if not repos:
            return set()
        found = self.found[number] = self.steps.union(frames, READ)
        self.told |= {row for row in told if row[0] in ("parsed", "build", "start")}
        self.read = self.read.unionByName(found)
        return repos

    def _read(
        self, request: stages.Request, number: int, taken: DataFrame | None
    ) -> tuple[DataFrame | None, Told]:
        """Looks for what was never asked for where that may be: in repositories that are as they were for the rest."""
        new = request if self.before is None else self._never_asked(request)
        weights: Counter[str] = Counter()
        for _, repo, _, size, _ in self.of("sized"):
            if repo not in self.unchanged or new.names or new.learned:
                weights[repo] += size
        if not weights:
            return None, set()
        plan = self.steps.frame(list(balanced(weights, self.steps.shares).items()), "repo string, share int")
        parts = self.listed.filter("kind in ('part', 'objects')")
        read = self.read if taken is None else self.read.unionByName(taken)
        known = read.filter("kind = 'file'").select("kind", "repo", "path", "number")
        rows = parts.unionByName(known.withColumn("text", F.lit(None).cast("string")))
        if self.unchanged:
            marks = [("unchanged", repo) for repo in sorted(self.unchanged & weights.keys())]
            rows = rows.unionByName(
                self.steps.frame(marks, "kind string, repo string"), allowMissingColumns=True
            )
        rows = spread(rows.join(F.broadcast(plan), "repo"), self._width(weights))
        rows = rows.sortWithinPartitions("repo", "kind", "number").select(*READ_COLUMNS)
        found, told = self.steps.done(
            rows,
            work.read_demanded,
            READ,
            f"read-{number}",
            request=request,
            more=new,
            number=2 * number,
            setup=self.setup,
        )
        self._reasons.append(found.filter("kind in ('defined', 'used')"))
        counted = {
            (kind, repo, f"{path} {number}", *more) if kind == "parsed" else (kind, repo, path, *more)
            for kind, repo, path, *more in told
        }
        return found.filter(F.col("kind").isin(*FILES)), counted

    def _never_asked(self, request: stages.Request) -> stages.Request:
        assert self.before is not None
        names = {name for one in self.before.left.asked.values() for name in one.names}
        pairs = {pair for one in self.before.left.asked.values() for pair in one.learned}
        return stages.Request(
            tuple(name for name in request.names if name not in names), request.files, request.learned - pairs
        )

    def _taken_over(self, request: stages.Request, number: int) -> tuple[DataFrame | None, Told]:
        """What the unchanged repositories have of what the earlier scan asked for too."""
        if not self.unchanged:
            return None, set()
        assert self.before is not None
        left = self.before.left
        late = self.of_unchanged(self.before.read.filter("kind like 'late-%'"))
        late = late.withColumn("kind", F.regexp_replace("kind", "^late-", ""))
        self._follows = self._follows and left.asked.get(number) == request
        mine = {row for row in left.told if row[1] in self.unchanged}
        if self._follows:
            rounds = F.floor(F.col("number") / 2) == number
            return late.filter(rounds), {row for row in mine if round_of(row) == number}
        why = [("defined", name) for name in request.names]
        why += [("used", json.dumps(pair)) for pair in sorted(request.learned)]
        reasons = self.of_unchanged(self.before.read.filter("kind in ('defined', 'used')"))
        reasons = reasons.join(
            F.broadcast(self.steps.frame(why, "kind string, text string")), ["kind", "text"]
        )
        turn = F.when(F.col("kind") == "defined", 2 * number).otherwise(2 * number + 1)
        paths = reasons.groupBy("repo", "path").agg(F.min(turn).cast("bigint").alias("number"))
        paths = paths.join(self.read.filter("kind = 'file'"), ["repo", "path"], "anti")
        found = self.steps.keep(
            late.drop("number").join(paths, ["repo", "path"]).select(*READ_COLUMNS), f"taken-{number}"
        )
        facts = found.filter("kind = 'file' and text is not null")
        sizes = self.steps.collect(facts.select("repo", "path", "number", F.length("text").alias("chars")))
        chars: dict[str, list[int]] = {}
        for row in sizes:
            chars.setdefault(row.repo, []).append(row.chars)
        told: Told = {
            ("parsed", repo, f"file earlier {number}", len(each), str(sum(each)))
            for repo, each in chars.items()
        }
        turns = {(row.repo, row.path): row.number for row in sizes}
        told |= {
            (kind, repo, path, turns[repo, path], text)
            for kind, repo, path, _, text in mine
            if kind in ("build", "start") and (repo, path) in turns
        }
        return found, told

    def users(self, number: int | None = None, *, known: bool = True) -> DataFrame:
        """Which repositories use what others want the callers or subtypes of: repo, name (of the type). `number`: for what a
        round has asked for, else for all that was asked for so far; without `known` those alone that were found to by this
        scan."""
        rounds = self.asked if number is None else {number: self.asked[number]}
        pairs = [
            (json.dumps([owner, name]), name if owner == stages.BELOW else owner)
            for request in rounds.values()
            for owner, name in sorted(request.learned)
            if owner != "import"  # a module of Python is looked up by name
        ]
        frames = list(self._reasons)
        if self.unchanged and known:
            assert self.before is not None
            frames.append(self.of_unchanged(self.before.read.filter("kind = 'used'")))
        used = self.steps.union((frame.select(*READ_COLUMNS) for frame in frames), READ)
        named = self.steps.frame(pairs, "text string, name string")
        return used.filter("kind = 'used'").join(F.broadcast(named), "text").select("repo", "name").distinct()

    # -- beside the earlier scan ----------------------------------------------------------------------------

    def differing(self, number: int) -> DataFrame | None:
        """The files that are there by this round and were not by then in the earlier scan, or with other facts, or the other
        way round, as (repo, key): all keys they are found under, "" besides. None where there are none."""
        assert self.before is not None
        if self._follows and set(self.before.left.repos) == self.unchanged == set(self.repos):
            return None
        was = self.before.read.filter(
            (F.col("number") <= 2 * number + 1)
            & F.col("kind").isin("first-file", "first-lasting", "first-hold", "late-file", "late-hold")
        )
        old = self._either(was)
        is_hold = F.col("kind").isin("hold", "first-hold", "late-hold")
        rows = old.withColumn("old", F.lit(True)).unionByName(self._mine().withColumn("old", F.lit(False)))
        mark = F.when(~is_hold, F.xxhash64("text"))
        files = rows.groupBy("repo", "path").agg(
            F.max(F.when(F.col("old"), mark)).alias("was"),
            F.max(F.when(~F.col("old"), mark)).alias("is"),
            F.collect_set(F.when(is_hold, F.col("text"))).alias("keys"),
        )
        files = files.filter(~F.col("was").eqNullSafe(F.col("is")))
        return files.select("repo", F.explode(F.concat("keys", F.array(F.lit("")))).alias("key"))

    def _either(self, frame: DataFrame) -> DataFrame:
        """Of rows of the earlier scan those that this one may not have."""
        others = self.of_others(frame)
        if self._follows:
            return others
        return others.unionByName(self.of_unchanged(frame.filter("kind like 'late-%'")))

    def _mine(self) -> DataFrame:
        """Of the rows of files of this scan those that the earlier one may not have."""
        changed = self.repos.keys() - self.unchanged
        kinds = F.col("kind").isin("file", "hold")
        late = () if self._follows else self.found.values()
        mine = [self.steps.of(self.read.filter(kinds), changed)]
        mine += [self.steps.of(found.filter(kinds), changed, "anti") for found in late]
        return self.steps.union((frame.select(*READ_COLUMNS) for frame in mine), READ)

    # -- for the next scan ----------------------------------------------------------------------------------

    def left(self) -> tuple[DataFrame, Told]:
        """The rows of `earlier.READ_STATE`, and what was told."""
        frames = [self.listed, self._first.withColumn("kind", F.regexp_replace("kind", "^", "first-"))]
        for number, found in self.found.items():
            late = found.withColumn("kind", F.regexp_replace("kind", "^", "late-"))
            turn = F.when(F.col("kind") == "late-file", F.col("number")).otherwise(F.lit(2 * number))
            frames.append(late.withColumn("number", turn.cast("bigint")))
        frames += self._reasons
        if self.unchanged and self.asked:
            assert self.before is not None
            why = [("defined", name) for one in self.asked.values() for name in one.names]
            why += [("used", json.dumps(pair)) for one in self.asked.values() for pair in sorted(one.learned)]
            known = self.of_unchanged(self.before.read.filter("kind in ('defined', 'used')"))
            asked = self.steps.frame(why, "kind string, text string")
            again = known.join(F.broadcast(asked), ["kind", "text"], "semi")
            frames.append(again.select(*READ_COLUMNS))
        return self.steps.union(frames, READ), {row for row in self.told if row[0] in _KEPT}


def structure_of(told: Iterable[Row], number: int) -> frozenset[Row]:
    """The `build` and `start` rows that were told by some round, whenever that was."""
    return frozenset(
        (kind, repo, path, 0, text)
        for kind, repo, path, turn, text in told
        if kind in ("build", "start") and turn // 2 <= number
    )


def starts_of(told: Iterable[Row]) -> frozenset[Row]:
    """The `start` rows alone, for a run without any candidate."""
    return frozenset((kind, repo, path, 0, text) for kind, repo, path, _, text in told if kind == "start")
