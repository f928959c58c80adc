"""Topics with their senders and readers (`linter.model.topics`) as AsyncAPI 3.0 documents, one for each application.

A channel is a topic, its messages are tags: those that anybody in the run sends, and those that the application's groups ask
for. An operation is what the application sends to a topic, or what one of its groups reads. AsyncAPI has no words for groups,
tags, namespaces and clusters of RocketMQ: they, and the places in code, stand under `x-rocketmq` and `x-places`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from subdrift.linter.model.consumer import Subscription
from subdrift.linter.model.topics import Map, Read, Topic, application_of
from subdrift.linter.report.json import compose
from subdrift.linter.report.topics import name_of

_NOT_IN_KEYS = re.compile(r"[^A-Za-z0-9_.-]+")


def as_asyncapi(found: Map) -> str:
    """A document a line, by the name of the application."""
    names = {application_of(one.sender) for topic in found.topics for one in topic.sent}
    names |= {application_of(one.reader) for topic in found.topics for one in topic.read}
    return "".join(f"{compose(_document(name, found))}\n" for name in sorted(names))


class _Keys:
    """Keys for names: signs that a reference would have to escape are left out, equal ones are numbered."""

    def __init__(self) -> None:
        self._of: dict[object, str] = {}

    def of(self, name: object, text: str) -> str:
        key = self._of.get(name)
        if key is None:
            plain = _NOT_IN_KEYS.sub("_", text) or "_"
            key, turn = plain, 1
            while key in self._of.values():
                turn += 1
                key = f"{plain}_{turn}"
            self._of[name] = key
        return key


def _document(name: str, found: Map) -> dict[str, Any]:
    channels: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    keys, operation_keys = _Keys(), _Keys()
    for topic in found.topics:
        sent = [one for one in topic.sent if application_of(one.sender) == name]
        read = [one for one in topic.read if application_of(one.reader) == name]
        if not sent and not read:
            continue
        key = keys.of(topic, name_of(topic))
        tags = _messages(topic, read)
        channels[key] = _channel(topic, tags)
        if sent:
            parts = {tags[one.tag]: None for one in sent}
            operation = _operation("send", key, parts, [one.message for one in sent])
            operations[operation_keys.of((key, "send"), f"send.{key}")] = operation
        for group, of_group in _by_group(read):
            parts = {} if any(_may_get_all(one) for one in of_group) else {
                tags[tag]: None for one in of_group for tag in sorted(one.tags or ())
            }  # fmt: skip
            operation = _operation("receive", key, parts, [one.subscription for one in of_group])
            operation["x-rocketmq"] = {
                "group": of_group[0].reader.group.text,
                "expressions": sorted({one.subscription.expression.text or "" for one in of_group} - {""}),
            }
            operations[operation_keys.of((key, group), f"receive.{key}.{group}")] = operation
    info = {"title": name, "version": "unknown", "description": "Read from code by subdrift."}
    return {"asyncapi": "3.0.0", "info": info, "channels": channels, "operations": operations}


def _may_get_all(one: Read) -> bool:
    return not one.sure or one.tags is None


def _by_group(read: Sequence[Read]) -> Iterator[tuple[str, list[Read]]]:
    for group in sorted({one.group for one in read}):
        yield group, [one for one in read if one.group == group]


def _messages(topic: Topic, read: Sequence[Read]) -> dict[str | None, str]:
    """The tags of a channel, None where one is not known, each with its key."""
    keys = _Keys()
    asked = {tag for one in read if one.sure for tag in one.tags or ()}
    known = {*(tag for tag in topic.tags if tag is not None), *asked}
    made: dict[str | None, str] = {tag: keys.of(tag, tag or "untagged") for tag in sorted(known)}
    if None in topic.tags:
        made[None] = keys.of(None, "unknown-tag")
    return made


def _channel(topic: Topic, tags: dict[str | None, str]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "address": topic.name,
        "messages": {
            key: {"name": tag or key, "title": tag or key, "x-rocketmq": {"tag": tag}}
            for tag, key in tags.items()
        },
    }
    place = {"namespace": topic.namespace, "cluster": topic.cluster}
    if any(place.values()):
        made["x-rocketmq"] = {name: value for name, value in place.items() if value}
    return made


def _operation(
    action: str, channel: str, messages: dict[str, None], places: Sequence[Subscription]
) -> dict[str, Any]:
    """`messages` empty: any of the channel."""
    lines = {(one.at.origin.repo, one.at.origin.path, one.at.span.line) for one in places}
    made: dict[str, Any] = {"action": action, "channel": {"$ref": f"#/channels/{channel}"}}
    if messages:
        made["messages"] = [{"$ref": f"#/channels/{channel}/messages/{key}"} for key in messages]
    made["x-places"] = [{"repo": repo, "path": path, "line": line} for repo, path, line in sorted(lines)]
    return made
