"""What is published and what is read: repositories, their files, and what hangs on what."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter import stages
from subdrift.linter.model import ir, wire
from subdrift.linter.model.answers import Answers
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.languages import language_of
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve.modules import Modules

FRAME_LINES_MAX = 8
"""Lines of one place that are kept for a reader; of a longer one the first, and its last two."""

LINE_CHARS_MAX = 2_000
"""Characters of one kept line."""

DIGEST_BYTES = 8

_CONSTANTS = {
    "java": re.compile(
        rb"\b(?:static\s+final|final\s+static)\s+String\b|\benum\s+\w|\bString\s+[A-Z][A-Z0-9_]*\s*="
    ),
    "kotlin": re.compile(rb"\bconst\s+val\b|\benum\s+class\b"),
    "python": re.compile(
        rb"^[ \t]*[A-Z][A-Z0-9_]*[ \t]*(?::[^=\n]*)?=[ \t]*[rbuRBU]{0,2}['\"]", re.MULTILINE
    ),
}

Clusters = tuple[tuple[str, tuple[str, ...]], ...]

Listed = tuple[str, bytes, bool]
"""A file of a block: path, digest, whether its facts are brief."""
AskedFor = tuple[str, bytes, tuple[str, ...]]
"""A file that other repositories look up: path, digest, and the keys they do so by."""
Members = tuple[int, str, str, str]
"""A consumer: its repository, namespace, group, and wire text."""
Shown = tuple[str, tuple[str, ...] | None, tuple[tuple[int, str], ...]]
"""What a report shows of a file: path, owners where they are its own, lines."""


class About(Struct, frozen=True):
    """A repository as its last commit tells. Unknown texts are "", an unknown time is None (seconds since 1970)."""

    name: str
    head: str = ""
    time: int | None = None
    url: str = ""
    owners: tuple[str, ...] = ()
    answers: Answers = field(default_factory=Answers)
    clusters: Clusters = ()


class Edges(Struct, frozen=True):
    """How the repositories of a run hang together: coordinates by repository, and whose modules each takes in."""

    provides: tuple[tuple[str, str], ...]
    """(repository, coordinate)."""
    declares: tuple[tuple[str, str], ...]
    """(repository, coordinate) of what each declares and does not build itself."""
    takes: tuple[tuple[str, str, str], ...]
    """(repository, repository taken in, folder of the module taken in)."""

    @classmethod
    def of(cls, modules: Modules) -> Edges:
        provides: set[tuple[str, str]] = set()
        declares: set[tuple[str, str]] = set()
        for key, module in modules.modules.items():
            if module.coordinate and not module.coordinate.endswith(":"):
                provides.add((key.repo, module.coordinate))
            declares |= {(key.repo, one.coordinate) for one in module.dependencies if not one.test}
        takes = {
            (deployable.key.repo, key.repo, key.folder)
            for deployable in modules.deployables
            for key in deployable.takes_in
            if key.repo != deployable.key.repo
        }
        return cls(tuple(sorted(provides)), tuple(sorted(declares - provides)), tuple(sorted(takes)))


class FileRow(Struct, frozen=True):
    """A file as it is kept: its facts as wire text without the unit, the unit, and the keys it is found by. `brief`: without
    what the unit tells (`stages.brief`)."""

    origin: Origin
    text: str
    unit: bytes
    keys: tuple[str, ...]
    builds: bool
    silences: bool
    brief: bool

    @classmethod
    def of(cls, placed: Placed) -> FileRow:
        facts = placed.facts
        brief = stages.brief(facts)
        return cls(
            placed.origin,
            wire.dumps(replace(brief or facts, unit=None)),
            b"" if facts.unit is None else ir.encode(facts.unit),
            tuple(sorted(keys_of(placed))),
            facts.build is not None,
            bool(facts.suppressions),
            brief is not None,
        )

    @property
    def digest(self) -> bytes:
        """Equal for files of equal facts."""
        found = hashlib.sha256(self.text.encode())
        found.update(self.unit)
        return found.digest()[:DIGEST_BYTES]


def keys_of(placed: Placed) -> Iterator[str]:
    """What a file is found by: its keys (`stages.keys_of`), and its name where code of others may load it."""
    yield from stages.keys_of(placed)
    if placed.facts.language == "config":
        yield f"file:{placed.origin.path.rpartition('/')[2]}"


class Published(Struct, frozen=True):
    """A run to be kept. `files` are those it read, and those it did not need and others may refer to; `consumers`,
    `sends` and `asks` (keys as in `Known.asked`) go by the repository whose deployable holds or asks them; `lines` and
    `owners` are for the places of consumers and sends. `sends` is None where what sends was not looked for. `taken` counts
    seconds since 1970."""

    taken: int
    repositories: tuple[About, ...]
    files: Iterable[FileRow]
    starts: Iterable[Origin]
    consumers: Iterable[tuple[str, Consumer]]
    sends: Iterable[tuple[str, Consumer]] | None
    asks: Iterable[tuple[str, str]]
    edges: Edges
    lines: Iterable[tuple[Origin, int, str]]
    owners: Iterable[tuple[Origin, tuple[str, ...]]]


def is_source(path: str) -> bool:
    """Whether a file of that name may hold constants that other repositories mention."""
    return language_of(path) in _CONSTANTS and scope_of(path) != "test"


def referable(path: str, content: bytes) -> bool:
    """Whether a source file looks like one that declares constants."""
    language = language_of(path)
    return language in _CONSTANTS and _CONSTANTS[language].search(content) is not None


def places_of(consumer: Consumer) -> Iterator[Location]:
    """Every place a report may show of a consumer: its own, those of its subscriptions, and where values come from."""
    yield consumer.at
    yield from (one.at for one in consumer.subscriptions)
    for _, value in consumer.values:
        yield from (step.at for step in value.trail)


def stands_in(consumer: Consumer) -> set[str]:
    """The repositories whose code a consumer is made and subscribed in, or a message sent."""
    return {consumer.at.origin.repo, *(one.at.origin.repo for one in consumer.subscriptions)}


def holder_of(consumer: Consumer) -> str:
    """The repository whose deployable a consumer belongs to."""
    whole, colon, _ = consumer.deployable.rpartition(":")
    return whole if colon else consumer.at.origin.repo


def lines_of(consumers: Iterable[Consumer]) -> dict[Origin, set[int]]:
    """The lines that are kept of each file."""
    found: dict[Origin, set[int]] = {}
    for consumer in consumers:
        for at in places_of(consumer):
            first, last = at.span.line, max(at.span.line, at.span.end_line)
            kept = found.setdefault(at.origin, set())
            kept.update(range(first, min(last, first + FRAME_LINES_MAX - 1) + 1))
            kept.update((max(first, last - 1), last))
    return found
