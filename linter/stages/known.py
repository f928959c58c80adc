"""All facts at hand, indexed, and what becomes of one deployable of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.model.answers import Answers
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import START, Location, Origin
from subdrift.linter.model.message import say
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve import declared_apis, own_annotations
from subdrift.linter.resolve.configuration import Configuration, Surroundings
from subdrift.linter.resolve.consumers import Consumers
from subdrift.linter.resolve.consumers import consume as resolve_consumers
from subdrift.linter.resolve.definitions import Definitions
from subdrift.linter.resolve.execute.program import Program
from subdrift.linter.resolve.execute.slice_names import Marks
from subdrift.linter.resolve.modules import Deployable, ModuleKey, Modules
from subdrift.linter.resolve.owners import Owners
from subdrift.linter.resolve.spring import applications
from subdrift.linter.resolve.world import World
from subdrift.linter.room import with_room
from subdrift.linter.stages.blind_spots import blind_spots
from subdrift.linter.stages.carried import Carried, Changes, reaching
from subdrift.linter.stages.demand import BELOW, Wanted, supertypes
from subdrift.linter.stages.models import callers_of_clients, models_of
from subdrift.linter.stages.unit import LIBRARIES, Unit, settings_key

_NEVER_CALLED = frozenset({"main", "__init__", "<init>", "setUp", "tearDown", "test"})


class Known(Struct):
    """All facts at hand, indexed for `consume`. Build one per round.

    `came_to` is what the deployables came to in this round, `earlier` what they came to in the round before, `changes`
    what has come into sight since (None: something that may mean another thing everywhere). `recalled` is what those came
    to in this round of an earlier run that no change since touches, `untold` the ones that were taken over from there in
    the round before, of which no runs are at hand.
    """

    modules: Modules
    world: World
    files: tuple[Placed, ...]
    answers: Mapping[str, Answers] = field(default_factory=dict)
    surroundings: Surroundings = field(default_factory=Surroundings)
    settle: bool = False
    came_to: dict[ModuleKey, Carried] = field(default_factory=dict)
    earlier: Mapping[ModuleKey, Carried] = field(default_factory=dict)
    changes: Changes | None = None
    recalled: Mapping[ModuleKey, Carried] = field(default_factory=dict)
    untold: frozenset[ModuleKey] = frozenset()
    _owners: dict[str, Owners] | None = None
    _by_module: dict[object, list[Placed]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        files: Iterable[Placed],
        starts: Iterable[Origin],
        repos: Sequence[str],
        answers: Mapping[str, Answers] | None = None,
        modules: Modules | None = None,
        earlier: Known | None = None,
        *,
        settle: bool = False,
        explores: bool = False,
        sends: bool = False,
    ) -> Known:
        """`modules` are those of the whole run where `files` are only a part of it; `earlier` is what was known a
        round before, of some of these files; with `settle` nothing is taken over that would come out differently now;
        what `explores` is not `settled` before a round that is. The runs themselves are kept for the next round where
        there is one repository: of thousands they would not fit in memory. `sends`: what sends is looked for, not what
        consumes."""
        placed = tuple(sorted(files, key=lambda each: each.origin))
        if modules is None:
            builds = tuple(each for each in placed if each.facts.build)
            modules = Modules.like(earlier.modules if earlier else None, builds, starts, repos)
        by_name = _grouped(placed, lambda each: each.origin.path.rpartition("/")[2])
        by_module = _grouped(placed, lambda each: modules.of(each.origin))
        world = World(
            modules,
            Definitions(placed, modules),
            {each.origin: each for each in placed},
            by_name,
            Program(
                placed,
                earlier.world.program if earlier else None,
                settle=settle,
                explores=explores,
                keeps=len(repos) == 1,
                models=lambda repo: models_of((answers or {}).get(repo)),
                **_marks(sends),
            ),
        )
        surroundings = Surroundings.of(placed, world.wanted_files)
        made = cls(modules, world, placed, answers or {}, surroundings, settle, _by_module=by_module)
        if earlier is not None:
            made.earlier = earlier.came_to
            made.untold = frozenset(
                key for key, found in earlier.came_to.items() if earlier.recalled.get(key) is found
            )
            if earlier.answers == made.answers:
                made.changes = Changes.between(earlier.world.files, earlier.modules, placed, modules)
        return made

    def owners_of(self, origin: Origin) -> tuple[str, ...]:
        """Those that the CODEOWNERS file of its repository names for a file."""
        if self._owners is None:
            listing: dict[str, list[Placed]] = {}
            for one in self.files:
                if one.facts.owned:
                    listing.setdefault(one.origin.repo, []).append(one)
            self._owners = {repo: Owners.among(inside) for repo, inside in listing.items()}
        found = self._owners.get(origin.repo)
        return () if found is None else found.of(origin.path)

    def deployables(self, among: Iterable[Deployable] | None = None) -> tuple[Deployable, ...]:
        """Those that may hold a consumer, of all modules or `among` some."""
        return tuple(d for d in (self.modules.deployables if among is None else among) if self.may_consume(d))

    def may_consume(self, deployable: Deployable) -> bool:
        """Whether a deployable may hold a consumer."""
        if deployable.tests_only:
            return any(
                placed.facts.sites or placed.facts.unit
                for placed in self._by_module.get(deployable.key, ())
                if scope_of(placed.origin.path) == "test"
            )
        return any(self._holds(key) for key in deployable.takes_in)

    def _holds(self, key: object) -> bool:
        return any(p.facts.sites or p.facts.unit or p.facts.config for p in self._by_module.get(key, ()))

    def files_of(self, deployable: Deployable) -> list[Placed]:
        """The files of the modules a deployable takes in; another module's tests are not taken in."""
        return [
            placed
            for key in deployable.takes_in
            for placed in self._by_module.get(key, ())
            if (
                placed.facts.config or (scope_of(placed.origin.path) == "test" and key == deployable.key)
                if deployable.tests_only
                else key == deployable.key or scope_of(placed.origin.path) != "test"
            )
        ]

    @property
    def settled(self) -> bool:
        """Whether all that was consumed took in all facts at hand; else a round that settles it is to follow."""
        return self.world.program.settled

    def wanted(self) -> Wanted:
        """What was asked for while consuming, and the names of own annotations."""
        definitions, world = self.world.definitions, self.world
        return _wanted(
            definitions.missing,
            definitions.extended,
            world.wanted,
            world.wanted_files,
            self.files,
            self.answers.values(),
        )

    def wanted_by(self, deployables: Iterable[Deployable], files: Sequence[Placed], repo: str) -> Wanted:
        """The part of it that comes from the deployables of a repository and from its files."""
        came = [found for each in deployables if (found := self.came_to.get(each.key)) is not None]
        return _wanted(
            (name for found in came for name in found.missing),
            (name for found in came for name in found.extended),
            {pair for found in came for pair in found.callers},
            (name for found in came for name in found.files),
            files,
            (self.answers.get(repo, Answers()),),
        )

    def apart(self, deployable: Deployable, cluster_of: Callable[[str], str]) -> Unit:
        """`consume`, with what this one deployable looked up; `asked` and `wanted` tell that of all of them together."""
        self.come_to(deployable, cluster_of)
        return self.unit(deployable, cluster_of)

    def come_to(self, deployable: Deployable, cluster_of: Callable[[str], str]) -> None:
        """Works out what a deployable comes to, or takes it over; `came_to` and `wanted` tell."""
        carried = self._carried(deployable)
        if carried is None:
            carried = self._consumed(deployable, cluster_of)
        self.came_to[deployable.key] = carried
        world, definitions, program = self.world, self.world.definitions, self.world.program
        definitions.asked |= carried.asked
        definitions.missing |= carried.missing
        definitions.extended |= carried.extended
        world.wanted |= carried.callers
        world.wanted_files |= carried.files
        program.postponed = program.postponed or carried.postponed

    def unit(self, deployable: Deployable, cluster_of: Callable[[str], str]) -> Unit:
        """What a deployable has come to; it is consumed where no more than what it looked up was kept of that."""
        carried = self.came_to[deployable.key]
        if carried.found is None:
            carried = self.came_to[deployable.key] = self._consumed(deployable, cluster_of)
        assert carried.found is not None
        return Unit(deployable.key.repo, carried.found, carried.asked)

    def _consumed(self, deployable: Deployable, cluster_of: Callable[[str], str]) -> Carried:
        world, definitions, program = self.world, self.world.definitions, self.world.program
        held = (definitions.asked, definitions.missing, definitions.extended, world.wanted, program.postponed)
        definitions.asked, definitions.missing, definitions.extended = set(), set(), set()
        definitions.looked, world.wanted, world.ran, program.postponed = set(), set(), set(), False
        self.surroundings.by_name.looked.clear()
        files = set(world.wanted_files)
        world.wanted_files.clear()  # what configuration is read by holds this very set
        try:
            found = consume(self, deployable, cluster_of)
            looked = frozenset(f"type:{name}" for name in definitions.looked)
            looked |= {settings_key(name) for name in self.surroundings.by_name.looked | world.wanted_files}
            before = self.earlier.get(deployable.key)
            if before is not None:  # runs that are taken over do not look up anything again
                looked |= before.keys | before.asked
            own = self.files_of(deployable)
            ran = frozenset(world.ran - {placed.origin for placed in own})
            return Carried(
                found,
                self.asked(),
                frozenset(definitions.missing),
                frozenset(definitions.extended),
                frozenset(world.wanted),
                frozenset(world.wanted_files),
                looked,
                ran,
                reaching(program, own, ran),
                program.postponed or program.is_stale(deployable.key),
            )
        finally:
            definitions.asked, definitions.missing, definitions.extended, world.wanted, program.postponed = (
                held
            )
            world.wanted_files |= files

    def _carried(self, deployable: Deployable) -> Carried | None:
        """What a deployable came to in the round before, or in this round of an earlier run; None where it may come to
        something else now."""
        recalled = self.recalled.get(deployable.key)
        if recalled is not None and self._reaches(deployable, recalled):
            return recalled
        earlier, program = self.earlier.get(deployable.key), self.world.program
        if earlier is None or deployable.key in self.untold or self.changes is None:
            return None
        if earlier.postponed and self.settle:
            return None
        if self.changes.touch(deployable, earlier) or not program.carry(deployable.key):
            return None
        return earlier if self._reaches(deployable, earlier) else None

    def _reaches(self, deployable: Deployable, carried: Carried) -> bool:
        """Whether the code of a deployable can reach a client library by what it could."""
        return reaching(self.world.program, self.files_of(deployable), carried.ran) == carried.reaching

    def asked(self) -> frozenset[str]:
        """The keys under which files of further repositories could have changed what was consumed.

        As long as no other file of the run has one of them (`keys_of`), consuming these files by themselves gives
        what consuming all files of the run gives.
        """
        missing = {name for name in self.world.definitions.missing if name.startswith(".")}
        modules = {f"module:{part}" for name in missing for part in name.split(".")[-2:] if part}
        used = {
            f"import:{name}" if owner == "import" else f"call:{name}" for owner, name in self.world.wanted
        }
        return frozenset(self.world.definitions.asked | modules | used)


def _grouped(files: Iterable[Placed], key: Callable[[Placed], Any]) -> dict[Any, list[Placed]]:
    found: dict[Any, list[Placed]] = {}
    for each in files:
        found.setdefault(key(each), []).append(each)
    return found


def _marks(sends: bool) -> dict[str, Marks]:
    """The code a program is searched for, where that is not what consumes."""
    if not sends:
        return {}
    from subdrift.linter.resolve.execute.sending import SENDING

    return {"marks": SENDING}


def _wanted(
    missing: Iterable[str],
    extended: Iterable[str],
    callers: Set[tuple[str, str]],
    base_names: Iterable[str],
    files: Sequence[Placed],
    answers: Collection[Answers],
) -> Wanted:
    asked = chain(missing, supertypes(files))
    types = frozenset(name for name in asked if not name.startswith(LIBRARIES) and name.strip("."))
    declared = (api for each in answers for api in each.apis)
    learned = own_annotations.learned_names(files) | declared_apis.learned_names(declared)
    pairs = callers | {(BELOW, name) for name in extended} | {(name, name) for name in learned}
    pairs |= {pair for each in answers for pair in callers_of_clients(each.models)}
    wanted = frozenset(pair for pair in pairs if pair[1] not in _NEVER_CALLED and all(pair))
    return Wanted(types, wanted, frozenset(base_names))


def in_cluster(consumer: Consumer, cluster_of: Callable[[str], str]) -> Consumer:
    """The consumer in the cluster that the settings give its name server's address."""
    address = consumer.name_server.text
    return replace(consumer, cluster=cluster_of(address)) if address else consumer


def consume(known: Known, deployable: Deployable, cluster_of: Callable[[str], str]) -> Consumers:
    """The consumers of one deployable in all its environments, with what could not be determined.

    Never raises: a bug that nothing nearer contains costs the deployable and becomes an `internal-error` at its first
    source.
    """
    files = known.files_of(deployable)
    if not files:
        return Consumers((), ())
    try:
        return with_room(_consume, known, deployable, files, cluster_of)
    except Exception as error:  # noqa: BLE001 - totality: one deployable is lost, and says so
        first = min(files, key=lambda each: (not (each.facts.unit or each.facts.sites), each.origin))
        what = say(
            "consuming-failed", folder=deployable.key.folder or ".", error=f"{type(error).__name__}: {error}"
        )
        lost = Diagnostic("internal-error", what, Location(first.origin, START), say("report-this-module"))
        return Consumers((), (lost,))


def _consume(
    known: Known, deployable: Deployable, files: Sequence[Placed], cluster_of: Callable[[str], str]
) -> Consumers:
    answers = known.answers.get(deployable.key.repo, Answers())
    configuration = Configuration(
        deployable,
        known.modules,
        files,
        dict(answers.of(deployable.key.folder)),
        answers.at,
        known.surroundings,
        applications=applications.started(deployable, known.modules, files),
    )
    found = resolve_consumers(known.world, deployable, files, configuration, answers.apis, answers.scopes)

    def owned(consumers: Iterable[Consumer]) -> tuple[Consumer, ...]:
        return tuple(
            replace(in_cluster(one, cluster_of), owners=known.owners_of(one.at.origin)) for one in consumers
        )

    consumers = owned(found.consumers)
    blind = () if known.world.program.marks.telling else blind_spots(consumers)
    return replace(
        found, consumers=consumers, diagnostics=(*found.diagnostics, *blind), unmet=owned(found.unmet)
    )
