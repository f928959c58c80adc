"""`check --against`: a checkout beside what a registry holds of the other repositories."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from subdrift.linter.cli.output import CannotError, complain
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.expr import Why as Cause
from subdrift.linter.model.finding import Diagnostic, Finding, Scope
from subdrift.linter.model.location import Origin
from subdrift.linter.model.message import Message, say
from subdrift.linter.model.topics import Map, counts, topics_of
from subdrift.linter.model.unknown import lost
from subdrift.linter.pipeline import Result
from subdrift.linter.registry.beyond import Beyond
from subdrift.linter.registry.entries import holder_of, places_of, stands_in
from subdrift.linter.registry.reader import Registry
from subdrift.linter.registry.schema import RegistryError
from subdrift.linter.report.content import Organisation, Side
from subdrift.linter.report.language import Language
from subdrift.linter.report.organisation import age, instant
from subdrift.linter.triage import Triaged
from subdrift.rules.near import nearly

_AGE: Final = re.compile(r"(?P<count>\d{1,6})(?P<unit>[mhdw])")
_SECONDS: Final = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def opened(path: str) -> Registry:
    """The registry at a path. Raises `CannotError`."""
    try:
        return Registry(path)
    except RegistryError as error:
        raise CannotError(error.message) from error


def seconds_of(text: str) -> int:
    """`--registry-max-age`: `30m`, `12h`, `7d`, `2w`. Raises `CannotError`."""
    found = _AGE.fullmatch(text)
    if found is None:
        raise CannotError("option.max-age", text=repr(text))
    return int(found["count"]) * _SECONDS[found["unit"]]


def complain_of_age(registry: Registry, allowed: str, words: Language) -> None:
    """Say on stderr that a registry is older than it should be."""
    old = int(time.time()) - registry.taken
    if allowed and old > seconds_of(allowed):
        complain(words.word("registry.too-old", path=registry.path, age=age(old, words), allowed=allowed))


def complain_of_absence(registry: Registry, names: Iterable[str], words: Language) -> None:
    """Say on stderr that a repository is not in the registry: under another name it would be compared with itself."""
    for name in names:
        if name not in registry.repositories:
            complain(words.word("registry.without", name=name, day=day_of(registry)))


def day_of(registry: Registry) -> str:
    """The day it was published, in UTC."""
    return (instant(registry.taken) or "an unknown day").partition("T")[0]


def complain_of_senders(registry: Registry, words: Language) -> None:
    """Say on stderr that a registry does not tell what other repositories send."""
    if not registry.knows_senders:
        complain(words.word("registry.without-senders", path=registry.path))


def organisation_of(registry: Registry, found: Map | None = None, own: Collection[str] = ()) -> Organisation:
    """What reports say of the other repositories; `found` as in `Result.map`."""
    known: dict[Origin, Side | None] = {}

    def side(origin: Origin) -> Side | None:
        if origin not in known:
            about = registry.about(origin.repo)
            owners = registry.owners(origin)
            known[origin] = None if about is None else Side(about.head, about.time, owners)
        return known[origin]

    readers = None if found is None or not registry.knows_senders else _readers(found, own)
    return Organisation(len(registry.repositories), registry.taken, int(time.time()), side, readers)


def _readers(found: Map, own: Collection[str]) -> tuple[int, int]:
    """How many groups of other repositories may get what own ones send, and of how many repositories they are."""
    reading = {
        (repo, topic.namespace, one.group)
        for topic in found.topics
        for sent in topic.sent
        if sent.sender.at.origin.repo in own
        for one in topic.read
        if one.takes(sent.tag) and (repo := holder_of(one.reader)) not in own
    }
    groups, repositories = {row[1:] for row in reading}, {row[0] for row in reading}
    return len(groups), len(repositories)


def around(
    registry: Registry,
    own: frozenset[str],
    consuming: Result,
    sending: Result,
    cluster_of: Callable[[str], str],
) -> Map:
    """The topics that own repositories read or send to, now or when the registry was published, and those that are nearly the
    same, with all who send to them and read them."""
    assert consuming.again is not None  # both runs had the registry
    assert sending.again is not None
    mine = [one for one in consuming.consumers if one.id not in consuming.foreign]
    reading = replace(consuming.again, consumers=(*mine, *consuming.again.consumers))
    again = replace(sending.again, consumers=(*sending.consumers, *sending.again.consumers))
    of_own = (one for one in (*reading.consumers, *again.consumers) if stands_in(one) & own)
    every = filter(counts, (*mine, *sending.consumers, *of_own))
    names = {name for one in every for name in topics_of(one) if name}
    names.update(*map(registry.topics_of, own))
    known = registry.topics()
    for sends in (True, False):
        others = [name for name, numbers in known.items() if numbers[not sends]]
        names |= {found for name in tuple(names) if (found := nearly(name, others))}
    made = Beyond(registry, own).around(names, reading, again, cluster_of)
    if next(lost((*consuming.diagnostics, *sending.diagnostics)), None) is not None:
        return replace(made, before=())  # what a file says that could not be read has not ended
    return made


def concerning(findings: Iterable[Finding], own: Collection[str]) -> Iterator[Finding]:
    """Those about topics of which a side that is told first lies in an own repository; these places come first."""
    for one in findings:
        if any(place.at.origin.repo in own for place in one.places if not place.side):
            places = sorted(one.places, key=lambda place: (place.side, place.at.origin.repo not in own))
            yield replace(one, places=tuple(places))


def of_own(result: Result, registry: Registry, own: Collection[str]) -> Result:
    """The result without what concerns other repositories alone; own sides first, and misses dated."""
    findings = tuple(
        _own_first(one, own)
        for one in result.findings
        if one.scope is Scope.GROUP or one.places[0].at.origin.repo in own
    )
    day = day_of(registry)
    return replace(
        result, findings=findings, diagnostics=tuple(_dated(one, day) for one in result.diagnostics)
    )


def _own_first(finding: Finding, own: Collection[str]) -> Finding:
    places = tuple(sorted(finding.places, key=lambda place: place.at.origin.repo not in own))
    return finding if places == finding.places else replace(finding, places=places)


def _dated(one: Diagnostic, day: str) -> Diagnostic:
    """A name nobody defines was looked for in the registry too."""
    if one.name != "unresolved-value" or not _is_about(one.message, f"why.{Cause.UNDEFINED.value}"):
        return one
    if one.help is None:
        return replace(one, help=say("not-in-registry", day=day))
    return replace(one, help=say("not-in-registry.and", day=day, help=one.help))


def _is_about(message: Message, code: str) -> bool:
    return message.code == code or any(_is_about(each, code) for _, row in message.rows for each in row)


def parted(
    found: Triaged, consumers: Iterable[Consumer], foreign: Collection[str], own: Collection[str]
) -> tuple[Triaged, tuple[Finding, ...]]:
    """What concerns the own repositories, and the findings of their groups in which they have no side."""
    sides: set[tuple[str, str, str | None]] = set()
    for consumer in consumers:
        name = consumer.group.text
        if name is None or (
            consumer.id in foreign and not any(at.origin.repo in own for at in places_of(consumer))
        ):
            continue
        namespace = consumer.namespace.text or ""
        sides.add((namespace, name, None))
        sides |= {(namespace, name, one.topic.text) for one in consumer.subscriptions}

    def concerns(one: Finding) -> bool:
        if any(place.at.origin.repo in own for place in one.places) or one.group is None:
            return True
        return (one.namespace, one.group, one.topic) in sides

    kept = tuple(one for one in found.findings if concerns(one))
    left = tuple(one for one in found.active if not concerns(one))
    return Triaged(kept, found.diagnostics), left
