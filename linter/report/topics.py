"""Who sends what to whom: sends and consumers joined by topic, as text, JSON or a Mermaid diagram.

A topic is named within a namespace and cluster; a sender whose namespace is not known counts for every topic of the name.
Tests are left out, and so is what takes no part. What nobody sends, or reads, is said of this run: a send whose topic or tag
is not known may be the one, and all of those are listed. The shape of the JSON is `schemas/topics.schema.json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from subdrift.linter.model.consumer import Consumer, Subscription, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.tags import TagFilter, TagSyntaxError, parse_tags
from subdrift.linter.report.json import compose, place
from subdrift.linter.report.language import Language, english
from subdrift.linter.report.listing import NOT_KNOWN_DEPLOYABLE
from subdrift.linter.report.terminal import Style, safe, settled

SCHEMA_VERSION: Final = 1


class Sent(Struct, frozen=True):
    """A message of a topic, and where it is sent."""

    sender: Consumer

    @property
    def message(self) -> Subscription:
        return self.sender.subscriptions[0]

    @property
    def tag(self) -> str | None:
        return self.message.expression.text


class Read(Struct, frozen=True):
    """A group's subscription to a topic. `tags`: those it asks for, None for every message; `sure`: that is known, and it
    asks by tags."""

    group: str
    reader: Consumer
    subscription: Subscription
    tags: frozenset[str] | None
    sure: bool

    def takes(self, tag: str | None) -> bool:
        """Whether a message of a tag may be one it asks for; "" for none, None for a tag that is not known."""
        return not self.sure or self.tags is None or tag is None or tag in self.tags


class Topic(Struct, frozen=True):
    namespace: str
    cluster: str
    name: str
    sent: tuple[Sent, ...]
    read: tuple[Read, ...]

    @property
    def tags(self) -> tuple[str | None, ...]:
        """The tags that are sent ("" for none), None last where one is not known."""
        found = {one.tag for one in self.sent}
        return (*sorted(tag for tag in found if tag is not None), *([None] * (None in found)))

    @property
    def asked(self) -> frozenset[str]:
        """The tags that groups ask for."""
        return frozenset(tag for one in self.read if one.sure for tag in one.tags or ())

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(sorted({one.group for one in self.read}))

    def readers_of(self, tag: str | None) -> tuple[str, ...]:
        """The groups that may get messages of a tag."""
        return tuple(sorted({one.group for one in self.read if one.takes(tag)}))

    @property
    def unread(self) -> tuple[str, ...]:
        """Tags that are sent and no group asks for, where some group reads the topic."""
        return tuple(tag for tag in self.tags if tag is not None and self.read and not self.readers_of(tag))

    @property
    def unsent(self) -> tuple[str, ...]:
        """Tags that a group asks for and nobody in sight sends, where somebody sends to the topic and every tag is known."""
        if not self.sent or None in self.tags:
            return ()
        return tuple(sorted(self.asked - set(self.tags)))


class Map(Struct, frozen=True):
    """All topics, and what may belong to any of them: `unknown` are sends whose topic is not known, `blind` consumers."""

    topics: tuple[Topic, ...]
    unknown: tuple[Sent, ...]
    blind: tuple[Read, ...]


def joined(consumers: Iterable[Consumer], sends: Iterable[Consumer]) -> Map:
    """Sends and consumers by topic."""
    sent: dict[str, list[Sent]] = {}
    unknown: list[Sent] = []
    for each in sends:
        if each.scope == "test" or each.disabled or not (each.takes_part or each.not_reached):
            continue
        one = Sent(each)
        topic = one.message.topic.text
        (unknown if topic is None else sent.setdefault(topic, [])).append(one)
    read: dict[str, list[Read]] = {}
    blind: list[Read] = []
    for each in consumers:
        if each.scope == "test" or each.disabled or not (each.takes_part or each.not_reached):
            continue
        for subscription in each.subscriptions:
            if subscription.topic.why is Why.NEVER_SUBSCRIBED:
                continue
            made = _read(each, subscription)
            topic = subscription.topic.text
            (blind if topic is None else read.setdefault(topic, [])).append(made)
    topics = [
        one
        for name in sorted({*sent, *read})
        for one in _topics(name, sent.get(name, []), read.get(name, []))
    ]
    return Map(
        tuple(topics), tuple(sorted(unknown, key=_place_of_send)), tuple(sorted(blind, key=_place_of_read))
    )


def _topics(name: str, sent: Sequence[Sent], read: Sequence[Read]) -> Iterator[Topic]:
    """The topics of one name: those of several namespaces or clusters are different ones."""
    places = {(one.sender.namespace.text, one.sender.cluster) for one in sent}
    places |= {(one.reader.namespace.text, one.reader.cluster) for one in read}
    clusters = {cluster for _, cluster in places if cluster}
    keys = sorted({(namespace, cluster) for namespace, cluster in places if namespace is not None})
    if len(clusters) <= 1:  # an address that no cluster is named for may be that of the only one
        only = next(iter(clusters), "")
        keys = sorted({(namespace, only) for namespace, _ in keys})
    for namespace, cluster in keys or [("", next(iter(clusters), ""))]:
        inside = [one for one in sent if _is_in(one.sender, namespace, cluster, clusters)]
        readers = [one for one in read if _is_in(one.reader, namespace, cluster, clusters)]
        yield Topic(
            namespace,
            cluster,
            name,
            tuple(sorted(inside, key=lambda one: (one.tag is None, one.tag or "", _place_of_send(one)))),
            tuple(sorted(readers, key=lambda one: (one.group, _place_of_read(one)))),
        )


def _is_in(one: Consumer, namespace: str, cluster: str, clusters: set[str]) -> bool:
    return one.namespace.text in (None, namespace) and (one.cluster == cluster or len(clusters) <= 1)


def _place_of_send(one: Sent) -> Any:
    return (one.message.at, one.sender.id, one.sender.environments)


def _place_of_read(one: Read) -> Any:
    return (one.subscription.at, one.reader.id, one.reader.environments)


def _read(consumer: Consumer, subscription: Subscription) -> Read:
    group = consumer.group.text or f"? ({(consumer.group.why or Why.UNSUPPORTED).value})"
    expression, kind = subscription.expression, subscription.filter_type
    if expression.not_applicable:
        return Read(group, consumer, subscription, None, True)
    if expression.text is None or kind.text != "TAG":
        return Read(group, consumer, subscription, None, False)
    try:
        found: TagFilter = parse_tags(expression.text)
    except TagSyntaxError:
        return Read(group, consumer, subscription, frozenset(), True)
    return Read(group, consumer, subscription, None if found.is_all else found.tags, True)


# -- text -----------------------------------------------------------------------------------------------------------


def as_text(found: Map, home: str, style: Style, words: Language) -> str:
    """A paragraph for each topic: the tags with their senders and readers, then what nobody sends or reads."""
    word = words.word
    out: list[str] = []
    for topic in found.topics:
        out += [*_paragraph(topic, home, style, words), ""]
    if found.unknown:
        out.append(style.paint(word("topics.unknown", count=len(found.unknown)), "bold"))
        for one in found.unknown:
            out.append(f"  {_at(one.message, one.sender, home)}{_because(one.message.topic, words)}")
        out.append("")
    if found.blind:
        out.append(style.paint(word("topics.blind", count=len(found.blind)), "bold"))
        for each in found.blind:
            out.append(
                f"  {safe(each.group)}  {_at(each.subscription, each.reader, home)}"
                f"{_because(each.subscription.topic, words)}"
            )
        out.append("")
    counts = {
        "topics": len(found.topics),
        "unsent": sum(not one.sent for one in found.topics),
        "unread": sum(not one.read for one in found.topics),
    }
    out.append(word("topics.counts", **counts))
    return settled("\n".join(out) + "\n")


def _paragraph(topic: Topic, home: str, style: Style, words: Language) -> Iterator[str]:
    word = words.word
    yield style.paint(safe(_name(topic)), "bold")
    for tag in topic.tags:
        groups = topic.readers_of(tag)
        readers = ", ".join(map(safe, groups)) if groups else word("topics.nobody")
        yield f"  {_tag(tag, words)} -> {readers}"
        for one in topic.sent:
            if one.tag == tag:
                reason = _because(one.message.expression, words) if tag is None else ""
                yield style.paint(f"    {_at(one.message, one.sender, home)}", "dim") + reason
    if not topic.sent:
        yield f"  {word('topics.nobody-sends')}"
        for each in topic.read:
            asked = f"  {safe(each.group)}: {safe(_asked(each, words))}  "
            yield asked + style.paint(_at(each.subscription, each.reader, home), "dim")
    for tag in topic.unsent:
        groups = tuple(sorted({one.group for one in topic.read if one.tags and tag in one.tags}))
        yield f"  {word('topics.tag-nobody-sends', tag=tag, groups=', '.join(groups))}"


def _name(topic: Topic) -> str:
    lead = f"{topic.namespace}%" if topic.namespace else ""
    return f"{lead}{topic.name}" + (f" @ {topic.cluster}" if topic.cluster else "")


def _tag(tag: str | None, words: Language) -> str:
    if tag is None:
        return words.word("topics.tag-not-known")
    return safe(tag) if tag else words.word("sends.no-tag")


def _asked(one: Read, words: Language) -> str:
    return one.subscription.expression.text or words.word("topics.tag-not-known")


def _at(message: Subscription, one: Consumer, home: str) -> str:
    origin = message.at.origin
    name = _application(one)
    lead = "" if origin.repo in (home, name) else f"{origin.repo}/"
    sample = f" ({one.scope})" if one.scope != "main" else ""
    return safe(f"{name}  {lead}{origin.path}:{message.at.span.line}{sample}")


def _because(value: Value, words: Language) -> str:
    if value.known:
        return ""
    detail = words.detail(value.detail) if value.detail else (value.why or Why.UNSUPPORTED).value
    return f"  ({safe(detail)})"


# -- JSON -----------------------------------------------------------------------------------------------------------


def as_json(found: Map) -> str:
    """One JSON object (`schemas/topics.schema.json`)."""
    document = {
        "schema_version": SCHEMA_VERSION,
        "topics": [_topic(one) for one in found.topics],
        "unknown_senders": [_sender(one) for one in found.unknown],
        "unknown_readers": [_reader(one) for one in found.blind],
    }
    return compose(document, indent=2) + "\n"


def _topic(topic: Topic) -> dict[str, Any]:
    return {
        "namespace": topic.namespace,
        "cluster": topic.cluster,
        "topic": topic.name,
        "tags": [{"tag": tag, "groups": list(topic.readers_of(tag))} for tag in topic.tags],
        "senders": [_sender(one) for one in topic.sent],
        "readers": [_reader(one) for one in topic.read],
        "tags_nobody_reads": list(topic.unread),
        "tags_nobody_sends": list(topic.unsent),
        "nobody_sends": not topic.sent,
        "nobody_reads": not topic.read,
    }


def _sender(one: Sent) -> dict[str, Any]:
    message = one.message
    return {
        **place(message.at),
        "deployable": one.sender.deployable or NOT_KNOWN_DEPLOYABLE,
        "symbol": one.sender.symbol,
        "api": one.sender.api,
        "topic": message.topic.text,
        "tag": one.tag,
        "environments": list(one.sender.environments),
        "scope": one.sender.scope,
        "owners": list(one.sender.owners),
        "unresolved": _unresolved(
            {"topic": message.topic, "tag": message.expression, "namespace": one.sender.namespace}
        ),
    }


def _reader(one: Read) -> dict[str, Any]:
    message = one.subscription
    return {
        **place(message.at),
        "deployable": one.reader.deployable or NOT_KNOWN_DEPLOYABLE,
        "symbol": one.reader.symbol,
        "api": one.reader.api,
        "group": one.reader.group.text,
        "topic": message.topic.text,
        "filter_type": message.filter_type.text,
        "expression": message.expression.text,
        "environments": list(one.reader.environments),
        "scope": one.reader.scope,
        "owners": list(one.reader.owners),
        "unresolved": _unresolved(
            {"group": one.reader.group, "topic": message.topic, "expression": message.expression}
        ),
    }


def _unresolved(values: dict[str, Value]) -> dict[str, str]:
    return {
        name: english().detail(value.detail) if value.detail else (value.why or Why.UNSUPPORTED).value
        for name, value in values.items()
        if not value.known
    }


# -- Mermaid --------------------------------------------------------------------------------------------------------


def as_mermaid(found: Map, words: Language) -> str:
    """A flow chart: applications, the topics they send to with the tags, the groups that read them with theirs. What nobody
    sends or reads has a dashed frame."""
    lines = ["flowchart LR"]
    numbers: dict[tuple[str, str], str] = {}

    def node(kind: str, name: str, open_: str, close: str) -> str:
        known = numbers.get((kind, name))
        if known is None:
            known = numbers[kind, name] = f"{kind}{sum(one == kind for one, _ in numbers) + 1}"
            lines.append(f"  {known}{open_}{_quoted(name)}{close}")
        return known

    alone: list[str] = []
    for topic in found.topics:
        here = node("t", _name(topic), "([", "])")
        if not topic.sent or not topic.read:
            alone.append(here)
        senders: dict[str, dict[str, None]] = {}
        for one in topic.sent:
            name = _application(one.sender)
            senders.setdefault(name, {})[_tag(one.tag, words)] = None
        for name, tags in sorted(senders.items()):
            lines.append(f"  {node('s', name, '[', ']')} -->|{_quoted(', '.join(tags))}| {here}")
        groups: dict[str, dict[str, None]] = {}
        for each in topic.read:
            groups.setdefault(each.group, {})[_asked(each, words)] = None
        for name, asked in sorted(groups.items()):
            lines.append(f"  {here} -->|{_quoted(', '.join(asked))}| {node('g', name, '[[', ']]')}")
    if alone:
        lines += ["  classDef alone stroke-dasharray: 4 4", f"  class {','.join(alone)} alone"]
    return "\n".join(lines) + "\n"


def _application(one: Consumer) -> str:
    name = one.deployable
    return one.at.origin.repo if name in ("", ".", NOT_KNOWN_DEPLOYABLE) else name


def _quoted(text: str) -> str:
    """A label: signs that Mermaid reads are written by their numbers."""
    shown = "".join(f"#{ord(sign)};" if sign in '"#&<>`' else sign for sign in safe(text))
    return f'"{shown}"'
