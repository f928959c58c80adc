"""The parts of the page that are about the whole run: how it was made, groups in order, blind spots by repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.topics import Topic, application_of
from subdrift.linter.model.unknown import count_unread, unknown_values
from subdrift.linter.report.content import Content
from subdrift.linter.report.made import Made
from subdrift.linter.report.page import exchange
from subdrift.linter.report.page.picture import Picture

ORDERLY_MAX: Final = 500
"""Groups in order, and topics, that the page lists; the rest is counted."""
DRAWN_MAX: Final = 100
"""Topics that the page draws."""
NAMES_MAX: Final = 4
"""Topics and deployables that are named of a group."""
_COMMIT_CHARS: Final = 12


class Orderly(Struct, frozen=True):
    """A group whose members agree."""

    name: str
    about: str
    consumers: int
    topics: str
    deployables: str


class Exchange(Struct, frozen=True):
    """A topic with those who send to it, each with its tags, and the groups that read it, each with what it asks for."""

    topic: str
    about: str
    senders: tuple[tuple[str, str], ...]
    readers: tuple[tuple[str, str], ...]
    unread: str
    """Tags that are sent and that no group asks for."""
    picture: Picture | None
    owners: tuple[str, ...]


class Spots(Struct, frozen=True):
    """The blind spots of one repository: values, files that were not read, places that were not understood."""

    repository: str
    values: int
    files: int
    places: int


def made_of(content: Content, made: Made) -> Iterator[str]:
    """The lines below the title: date, version, command, and commits."""
    word = content.language.word
    if made.day:
        yield word("page.made", day=made.day, version=content.version)
    if made.command:
        yield word("page.made-by", command=made.command)
    commits = [
        (name, one.commit[:_COMMIT_CHARS]) for name, one in sorted(made.revisions.items()) if one.commit
    ]
    if commits:
        shown = [f"{name} `{commit}`" for name, commit in commits[: NAMES_MAX * 2]]
        more = len(commits) - len(shown)
        listed = content.language.comma.join((*shown, *([word("page.and-more", count=more)] if more else ())))
        yield word("page.made-of", listed=listed)


def orderly(
    content: Content, members: Mapping[tuple[str, str, str], Sequence[Consumer]], told: Iterable[str]
) -> list[Orderly]:
    """The groups that no finding is about, by name; members of repositories outside of the run alone make none."""
    disputed = frozenset(told)
    found = []
    for (cluster, namespace, group), consumers in sorted(members.items()):
        if group in disputed or all(one.id in content.foreign for one in consumers):
            continue
        topics = {each.topic.text for one in consumers for each in one.subscriptions if each.topic.text}
        places = {application_of(one) for one in consumers}
        about = content.language.comma.join(
            content.language.word(code, name=name)
            for code, name in (("head.namespace", namespace), ("page.cluster", cluster))
            if name
        )
        count = len({one.id for one in consumers})
        found.append(Orderly(group, about, count, _listed(content, topics), _listed(content, places)))
    return found


def exchanges(content: Content) -> list[Exchange]:
    """Who sends what to whom, topic by topic; none where that was not looked for."""
    topics = content.map.topics if content.map is not None else ()
    return [_exchange(content, one, drawn=number < DRAWN_MAX) for number, one in enumerate(topics)]


def _exchange(content: Content, topic: Topic, *, drawn: bool) -> Exchange:
    word, comma = content.language.word, content.language.comma
    about = [
        word(code, name=name)
        for code, name in (("head.namespace", topic.namespace), ("page.cluster", topic.cluster))
        if name
    ]
    owners = {owner for one in topic.sent for owner in one.sender.owners}
    owners |= {owner for one in topic.read for owner in one.reader.owners}
    return Exchange(
        topic.name,
        comma.join(about),
        tuple((name, tags) for name, tags, _ in exchange.senders_of(topic, content.language)),
        tuple((name, asked) for name, asked, _ in exchange.readers_of(topic, content.language)),
        comma.join(tag or word("sends.no-tag") for tag in topic.unread),
        exchange.picture(topic, content.language) if drawn else None,
        tuple(sorted(owners)),
    )


def _listed(content: Content, names: Iterable[str]) -> str:
    """The first of some names, and how many more there are."""
    every = sorted(names)
    more = len(every) - NAMES_MAX
    rest = [content.language.word("page.and-more", count=more)] if more > 0 else []
    return content.language.comma.join((*every[:NAMES_MAX], *rest))


def spots(content: Content) -> list[Spots]:
    """Blind spots by repository, most first; they add up to those of the whole page."""
    values = Counter(one.at.origin.repo for one in unknown_values(content.own))
    unread: dict[str, list[Diagnostic]] = {}
    for one in content.unread:
        unread.setdefault(one.at.origin.repo, []).append(one)
    counts = {name: count_unread(unread.get(name, ())) for name in {*values, *unread}}
    return sorted(
        (Spots(name, values[name], count["file"], count["place"]) for name, count in counts.items()),
        key=lambda one: (-one.values - one.files - one.places, one.repository),
    )
