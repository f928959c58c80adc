"""What a run came to round by round, for a later run over nearly the same files.

The later run goes through the same rounds. In each of them a deployable comes to what it came to then if the round has
the same files, those apart that were edited, and none of these touches it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.modules import ModuleKey, Modules
from subdrift.linter.stages.carried import Carried, Changes
from subdrift.linter.stages.known import Known


class RecordedFile(Struct, frozen=True):
    """A file that was read in a round, the first being 0; `facts` is the key of what it says, in hex."""

    origin: Origin
    facts: str
    round: int


class RecordedRound(Struct, frozen=True):
    """What the deployables came to in a round, those apart that came to what they came to before. `structure` is a digest
    of the modules."""

    settle: bool
    structure: str
    came_to: tuple[tuple[ModuleKey, Carried], ...]


class Recorded(Struct, frozen=True):
    """The rounds of a run with the files they had read."""

    files: tuple[RecordedFile, ...]
    rounds: tuple[RecordedRound, ...]


class Recorder:
    """Notes the rounds of a run as they come, and takes those of an earlier run over."""

    def __init__(
        self,
        earlier: Recorded | None,
        facts_of: Callable[[Sequence[bytes]], Mapping[bytes, FileFacts]],
        structure_of: Callable[[Modules], object] = lambda modules: modules.deployables,
    ):
        """`facts_of` gives what files said, by the keys of `RecordedFile`, as far as it is still there; `structure_of` what of
        the modules a run is taken over under."""
        self._earlier = earlier
        self._facts_of = facts_of
        self._structure_of = structure_of
        self._old: dict[bytes, FileFacts] = {}
        self._files: dict[Origin, RecordedFile] = {}
        self._rounds: list[RecordedRound] = []
        self._told: dict[ModuleKey, Carried] = {}

    def begin(self, known: Known, keys: Mapping[Origin, bytes]) -> None:
        """A round begins: `keys` are those of all files read so far. Gives `known` what can be taken over."""
        for origin, key in keys.items():
            if origin not in self._files:
                self._files[origin] = RecordedFile(origin, key.hex(), len(self._rounds))
        if self._earlier is not None:
            known.recalled = self._recalled(self._earlier, known)

    def end(self, known: Known) -> None:
        """A round has ended."""
        news = tuple((key, found) for key, found in known.came_to.items() if self._told.get(key) is not found)
        self._told.update(news)
        self._rounds.append(RecordedRound(known.settle, self._structure(known.modules), news))

    @property
    def has_news(self) -> bool:
        """Whether the run came to anything that the earlier one has not recorded."""
        if self._earlier is None or len(self._rounds) != len(self._earlier.rounds):
            return True
        recorded = {id(found) for each in self._earlier.rounds for _, found in each.came_to}
        return tuple(self._files.values()) != self._earlier.files or any(
            id(found) not in recorded for each in self._rounds for _, found in each.came_to
        )

    def record(self) -> Recorded:
        """All rounds so far; what a deployable came to is left out where it came to something else later."""
        rounds = [
            replace(
                each,
                came_to=tuple(
                    (key, found if self._told[key] is found else replace(found, found=None))
                    for key, found in each.came_to
                ),
            )
            for each in self._rounds
        ]
        return Recorded(tuple(self._files.values()), tuple(rounds))

    def _recalled(self, earlier: Recorded, known: Known) -> Mapping[ModuleKey, Carried]:
        number = len(self._rounds)
        if number >= len(earlier.rounds):
            return {}
        now = earlier.rounds[number]
        if now.settle is not known.settle or now.structure != self._structure(known.modules):
            return {}
        changes = self._changes(earlier, number, known)
        if changes is None:
            return {}
        came_to = {key: found for each in earlier.rounds[: number + 1] for key, found in each.came_to}
        return {
            one.key: found
            for one in known.deployables()
            if (found := came_to.get(one.key)) is not None and not changes.touch(one, found)
        }

    def _changes(self, earlier: Recorded, number: int, known: Known) -> Changes | None:
        """The edits between a round of the earlier run and this one; None where other files were read, or where what they
        said is no longer at hand."""
        then = {each.origin: bytes.fromhex(each.facts) for each in earlier.files if each.round <= number}
        if then.keys() != self._files.keys():
            return None
        edited = [origin for origin, key in then.items() if self._files[origin].facts != key.hex()]
        gone = [then[origin] for origin in edited if then[origin] not in self._old]
        self._old.update(self._facts_of(gone) if gone else {})
        if any(then[origin] not in self._old or origin not in known.world.files for origin in edited):
            return None
        pairs = [(Placed(origin, self._old[then[origin]]), known.world.files[origin]) for origin in edited]
        return Changes.within(pairs, known.modules)

    def _structure(self, modules: Modules) -> str:
        text = repr(self._structure_of(modules))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
