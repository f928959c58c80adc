"""Consumes the repositories, and finds out which of them are due again.

Consuming looks definitions, callers and configuration up in all facts of a run. Here a repository is consumed with its own
facts and those of the repositories its build files take in. What it looked up is compared with what others hold; files that
hold any of it are lent to it, and it is consumed again, until no answer could differ from that of one process over everything.
What a repository came to holds until something it looked up is read, or is another than in the scan it was taken over from.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from msgspec import Struct

from subdrift.linter import stages
from subdrift.spark_jobs import meeting, routing, work
from subdrift.spark_jobs.earlier import Before, Left
from subdrift.spark_jobs.meeting import Met, Plan
from subdrift.spark_jobs.plan import balanced
from subdrift.spark_jobs.reading import Reading, starts_of, structure_of
from subdrift.spark_jobs.records import hashed, hashes
from subdrift.spark_jobs.rows import SAID, WANTED, Row
from subdrift.spark_jobs.steps import LIGHT, Piece, Shared, Steps, Way, mapped, spread
from subdrift.spark_jobs.told import Told

SHARE_CHARS = 4 << 20
"""Facts, in characters, from which on a share of consuming is worth a task of its own beyond one for each core."""
SMALL_SHARE = 8
"""Fewer repositories than one in so many are few."""
SHARE_CHARS_MAX = 64 << 20
"""Facts of a share at most, as far as repositories can be told apart: what a worker holds at once."""


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


class Lookups(Struct):
    """Who looked up, or held, what in an earlier scan. Repositories that have changed since may be among them."""

    steps: Steps
    pieces: list[Piece]

    def asked(self, wanted: Collection[int]) -> list[tuple[str, bytes]]:
        """The repositories that have looked up any of some hashes, each with these."""
        return self._among(wanted, asks=True)

    def held(self, wanted: Collection[int]) -> list[tuple[str, bytes]]:
        """The same of those that hold them."""
        return self._among(wanted, asks=False)

    def _among(self, wanted: Collection[int], *, asks: bool) -> list[tuple[str, bytes]]:
        buckets = {str(one % meeting.BUCKETS) for one in wanted}
        shared = self.steps.shared(frozenset(wanted))
        pieces = (one.of(buckets) for one in self.pieces)
        ways = [Way.of(pieces, meeting.among, asks=asks, wanted=shared)]
        return self.steps.collect(self.steps.sent(ways, here=LIGHT))


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
        self._before = (
            Lookups(steps, before.pieces("lookups")) if before is not None and self.carried else None
        )
        self._is_beside = self._before is not None  # whether all that was looked up was met there
        self._since: dict[str, int] = {}  # by repository the first round it was consumed in
        self._came: dict[str, int] = {}
        self._wanted: dict[int, Told] = {}
        self._told: dict[str, list[Row]] = {}
        self._pieces: list[Piece] = []
        self._asks: list[Piece] = []
        # by repository the hashes of what it has looked up that others hold
        self._met: dict[str, set[int]] = {}
        self._modules: _Made | None = None
        self._sent: Shared[work.Structure] | None = None
        self._modules_before: _Made | None = None
        # digests of what each repository has looked up in some step
        self._looked: dict[str, set[str]] = {}
        self._looked_before: dict[str, set[str]] = {}
        for row in () if before is None else before.left.looked:
            if row[1] in self._begun:
                self._looked_before.setdefault(row[1], set()).add(row[-1])
        for repo in self._begun:
            assert before is not None
            self._met[repo] = set(before.left.met.get(repo, ()))

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
            self._sent = self.steps.shared(self._modules.structure)
        return self._modules

    def _structured_before(self, number: int) -> _Made:
        """The modules of the scan before, as it knew them in a round."""
        told, repos = self._told_before
        rows = structure_of(told, number) if self.reading.has_candidates else starts_of(told)
        now = self._structured()
        if now.rows == rows and self.reading.repos.keys() == set(repos):
            return now
        if self._modules_before is None or self._modules_before.rows != rows:
            self._modules_before = _Made.of(rows, repos)
        return self._modules_before

    @cached_property
    def _told_before(self) -> tuple[list[Row], tuple[str, ...]]:
        """What the scan before was told of modules, and its repositories."""
        assert self.before is not None
        left = self.before.left
        return [row for row in left.told if row[0] in ("build", "start")], left.repos

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
        inside = {repo: {share} for repo, share in share_of.items()}
        for one, share in share_of.items():
            for repo in made.structure.takes(one):
                inside.setdefault(repo, set()).add(share)
        plan = Plan(share_of, {repo: tuple(shares) for repo, shares in inside.items()}, self._lent(share_of))
        sent = self.steps.shared(plan)
        kinds = self.reading.kinds
        read = self.reading.read
        if self._is_small(due) and self._before is not None:
            near = {*inside, *(repo for repo, _ in self._before.held(plan.lent))}
            read = [one if one in self.reading.fresh else one.of(near) for one in read]
        records = self.steps.records(read)
        step, told = self.steps.done(
            spread(mapped(records, routing.to_consume, plan=sent, kinds=kinds), count),
            routing.consumed,
            "consumed",
            structure=self._sent,
            clusters=self.reading.clusters,
            kinds=kinds,
            sends=self.reading.setup.sends,
        )
        self._replaced(step, due, told)
        asks = Piece("asked", step, 0, frozenset(due))
        self._asks.append(asks)
        if self._served(told) or len(self.reading.repos) < 2:
            return set()
        if not self._is_small(due) or self._before is None:
            self._is_beside = False
            return {one.repo for one in self._meet([asks], self.reading.read, plan) if one.lacks}
        asked = self.steps.sent([Way.of([asks], meeting.asking, buckets=1)], here=LIGHT)
        wanted = {one for _, side in self.steps.collect(asked) for one in hashes(side.packed)}
        held = [pair for pair in self._before.held(wanted) if pair[0] in self.reading.unchanged]
        return {one.repo for one in self._meet([asks], self.reading.fresh, plan, held) if one.lacks}

    def _is_small(self, due: Collection[str]) -> bool:
        """Whether it costs less to look up what some repositories need than to go through all."""
        return len(due) * SMALL_SHARE < len(self.reading.repos)

    def _meet(
        self,
        asks: Iterable[Piece],
        held: Iterable[Piece],
        plan: Plan | None = None,
        more: Iterable[tuple[str, bytes]] = (),
    ) -> list[Met]:
        """Which repositories have looked up what others hold, in pieces of reading or under hashes at hand (`more`), and what;
        it is lent to them from now on."""
        buckets = self.steps.cores
        ways = [
            Way.of(asks, meeting.asking, buckets=buckets),
            Way.of(held, meeting.holding, buckets=buckets, kinds=self.reading.kinds),
        ]
        sides = self.steps.sent(ways, list(meeting.held(more, buckets)), LIGHT)
        found: list[Met] = self.steps.collect(
            mapped(spread(sides, buckets), meeting.met, plan=self.steps.shared(plan or Plan({}, {}, {})))
        )
        for one in found:
            self._met.setdefault(one.repo, set()).update(hashes(one.packed))
        return found

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
        for row in self.reading.of("parsed"):
            if row[1] in weights:
                weights[row[1]] += int(row[4])
        total = weights.total()
        count = min(self.steps.shares, max(self.steps.cores, total // SHARE_CHARS))
        return balanced(weights, max(count, -(-total // SHARE_CHARS_MAX)))

    def _lent(self, share_of: Mapping[str, int]) -> dict[int, frozenset[int]]:
        """By hash of a key the shares whose repositories have looked it up while others hold it, or will once they have it, as
        far as that is known."""
        found: dict[int, set[int]] = {}
        for repo, share in share_of.items():
            for one in self._met.get(repo, ()):
                found.setdefault(one, set()).add(share)
        # before a caller has what it calls, nothing tells that it is worth running
        for repo, names in (self._used() if self.reading.asked else {}).items():
            if repo in share_of:
                for one in hashes(hashed(f"name:{name}" for name in names)):
                    found.setdefault(one, set()).add(share_of[repo])
        return {one: frozenset(shares) for one, shares in found.items()}

    def _used(self) -> dict[str, set[str]]:
        """By repository the names of types of others that it uses, and of those that these use: of the repositories that want
        the callers, or subtypes, of a type."""
        direct = self.reading.users()
        wanting: dict[str, set[str]] = {}
        told = [(row[1], row[5]) for rows in self._told.values() for row in rows if row[0] == "caller"]
        wanted = [row for rows in self._wanted.values() for row in rows]
        for rows in self.before.left.wanted.values() if self.before is not None else ():
            wanted += (row for row in rows if row[1] in self.reading.unchanged)
        told += [(row[1], row[2]) for row in wanted if row[0] == "caller"]
        for repo, pair in set(told):
            owner, name = json.loads(pair)
            wanting.setdefault(name if owner == stages.BELOW else owner, set()).add(repo)
        found: dict[str, set[str]] = {}
        for repo in direct:
            stack, seen = [repo], {repo}
            while stack:
                names = direct.get(stack.pop(), set())
                found.setdefault(repo, set()).update(names)
                fresh = {one for name in names for one in wanting.get(name, ())} - seen
                seen |= fresh
                stack += fresh
        return found

    def _replaced(self, step: str, repos: set[str], told: Told) -> None:
        """Takes what a step gave in the place of what its repositories came to before."""
        left = (piece.of(repos, without=True) for piece in self._pieces)
        self._pieces = [
            *(piece for piece in left if piece.repos),
            Piece("consumed", step, 0, frozenset(repos)),
        ]
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
        due: set[str] = set()
        read = self.reading.read
        if self._asks:
            late = self.reading.found[number] if changed else []
            if late and self._is_beside:
                # what the scan before held was met when it was looked up, and nothing tells in which round it was read
                due |= self._since.keys()
                late = [one for one in late if one in self.reading.fresh]
            held = [*late, *(one.of(regrouped) for one in read)]
            if any(one.repos for one in held):
                due |= {one.repo for one in self._meet(self._asks, held)}
        if changed:
            due |= self.reading.users(number, known=False).keys()
            again = self.reading.unchanged - self.carried
            due |= again & self.reading.users(number).keys()
        if self.carried:
            then, now = self._structured_before(number), self._structured()
            moved: set[str] = set()
            if then is not now:
                due |= {repo for repo in self.carried if then.view(repo) != now.view(repo)}
                moved = then.regrouped(now)
            differing, apart = self.reading.differing(number)
            if moved:
                assert self.before is not None
                asks = [one.of(self.carried) for one in self.before.pieces("asked")]
                held = [one.of(moved) for one in read]
                due |= {one.repo for one in self._meet(asks, held, more=differing)}
            elif differing:
                assert self._before is not None
                keys = {one for _, packed in differing for one in hashes(packed)}
                for repo, packed in self._before.asked(keys):
                    if repo in self.carried:
                        self._met.setdefault(repo, set()).update(hashes(packed))
                        due.add(repo)
            takes = self._structured().structure.takes
            due |= {repo for repo in self.carried if repo in apart or not takes(repo).isdisjoint(apart)}
        return {repo for repo in due if repo in self.reading.repos}

    # -- results --------------------------------------------------------------------------------------------

    def consumed(self) -> list[Piece]:
        """What consuming gave: of each repository what it gave last."""
        return [*self.fresh(), *self.carried_over("consumed")]

    def fresh(self) -> list[Piece]:
        """The part of it that is not taken over."""
        return list(self._pieces)

    def carried_over(self, role: str, without: bool = False) -> list[Piece]:
        """What the scan before has left of repositories that come to what they came to then; or of the others."""
        if self.before is None:
            return []
        return [one.of(self.carried, without) for one in self.before.pieces(role)]

    def asked(self) -> list[Piece]:
        """What repositories have looked up in any step, the last one or not."""
        before = [] if self.before is None else self.before.pieces("asked")
        return [*self._asks, *(one.of(self._begun) for one in before)]

    def left(self, made: str, *more: Piece) -> Left:
        """What a later scan can go by, with some pieces more; `made` as in `Left`."""
        pieces, told = self.reading.left()
        pieces += [*self.consumed(), *self.asked(), *self.lookups(), *more]
        pieces = [one for one in pieces if one.repos]
        return Left(
            made,
            self.whole(),
            told,
            self.wanted_by_round(),
            self.came(),
            self.held(),
            self.looked(),
            self.reading.asked,
            pieces,
            self.said(),
            self.met(),
            {one.step: self.steps.at[one.step] for one in pieces},
        )

    def lookups(self) -> list[Piece]:
        """What repositories have looked up and hold, for the next scan: what this scan adds to what the one before has kept."""
        ways = [
            Way.of(self._asks, meeting.asking, buckets=meeting.BUCKETS),
            Way.of(self.reading.fresh, meeting.holding, buckets=meeting.BUCKETS, kinds=self.reading.kinds),
        ]
        sides = spread(self.steps.sent(ways), self.steps.cores)
        step, _ = self.steps.done(sides, meeting.looked_up, "lookups")
        before = self.before.pieces("lookups") if self.before is not None else []
        return [*before, Piece("lookups", step, 0, frozenset(map(str, range(meeting.BUCKETS))))]

    def met(self) -> dict[str, set[int]]:
        """By repository the hashes of what it has looked up that others hold."""
        return {repo: found for repo, found in self._met.items() if found and repo in self.reading.repos}

    def said(self) -> Told:
        """What reports are made from: told rows of consuming."""
        found = {row for rows in self._told.values() for row in rows if row[0] in SAID}
        if self.before is not None:
            found |= {row for row in self.before.left.said if row[1] in self.carried}
        return found

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
