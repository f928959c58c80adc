"""Topics with their senders and readers (`linter.model.topics`), as text or JSON; `diagrams` draws them, `asyncapi` says
them application by application. The shape of the JSON is `schemas/topics.schema.json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from subdrift.linter.model.consumer import Consumer, Subscription, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.topics import Map, Read, Sent, Topic, application_of
from subdrift.linter.report.json import compose, place
from subdrift.linter.report.language import Language, english
from subdrift.linter.report.listing import NOT_KNOWN_DEPLOYABLE
from subdrift.linter.report.terminal import Style, safe, settled

SCHEMA_VERSION: Final = 1


# -- text -----------------------------------------------------------------------------------------------------------


def as_text(found: Map, home: str, style: Style, words: Language) -> str:
    """A paragraph for each topic: the tags with their senders and readers, then what nobody sends or reads."""
    word = words.word
    out: list[str] = []
    for topic in found.topics:
        out += [*_paragraph(topic, found, home, style, words), ""]
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
        "unsent": sum(not (one.sent or one.by_broker) for one in found.topics),
        "unread": sum(not one.read for one in found.topics),
    }
    out.append(word("topics.counts", **counts))
    return settled("\n".join(out) + "\n")


def _paragraph(topic: Topic, found: Map, home: str, style: Style, words: Language) -> Iterator[str]:
    word = words.word
    nobody = word("topics.nobody-known" if found.blind else "topics.nobody")
    unsent = "topics.no-send-known" if found.unknown else "topics.nobody-sends"
    yield style.paint(safe(name_of(topic)), "bold")
    for tag in topic.tags:
        groups = topic.readers_of(tag)
        readers = words.comma.join(map(safe, groups)) if groups else nobody
        yield f"  {tag_in_words(tag, words)} -> {readers}"
        for one in topic.sent:
            if one.tag == tag:
                reason = _because(one.message.expression, words) if tag is None else ""
                yield style.paint(f"    {_at(one.message, one.sender, home)}", "dim") + reason
    if not topic.sent:
        yield f"  {word('topics.broker-sends' if topic.by_broker else unsent)}"
        for each in topic.read:
            asked = f"  {safe(each.group)}: {safe(asked_by(each, words))}  "
            yield asked + style.paint(_at(each.subscription, each.reader, home), "dim")
    for tag in topic.unsent:
        groups = tuple(sorted({one.group for one in topic.read if one.tags and tag in one.tags}))
        yield f"  {word('topics.tag-nobody-sends', tag=tag, groups=words.comma.join(groups))}"


def name_of(topic: Topic) -> str:
    lead = f"{topic.namespace}%" if topic.namespace else ""
    return f"{lead}{topic.name}" + (f" @ {topic.cluster}" if topic.cluster else "")


def tag_in_words(tag: str | None, words: Language) -> str:
    if tag is None:
        return words.word("topics.tag-not-known")
    return safe(tag) if tag else words.word("sends.no-tag")


def asked_by(one: Read, words: Language) -> str:
    return one.subscription.expression.text or words.word("topics.tag-not-known")


def _at(message: Subscription, one: Consumer, home: str) -> str:
    origin = message.at.origin
    name = application_of(one)
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
        "topics": [as_object(one) for one in found.topics],
        "unknown_senders": [_sender(one) for one in found.unknown],
        "unknown_readers": [_reader(one) for one in found.blind],
    }
    return compose(document, indent=2) + "\n"


def as_object(topic: Topic) -> dict[str, Any]:
    """A topic as in the JSON."""
    return {
        "namespace": topic.namespace,
        "cluster": topic.cluster,
        "topic": topic.name,
        "tags": [{"tag": tag, "groups": list(topic.readers_of(tag))} for tag in topic.tags],
        "senders": [_sender(one) for one in topic.sent],
        "readers": [_reader(one) for one in topic.read],
        "tags_nobody_reads": list(topic.unread),
        "tags_nobody_sends": list(topic.unsent),
        "nobody_sends": not (topic.sent or topic.by_broker),
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
