"""Lists and reads the repositories: at first sight, then what each round asks for. What an earlier scan of the same commit
has read is taken over from there."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from msgspec.structs import replace

from subdrift.linter import stages
from subdrift.linter.settings import Settings
from subdrift.spark_jobs import routing, work
from subdrift.spark_jobs.earlier import Before, round_of
from subdrift.spark_jobs.here import Here
from subdrift.spark_jobs.inputs import ScanError, Setup, Source, check_names, is_commit
from subdrift.spark_jobs.meeting import differing
from subdrift.spark_jobs.plan import balanced
from subdrift.spark_jobs.rows import Row
from subdrift.spark_jobs.steps import LIGHT, Piece, Steps, Way, mapped, spread
from subdrift.spark_jobs.told import Told

SLOWEST_TOLD = 3
"""Repositories that progress names."""
TASK_REPOSITORIES = 128
"""Repositories of one task of reading, where there are many."""
BESIDE_REPOSITORIES = 128
"""Repositories that have changed since the earlier scan and are read without Spark, where there are no more."""
FEW = 16
"""Fewer repositories for each core are a few."""
DIAGNOSED = ("diagnostic", "lasting-diagnostic", "listing-diagnostic")
"""Kinds of told rows that say what could not be read; the second counts only if the run holds a candidate."""
_KEPT = (
    "repository", "clusters", "owned", "remark", "about", "head", "sized", "files", "parsed", "build", "start",
    "uses", *DIAGNOSED,
)  # fmt: skip
"""Kinds of told rows a later scan has use for."""
_PLACED = ("build", "start", "diagnostic")
_LATE = ("parsed", "uses", "used-before", *_PLACED)
"""Kinds of told rows of demand that count."""


class Reading:
    """What is read of the repositories, so far.

    `repos` are their files by name, `first` what was read at first sight, `found` what each round of demand has added, `told`
    what the tasks have told; `unchanged` are the repositories that are as in the scan `before`.
    """

    def __init__(self, steps: Steps, setup: Setup, before: Before | None) -> None:
        self.steps = steps
        self.setup = setup
        self.before = before
        self.told: Told = set()
        self._kinds: dict[str, list[Row]] = {}
        self._counted = 0
        self.repos: dict[str, int] = {}
        self.clusters: Settings = setup.settings
        self.remarks: tuple[str, ...] = ()
        self.unchanged: frozenset[str] = frozenset()
        self.first: list[Piece] = []
        self.found: dict[int, list[Piece]] = {}
        self.late: dict[int, list[Piece]] = {}  # `found`, and reasons that led to nothing new
        self.asked: dict[int, stages.Request] = {}
        self._demand = stages.Demand()
        self._reached = time.monotonic()
        self._follows = before is not None
        """Whether every round so far has asked for what it asked for in the scan before."""

    # -- first sight ----------------------------------------------------------------------------------------

    def begin(self, sources: Sequence[Source]) -> None:
        """Lists every repository and reads what may matter at first sight. Raises `ScanError`."""
        changed, kept = self._changed(sources)
        if changed or not kept:
            self._survey(changed)
        if kept:
            assert self.before is not None
            self.unchanged = frozenset(kept)
            self.steps.say(
                f"{len(kept):,} repositories are at the commit of the earlier scan and are not read again"
            )
            self.told |= {
                row for row in self.before.left.told if row[1] in self.unchanged and not round_of(row)
            }
            self.first += self.of_unchanged("first")
        self._summed_up()
        self._parts()

    @property
    def has_candidates(self) -> bool:
        """Whether any file may declare a consumer."""
        return any(row[2].startswith("file ") for row in self._kind("parsed"))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of files that count: build, Spring and deployment files do once the run holds a candidate."""
        return routing.KINDS_WHOLE if self.has_candidates else routing.KINDS

    @property
    def read(self) -> list[Piece]:
        """All that was read."""
        return [*self.first, *(piece for found in self.found.values() for piece in found)]

    @property
    def fresh(self) -> list[Piece]:
        """The part of it that this scan has read."""
        return [one for one in self.read if self.before is None or one.step not in self.before.steps]

    def diagnostics(self) -> list[str]:
        """What could not be read and counts, as wire text."""
        counts = (kind for kind in DIAGNOSED if self.has_candidates or kind != "lasting-diagnostic")
        return [row[4] for kind in counts for row in self.of(kind)]

    def of(self, kind: str) -> list[Row]:
        """What was told of one kind, in order."""
        return sorted(self._kind(kind))

    def _kind(self, kind: str) -> list[Row]:
        """The same in any order."""
        if self._counted != len(self.told):  # what is told only becomes more
            self._counted = len(self.told)
            self._kinds = {}
            for row in self.told:
                self._kinds.setdefault(row[0], []).append(row)
        return self._kinds.get(kind, [])

    def structure(self) -> frozenset[Row]:
        """The `build` and `start` rows of what counts."""
        told = [*self._kind("build"), *self._kind("start")]
        return structure_of(told, stages.ROUNDS_MAX) if self.has_candidates else starts_of(told)

    def of_unchanged(self, role: str, number: int | None = None) -> list[Piece]:
        """What the earlier scan has left of repositories that are as they were; `number`: of one round."""
        assert self.before is not None
        pieces = (one.of(self.unchanged) for one in self.before.left.pieces if one.role == role)
        return [one for one in pieces if one.repos and number in (None, one.number)]

    def _survey(self, sources: Sequence[Source]) -> None:
        self.steps.say(f"reading {len(sources):,} repositories")
        self._reached = time.monotonic()
        texts = [(source.dumps(),) for source in sources]
        count = max(self._width(texts), len(texts) // TASK_REPOSITORIES)
        beside = self._reads_beside(len(texts))
        given = Here([texts]) if beside else self.steps.rdd(texts, count)
        with self.steps.counting(len(texts)) as done:
            step, self.told = self.steps.done(
                given, work.survey_repositories, "read", done, beside=beside, setup=self.setup
            )
        self.first.append(Piece("first", step, 0, frozenset(row[1] for row in self.of("repository"))))
        self._say_reading(self.told, len(texts))

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
            rows = self.steps.rdd(texts, min(len(texts), self.steps.shares))
            given |= {row[2]: row[4] for row in self.steps.collect(mapped(rows, work.heads))}
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

    def _parts(self) -> None:
        """Reads the parts of large repositories."""
        weights = {(repo, int(number)): weight for _, repo, number, weight, _ in self.of("sized")}
        known = {row[1] for row in self.told if row[0] == "files"}
        weights = {key: weight for key, weight in weights.items() if key[0] not in known}
        if not weights:
            return
        self.steps.say(f"reading {len(weights):,} parts of large repositories")
        self._reached = time.monotonic()
        repos = frozenset(repo for repo, _ in weights)
        shares = balanced(weights, self.steps.shares)
        records = self.steps.records(one.of(repos) for one in self.first)
        sent = mapped(records, routing.parts, shares=shares)
        parts = spread(sent, self._width(weights)).values()
        step, told = self.steps.done(parts, work.read_candidates, "read-parts", setup=self.setup)
        self.first.append(Piece("first", step, 0, repos))
        self._say_reading(told, len(repos))
        self.told |= told

    def _reads_beside(self, repositories: int) -> bool:
        """Whether so many repositories are a change after the earlier scan that one process reads at once."""
        return self.before is not None and repositories <= BESIDE_REPOSITORIES

    def _width(self, work: Collection[object]) -> int:
        """Tasks for so many repositories, or parts of them: of a few no more than can be done at once, since each costs."""
        few = len(work) < FEW * self.steps.cores
        return max(1, min(self.steps.cores if few else self.steps.shares, len(work)))

    def _say_reading(self, told: Told, count: int) -> None:
        """Says how far reading has come, how fast, and which repositories took longest."""
        begun, self._reached = self._reached, time.monotonic()
        times: Counter[str] = Counter()
        for row in told:
            if row[0] == "spent":
                times[row[1]] += row[3]
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
        self._follows = (
            self._follows and self.before is not None and self.before.left.asked.get(number) == request
        )
        pieces: list[Piece] = []
        told: Told = set()
        if self._follows and self.before is not None:
            pieces += self.of_unchanged("late", number)
            told |= {row for row in self._told_before if round_of(row) == number}
        step, more = self._read(request, number)
        told |= more
        repos = {row[1] for row in told if row[0] == "parsed"}
        self.steps.say(
            f"round {number}: {len(request.names):,} definitions and {len(request.learned):,} callers wanted, "
            f"{sum(row[3] for row in told if row[0] == 'parsed'):,} files read in {len(repos):,} repositories"
        )
        if step:
            pieces.append(Piece("late", step, number, frozenset(self.repos)))
        self.late[number] = pieces
        self.told |= {row for row in told if row[0] in _LATE and (repos or row[0] not in _PLACED)}
        if not repos:
            return set()
        self.found[number] = pieces
        return repos

    def _read(self, request: stages.Request, number: int) -> tuple[str, Told]:
        """Looks for what was never asked for where that may be: in repositories that are as they were for the rest."""
        new = request if self.before is None else self._never_asked(request)
        searched = frozenset(
            row[1] for row in self.of("sized") if row[1] not in self.unchanged or new.names or new.learned
        )
        old = [] if self._follows or self.before is None else self.of_unchanged("late")
        weights: Counter[str] = Counter(dict.fromkeys((repo for one in old for repo in one.repos), 0))
        for _, repo, _, size, _ in self.of("sized"):
            if repo in searched:
                weights[repo] += size
        if not weights:
            return "", set()
        asking = self.steps.shared(
            routing.Asking(balanced(weights, self.steps.shares), self.unchanged & weights.keys(), searched)
        )
        here = [one.of(weights) for one in self.read]
        ways = [
            Way.of(here, routing.to_demand, asking=asking, kinds=self.kinds),
            Way.of(old, routing.to_demand, asking=asking, kinds=self.kinds, old=True),
        ]
        sent = self.steps.sent(ways)
        step, told = self.steps.done(
            spread(sent, self._width(weights)),
            routing.demanded,
            f"read-{number}",
            beside=self._reads_beside(len(weights)),
            request=request,
            more=new,
            number=2 * number,
            setup=self.setup,
        )
        took = {(row[1], row[2]): row[3] for row in told if row[0] == "took"}
        told |= {
            (kind, repo, path, took[repo, path], text)
            for kind, repo, path, _, text in (self._told_before if took else ())
            if kind in _PLACED and (repo, path) in took
        }
        return step, {
            (kind, repo, f"{path} {number}", *more) if kind == "parsed" else (kind, repo, path, *more)
            for kind, repo, path, *more in told
        }

    @cached_property
    def _told_before(self) -> Told:
        """What was told of the unchanged repositories in the earlier scan, of what was asked for."""
        assert self.before is not None
        return {
            ("used-before", *row[1:]) if row[0] == "uses" else row
            for row in self.before.left.told
            if row[1] in self.unchanged and round_of(row)
        }

    def _never_asked(self, request: stages.Request) -> stages.Request:
        assert self.before is not None
        names = {name for one in self.before.left.asked.values() for name in one.names}
        pairs = {pair for one in self.before.left.asked.values() for pair in one.learned}
        return stages.Request(
            tuple(name for name in request.names if name not in names), request.files, request.learned - pairs
        )

    def users(self, number: int | None = None, *, known: bool = True) -> dict[str, set[str]]:
        """By repository the names of types of which it uses what others want the callers or subtypes of. `number`: for what a
        round has asked for, else for all that was asked for so far; without `known` those alone that were found to by this
        scan."""
        rounds = self.asked if number is None else {number: self.asked[number]}
        named = {
            json.dumps([owner, name]): name if owner == stages.BELOW else owner
            for request in rounds.values()
            for owner, name in request.learned
            if owner != "import"  # a module of Python is looked up by name
        }
        found: dict[str, set[str]] = {}
        for row in (*self._kind("uses"), *(self._kind("used-before") if known else ())):
            if row[4] in named:
                found.setdefault(row[1], set()).add(named[row[4]])
        return found

    # -- beside the earlier scan ----------------------------------------------------------------------------

    def differing(self, number: int) -> tuple[list[tuple[str, bytes]], set[str]]:
        """Of the files that are there by this round and were not by then in the earlier scan, or with other facts, or the other
        way round, by repository the hashes of all keys they are found under; and the repositories that have any."""
        assert self.before is not None
        if self._follows and set(self.before.left.repos) == self.unchanged == set(self.repos):
            return [], set()
        late = () if self._follows else ("late",)
        then = [
            piece
            for one in self.before.left.pieces
            if one.role in ("first", "late") and one.number <= number
            for piece in (one if one.role in late else one.of(self.unchanged, without=True),)
        ]
        now = [
            piece
            for one in self.read
            for piece in (one if one.role in late else one.of(self.unchanged, without=True),)
        ]
        cores = self.steps.cores
        ways = [
            Way.of(pieces, routing.indexed, kinds=self.kinds, old=old, shares=cores)
            for old, pieces in ((True, then), (False, now))
        ]
        sent = spread(self.steps.sent(ways, here=LIGHT), cores)
        rows: list[tuple[str, bytes]] = self.steps.collect(mapped(sent, differing))
        return rows, {repo for repo, _ in rows}

    # -- for the next scan ----------------------------------------------------------------------------------

    def left(self) -> tuple[list[Piece], Told]:
        """What was read, and what was told."""
        pieces = [*self.first, *(piece for late in self.late.values() for piece in late)]
        told = {("uses", *row[1:]) if row[0] == "used-before" else row for row in self.told}
        return pieces, {row for row in told if row[0] in _KEPT}


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
