"""Families of tags that are easily taken for one another, for rules that compare tag with tag."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from subdrift.linter.model.consumer import Consumer, Subscription
from subdrift.linter.model.message import quoted, say
from subdrift.rules.filters import TAG, filter_of, meetings
from subdrift.rules.sides import Voice, sides

Key = TypeVar("Key", str, int)


def families(
    members: tuple[Consumer, ...], key: Callable[[str], Key]
) -> Iterator[tuple[str, Key, tuple[tuple[Voice, ...], ...]]]:
    """Topic, key and sides for each key that several tags of a topic have: a side is one tag with those that want it."""
    for topic, met in meetings(members):
        found: dict[Key, set[str]] = {}
        for tag in {tag for _, one in met for tag in _tags(one)}:
            found.setdefault(key(tag), set()).add(tag)
        for each, alike in sorted(found.items()):
            if len(alike) > 1:
                yield topic, each, sides(_voices(met, alike))


def _tags(subscription: Subscription) -> frozenset[str]:
    asked = filter_of(subscription)
    return asked.tags if asked is not None and asked.type == TAG and asked.tags else frozenset()


def _voices(met: list[tuple[Consumer, Subscription]], alike: set[str]) -> Iterator[Voice]:
    for member, one in met:
        for tag in sorted(_tags(one) & alike):
            yield Voice(tag, quoted(tag), one.at, say("a-tag-called", tag=tag), member, one.expression)
