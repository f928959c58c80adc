"""What an earlier scan of the same commit has left, so that its repository need not be opened again.

A scan leaves `state` beside its tables: what it listed, what it read at first sight, and, for each pair of names it looked
for, the files that use it. A scan with `--since` takes the rows of repositories whose commit is the same, and reads in them
only what was never asked for before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack

from msgspec import Struct, field

from linter.model.finding import Diagnostic
from spark_jobs.inputs import Opened, Setup, Source, commit_read, opened
from spark_jobs.rows import Row

STATE = "state"
"""Below the output folder."""


class Earlier(Struct):
    """What is left of one repository."""

    unchanged: bool = False
    used: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    """By file the pairs it uses."""
    had: dict[str, str | None] = field(default_factory=dict)
    """By file its facts, None where it has none."""

    def add(self, row: Row) -> None:
        kind, _, path, _, text = row
        match kind:
            case "unchanged":
                self.unchanged = True
            case "used":
                owner, name = json.loads(text)
                self.used.setdefault(path, set()).add((owner, name))
            case _:
                self.had[path] = text


class Late:
    """A repository that is opened when something of it is read, and not before."""

    def __init__(self, name: str, source: Source, setup: Setup) -> None:
        self.name = name
        self._source = source
        self._setup = setup
        self._stack = ExitStack()
        self._opened: Opened | None = None

    def __enter__(self) -> Late:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def read(self, path: str) -> bytes | Diagnostic:
        if self._opened is None:
            self._opened = self._stack.enter_context(opened(self._source, self._setup))
        return self._opened.read(path)

    def content(self, path: str) -> bytes | None:
        found = self.read(path)
        return found if isinstance(found, bytes) else None


def heads(sources: Iterable[Row]) -> Iterator[Row]:
    """`head` rows: the commit each source is read at, "" for a work tree. In: sources as JSON."""
    for (text,) in sources:
        yield "head", "", text, 0, commit_read(Source.loads(text))
