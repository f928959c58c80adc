"""The lock file: every subscription of a repository in one line each, sorted, without lines and paths that move.

Owned by the team that owns the groups, it shows them each change of a subscription in review. Two lock files in, what
changed between them in words out.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter import files
from subdrift.linter.files import reason_of
from subdrift.linter.model.consumer import Consumer, Subscription, Value
from subdrift.linter.model.message import Message, UnusableError, quoted, say, verbatim
from subdrift.linter.model.tags import TagFilter, TagSyntaxError, parse_tags

FILE: Final = "subscriptions.lock"
FILE_BYTES_MAX: Final = 16 << 20
HEAD: Final = (
    "# Every RocketMQ subscription of this repository. Written by `subdrift lock`, not by hand.\n"
    "# group\ttopic\tfilter\tmessage model\tdeployable\tenvironments\n"
)
_DIGEST: Final = "# digest "
_DIGEST_DIGITS: Final = 16
NO_PROFILE: Final = "default"
NOT_THERE: Final = "-"
_FIELDS: Final = 6


class LockError(UnusableError):
    """A lock file that cannot be read or written; the text names file and line and what to do."""


class Row(Struct, frozen=True, order=True):
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
    """The text of a lock file. Its last line tells whether the others are as they were written."""
    lines = [row.line for row in of]
    return HEAD + "".join(f"{line}\n" for line in lines) + f"{_DIGEST}{_digest(lines)}\n"


def is_edited(content: bytes) -> bool:
    """Whether a lock file was changed since it was written, by hand or by a merge; of one without a digest nothing tells."""
    lines = content.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    said = [line.removeprefix(_DIGEST) for line in lines if line.startswith(_DIGEST)]
    return bool(said) and said != [_digest([line for line in lines if line and not line.startswith("#")])]


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:_DIGEST_DIGITS]


def write(path: str, of: Sequence[Row], follow: bool = True) -> None:
    """Put a lock file in place whole; `follow` as in `files.write`. Raises `LockError`."""
    try:
        files.write(path, render(of).encode(), follow)
    except OSError as error:
        raise LockError("file.not-written", path=path, reason=reason_of(error)) from error


def read(path: str, follow: bool = True) -> tuple[Row, ...]:
    """The rows of a lock file; `follow` as in `files.read`. Raises `LockError`, also where the file is not there."""
    return parse(content_of(path, follow), path)


def content_of(path: str, follow: bool = True) -> bytes:
    """The bytes of a lock file; otherwise as `read`."""
    try:
        content = files.read(path, FILE_BYTES_MAX, follow)
    except FileNotFoundError as error:
        raise LockError("lock.none", path=path) from error
    except OSError as error:
        raise LockError("file.cannot", path=path, reason=reason_of(error)) from error
    if len(content) > FILE_BYTES_MAX:
        raise LockError("file.larger-than-mib", path=path, most=FILE_BYTES_MAX >> 20)
    return content


def parse(content: bytes, path: str) -> tuple[Row, ...]:
    """The rows of a lock file of these bytes; `path` is what errors name. Raises `LockError`."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise LockError("file.not-utf8", path=path) from error
    found = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != _FIELDS:
            raise LockError("lock.fields", path=path, line=number, count=len(fields), expected=_FIELDS)
        found.append(Row(*map(_unescaped, fields)))
    return tuple(sorted(found))


def changes(before: Sequence[Row], now: Sequence[Row]) -> Iterator[Message]:
    """What changed, a sentence for each consumer of a topic, with what it means while old instances still run.

    Each environment is compared by itself: one that only one of the files lists is as the default in the other.
    """
    was, is_ = _Side.of(before), _Side.of(now)
    for place in sorted({*was.rows, *is_.rows}):
        every = was.environments.get(place.deployable, set()) | is_.environments.get(place.deployable, set())
        found: dict[tuple[tuple[Row, ...], tuple[Row, ...]], list[str]] = {}
        for environment in sorted(every):
            old, new = was.at(place, environment), is_.at(place, environment)
            if old != new:
                found.setdefault((old, new), []).append(environment)
        for (old, new), environments in found.items():
            said = () if len(environments) == len(every) else environments
            who = say("lock.who", group=place.group)
            if place.deployable != ".":
                who = say("lock.who-in", group=place.group, deployable=place.deployable)
            if said:
                who = say("lock.who-under", who=who, environments=map(verbatim, said))
            yield from _change(who, place.topic, old, new)


class _Place(Struct, frozen=True, order=True):
    group: str
    topic: str
    deployable: str


class _Side(Struct, frozen=True):
    """The rows of one lock file, each without its environments, by place and environment."""

    rows: dict[_Place, dict[str, tuple[Row, ...]]]
    environments: dict[str, set[str]]
    """Those of each deployable."""

    @classmethod
    def of(cls, rows: Iterable[Row]) -> _Side:
        found = cls({}, {})
        for row in rows:
            names = row.environments.split(",")
            found.environments.setdefault(row.deployable, set()).update(names)
            here = found.rows.setdefault(_Place(row.group, row.topic, row.deployable), {})
            for name in names:
                here[name] = (*here.get(name, ()), replace(row, environments=""))
        return found

    def at(self, place: _Place, environment: str) -> tuple[Row, ...]:
        """What holds in an environment."""
        known = environment in self.environments.get(place.deployable, ())
        return self.rows.get(place, {}).get(environment if known else NO_PROFILE, ())


def _change(who: Message, topic: str, old: Sequence[Row], new: Sequence[Row]) -> Iterator[Message]:
    if topic == NOT_THERE:
        yield say("lock.stands-no-longer" if old else "lock.stands", who=who)
    elif not old:
        yield say("lock.subscribes", who=who, topic=topic, filters=_filters(new))
    elif not new:
        yield say("lock.leaves", who=who, topic=topic, filters=_filters(old))
    else:
        yield from _changed(who, topic, old, new)


def _changed(who: Message, topic: str, old: Sequence[Row], new: Sequence[Row]) -> Iterator[Message]:
    was, is_ = {row.model for row in old}, {row.model for row in new}
    if was != is_:
        yield say("lock.model", who=who, topic=topic, was=_listed(was), now=_listed(is_))
    if {row.filter for row in old} == {row.filter for row in new}:
        return
    before, after = _tags(old), _tags(new)
    if before is None or after is None:
        yield say("lock.filter", who=who, topic=topic, was=_filters(old), now=_filters(new))
        return
    lost, gained = before - after, after - before
    if lost:
        yield say("lock.loses", who=who, topic=topic, tags=_listed(lost))
    if gained:
        yield say("lock.gains", who=who, topic=topic, tags=_listed(gained))
    if not lost and not gained:
        yield say("lock.spelled", who=who, topic=topic, filters=_filters(new))


def _tags(of: Sequence[Row]) -> frozenset[str] | None:
    found: frozenset[str] = frozenset()
    for row in of:
        if row.tags is None:
            return None
        found |= row.tags
    return found


def _filters(of: Iterable[Row]) -> Iterator[Message]:
    return map(quoted, sorted({row.filter for row in of}))


def _listed(texts: Iterable[str]) -> Iterator[Message]:
    return map(verbatim, sorted(texts))


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
