"""What the stages read: the files of one repository, on disk or in git, listed once and read by path."""

from __future__ import annotations

from typing import Protocol

from linter.model.finding import Diagnostic
from linter.sources.listing import Listing


class Tree(Protocol):
    """One state of one repository."""

    @property
    def name(self) -> str: ...

    def start_listing(self) -> None:
        """Let slow work begin in the background, where there is any."""

    def listing(self) -> Listing:
        """The files, listed once and kept."""

    def files(self) -> tuple[str, ...]:
        """Paths of all regular files, sorted, valid text."""

    def read(self, path: str) -> bytes | Diagnostic:
        """The bytes of a file, or why there are none."""
