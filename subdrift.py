"""The `subdrift` command and `python -m subdrift`: starts the program, once it is certain to start its own packages.

`linter` and `rules` are names other distributions and folders use too. One that takes the place of ours would end in a
traceback, or in wrong answers; it is refused here in a sentence, before anything of it is executed.
"""

from __future__ import annotations

import os
import sys

OWN = ("linter", "rules")
MARK = b"Part of subdrift."
"""Stands in the `__init__.py` of each of them."""
MARK_BYTES_MAX = 4096
CANNOT = 2


def stranger() -> str:
    """A sentence about a package that is not ours, "" where each one is."""
    for name in OWN:
        place = _found(name)
        if place is None:
            return f"its package `{name}` is not installed. Install subdrift again"
        if not _is_ours(place):
            return (
                f"the package `{name}` at {os.path.dirname(place) or place} is not subdrift's own: another "
                f"distribution, or a folder on PYTHONPATH, takes its name. Install subdrift in an environment of its "
                f"own (pipx install, uv tool install), or take that one off the path"
            )
    return ""


def _found(name: str) -> str | None:
    """Where an import would find a package: its `__init__.py`, or the folder of one without."""
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        spec = None if find is None else find(name, None)
        if spec is not None:
            places = list(spec.submodule_search_locations or ())
            return spec.origin if spec.has_location and spec.origin else (places[0] if places else name)
    return None


def _is_ours(place: str) -> bool:
    try:
        with open(place, "rb") as file:
            return MARK in file.read(MARK_BYTES_MAX)
    except OSError:
        return ".zip" in place or ".pex" in place  # in an archive nothing else can lie


def main() -> None:
    """The `subdrift` command."""
    said = stranger()
    if said:
        sys.stderr.write(f"subdrift: {said}.\n")
        sys.exit(CANNOT)
    from linter.cli import main as run

    run()


if __name__ == "__main__":
    main()
