"""What one run asks of the other repositories, answered from a registry.

The run's own repositories are read from their trees; their rows in the registry are never believed. Of the others come,
as far as they are asked for: the modules taken in, the files that hold what is looked up, and the rest of their
consumers' groups. Consumers of other repositories that hang on what has changed here are worked out again, from their
facts and these trees.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter import stages
from subdrift.linter.model.answers import Answers
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.location import Origin
from subdrift.linter.model.message import Message, say
from subdrift.linter.model.placed import Placed
from subdrift.linter.model.topics import Map, joined
from subdrift.linter.registry.checked import DamagedError, confirm
from subdrift.linter.registry.entries import FileRow, keys_of, places_of, stands_in
from subdrift.linter.registry.reader import Registry, Row, Stored
from subdrift.linter.registry.schema import RegistryError
from subdrift.linter.resolve.modules import Modules

DEPENDENTS_MAX = 500
"""Repositories whose consumers are worked out again because something they hang on has changed."""

FILES_MAX = 20_000
"""Files of other repositories that one run takes in."""

_SHARED_NAMES = ("application", "bootstrap")
"""Settings files that every repository has: a name of theirs leads nowhere."""


class Joined(Struct, frozen=True):
    """The consumers to judge. `foreign` are the ids of those that other repositories hold; `silencing` their files with
    suppressions. `again` are all of the repositories that were worked out again."""

    consumers: tuple[Consumer, ...]
    foreign: frozenset[str]
    silencing: tuple[Placed, ...]
    again: Again


class Again(Struct, frozen=True):
    """What stands for rows of the registry: consumers of `repositories`, whether or not their groups meet own ones. The
    run's own repositories are among them."""

    consumers: tuple[Consumer, ...] = ()
    repositories: frozenset[str] = frozenset()


class Beyond(Struct):
    """One run's view of a registry. `own` are the repositories that are read from their trees."""

    registry: Registry
    own: frozenset[str]
    remarks: list[Message] = field(default_factory=list)
    _whole: set[str] = field(default_factory=set)
    """Repositories of which every file is taken in."""
    _structure: set[str] = field(default_factory=set)
    """Repositories of which the build files are."""
    _dependents: set[str] = field(default_factory=set)
    _files: dict[Origin, Placed] = field(default_factory=dict)
    _starts: set[Origin] = field(default_factory=set)
    _asked: set[str] = field(default_factory=set)

    @property
    def mark(self) -> str:
        """What tells its answers from another registry's."""
        meta = self.registry.meta
        return f"{meta['taken']} {meta['repositories']} {meta['consumers']}"

    # -- before anything is resolved ------------------------------------------------------------------------

    def paths(self, repo: str) -> tuple[str, ...]:
        """The files of an own repository that must be read because others refer to them."""
        if self.registry.taking(repo):
            return tuple(one.origin.path for one in self.registry.files_of(repo))
        return tuple(path for path, _, _ in self.registry.files_asked_for(repo))

    def begin(self, placed: Iterable[Placed], starts: Collection[Origin]) -> None:
        """Take in what is declared: modules taken in, those who take own ones in, and who hangs on what changed."""
        mine = tuple(placed)
        for repo in sorted(self.own):
            one_of_each: dict[str, str] = {}
            for taker, folder in sorted(self.registry.taking(repo)):
                one_of_each.setdefault(folder, taker)
            for taker in one_of_each.values():
                self._frame(taker)
        affected = self._affected(mine)
        chosen = sorted(affected)[:DEPENDENTS_MAX]
        if len(chosen) < len(affected):
            self.remarks.append(say("beyond.dependents", count=len(affected), most=DEPENDENTS_MAX))
        self._dependents |= set(chosen)
        for repo in chosen:
            self._take(repo)
        self._declared(mine, starts)

    def _affected(self, mine: Collection[Placed]) -> set[str]:
        """The repositories whose consumers hang on files here that are not what the registry holds of them."""
        now: dict[str, set[tuple[str, bytes]]] = {}
        keys_here: dict[Origin, set[str]] = {one.origin: set(keys_of(one)) for one in mine}
        asking = self.registry.asking({key for keys in keys_here.values() for key in keys}, self.own)
        digests: dict[Origin, bytes] = {}

        def digest(one: Placed) -> bytes:
            if one.origin not in digests:
                digests[one.origin] = FileRow.of(one).digest
            return digests[one.origin]

        for one in mine:
            for key in keys_here[one.origin] & asking.keys():
                now.setdefault(key, set()).add((one.origin.path, digest(one)))
        before: dict[str, set[tuple[str, bytes]]] = {}
        for repo in self.own:
            for path, digested, keys in self.registry.files_asked_for(repo):
                for key in keys:
                    before.setdefault(key, set()).add((path, digested))
        changed = {key for key in now.keys() | before.keys() if now.get(key) != before.get(key)}
        affected = {repo for repos in self.registry.asking(changed, self.own).values() for repo in repos}
        by_origin = {one.origin: one for one in mine}
        for repo in self.own:
            takers = {taker for taker, _ in self.registry.taking(repo)} - self.own
            if takers and takers - affected and self._is_changed(repo, by_origin, digest):
                affected |= takers
        return affected

    def _is_changed(self, repo: str, now: Mapping[Origin, Placed], digest: Callable[[Placed], bytes]) -> bool:
        """Whether a repository's files are not those the registry holds; files nobody asked for count for nothing."""
        before = {one.origin: one.digest for one in self.registry.files_of(repo)}
        here = {origin for origin in now if origin.repo == repo}
        return any(
            origin not in before or before[origin] != digest(now[origin]) for origin in here
        ) or not here.issuperset(before)

    # -- between the rounds ---------------------------------------------------------------------------------

    @property
    def files(self) -> Collection[Placed]:
        """The files of other repositories at hand."""
        return self._files.values()

    @property
    def starts(self) -> Collection[Origin]:
        return sorted(self._starts)

    @property
    def repositories(self) -> tuple[str, ...]:
        return tuple(sorted(self._structure))

    def answers(self) -> dict[str, Answers]:
        """What the configurations of other repositories settle, as far as their consumers are worked out again."""
        found = ((repo, self.registry.about(repo)) for repo in sorted(self._dependents))
        return {repo: about.answers for repo, about in found if about is not None}

    def consumes(self, repo: str) -> bool:
        """Whether the deployables of a repository are worked out in this run."""
        return repo in self.own or repo in self._dependents

    def more(self, placed: Iterable[Placed], starts: Collection[Origin], known: stages.Known) -> bool:
        """Take in what consuming has looked up; False where nothing new is at hand."""
        before = (len(self._files), len(self._whole), len(self._structure))
        keys = set(known.asked()) | {
            f"file:{name}" for name in known.wanted().files if not name.startswith(_SHARED_NAMES)
        }
        new = keys - self._asked
        self._asked |= new
        held = self.registry.holding(sorted(new), self.own)
        self._add(one for one in held if one.origin not in self._files)
        for repo in sorted({one.origin.repo for one in held}):
            self._frame(repo)
        self._declared(tuple(placed), starts)
        return before != (len(self._files), len(self._whole), len(self._structure))

    def _add(self, stored: Iterable[Stored]) -> None:
        wanted = [one for one in stored if one.origin not in self._files]
        room = FILES_MAX - len(self._files)
        if len(wanted) > room:
            said = say("beyond.files", most=FILES_MAX)
            if said not in self.remarks:
                self.remarks.append(said)
        for one in self.registry.facts(wanted[: max(0, room)]):
            self._files[one.origin] = one

    def _frame(self, repo: str) -> None:
        """Take in where a repository's modules are."""
        if repo in self.own or repo in self._structure:
            return
        self._structure.add(repo)
        self._starts.update(self.registry.starts(repo))
        for one in self.registry.builds(repo):
            self._files[one.origin] = one

    def _take(self, repo: str) -> None:
        """Take in a whole repository."""
        if repo in self.own or repo in self._whole:
            return
        self._whole.add(repo)
        self._frame(repo)
        self._add(self.registry.files_of(repo))

    def _declared(self, mine: Collection[Placed], starts: Collection[Origin]) -> None:
        """Take in the repositories whose modules are taken in, and the builds that others inherit from."""
        seen: set[object] = set()
        while True:
            state = (len(self._whole), len(self._structure))
            if state in seen:
                break
            seen.add(state)
            every = [one for one in (*mine, *self._files.values()) if one.facts.build is not None]
            named = {name for one in every for name in _inherited(one)}
            for repo in sorted(self.registry.naming(named)):
                self._frame(repo)
            every = [one for one in (*mine, *self._files.values()) if one.facts.build is not None]
            repos = (*sorted(self.own), *self.repositories)
            modules = Modules(sorted(every, key=lambda one: one.origin), (*starts, *self.starts), repos)
            taking = self.own | self._whole
            coordinates = {
                one.coordinate
                for key, module in modules.modules.items()
                if key.repo in taking
                for one in module.dependencies
                if not one.test
            }
            for repo in sorted(self.registry.providing(coordinates) - self.own):
                self._take(repo)

    # -- afterwards -----------------------------------------------------------------------------------------

    def join(self, units: Iterable[stages.Unit], cluster_of: Callable[[str], str]) -> Joined:
        """The consumers of all groups that the run's own repositories take part in."""
        mine: list[Consumer] = []
        again: list[Consumer] = []
        groups: set[tuple[str, str, str]] = set()
        for unit in units:
            for consumer in unit.found.consumers:
                self._confirm(consumer)
                own = unit.repo in self.own
                (mine if own else again).append(consumer)
                if own or self._leads_here(consumer):
                    groups |= _key(consumer)
        fresh = self.own | self._dependents
        through = [row for repo in sorted(self.own) for row in self.registry.involving(repo, fresh)]
        for consumer in self._regrouped(through, cluster_of):
            groups |= _key(consumer)
        rows = self.registry.members({(namespace, group) for _, namespace, group in groups}, fresh)
        kept = [one for one in self._regrouped(rows, cluster_of) if _key(one) & groups]
        others = [one for one in again if _key(one) & groups]
        foreign = [*others, *kept]
        origins = {at.origin for one in foreign for at in (one.at, *(each.at for each in one.subscriptions))}
        return Joined(
            (*mine, *foreign),
            frozenset(one.id for one in foreign),
            self.registry.silencing({origin for origin in origins if origin.repo not in self.own}),
            Again(tuple(again), frozenset(fresh)),
        )

    def alone(self, units: Iterable[stages.Unit]) -> Joined:
        """What the run's own repositories send; what others do is not joined by group."""
        found = [(unit.repo in self.own, one) for unit in units for one in unit.found.consumers]
        for _, one in found:
            self._confirm(one)
        again = tuple(one for own, one in found if not own)
        mine = tuple(one for own, one in found if own)
        return Joined(mine, frozenset(), (), Again(again, self.own | self._dependents))

    def around(
        self, names: Collection[str], reading: Again, sending: Again, cluster_of: Callable[[str], str]
    ) -> Map:
        """Topics by name, with all who send to them and read them; of the run's own repositories, and of those that were worked
        out again, it is the rows of this run that count."""
        known = self.registry.topics()
        numbers = [known[name] for name in names if name in known]

        def rows(sends: bool) -> list[tuple[str, Consumer]]:
            wanted = {number for pair in numbers for number in pair[not sends]}
            found = self.registry.senders(wanted) if sends else self.registry.readers(wanted)
            return [(row.repo, one) for row in found for one in self._regrouped([row], cluster_of)]

        senders, readers = rows(sends=True), rows(sends=False)
        now = joined(
            (*reading.consumers, *(one for repo, one in readers if repo not in reading.repositories)),
            (*sending.consumers, *(one for repo, one in senders if repo not in sending.repositories)),
            organisation=True,
        )
        before = joined(
            (one for repo, one in readers if self.own & {repo, *stands_in(one)}),
            (one for repo, one in senders if self.own & {repo, *stands_in(one)}),
        )
        return replace(
            now,
            topics=tuple(one for one in now.topics if one.name in names),
            unknown_elsewhere=self.registry.unknown_senders if self.registry.knows_senders else 1,
            blind_elsewhere=self.registry.unknown_readers,
            before=tuple(one for one in before.topics if one.name in names),
        )

    def _regrouped(self, rows: Iterable[Row], cluster_of: Callable[[str], str]) -> Iterator[Consumer]:
        """Consumers of the registry in the clusters of this run, each once."""
        for row in {one.id: one for one in rows}.values():
            self._confirm(row.consumer)
            server = row.consumer.name_server.text
            yield replace(row.consumer, cluster=cluster_of(server)) if server else row.consumer

    def _leads_here(self, consumer: Consumer) -> bool:
        return any(at.origin.repo in self.own for at in places_of(consumer))

    def _confirm(self, consumer: Consumer) -> None:
        """Places that were worked out from foreign facts are as little believed as those that were read."""
        try:
            confirm(consumer)
        except DamagedError as error:
            raise RegistryError("registry.damaged", path=self.registry.path, what=str(error)) from error


def _key(consumer: Consumer) -> set[tuple[str, str, str]]:
    key = stages.group_key(consumer)
    return set() if key is None else {key}


def _inherited(placed: Placed) -> Iterator[str]:
    """The names of the artifacts a build file inherits from."""
    build = placed.facts.build
    if build is None:
        return
    if build.parent is not None:
        yield build.parent.coordinate.rpartition(":")[2]
    for one in build.managed:
        yield one.coordinate.rpartition(":")[2]
