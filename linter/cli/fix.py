"""`check --fix` and `check --diff`: the changes that cannot change a meaning, made or shown.

So far that is one: where consumers of a group write the same tags in different order or spacing, the spelling of most of
them becomes that of all, without repetitions. A value is changed only where it stands as one literal in a file of the run.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from linter import files
from linter.cli.job import Job
from linter.model.finding import Finding
from linter.model.location import Location, Origin
from linter.model.tags import SEPARATOR, java_trim, parse_tags

QUOTES = ('"', "'")


@dataclass(frozen=True, slots=True)
class Edit:
    """A literal, and the text that is to stand in its quotes."""

    at: Location
    old: str
    new: str


def edits(findings: Iterable[Finding]) -> Iterator[Edit]:
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
        best = _once(max(counted, key=lambda pair: (pair[0], _once(pair[1]) == pair[1], pair[1]))[1])
        for place in one.places:
            text = place.label.value("text")
            at = place.value_at or place.at
            same = text and parse_tags(text).tags == parse_tags(best).tags
            if same and text != best and at not in seen:
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
        quote = literal[:1]
        if quote in QUOTES and literal == f"{quote}{one.old}{quote}" and quote not in one.new:
            fixed = f"{quote}{one.new}{quote}"
            lines[span.line - 1] = line[: span.column - 1] + fixed + line[span.end_column - 1 :]
    return "\n".join(lines)


def apply(job: Job, findings: Iterable[Finding], write: bool) -> tuple[str, int]:
    """A unified diff of what changes, and the number of files; with `write` the files are changed too.

    Raises OSError where a file cannot be written.
    """
    by_file: dict[Origin, list[Edit]] = {}
    for one in edits(findings):
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
