"""What a round of reading asks for, and which files of a repository may hold it."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Set

from msgspec import Struct

from subdrift.linter.model.languages import language_of
from subdrift.linter.model.placed import Placed
from subdrift.linter.stages.paths import Paths, clues_of

ROUNDS_MAX = 10
"""Rounds of reading what the facts at hand mention."""

REVERSE_PASSES_MAX = 4
"""Passes over all files for the callers and subtypes of names learned on the way."""

BELOW = "<"
"""In the place of a type in a pair of names: the subtypes of the other are meant, or what carries the annotation."""


class Wanted(Struct, frozen=True):
    """What the facts at hand mention and no file read so far defines.

    `types` are full names (Python's start with a dot); `callers` pairs of simple names (type, member) whose call
    sites are wanted, (type, type) for constructors, subtypes and uses of annotations, (`BELOW`, type) for subtypes
    alone; `files` base names of settings files that code loads.
    """

    types: frozenset[str] = frozenset()
    callers: frozenset[tuple[str, str]] = frozenset()
    files: frozenset[str] = frozenset()


class Request(Struct, frozen=True):
    """What one round reads in every repository.

    First the files that may define `names` (`files` are those that are base names of settings files), then every file
    that mentions one of the pairs `learned` since (as in `Wanted`).
    """

    names: tuple[str, ...]
    files: frozenset[str]
    learned: frozenset[tuple[str, str]]


class Demand:
    """What a run has looked for so far: nothing is looked for twice."""

    def __init__(self) -> None:
        self._looked: set[str] = set()
        self._files: set[str] = set()  # a file of `META-INF/services` is called like the type
        self._learned: frozenset[tuple[str, str]] = frozenset()
        self._passes = 0

    @property
    def learned(self) -> frozenset[tuple[str, str]]:
        """The pairs whose users have been looked for."""
        return self._learned

    def may_ask_for(self, content: bytes) -> bool:
        """Whether the bytes of a source file may define or use what was looked for, whatever its path."""
        names = {part for name in self._looked for part in name.split(".") if part}
        return any(_declares(content, name) for name in names) or Uses(self._learned).in_file(content)

    def request(self, wanted: Wanted) -> Request:
        """What to read for what a round asked for."""
        files = wanted.files - self._files
        names = tuple(sorted((wanted.types - self._looked) | files))
        self._looked.update(names)
        self._files |= files
        before = self._learned
        learned: frozenset[tuple[str, str]] = frozenset()
        if wanted.callers - before and self._passes < REVERSE_PASSES_MAX:
            self._passes += 1
            learned = wanted.callers - before
            self._learned = before | learned
        return Request(names, files, learned)


def supertypes(files: Iterable[Placed]) -> Iterator[str]:
    """The full names that the supertypes of some files' classes may have: what a class is and does hangs on them, and asked
    for when a run comes there, each of a chain would cost a round of its own."""
    for placed in files:
        unit = placed.facts.unit
        if unit is None or unit.language == "python":
            continue
        single = {one.rpartition(".")[2]: one for one in placed.facts.imports}
        pending = list(unit.types)
        while pending:
            one = pending.pop()
            pending += one.types
            for ref in one.supers:
                head = ref.name.partition(".")[0]
                yield single.get(head, f"{unit.package}.{head}")


Content = Callable[[str], "bytes | None"]
"""Path -> the bytes of a file of one repository, None where they cannot be had."""


def defining(
    request: Request, paths: Paths, read: Container[str], content: Content
) -> dict[str, tuple[str, ...]]:
    """The files of one repository that may define what a round asks for, but those `read` already; each with the names it
    was found for."""
    chosen: dict[str, tuple[str, ...]] = {}
    for name in _answerable(request.names, paths):
        found = paths.named(name) if name in request.files else paths.defining(name)
        simple, neighbours = ("", []) if found else paths.neighbours(name)
        declaring = (path for path in neighbours if path not in read and _declares(content(path), simple))
        for path in (*(path for path in found if path not in read), *declaring):
            chosen[path] = (*chosen.get(path, ()), name)
    return chosen


def _answerable(names: tuple[str, ...], paths: Paths) -> list[str]:
    """Those of the names that a repository may have a file for, in their order: over thousands of repositories no name is
    looked for where nothing is called like it."""
    asked = _clues(names)
    few, many = sorted((asked.keys(), paths.clues), key=len)
    met = [clue for clue in few if clue in many]
    positions = {position for clue in met for position in asked[clue]}
    positions.update(asked.get("", ()))
    return [names[position] for position in sorted(positions)]


@functools.lru_cache(4)
def _clues(names: tuple[str, ...]) -> dict[str, list[int]]:
    """By clue the positions of the names it answers for; by "" those of names without any."""
    found: dict[str, list[int]] = {}
    for position, name in enumerate(names):
        for clue in clues_of(name) or ("",):
            found.setdefault(clue, []).append(position)
    return found


def _declares(content: bytes | None, simple: str) -> bool:
    return content is not None and any(
        f"{word} {simple}".encode() in content for word in ("class", "interface", "enum", "record")
    )


_CALL = rb"(?:(?:^|[^\w>\]\s])\s*|\b(?:return|else|do|throw|yield|await|assert|in|and|or|not|if)\s+)"
"""What stands before the name in a call; a declaration has a type or a keyword there."""

_REFERENCE = rb"::\s*"


@functools.cache
def _use(owner: str, name: str) -> re.Pattern[bytes]:
    """What a use of a learned name looks like: a call; for a type its construction, a static call, a subtype, an annotation,
    or it as a value."""
    word = re.escape(name.encode())
    if owner == "import":  # a Python module that does something when it is imported
        return re.compile(rb"\b(?:from|import)\s+[\w.]*\b" + word + rb"\b")
    subtype = _SUBTYPE.replace(b"NAME", word)
    annotated = rb"@(?:\w+[.:])*" + word + rb"\b"
    if owner == BELOW:
        return re.compile(rb"|".join((subtype, annotated)))
    if owner != name:
        return re.compile(_CALL + word + rb"\s*\(|" + _REFERENCE + word + rb"\b")
    made = rb"\b" + word + rb"\s*(?:<[^;{]{0,300}?>\s*|\.\s*\w+\s*)?[({]"
    handed = rb"[(,]\s*(?:\w+\.)*" + word + rb"\s*[,)]"  # a class of Python is a value
    reference = _REFERENCE + word + rb"\b|\b" + word + rb"::new\b"
    return re.compile(rb"|".join((made, subtype, handed, annotated, reference)))


_SUBTYPE = rb"|".join(
    (
        rb"\b(?:extends|implements)\s[^{;]{0,300}?(?<!\w)NAME\b",
        rb"\b(?:class|interface|object)\b[^{;=]{0,300}?:[^{;=]{0,300}?(?<!\w)NAME\b",
        rb"\bclass\s+\w+\s*\([^)]{0,300}?(?<!\w)NAME\b",
        rb"\bnew\s+(?:\w+\.)*NAME\b[^{;]{0,300}?\)\s*\{",
    )
)
"""What extends or implements a type: in Java, Kotlin and Python, and an anonymous class."""

_CALLS = re.compile(_CALL + rb"(\w++)(?=\s*\()").findall
_REFERENCES = re.compile(_REFERENCE + rb"(\w++)").findall
"""The names a file calls or hands on to be called, as `_use` sees them."""

_WORD = re.compile(rb"\w+").fullmatch
_BLANKED = bytes(byte if _WORD(bytes([byte])) else ord(" ") for byte in range(256))
"""Turns all but ASCII letters, digits and underscores into blanks: what `split` then gives are the words of a file."""


class Uses:
    """The pairs of names a round has learned, asked of one file after the other: prepare it once a round.

    A file costs one pass over its words however many names were learned, and one over its calls where it holds both
    names of a pair.
    """

    def __init__(
        self, learned: Iterable[tuple[str, str]], packages: Mapping[str, Set[str]] | None = None
    ) -> None:
        """`packages` are those that a type of a simple name may be in: a file that names none of them means another."""
        self._packages = {
            name: [package.encode() for package in found]
            for name, found in (packages or {}).items()
            if all(found)
        }
        self._owners: dict[bytes, list[tuple[str, str]]] = {}
        self._odd: list[
            tuple[str, str]
        ] = []  # names that are not made of ASCII letters alone: no word of a file
        for owner, name in sorted(learned):
            word = name.encode()
            if _WORD(word):
                self._owners.setdefault(word, []).append((owner, name))
            else:
                self._odd.append((owner, name))
        self._few = sorted(self._owners) if len(self._owners) <= _FEW else None
        self._names = frozenset(self._owners)

    def __bool__(self) -> bool:
        return bool(self._owners or self._odd)

    def in_file(self, content: bytes, *, by_name: bool = False) -> bool:
        """Whether the bytes of a source file use one of the names."""
        return next(self.found(content, by_name=by_name), None) is not None

    def found(self, content: bytes, *, by_name: bool = False) -> Iterator[tuple[str, str]]:
        """The pairs whose names the bytes of a source file use. `by_name`: a file that names things rather than calls them."""
        called: frozenset[bytes] | None = None
        for word in self._present(content):
            for owner, name in self._owners[word]:
                if not (
                    _is_mentioned(owner, content)
                    and self._is_seen(name if owner == BELOW else owner, content)
                ):
                    continue
                if by_name:
                    used = True
                elif owner in (name, BELOW, "import"):
                    used = _use(owner, name).search(content) is not None
                else:
                    if called is None:
                        called = frozenset((*_CALLS(content), *_REFERENCES(content)))
                    used = word in called
                if used:
                    yield owner, name
        for owner, name in self._odd:
            if (
                name.encode() in content
                and _is_mentioned(owner, content)
                and _use(owner, name).search(content)
            ):
                yield owner, name

    def _is_seen(self, owner: str, content: bytes) -> bool:
        packages = self._packages.get(owner)
        return not packages or any(package in content for package in packages)

    def _present(self, content: bytes) -> Iterable[bytes]:
        """The names, in any order, that the bytes of a file hold."""
        if self._few is not None:
            return [word for word in self._few if word in content]
        words = content.translate(_BLANKED).split()
        return () if self._names.isdisjoint(words) else self._names.intersection(words)


_FEW = 24
"""Names that are searched one by one: that is faster than to take a file apart into words."""


def _is_mentioned(owner: str, content: bytes) -> bool:
    word = owner.encode()
    return owner == BELOW or (word in content and (len(word) > _SHORT or _holds_word(word, content)))


_SHORT = 2
"""Letters of a name that nearly every file holds somewhere inside a word."""


def _holds_word(word: bytes, content: bytes) -> bool:
    return re.search(rb"\b" + re.escape(word) + rb"\b", content) is not None


def mentioning(uses: Uses, paths: Iterable[str], content: Content) -> Iterator[tuple[str, bytes]]:
    """The files of one repository, of those at `paths` that are not read yet, that mention a name a round has learned, with
    their bytes."""
    if not uses:
        return
    for path in paths:
        language = language_of(path)
        if language in ("java", "kotlin", "python", "xml"):
            found = content(path)
            if found is None or (language == "xml" and b"<bean" not in found):
                continue
            if uses.in_file(found, by_name=language == "xml"):
                yield path, found
