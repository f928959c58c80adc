"""What a consumer is part of: main code, tests or samples, by evidence.

Folders tell what is a test or an example (`placed.scope_of`). Programs that stand together in one module are samples only where
something else says so: a name, a placeholder for a group, or programs beside them that send them messages. What a deployment
file starts is no sample, and `[scope]` has the last word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec.structs import replace

from subdrift.linter.model.consumer import SAMPLE_GROUP, Consumer
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve.modules import ModuleKey
from subdrift.linter.resolve.world import World

PROGRAMS_MIN = 3
"""Programs with consumers in one module that may be a collection of samples."""

SENDERS_SHARE = 3
"""One program that sends for so many that consume is a sign of samples."""

_NAMED_SO = re.compile(
    r"(?:^|[-_./])(?:examples?|samples?|demos?|quick-?start|tutorials?|learn(?:ing)?|study|practi[cs]e|playground)(?:$|[-_./\d])"
)


def scoped(
    world: World, consumers: tuple[Consumer, ...], given: Sequence[tuple[str, str]]
) -> tuple[Consumer, ...]:
    """The consumers with the scope that evidence, or `[scope]` (`given`: pattern and scope), gives them."""
    signs = _signs(world, consumers)
    found = []
    for one in consumers:
        said = _given(one.at.origin.path, given)
        sign = signs.get(world.modules.of(one.at.origin), "") if one.process and one.scope == "main" else ""
        if said:
            one = replace(one, scope=said)
        elif sign and not _is_started(world, one):
            one = replace(one, scope="sample", sign=sign)
        found.append(one)
    return tuple(found)


def _given(path: str, given: Sequence[tuple[str, str]]) -> str:
    """What `[scope]` says of a path, "" where it is silent; the last pattern that matches counts."""
    for pattern, scope in reversed(given):
        stem = pattern.removeprefix("./").rstrip("/")
        if path == stem or path.startswith(f"{stem}/") or fnmatchcase(path, pattern):
            return scope
    return ""


def _signs(world: World, consumers: Iterable[Consumer]) -> Mapping[ModuleKey, str]:
    """The modules whose programs are samples, each with the sign that says so."""
    programs: dict[ModuleKey, dict[str, set[Location]]] = {}
    groups: dict[ModuleKey, set[str]] = {}
    for one in consumers:
        if one.process and one.scope == "main" and not one.disabled:
            key = world.modules.of(one.at.origin)
            programs.setdefault(key, {}).setdefault(one.process, set()).add(one.at)
            groups.setdefault(key, set()).add(one.group.text or "")
    many = {
        key: count for key, found in programs.items() if (count := _apart(found.values())) >= PROGRAMS_MIN
    }
    found = {key: _sign(world, key, count, groups[key]) for key, count in many.items()}
    return {key: sign for key, sign in found.items() if sign}


def _apart(programs: Iterable[set[Location]]) -> int:
    """How many programs there are, given the places where each makes its consumers: one whose every consumer another one
    makes too is another way into that (a subcommand with a `main` of its own)."""
    kept: list[set[Location]] = []
    for places in sorted(programs, key=len, reverse=True):
        if not any(places <= other for other in kept):
            kept.append(places)
    return len(kept)


def _sign(world: World, key: ModuleKey, programs: int, groups: set[str]) -> str:
    for name in (key.folder, key.repo.rpartition("/")[2]):
        if _NAMED_SO.search(name.lower()):
            return phrase("sample-by-name", name)
    placeholder = next((group for group in sorted(groups) if SAMPLE_GROUP.fullmatch(group)), "")
    if placeholder:
        return phrase("sample-by-group", placeholder)
    senders = sum(_sends(placed) for placed in world.files.values() if world.modules.of(placed.origin) == key)
    return phrase("sample-by-senders", senders) if senders * SENDERS_SHARE >= programs else ""


def _sends(placed: Placed) -> bool:
    """Whether a file is a program that makes a producer and no consumer."""
    facts = placed.facts
    if not facts.runs or facts.unit is None or scope_of(placed.origin.path) != "main":
        return False
    called = {name for name, _ in facts.unit.calls}
    return any(_MAKES_PRODUCER.fullmatch(name) for name in called) and not any(
        name.endswith("Consumer") for name in called
    )


_MAKES_PRODUCER = re.compile(r"(?:\w*MQ)?\w*Producer|newProducerBuilder|RocketMQTemplate|createProducer")


def _is_started(world: World, one: Consumer) -> bool:
    """Whether a deployment file of its repository starts the program that makes a consumer."""
    repo, path = one.at.origin.repo, one.at.origin.path
    simple = one.process.rpartition(".")[2]
    words = {
        word
        for placed in world.files.values()
        if placed.origin.repo == repo
        for launch in placed.facts.launches
        for word in launch.words
    }
    if path.endswith(".py"):
        return any(_is_script(word, path) for word in words)
    return any(word.rpartition(".")[2] == simple for word in words)


def _is_script(word: str, path: str) -> bool:
    """Whether a word of a command line names a Python file, as a path or as a module."""
    named = word.removeprefix("./") if word.endswith(".py") else word.replace(".", "/") + ".py"
    tail = named.rpartition("/")[2]
    return (
        path == named
        or path.endswith(f"/{named}")
        or (word.endswith(f"/{tail}") and path.rpartition("/")[2] == tail)
    )
