"""`check --fix` and `check --diff`: the changes that cannot change a meaning, made or shown.

So far that is one: where consumers of a group write the same tags in different order or spacing, the spelling of most of
them becomes that of all, without repetitions. A value is changed only where it stands as one literal, or as the value of a
key, in a file of the run; one that other groups or topics use too stays, and the others are spelled as it is.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from subdrift.linter import files
from subdrift.linter.cli.job import Job
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Finding
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.tags import SEPARATOR, java_trim, parse_tags

QUOTES = ('"', "'")
_SETTINGS: Final = (".yml", ".yaml", ".properties")
_PLAIN: Final = re.compile(r"\w[\w|. -]*")
"""What may stand in a file of settings without quotes, whatever is before and after it."""

Users = Mapping[Location, frozenset[tuple[str, str | None, str | None]]]
"""Who subscribes by what was written at a place: namespace, group and topic."""


def users_of(consumers: Iterable[Consumer]) -> Users:
    """Every place that the expression of a subscription was made of, with all the groups and topics it is for."""
    found: dict[Location, set[tuple[str, str | None, str | None]]] = {}
    for consumer in consumers:
        for one in consumer.subscriptions:
            user = (consumer.namespace.text or "", consumer.group.text, one.topic.text)
            for step in one.expression.trail:
                found.setdefault(step.at, set()).add(user)
    return {at: frozenset(every) for at, every in found.items()}


class Edit(Struct, frozen=True):
    """A literal, and the text that is to stand in its quotes."""

    at: Location
    old: str
    new: str


def edits(findings: Iterable[Finding], users: Users) -> Iterator[Edit]:
    """What can be changed without a change of meaning, each place once."""
    seen: set[Location] = set()
    for one in findings:
        if one.rule != "tag-order-differs" or one.suppressed is not None:
            continue
        written = {
            place.side: place.label.value("text") for place in one.places if place.label.code == "written"
        }
        counted = [(one.counts[side], text) for side, text in written.items() if side < len(one.counts)]
        if not counted:
            continue
        shared = {
            place.label.value("text"): place.value_at or place.at
            for place in one.places
            if place.label.code == "written" and len(users.get(place.value_at or place.at, ())) > 1
        }
        best = _once(max(counted, key=lambda pair: (pair[0], _once(pair[1]) == pair[1], pair[1]))[1])
        if shared:
            best = min(shared)
        for place in one.places:
            text = place.label.value("text")
            at = place.value_at or place.at
            same = text and parse_tags(text).tags == parse_tags(best).tags
            if same and text != best and at not in seen and at not in shared.values():
                seen.add(at)
                yield Edit(at, text, best)


def _once(text: str) -> str:
    """A list of tags without those that stand in it already."""
    parts: dict[str, str] = {}
    for part in text.split(SEPARATOR):
        parts.setdefault(java_trim(part), part)
    return text if len(parts) == text.count(SEPARATOR) + 1 else java_trim(SEPARATOR.join(parts.values()))


def changed(content: str, wanted: Iterable[Edit]) -> str:
    """The text of a file with the edits made that fit it, the last first so that no place moves."""
    lines = content.split("\n")
    for one in sorted(wanted, key=lambda each: each.at.span, reverse=True):
        span = one.at.span
        if span.line != span.end_line or span.line > len(lines):
            continue
        line = lines[span.line - 1]
        literal = line[span.column - 1 : span.end_column - 1]
        fixed = _fixed(literal, one)
        if fixed is not None:
            lines[span.line - 1] = line[: span.column - 1] + fixed + line[span.end_column - 1 :]
    return "\n".join(lines)


def _fixed(written: str, one: Edit) -> str | None:
    """A literal, or a key with its value, as it is to be; None where it is not written as expected."""
    quote = written[:1]
    if quote in QUOTES and written == f"{quote}{one.old}{quote}":
        return None if quote in one.new else f"{quote}{one.new}{quote}"
    if not one.at.origin.path.endswith(_SETTINGS):
        return None
    found = re.fullmatch(
        rf"(?P<key>[^:=]*[:=]\s*)(?P<quote>[\"']?){re.escape(one.old)}(?P=quote)", written, re.ASCII
    )
    if found is None or not (_PLAIN.fullmatch(one.new) or (found["quote"] and found["quote"] not in one.new)):
        return None
    return f"{found['key']}{found['quote']}{one.new}{found['quote']}"


def apply(job: Job, findings: Iterable[Finding], users: Users, write: bool) -> tuple[str, int]:
    """A unified diff of what changes, and the number of files; with `write` the files are changed too.

    Raises OSError where a file cannot be written.
    """
    by_file: dict[Origin, list[Edit]] = {}
    for one in edits(findings, users):
        by_file.setdefault(one.at.origin, []).append(one)
    shown: list[str] = []
    count = 0
    for origin, wanted in sorted(by_file.items()):
        repository, content = job.repository(origin.repo), job.read(origin)
        if repository is None or content is None:
            continue
        try:
            before = content.decode("utf-8")
        except UnicodeDecodeError:
            continue  # a file in another encoding is left to its owner
        after = changed(before, wanted)
        if after == before:
            continue
        count += 1
        shown += difflib.unified_diff(
            before.splitlines(keepends=True),
            after.splitlines(keepends=True),
            f"a/{origin.path}",
            f"b/{origin.path}",
        )
        if write:
            files.write(os.path.join(repository.root, origin.path), after.encode(), follow=False)
    return "".join(shown), count
