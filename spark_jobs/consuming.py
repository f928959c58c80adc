"""Consumes the repositories, and finds out which of them are due again.

Consuming looks definitions, callers and configuration up in all facts of a run. Here a repository is consumed with its own
facts and those of the repositories its build files take in. What it looked up is compared with what others hold; files that
hold any of it are lent to it, and it is consumed again, until no answer could differ from that of one process over everything.
What a repository came to holds until something it looked up is read, or is another than in the scan it was taken over from.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable

from msgspec import Struct
from pyspark.core.broadcast import Broadcast
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

from subdrift.linter import stages
from subdrift.spark_jobs import work
from subdrift.spark_jobs.earlier import Before
from subdrift.spark_jobs.plan import balanced
from subdrift.spark_jobs.reading import READ_COLUMNS, Reading, starts_of, structure_of
from subdrift.spark_jobs.rows import CONSUMED, WANTED, Row
from subdrift.spark_jobs.steps import Steps, spread
from subdrift.spark_jobs.told import Told

SHARE_CHARS = 4 << 20
"""Facts, in characters, from which on a share of consuming is worth a task of its own beyond one for each core."""
SHARE_CHARS_MAX = 64 << 20
"""Facts of a share at most, as far as repositories can be told apart: what a worker holds at once."""
FEW = 2_000
"""Repositories whose look-ups every task can be given."""
_ASKS = "repo string, key string"


class _Piece(Struct):
    """What one step gave, and the repositories no later step has consumed again."""

    rows: DataFrame
    repos: set[str]
    whole: bool = True


class _Made(Struct):
    """The modules of a run as some round knows them."""

    rows: frozenset[Row]
    structure: work.Structure
    views: dict[str, bytes] = {}

    @classmethod
    def of(cls, rows: frozenset[Row], repos: Iterable[str]) -> _Made:
        return cls(rows, work.Structure.of(sorted(rows, key=lambda row: row[:3]), tuple(sorted(repos))))

    def view(self, repo: str) -> bytes:
        if repo not in self.views:
            self.views[repo] = self.structure.view(repo)
        return self.views[repo]

    def regrouped(self, other: _Made) -> set[str]:
        """The repositories of which other modules run together."""
        ours, theirs = self.structure.deployables, other.structure.deployables
        return {repo for repo in ours.keys() | theirs.keys() if ours.get(repo) != theirs.get(repo)}


class Consuming:
    """What the repositories come to.

    `carried` are those that come to what they came to in the scan `before`; `shares` is how many tasks the first step had.
    """

    def __init__(self, steps: Steps, reading: Reading, before: Before | None) -> None:
        self.steps = steps
        self.reading = reading
        self.before = before
        self.shares = 0
        self.carried: set[str] = set()
        if before is not None and before.left.whole == self.whole():
            self.carried = set(reading.unchanged)
        self._begun = frozenset(self.carried)  # of these some rounds are those of the scan before
        self._since: dict[str, int] = {}  # by repository the first round it was consumed in
        self._came: dict[str, int] = {}
        self._wanted: dict[int, Told] = {}
        self._told: dict[str, list[Row]] = {}
        self._pieces: list[_Piece] = []
        self._asks: list[DataFrame] = []
        self._modules: _Made | None = None
        self._sent: Broadcast[work.Structure] | None = None
        self._modules_before: _Made | None = None
        # digests of what each repository has looked up in some step
        self._looked: dict[str, set[str]] = {}
        self._looked_before: dict[str, set[str]] = {}
        for row in () if before is None else before.left.looked:
            self._looked_before.setdefault(row[1], set()).add(row[-1])

    def whole(self) -> str:
        """What of all repositories together decides what one comes to."""
        return json.dumps([self.reading.clusters.clusters, self.reading.has_candidates])

    @property
    def structure(self) -> work.Structure:
        """The modules of the whole run as they are known by now."""
        return self._structured().structure

    def _structured(self) -> _Made:
        rows = self.reading.structure()
        if self._modules is None or self._modules.rows != rows:
            self._modules = _Made.of(rows, self.reading.repos)
            self._sent = self.steps.spark.sparkContext.broadcast(self._modules.structure)
        return self._modules

    def _structured_before(self, number: int) -> _Made:
        """The modules of the scan before, as it knew them in a round."""
        assert self.before is not None
        told = self.before.left.told
        rows = structure_of(told, number) if self.reading.has_candidates else starts_of(told)
        if self._modules_before is None or self._modules_before.rows != rows:
            self._modules_before = _Made.of(rows, self.before.left.repos)
        return self._modules_before

    # -- one round ------------------------------------------------------------------------------------------

    def settle(self, due: Collection[str], number: int) -> None:
        """Consumes repositories until no file at hand could change what they come to."""
        came: set[str] = set()
        left = set(due)
        while left:
            came |= left
            left = self._consume(left)
        self.carried -= came
        for repo in came:
            self._since.setdefault(repo, number)
            self._came[repo] = number
        wanted = {row for row in self._wanted.get(number, ()) if row[1] not in came}
        rows = (row for repo in came for row in self._told.get(repo, ()) if row[0] in WANTED)
        self._wanted[number] = wanted | {(row[0], row[1], row[5]) for row in rows}

    def wanted(self, number: int) -> stages.Wanted:
        """The names that were wanted in a round: names alone come to the driver."""
        names: dict[str, set[str]] = {kind: set() for kind in WANTED}
        for kind, _, name in (*self._wanted.get(number, ()), *self._wanted_before(number)):
            names[kind].add(name)
        callers = {(owner, name) for owner, name in map(json.loads, names["caller"])}
        return stages.Wanted(frozenset(names["type"]), frozenset(callers), frozenset(names["file-wanted"]))

    def _wanted_before(self, number: int) -> Told:
        """What repositories wanted that came to what they came to in the scan before, by then."""
        if self.before is None:
            return set()
        return {
            row
            for row in self.before.left.wanted.get(number, ())
            if row[1] in self.carried or self._since.get(row[1], -1) > number
            if row[1] in self.reading.unchanged
        }

    def overdue(self, number: int) -> set[str]:
        """The repositories that came to what they came to in a later round than there is now."""
        if self.before is None:
            return set()
        return {repo for repo in self.carried if self.before.left.came.get(repo, 0) > number}

    def _consume(self, due: set[str]) -> set[str]:
        """Consumes some repositories; those among them that have looked up what others hold, and did not have it."""
        made = self._structured()
        share_of = self._placed(due)
        count = max(share_of.values()) + 1
        self.shares = self.shares or count
        self.steps.say(f"consuming {len(due):,} repositories in {count:,} shares")
        own = self.steps.frame(list(share_of.items()), "repo string, share int")
        taken = {(share, repo) for one, share in share_of.items() for repo in made.structure.takes(one)}
        taken = {(share, repo) for share, repo in taken if share_of.get(repo) != share}
        places = [(repo, share, work.OWN) for repo, share in share_of.items()]
        places += [(repo, share, work.LENT) for share, repo in sorted(taken)]
        plan = self.steps.frame(places, "repo string, share int, turn int")

        reading = self.reading
        facts = reading.read.filter("kind = 'file' and text is not null").select(*READ_COLUMNS)
        answers = reading.listed.filter("kind = 'answers'").select(*READ_COLUMNS)
        rows = facts.unionByName(answers).join(F.broadcast(plan), "repo")
        asked = self._looked_up(own, len(due))
        lent = None if asked is None else self._held(asked, plan, len(due))
        if lent is not None:
            needed = lent.select("share", "repo", "path").distinct()
            needed = F.broadcast(needed) if len(due) <= FEW else needed.hint("shuffle_hash")
            rows = rows.unionByName(facts.join(needed, ["repo", "path"]).withColumn("turn", F.lit(work.LENT)))
        rows = spread(rows, count).sortWithinPartitions("share", "turn", "repo", "path", "number")
        rows = rows.select("share", "turn", *READ_COLUMNS)
        found, told = self.steps.done(
            rows, work.consume, CONSUMED, "consumed", structure=self._sent, clusters=reading.clusters
        )
        self._replaced(found, due, told)
        looked = found.filter("kind = 'ask'").select("repo", "key")
        self._asks.append(looked)
        if self._served(told) or len(reading.repos) < 2:
            return set()

        asks = looked.join(F.broadcast(own), "repo")
        new = asks.select("share", "key").distinct()
        if asked is not None:
            new = new.join(asked, ["share", "key"], "anti")
        missed = self._held(new, plan, len(due))
        if lent is not None:
            missed = missed.join(lent, ["share", "repo", "path"], "anti")
        keys = missed.select("share", "key").distinct()
        again = asks.join(keys, ["share", "key"], "semi").select("repo").distinct()
        return {row.repo for row in self.steps.collect(again)}

    def _served(self, told: Told) -> bool:
        """Whether repositories have looked up what they did before, and so have what others hold of it."""
        looked = {row[1]: row[-1] for row in told if row[0] == "looked"}
        served = all(
            digest in self._looked.get(repo, ()) or digest in self._looked_before.get(repo, ())
            for repo, digest in looked.items()
        )
        for repo, digest in looked.items():
            self._looked.setdefault(repo, set()).add(digest)
        return served

    def _placed(self, due: Collection[str]) -> dict[str, int]:
        """Which share each of some repositories is consumed in."""
        weights = Counter(dict.fromkeys(due, 1))
        for kind, repo, _, _, chars in self.reading.told:
            if kind == "parsed" and repo in weights:
                weights[repo] += int(chars)
        total = weights.total()
        count = min(self.steps.shares, max(self.steps.cores, total // SHARE_CHARS))
        return balanced(weights, max(count, -(-total // SHARE_CHARS_MAX)))

    def _looked_up(self, own: DataFrame, count: int) -> DataFrame | None:
        """By share what its repositories (`own`, so many) have looked up before, or will once they have it, as far as that is
        known."""
        known = [*self._asks, *(() if self.before is None else (self._asked_before(),))]
        found = [asks.join(F.broadcast(own), "repo").select("share", "key") for asks in known]
        if self.reading.asked:  # before a caller has what it calls, nothing tells that it is worth running
            used = self.reading.users().join(F.broadcast(own), "repo").select("share", "name").distinct()
            used = F.broadcast(used) if count <= FEW else used.hint("shuffle_hash")
            types = self.reading.read.filter("kind = 'hold' and text like 'type:%'").select(
                F.regexp_extract("text", "([^.:]*)$", 1).alias("name"), F.col("text").alias("key")
            )
            found.append(types.join(used, "name").select("share", "key"))
        return self.steps.union(found, "share int, key string").distinct() if found else None

    def _asked_before(self) -> DataFrame:
        assert self.before is not None
        return self.before.consumed.filter("kind = 'asked'").select("repo", "key")

    def _held(self, asked: DataFrame, plan: DataFrame, count: int) -> DataFrame:
        """The files that hold what shares have looked up, but those of repositories they have anyway: share, key, repo,
        path."""
        holds = self.reading.read.filter("kind = 'hold'").select("repo", "path", F.col("text").alias("key"))
        if count <= FEW:
            held = holds.join(F.broadcast(asked), "key")
        else:
            held = asked.join(holds.hint("shuffle_hash"), "key")
        return held.join(F.broadcast(plan.select("share", "repo")), ["share", "repo"], "anti")

    def _replaced(self, rows: DataFrame, repos: set[str], told: Told) -> None:
        """Takes what a step gave in the place of what its repositories came to before."""
        for piece in self._pieces:
            piece.whole = piece.whole and piece.repos.isdisjoint(repos)
            piece.repos -= repos
        self._pieces = [*(piece for piece in self._pieces if piece.repos), _Piece(rows, set(repos))]
        self._told.update((repo, []) for repo in repos)
        for row in told:
            self._told[row[1]].append(row)

    # -- the next round -------------------------------------------------------------------------------------

    def begin(self) -> set[str]:
        """The repositories that are due in the first round."""
        return (self.reading.repos.keys() - self.carried) | self._touched(0, ())

    def touched(self, number: int, changed: Collection[str]) -> set[str]:
        """The repositories that are due in a round that has read files of those that have `changed`."""
        fresh = self.reading.repos.keys() - self.carried
        before, now = self._modules, self._structured()
        due = {repo for repo in fresh if repo in changed or not now.structure.takes(repo).isdisjoint(changed)}
        regrouped: set[str] = set()
        if before is not None and before is not now:
            due |= {repo for repo in fresh if before.view(repo) != now.view(repo)}
            regrouped = before.regrouped(now)
        return due | self._touched(number, changed, regrouped)

    def _touched(self, number: int, changed: Collection[str], regrouped: Collection[str] = ()) -> set[str]:
        """Those that looked up what has been read in this round, or what other modules run together with by now; and those
        that cannot be carried over any longer."""
        hits: list[DataFrame] = []
        if self._asks:
            asks = self.steps.union(self._asks, _ASKS)
            if changed:
                hits.append(asks.join(_keys(self.reading.found[number]), "key", "semi"))
                used = [self.reading.users(number, known=False)]
                again = self.reading.unchanged - self.carried
                used += [self.steps.of(self.reading.users(number), again)] if again else []
                hits += [each.select("repo", F.col("name").alias("key")) for each in used]
            if regrouped:
                hits.append(asks.join(self._keys_of(regrouped), "key", "semi"))
        due: set[str] = set()
        if self.carried:
            then, now = self._structured_before(number), self._structured()
            if then.rows != now.rows or set(then.structure.modules.repos) != self.reading.repos.keys():
                due |= {repo for repo in self.carried if then.view(repo) != now.view(repo)}
                moved = then.regrouped(now)
                if moved:
                    hits.append(self._asked_before().join(self._keys_of(moved), "key", "semi"))
            differing = self.reading.differing(number)
            if differing is not None:
                keys = differing.select("key").distinct()
                few = len(self.reading.repos) - len(self.reading.unchanged) <= FEW
                keys = F.broadcast(keys) if few else keys.hint("shuffle_hash")
                hits.append(self._asked_before().join(keys, "key", "semi"))
                hits.append(differing.filter("key = ''"))
        marked = self.steps.union((hit.select("repo", "key") for hit in hits), _ASKS)
        marked = marked.select("repo", (F.col("key") == "").alias("apart")).distinct()
        rows = self.steps.collect(marked) if hits else []
        apart = {row.repo for row in rows if row.apart}
        due |= {row.repo for row in rows if not row.apart}
        if apart:
            takes = self._structured().structure.takes
            due |= {repo for repo in self.carried if repo in apart or not takes(repo).isdisjoint(apart)}
        return {repo for repo in due if repo in self.reading.repos}

    def _keys_of(self, repos: Collection[str]) -> DataFrame:
        """The keys under which the files of some repositories are found."""
        return _keys(self.steps.of(self.reading.read, repos))

    # -- results --------------------------------------------------------------------------------------------

    def consumed(self) -> DataFrame:
        """What consuming gave: of each repository what it gave last."""
        found = self.fresh()
        if self.carried:
            assert self.before is not None
            found = found.unionByName(self.carried_over(self.before.consumed.filter("kind <> 'asked'")))
        return found

    def fresh(self) -> DataFrame:
        """The part of it that is not taken over."""
        pieces = (
            piece.rows if piece.whole else self.steps.of(piece.rows, piece.repos) for piece in self._pieces
        )
        return self.steps.union(pieces, CONSUMED)

    def carried_over(self, frame: DataFrame, how: str = "anti") -> DataFrame:
        """Of rows of the scan before those of repositories that come to what they came to then; with `semi` the others."""
        assert self.before is not None
        return self.steps.of(frame, set(self.before.left.repos) - self.carried, how)

    def asked(self) -> DataFrame:
        """What repositories have looked up in any step, the last one or not: `asked` rows."""
        found = self.steps.union(self._asks, _ASKS).withColumn("kind", F.lit("asked"))
        if self._begun:
            assert self.before is not None
            old = self.reading.of_unchanged(self.before.consumed.filter("kind = 'asked'"))
            found = found.unionByName(old.select("repo", "key", "kind"))
        return found.distinct()

    def held(self) -> Told:
        """The told rows of that name, for all repositories."""
        found = {row for rows in self._told.values() for row in rows if row[0] == "held"}
        if self.before is not None:
            found |= {row for row in self.before.left.held if row[1] in self.carried}
        return found

    def looked(self) -> Told:
        """The told rows of that name, of this scan's steps, and of what was taken over."""
        every = [*self._looked.items(), *((repo, self._looked_before.get(repo, ())) for repo in self._begun)]
        return {("looked", repo, "", "", "", "", digest) for repo, digests in every for digest in digests}

    def came(self) -> dict[str, int]:
        """By repository the last round in which it was consumed."""
        old = {} if self.before is None else self.before.left.came
        return {repo: old[repo] for repo in self.carried if repo in old} | self._came

    def wanted_by_round(self) -> dict[int, Told]:
        """As `Left.wanted`."""
        rounds = set(self._wanted) | (set() if self.before is None else set(self.before.left.wanted))
        every = {number: self._wanted.get(number, set()) | self._wanted_before(number) for number in rounds}
        return {number: rows for number, rows in every.items() if rows}


def _keys(read: DataFrame) -> DataFrame:
    """The keys under which files are found."""
    return read.filter("kind = 'hold'").select(F.col("text").alias("key")).distinct()
