"""What the stages read: the files of one repository, on disk or in git, listed once and read by path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, Protocol

from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.sources.listing import Listing

LISTED_AHEAD: Final = 8
"""Trees that are being listed while another is read: more would take processes and open files, and save nothing."""


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


def begin_listing(trees: Iterable[Tree], most: int = LISTED_AHEAD) -> None:
    """Lets the listing of the first few begin."""
    for one in islice(trees, most):
        one.start_listing()


def listed_ahead(trees: Sequence[Tree]) -> Iterator[Tree]:
    """The trees, one after the other, while the listing of the next few has begun."""
    coming = iter(trees)
    begin_listing(coming)
    for tree in trees:
        yield tree
        begin_listing(coming, 1)
