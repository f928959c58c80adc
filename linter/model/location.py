"""Where something stands: spans inside a file, and the file a fact came from.

Lines and columns count from 1, columns in code points, ends are exclusive. Extractors convert.
"""

from __future__ import annotations

from msgspec import Struct


class Span(Struct, frozen=True, order=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A stretch of one file, path-free."""

    line: int
    column: int
    end_line: int
    end_column: int


START = Span(1, 1, 1, 1)
"""The place of what concerns a whole file."""


class Origin(Struct, frozen=True, order=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A file: repository name and path relative to its root, forward slashes, valid text."""

    repo: str
    path: str


class Location(Struct, frozen=True, order=True, array_like=True, forbid_unknown_fields=True, gc=False):
    origin: Origin
    span: Span

    @property
    def order(self) -> tuple[str, str, int, int, int, int]:
        """Sorts as locations do, at the price of comparing tuples: for keys of many."""
        origin, span = self.origin, self.span
        return origin.repo, origin.path, span.line, span.column, span.end_line, span.end_column

    def __str__(self) -> str:
        return f"{self.origin.path}:{self.span.line}:{self.span.column}"
