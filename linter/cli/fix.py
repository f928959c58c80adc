"""`check --fix` and `check --diff`: the changes that settle findings, made or shown (`linter/stages/fixes.py` has which)."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from subdrift.linter import files
from subdrift.linter.cli.job import Job
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.edit import Edit, Left
from subdrift.linter.model.finding import Finding
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.report.language import Language
from subdrift.linter.stages.fixes import Fix, plan
from subdrift.linter.stages.rewriting import rewrite

LEFT_NAMED_MAX: Final = 10
"""Places that are left as they are and are told one by one."""


class Applied(Struct, frozen=True):
    """What became of the edits: a unified diff, the files that change, the places with an edit that is not safe and was
    not asked for, and those that stay as they are."""

    diff: str
    files: int
    waiting: int
    left: tuple[tuple[Location, Left], ...]


def apply(
    job: Job, findings: Iterable[Finding], consumers: Iterable[Consumer], write: bool, unsafe: bool
) -> Applied:
    """Make the safe edits, with `unsafe` the others too; the files are changed where `write` says so.

    Raises OSError where a file cannot be written.
    """
    by_file: dict[Origin, list[Fix]] = {}
    left: list[tuple[Location, Left]] = []
    for one in plan(findings, consumers):
        by_file.setdefault(one.origin, []).append(one)
    shown: list[str] = []
    count = waiting = 0
    for origin, fixes in sorted(by_file.items()):
        repository, content = job.repository(origin.repo), job.read(origin)
        if repository is None or content is None:
            continue
        before = _decoded(content)
        chosen = [one for one in fixes if one.left is None and (one.safe or unsafe)]
        others = [one for one in fixes if one.left is None and one not in chosen]
        after, kept = _made(origin.path, before, chosen)
        _, not_made = _made(origin.path, before, others)
        waiting += len(others) - len(not_made)
        left += [(Location(origin, one.edit.at), one.left) for one in fixes if one.left is not None]
        left += [(Location(origin, edit.at), why) for edit, why in (kept | not_made).items()]
        if before is None or after == before:
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
    return Applied("".join(shown), count, waiting, tuple(sorted(left, key=lambda each: each[0])))


def _decoded(content: bytes) -> str | None:
    """The text of a file; None where it is in another encoding than UTF-8, and left to its owner."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _made(path: str, before: str | None, fixes: Sequence[Fix]) -> tuple[str, dict[Edit, Left]]:
    """The text after some edits, and those that could not be made."""
    edits = [one.edit for one in fixes]
    if before is None or not edits:
        return before or "", dict.fromkeys(edits, Left.UNREADABLE)
    made = rewrite(path, before, edits)
    return made.text, made.left


def remarks(done: Applied, words: Language, preview: bool) -> list[str]:
    """What a person is told on stderr: what changed, what awaits `--unsafe-fixes`, what is left as it is and why."""
    said = []
    if done.files and not preview:
        said.append(words.word("fix.changed", count=done.files))
    if done.waiting:
        said.append(words.word("fix.waiting", count=done.waiting))
    for at, why in done.left[:LEFT_NAMED_MAX]:
        said.append(words.word("fix.left", place=str(at), why=words.word(f"fix.left.{why.value}")))
    if len(done.left) > LEFT_NAMED_MAX:
        said.append(words.word("fix.left-more", count=len(done.left) - LEFT_NAMED_MAX))
    return said
