"""One run in this process: which files are read, round by round, and what they come to; kept from one run to the next."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter import stages, workers
from subdrift.linter.model import wire
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.languages import language_of
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.pipeline.parts import Come, Earlier, OfFiles, Resolved
from subdrift.linter.pipeline.result import Looked, Material, Options, Policy, Seen, Sight
from subdrift.linter.resolve.modules import Deployable, Modules
from subdrift.linter.sources.tree import Tree, listed_ahead
from subdrift.linter.store.cache import Cache, key_of, key_of_last, key_of_run
from subdrift.linter.workers import Job
from subdrift.linter.worlds import World, Worlds

if TYPE_CHECKING:
    from subdrift.linter.registry.beyond import Beyond


KEPT_CONSUMERS_MAX = 5_000
"""Consumers of a run that are kept for the next one over the same bytes."""

FEW_FILES_MAX = 32
"""Files of which it costs less to work all out in each round than to learn first which to read."""

HELD_BYTES_MAX = 64 << 20
"""Of the files that a run has surveyed it holds so many bytes, which rounds of reading ask for again."""

FEW_NEWS_MAX = 6
"""Files that a round which settles may bring, for the next to settle as well."""

KEPT_ROUNDS_CHARS_MAX = 64 << 20
"""Characters of the rounds of a run that are kept for the next one over nearly the same files."""


class _Rounds(Struct, frozen=True):
    """What rounds of consuming look at: `look` gives all facts at hand (after what was known a round before; whether it is to
    settle), `deployables` those that are consumed, `demand` reads what is asked for (None: nothing is), `more` brings what
    others know."""

    look: Callable[[stages.Known | None, bool], stages.Known]
    deployables: Callable[[stages.Known], Sequence[Deployable]]
    demand: Callable[[stages.Wanted], bool] | None
    recorder: stages.Recorder | None = None
    more: Callable[[stages.Known], bool] | None = None


class Run:
    """The state of one run: what was read, and what went wrong."""

    def __init__(
        self,
        repositories: Sequence[Tree],
        policy: Policy,
        options: Options,
        cache: Cache | None,
        beyond: Beyond | None = None,
        looked: Looked | None = None,
        seen: Seen | None = None,
    ) -> None:
        self.looked = looked
        self._before = seen or Seen()
        self._surveys: dict[Origin, tuple[bytes, stages.Survey]] = {}
        self.beyond = beyond
        self.repositories = {repository.name: repository for repository in repositories}
        self.policy = policy
        self.options = options
        self.cache = cache
        self.placed: dict[Origin, Placed] = {}
        self.by_repository: dict[str, dict[Origin, Placed]] = {}
        self.read: dict[str, set[str]] = {repository.name: set() for repository in repositories}
        # with the key of what each says, which is empty without a cache
        self.parsed: dict[Origin, bytes] = {}
        self.starts: list[Origin] = []
        self.diagnostics: list[Diagnostic] = []
        self.files = 0
        self.rounds = 0
        self.timings: dict[str, float] = {}
        self._seen = hashlib.sha256()
        self._demanded: dict[Origin, bytes] = {}
        self._paths: dict[str, stages.Paths] = {}
        self._asked = stages.Demand()
        self._silent: stages.Silent | None = None  # without a cache nothing is known before
        self.sight: Sight | None = None
        self._held: dict[str, dict[str, bytes]] = {name: {} for name in self.repositories}
        self._room = HELD_BYTES_MAX
        self._clock = time.perf_counter()

    def mark(self, stage: str) -> None:
        now = time.perf_counter()
        self.timings[stage] = self.timings.get(stage, 0.0) + now - self._clock
        self._clock = now

    # -- reading --------------------------------------------------------------------------------------------

    def read_candidates(self) -> list[tuple[Origin, Job]]:
        """Round 0: one pass over the bytes of every source file; those that may matter."""
        if self.cache is not None:
            self._silent = stages.Silent(self.cache.get_text(self._key_of_silent()) or "")
        jobs: list[tuple[Origin, Job]] = []
        lasting: list[tuple[Tree, str]] = []
        for repository in listed_ahead(tuple(self.repositories.values())):
            listing = repository.listing()
            self.diagnostics += listing.diagnostics
            self._see(repository.name, *listing.paths)
            self.mark("list")
            for path in self._read_of(repository, listing.paths):
                always = stages.always_read(path)
                if always:
                    lasting.append((repository, path))
                if not stages.surveyed(path):
                    self.files += always
                    continue
                self.files += 1
                origin = Origin(repository.name, path)
                seen, content = self._survey(repository, origin)
                if seen is None:
                    continue
                if seen.unread:
                    self.diagnostics.append(stages.unread(origin, seen))
                if seen.starts:
                    self.starts.append(origin)
                if seen.candidate and content is None:
                    self._take(origin)
                elif seen.candidate and content is not None:
                    jobs.append((origin, Job(path, content)))
                elif seen.context:
                    lasting.append((repository, path))
            self.mark("read")
        for repository in self.repositories.values() if self.beyond else ():
            lasting += self._referred(repository, {path for one, path in lasting if one is repository})
        holding = {*self.parsed, *(origin for origin, _ in jobs)}
        if holding or self.beyond:
            for repository, path in lasting:
                if Origin(repository.name, path) in holding:
                    continue
                content = self._content(repository, path)
                if content is not None:
                    jobs.append((Origin(repository.name, path), Job(path, content)))
                    self._see(repository.name, path, hashlib.sha256(content).hexdigest())
        return jobs

    def _read_of(self, repository: Tree, paths: Iterable[str]) -> Iterable[str]:
        """Those of some paths that a run looks at."""
        answers = self.policy.answers.get(repository.name)
        scoped = answers is not None and bool(answers.scopes)
        return stages.looked_at(paths, sends=self.options.sends, scoped=scoped)

    def _survey(self, repository: Tree, origin: Origin) -> tuple[stages.Survey | None, bytes | None]:
        """What the bytes of a file tell, and the bytes; without them where the run before has parsed the very same, and
        nothing where they cannot be read."""
        looked = self.looked
        if looked is not None and origin in looked.files and looked.same(origin):
            digest, seen = looked.files[origin]
            if not seen.candidate or origin in looked.placed:
                self._see_file(origin.path, digest)
                return seen, None
        digest, before = self._before.surveys.get(origin, (b"", None))
        if before is not None and before.named:
            before = self._silent.known(origin.path, digest) if self._silent is not None else None
        if before is not None:
            self._see_file(origin.path, digest)
            return before, None
        content = self._content(repository, origin.path)
        if content is None:
            return None, None
        if len(content) <= self._room:
            self._held[origin.repo][origin.path] = content
            self._room -= len(content)
        if not digest and (self.cache is not None or looked is not None):
            digest = hashlib.sha256(content).digest()
        self._see_file(origin.path, digest)
        seen = (
            stages.survey(origin.path, content, sends=self.options.sends)
            if self._silent is None
            else self._silent.survey(origin.path, content, digest, sends=self.options.sends)
        )
        self._surveys[origin] = digest, seen
        if looked is not None:
            looked.files[origin] = digest, seen
        return seen, content

    def _take(self, origin: Origin) -> None:
        """What the run before has parsed, without a look at the file."""
        assert self.looked is not None
        self._place(origin, *self.looked.placed[origin])

    def _place(self, origin: Origin, found: Placed | None, key: bytes) -> None:
        self.parsed[origin] = key
        self.read[origin.repo].add(origin.path)
        if self.looked is not None:
            self.looked.placed[origin] = found, key
        if found is not None:
            self.placed[origin] = found
            self.by_repository.setdefault(origin.repo, {})[origin] = found
            if found.facts.runs and origin not in self.starts:
                self.starts.append(origin)

    def _referred(self, repository: Tree, listed: Collection[str]) -> Iterable[tuple[Tree, str]]:
        """The files that repositories outside of the run refer to."""
        assert self.beyond is not None
        there = set(repository.files())
        for path in self.beyond.paths(repository.name):
            if path in there and path not in listed:
                yield repository, path

    def _see(self, *texts: str) -> None:
        """Adds to what makes this run the same as another."""
        if self.cache is not None:
            self._seen.update(("\0".join(texts) + "\0\0").encode("utf-8", "surrogatepass"))

    def _see_file(self, path: str, digest: bytes) -> None:
        if self.cache is not None:
            self._seen.update(b"%b%b\0\0" % (digest, path.encode("utf-8", "surrogatepass")))

    def _content(self, repository: Tree, path: str) -> bytes | None:
        content = repository.read(path)
        if isinstance(content, bytes):
            return content
        if language_of(path) is not None:
            self.diagnostics.append(content)
        return None

    @property
    def seen(self) -> Seen:
        """For another run over the same files."""
        facts = {origin: (self.placed.get(origin), key) for origin, key in self.parsed.items()}
        return Seen(self._surveys, facts)

    def _parse(self, jobs: Sequence[tuple[Origin, Job]]) -> bool:
        """Parses files (from the cache where it has them); True when any gave facts."""
        if not jobs:
            return False
        before = self._before.facts
        for origin, _ in jobs:
            if origin in before:
                self._place(origin, *before[origin])
        jobs = [each for each in jobs if each[0] not in before]
        keys: list[bytes] = []
        kept: dict[bytes, FileFacts | None] = {}
        if self.cache is not None:
            for _, job in jobs:
                language = f"{language_of(job.path)}:{_kind(job.path)}"
                digest = hashlib.sha256(job.content).digest()
                keys.append(key_of(digest, language, self.options.extractor))
            kept = self.cache.get(keys)
        fresh = [index for index in range(len(jobs)) if not keys or keys[index] not in kept]
        facts = workers.read_all(
            [jobs[index][1] for index in fresh], self.options.workers or workers.processors()
        )
        if self.cache is not None:
            self.cache.put({keys[index]: found for index, found in zip(fresh, facts, strict=True)})
        new = dict(zip(fresh, facts, strict=True))
        for index, (origin, _) in enumerate(jobs):
            found = new[index] if index in new else kept[keys[index]]
            self._place(
                origin, None if found is None else Placed(origin, found), keys[index] if keys else b""
            )
        return True

    # -- demand ---------------------------------------------------------------------------------------------

    def come_to(self, jobs: Sequence[tuple[Origin, Job]]) -> Come:
        """Parses what was read and resolves it, unless an earlier run has kept all of that."""
        recalled = self._recall() if jobs or self.placed else None
        earlier, asked = recalled or (None, [])
        kept = None if earlier is None else earlier.units
        if earlier is not None and kept is not None and not self._wants_facts():
            return Come(self._clustered(kept), earlier.of_files, None)
        self._parse(jobs)
        self.mark("parse")
        if self.cache is not None and self._silent is not None and self._silent.text:
            self.cache.put_text(self._key_of_silent(), self._silent.text)
        self.say(f"working out what {len(self.placed):,} files say")
        self._parse(asked)
        self.mark("demand")
        if kept is not None:
            known = self._known(None, None, settle=True)
            found = Resolved(known.files, known.modules, self._clustered(kept))
        else:
            found = self.resolve(complete=earlier is not None)
        mine = tuple(placed for placed in found.files if placed.origin.repo in self.repositories)
        material = Material(mine, tuple(self.starts), tuple(found.units), found.modules)
        return Come(found.units, self._of_files(), material)

    def _wants_facts(self) -> bool:
        """Whether facts are looked up although all that is made of them is at hand."""
        return self.options.material or (self.cache is not None and self.cache.is_aging)

    def _of_files(self) -> OfFiles:
        return OfFiles.of(self.placed.values(), self.repositories)

    def resolve(self, complete: bool) -> Resolved:
        """Consumes every deployable; reads what that asks for and consumes again, until nothing new is asked. With
        `complete` nothing is asked for: it was read."""
        if self.beyond is None and len(self.repositories) > 1:
            return self._resolve_apart(complete)
        before = len(self.diagnostics)
        beyond = self.beyond
        if beyond is not None:
            beyond.begin(self.placed.values(), self.starts)
        recorder = self._recorder(self.repositories)
        rounds = _Rounds(
            partial(self._known, None),
            lambda known: [d for d in known.deployables() if beyond is None or beyond.consumes(d.key.repo)],
            None if complete else partial(self._demand, self._asked, self.repositories),
            recorder,
            None if beyond is None else lambda known: beyond.more(self.placed.values(), self.starts, known),
        )
        known = self._settled(rounds, None)
        cluster_of = self.policy.cluster_of
        came = stages.with_unmet(known.unit(d, cluster_of) for d in rounds.deployables(known))
        units = self._clustered(came)
        # what could not be read has to be said again
        if not complete and len(self.diagnostics) == before:
            self._remember(units)
            self._record(recorder, self.repositories)
        if not complete and beyond is None:
            self.sight = Sight(frozenset(self.parsed), self._asked)
        return Resolved(known.files, known.modules, units)

    def _resolve_apart(self, complete: bool) -> Resolved:
        """The same of several repositories: each in its world, then what crosses them."""
        before = len(self.diagnostics)
        demands: dict[str, stages.Demand] = {}
        recorders: dict[str, stages.Recorder | None] = {}
        last: dict[str, World] = {}
        worlds = Worlds(self.repositories, self.by_repository, self.starts)

        def work_out(world: World, earlier: stages.Known | None) -> stages.Known:
            last[world.repo] = world
            if world.repo not in recorders:
                recorders[world.repo] = self._recorder([world.repo], lambda _: last[world.repo].told)
            tree = {world.repo: self.repositories[world.repo]}
            demand = demands.setdefault(world.repo, stages.Demand())
            rounds = _Rounds(
                partial(self._known, world),
                lambda known: list(known.deployables(world.deployables)),
                None if complete else partial(self._demand, demand, tree),
                recorders[world.repo],
            )
            return self._settled(rounds, earlier)

        worlds.settle(work_out)
        for _ in range(stages.ROUNDS_MAX):
            if complete or not self._demand(self._asked, self.repositories, worlds.wanted, worlds.packages):
                break
            worlds.settle(work_out)
        cluster_of = self.policy.cluster_of
        came = stages.with_unmet(
            worlds.known[d.key.repo].unit(d, cluster_of)
            for d in worlds.modules.deployables
            if d.key in worlds.known[d.key.repo].came_to
        )
        units = self._clustered(came)
        if not complete and len(self.diagnostics) == before:
            self._remember(units)
            for repo, recorder in recorders.items():
                self._record(recorder, [repo])
        files = tuple(placed for _, placed in sorted(self.placed.items()))
        return Resolved(files, worlds.modules, units)

    def _settled(self, rounds: _Rounds, known: stages.Known | None) -> stages.Known:
        """What is known after the last of some rounds; `known` is what was known before the first."""
        settle, explored = rounds.demand is None, 0
        while True:
            known = rounds.look(known, settle)
            if rounds.recorder is not None:
                rounds.recorder.begin(
                    known, {one.origin: self.parsed.get(one.origin, b"") for one in known.files}
                )
            for deployable in rounds.deployables(known):
                known.come_to(deployable, self.policy.cluster_of)
            if rounds.recorder is not None:
                rounds.recorder.end(known)
            self.rounds += 1
            explored += not settle
            self.say(f"round {self.rounds}: {len(self.placed)} files read")
            last = explored >= stages.ROUNDS_MAX * (1 if rounds.more is None else 2)
            if rounds.more is not None and not last and rounds.more(known):
                continue
            before = len(self.placed)
            final = rounds.demand is None or last or not rounds.demand(known.wanted())
            # what a round that settles still asks for is mostly little, and another round like it is done with it
            settle = final or (settle and len(self.placed) - before <= FEW_NEWS_MAX)
            if final and known.settled:
                return known

    def _known(self, world: World | None, earlier: stages.Known | None, settle: bool) -> stages.Known:
        """All facts at hand, or those of the world of one of several repositories; `earlier` is what was known a round before,
        `settle` as in `Known.of`. A round over few files settles at once."""
        beyond = self.beyond
        files = [*self.placed.values(), *(beyond.files if beyond else ())] if world is None else world.files
        repos = (
            [*self.repositories, *(beyond.repositories if beyond else ())] if world is None else [world.repo]
        )
        settle = settle or len(files) <= FEW_FILES_MAX
        answers = self.policy.answers
        if world is not None:
            answers = {repo: answers[repo] for repo in world.inside if repo in answers}
        elif beyond is not None:
            answers = {**beyond.answers(), **answers}
        return stages.Known.of(
            files,
            (*self.starts, *(beyond.starts if beyond else ())),
            repos,
            answers,
            None if world is None else world.modules,
            earlier,
            settle=settle,
            explores=not settle and (world is not None or len(self.repositories) == 1),
            sends=self.options.sends,
        )

    def _recall(self) -> tuple[Earlier, list[tuple[Origin, Job]]] | None:
        """What an earlier run over the very same bytes came to, and the files it asked for; None where there was none."""
        if self.cache is None:
            return None
        self._see(repr(sorted(self.policy.answers.items())), self.beyond.mark if self.beyond else "")
        text = self.cache.get_text(key_of_run(self._seen.digest(), self.options.program))
        if text is None:
            return None
        try:
            earlier = wire.loads(Earlier, text)
        except wire.WireError:
            return None
        asked = self._recalled(earlier)
        return None if asked is None else (earlier, asked)

    def _recalled(self, earlier: Earlier) -> list[tuple[Origin, Job]] | None:
        """The files that were asked for; None where one of them is no longer what it was."""
        jobs: list[tuple[Origin, Job]] = []
        for repo, path, digest in earlier.files:
            repository = self.repositories.get(repo)
            content = None if repository is None else self._bytes(repository, path)
            if content is None or hashlib.sha256(content).hexdigest() != digest:
                return None
            jobs.append((Origin(repo, path), Job(path, content)))
        return jobs

    def _remember(self, units: Sequence[stages.Unit]) -> None:
        if self.cache is None or not self.placed:
            return
        files = tuple((one.repo, one.path, digest.hex()) for one, digest in self._demanded.items())
        # a registry's answers are part of the units, and it is asked again
        keeps = self.beyond is None and sum(len(one.found.consumers) for one in units) <= KEPT_CONSUMERS_MAX
        earlier = Earlier(files, self._of_files(), tuple(units) if keeps else None)
        key = key_of_run(self._seen.digest(), self.options.program)
        self.cache.put_text(key, wire.dumps(earlier))

    def _recorder(
        self, repos: Collection[str], structure_of: Callable[[Modules], object] | None = None
    ) -> stages.Recorder | None:
        """What notes the rounds of some repositories, where they can be kept, and takes over those of the run before."""
        if self.cache is None or not self.placed or self.beyond is not None:
            return None
        text = self.cache.get_text(self._key_of_rounds(repos))
        try:
            earlier = None if text is None else wire.loads(stages.Recorded, text)
        except wire.WireError:
            earlier = None
        more = () if structure_of is None else (structure_of,)
        return stages.Recorder(earlier, self._facts_of, *more)

    def _facts_of(self, keys: Sequence[bytes]) -> Mapping[bytes, FileFacts]:
        assert self.cache is not None
        found = self.cache.get(keys)
        return {key: facts for key, facts in found.items() if facts is not None}

    def _record(self, recorder: stages.Recorder | None, repos: Collection[str]) -> None:
        if self.cache is None or recorder is None or not recorder.has_news:
            return
        text = wire.dumps(recorder.record())
        if len(text) <= KEPT_ROUNDS_CHARS_MAX:
            self.cache.put_text(self._key_of_rounds(repos), text)

    def _key_of_rounds(self, repos: Collection[str]) -> bytes:
        answers = repr(sorted(self.policy.answers.items()))
        return key_of_last("rounds", repos, self.options.program, answers)

    def _key_of_silent(self) -> bytes:
        return key_of_last("silent", sorted(self.repositories), self.options.program)

    def _clustered(self, units: Iterable[stages.Unit]) -> list[stages.Unit]:
        """Units of an earlier run under the clusters of these settings."""
        return [
            replace(
                unit,
                found=replace(
                    unit.found,
                    consumers=tuple(
                        stages.in_cluster(one, self.policy.cluster_of) for one in unit.found.consumers
                    ),
                ),
            )
            for unit in units
        ]

    def say(self, text: str) -> None:
        if self.options.progress:
            self.options.progress(text)

    def _demand(
        self,
        demand: stages.Demand,
        trees: Mapping[str, Tree],
        wanted: stages.Wanted,
        packages: Mapping[str, Set[str]] | None = None,
    ) -> bool:
        """Reads what a round asked for, of some repositories; False when there was nothing new. `packages` as in `Uses`."""
        self.mark("resolve")
        request = demand.request(wanted)
        jobs = list(self._definitions(request, trees))
        read = self._read_demanded(jobs)
        while jobs:  # what they extend, in this round and not in one each
            above = stages.supertypes(self.placed[one] for one, _ in jobs if one in self.placed)
            jobs = list(self._definitions(demand.request(stages.Wanted(frozenset(above))), trees))
            self._read_demanded(jobs)
        uses = stages.Uses(request.learned, packages)
        read = self._read_demanded(list(self._users(uses, trees))) or read
        self.mark("demand")
        return read

    def _read_demanded(self, jobs: Sequence[tuple[Origin, Job]]) -> bool:
        """Parses files that were asked for; True when any gave facts."""
        if self.cache is not None:
            for origin, job in jobs:
                self._demanded[origin] = hashlib.sha256(job.content).digest()
        return self._parse(jobs)

    def _definitions(
        self, request: stages.Request, trees: Mapping[str, Tree]
    ) -> Iterable[tuple[Origin, Job]]:
        if not request.names:
            return
        for name, repository in trees.items():
            paths = self._paths_of(repository)
            read = self.read[name]
            for path in stages.defining(request, paths, read, partial(self._bytes, repository)):
                content = self._held[name].get(path) or self._content(repository, path)
                if content is not None:
                    yield Origin(name, path), Job(path, content)

    def _users(self, uses: stages.Uses, trees: Mapping[str, Tree]) -> Iterable[tuple[Origin, Job]]:
        """The files not read yet whose bytes hold one of the learned names."""
        for name, repository in trees.items():
            files = self._read_of(repository, repository.files())
            read = self.read[name]
            paths = (path for path in files if path not in read)
            for path, content in stages.mentioning(uses, paths, partial(self._bytes, repository)):
                yield Origin(name, path), Job(path, content)

    def _bytes(self, repository: Tree, path: str) -> bytes | None:
        held = self._held[repository.name].get(path)
        content = repository.read(path) if held is None else held
        return content if isinstance(content, bytes) else None

    def _paths_of(self, repository: Tree) -> stages.Paths:
        found = self._paths.get(repository.name)
        if found is None:
            found = self._paths[repository.name] = stages.Paths(self._read_of(repository, repository.files()))
        return found


def _kind(path: str) -> str:
    """What of a path extraction looks at: the base name where it decides how a file is read, else the suffix."""
    base = path.rpartition("/")[2]
    return base.rpartition(".")[2] if language_of(path) in ("java", "python") else base
