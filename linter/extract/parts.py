"""What the readers of several kinds of build files share."""

from __future__ import annotations

from collections.abc import Iterable

from subdrift.linter.model.facts import BuildFile, Dependency
from subdrift.linter.model.location import START, Span


def build_file(
    kind: str,
    *,
    coordinate: str = "",
    version: str = "",
    parent: Dependency | None = None,
    parent_path: str = "",
    modules: Iterable[str] = (),
    dependencies: Iterable[Dependency] = (),
    managed: Iterable[Dependency] = (),
    properties: Iterable[tuple[str, str]] = (),
    runs: bool = False,
    aggregates: bool = False,
    at: Span = START,
) -> BuildFile:
    """A `BuildFile` with everything not said left empty."""
    return BuildFile(
        kind, coordinate, version, parent, parent_path, tuple(modules), tuple(dependencies), tuple(managed),
        tuple(properties), runs, aggregates, at,
    )  # fmt: skip


def table(data: object, *path: str) -> dict[str, object]:
    """The table under a path of keys, an empty one where there is none."""
    current = data
    for key in path:
        current = current.get(key) if isinstance(current, dict) else None
    return current if isinstance(current, dict) else {}
