"""The lock file: every subscription of a repository in one line each, sorted, without lines and paths that move.

Owned by the team that owns the groups, it shows them each change of a subscription in review. Two lock files in, what
changed between them in words out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from linter import files
from linter.model.consumer import Consumer, Subscription, Value
from linter.model.tags import TagFilter, TagSyntaxError, parse_tags

FILE: Final = "subscriptions.lock"
FILE_BYTES_MAX: Final = 16 << 20
HEAD: Final = (
    "# Every RocketMQ subscription of this repository. Written by `subdrift lock`, not by hand.\n"
    "# group\ttopic\tfilter\tmessage model\tdeployable\tenvironments\n"
)
NO_PROFILE: Final = "default"
NOT_THERE: Final = "-"
_FIELDS: Final = 6


class LockError(Exception):
    """A lock file that cannot be read or written; the text names file and line and what to do."""


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """One subscription. `filter` is `TAG a || b`, `SQL92 ...`; what is not known begins with `?`."""

    group: str
    topic: str
    filter: str
    model: str
    deployable: str
    environments: str

    @property
    def line(self) -> str:
        fields = (self.group, self.topic, self.filter, self.model, self.deployable, self.environments)
        return "\t".join(map(_escaped, fields))

    @property
    def tags(self) -> frozenset[str] | None:
        """The tags it receives; None where it is not a list of tags, or takes everything."""
        kind, _, text = self.filter.partition(" ")
        if kind != "TAG":
            return None
        try:
            found: TagFilter = parse_tags(text)
        except TagSyntaxError:
            return None
        return None if found.is_all else found.tags


def rows(consumers: Iterable[Consumer], home: str, words: Callable[[str], str] = str) -> tuple[Row, ...]:
    """The rows of all consumers that run: not those of tests, nor those that are switched off.

    `words` puts what an unknown value hangs on into words.
    """
    found = {
        _row(consumer, subscription, home, words)
        for consumer in consumers
        if consumer.scope == "main" and not consumer.disabled
        for subscription in consumer.subscriptions or (None,)
    }
    return tuple(sorted(found))


def render(of: Sequence[Row]) -> str:
    return HEAD + "".join(f"{row.line}\n" for row in of)


def write(path: str, of: Sequence[Row], follow: bool = True) -> None:
    """Put a lock file in place whole; `follow` as in `files.write`. Raises `LockError`."""
    try:
        files.write(path, render(of).encode(), follow)
    except OSError as error:
        raise LockError(f"{path}: could not be written: {error.strerror or error}") from error


def read(path: str, follow: bool = True) -> tuple[Row, ...]:
    """The rows of a lock file; `follow` as in `files.read`. Raises `LockError`, also where the file is not there."""
    try:
        content = files.read(path, FILE_BYTES_MAX, follow)
    except FileNotFoundError as error:
        raise LockError(f"{path}: there is no lock file; `subdrift lock` writes it") from error
    except OSError as error:
        raise LockError(f"{path}: {error.strerror or error}") from error
    if len(content) > FILE_BYTES_MAX:
        raise LockError(f"{path}: is larger than {FILE_BYTES_MAX >> 20} MiB")
    return parse(content, path)


def parse(content: bytes, path: str) -> tuple[Row, ...]:
    """The rows of a lock file of these bytes; `path` is what errors name. Raises `LockError`."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise LockError(f"{path}: is not UTF-8") from error
    found = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != _FIELDS:
            raise LockError(
                f"{path}:{number}: has {len(fields)} fields, not {_FIELDS}; after a merge write it anew: `subdrift lock`"
            )
        found.append(Row(*map(_unescaped, fields)))
    return tuple(sorted(found))


def changes(before: Sequence[Row], now: Sequence[Row]) -> Iterator[str]:
    """What changed, a sentence for each consumer of a topic, with what it means while old instances still run."""
    was, is_ = _by_place(before), _by_place(now)
    for key in sorted({*was, *is_}):
        group, topic, deployable, environments = key
        old, new = was.get(key, ()), is_.get(key, ())
        if old == new:
            continue
        where = f"`{group}`" + ("" if deployable == "." else f" in {deployable}")
        where += "" if environments == NO_PROFILE else f" ({environments})"
        if topic == NOT_THERE:
            yield f"{where} {'no longer stands' if old else 'now stands'} without any subscription."
        elif not old:
            yield f"{where} will subscribe to {topic} ({_filters(new)})." + _ONE_SIDED
        elif not new:
            yield (
                f"{where} will no longer subscribe to {topic} ({_filters(old)}); deployed instances still do, and "
                "each heartbeat of a new one may delete the topic from the group until the last old one is gone."
            )
        else:
            yield from _changed(where, topic, old, new)


_ONE_SIDED: Final = (
    " While instances without it still run in the group, part of the topic's queues may be read by nobody."
)


def _changed(where: str, topic: str, old: Sequence[Row], new: Sequence[Row]) -> Iterator[str]:
    models = {row.model for row in old}, {row.model for row in new}
    if models[0] != models[1]:
        yield (
            f"{where} will read {topic} {_listed(models[1])} instead of {_listed(models[0])}; deployed instances "
            "keep the old message model, and the last heartbeat decides for the group."
        )
    if {row.filter for row in old} == {row.filter for row in new}:
        return
    before, after = _tags(old), _tags(new)
    if before is None or after is None:
        yield (
            f"{where} will filter {topic} by {_filters(new)} instead of {_filters(old)}; deployed instances keep "
            "the old filter, and the newest of the two holds for the whole group until the last of them is gone."
        )
        return
    lost, gained = before - after, after - before
    if lost:
        yield (
            f"{where} will no longer receive {_listed(lost)} of {topic}; deployed instances still do: until the "
            "last of them is gone, they may lose part of it."
        )
    if gained:
        yield (
            f"{where} will also receive {_listed(gained)} of {topic}; deployed instances do not: until the last of "
            "them is gone, new ones may lose part of it."
        )
    if not lost and not gained:
        yield (
            f"{where} writes the same tags of {topic} differently ({_filters(new)}); nothing is lost, but "
            "RocketMQ's console calls the group inconsistent until the last deployed instance is gone."
        )


def _tags(of: Sequence[Row]) -> frozenset[str] | None:
    found: frozenset[str] = frozenset()
    for row in of:
        if row.tags is None:
            return None
        found |= row.tags
    return found


def _by_place(of: Iterable[Row]) -> dict[tuple[str, str, str, str], tuple[Row, ...]]:
    found: dict[tuple[str, str, str, str], tuple[Row, ...]] = {}
    for row in of:
        key = (row.group, row.topic, row.deployable, row.environments)
        found[key] = (*found.get(key, ()), row)
    return found


def _filters(of: Iterable[Row]) -> str:
    return _listed({f"`{row.filter}`" for row in of})


def _listed(texts: Iterable[str]) -> str:
    *rest, last = sorted(texts)
    return f"{', '.join(rest)} and {last}" if rest else last


def _row(
    consumer: Consumer, subscription: Subscription | None, home: str, words: Callable[[str], str]
) -> Row:
    def shown(value: Value) -> str:
        return words(_shown(value))

    group = shown(consumer.group)
    if consumer.namespace.text:
        group = f"{consumer.namespace.text}%{group}"
    deployable = consumer.deployable or "."
    if consumer.at.origin.repo != home:
        repo = consumer.at.origin.repo
        deployable = repo if deployable == "." else f"{repo}/{deployable}"
    environments = ",".join(sorted(name or NO_PROFILE for name in consumer.environments))
    model = shown(consumer.message_model)
    if subscription is None:
        return Row(group, NOT_THERE, NOT_THERE, model, deployable, environments)
    kind = shown(subscription.filter_type)
    text = f"{kind} {shown(subscription.expression)}"
    return Row(group, shown(subscription.topic), text, model, deployable, environments)


def _shown(value: Value) -> str:
    if value.text is not None:
        return value.text
    if value.not_applicable or value.why is None:
        return NOT_THERE
    return f"?{value.why.value}" + (f" {value.detail}" if value.detail else "")


def _escaped(text: str) -> str:
    """No field holds a tab, a line end or anything else that could be taken for the file's own structure."""
    plain = text.replace("\\", "\\\\")
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in plain)


def _unescaped(text: str) -> str:
    out, rest = "", text
    while True:
        plain, mark, rest = rest.partition("\\")
        out += plain
        if not mark:
            return out
        if rest.startswith("\\"):
            out, rest = out + "\\", rest[1:]
        elif rest.startswith("u{"):
            code, _, rest = rest[2:].partition("}")
            is_code = 0 < len(code) <= 6 and all(c in "0123456789abcdef" for c in code)
            out += chr(int(code, 16)) if is_code and int(code, 16) <= sys.maxunicode else ""
