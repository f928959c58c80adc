"""How a configuration is read: whose it is, what messages call it, and the configuration that `extends` names."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Collection
from posixpath import join, normpath

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter import files
from subdrift.linter.files import reason_of
from subdrift.linter.model.message import UnusableError
from subdrift.linter.settings.data import PYPROJECT

FILE_BYTES_MAX = 256 << 10
EXTENDS_MAX = 10
"""Configurations one behind the other."""
PACKAGE = "package:"
"""What stands before the name of an installed package in `extends`."""

Read = Callable[[str], bytes | None]
"""The bytes of a file of a tree that is not on disk, by its path; None where there is none."""


class CannotExtendError(UnusableError):
    """A configuration that cannot be taken over."""


class Opening(Struct, frozen=True):
    """How a configuration is read. `shown` is what messages call it, `name` its base name.

    With `root` it is a repository's own, which may be anybody's: a symbolic link is a mistake then, and so is a path that
    leads out of the repository or into its `.git`; other such paths are relative to the root. `place` is its own path:
    on disk, or in the tree that `tree` reads where it is not on disk. `rules` are the names of rules there are; none
    where they are not checked. `above` are the places of the configurations that extend it.
    """

    shown: str
    name: str
    place: str
    root: str = ""
    tree: Read | None = None
    rules: Collection[str] = ()
    above: tuple[str, ...] = ()
    inside: str = ""
    """The folder of the package it is part of, "" for none."""

    @property
    def prefix(self) -> tuple[str, ...]:
        return ("tool", "subdrift") if self.name == PYPROJECT else ()

    @property
    def folder(self) -> str:
        """The folder of files it names that are read: beside it, where another configuration has it by `extends`."""
        return os.path.dirname(self.place) if self.above else self.root or os.path.dirname(self.place)


def extended(named: str, opening: Opening) -> tuple[bytes, Opening]:
    """The bytes of the configuration that `extends` names, and how they are read. Raises `CannotExtendError`."""
    if named.startswith(PACKAGE):
        content, found = _of_package(named, opening)
    elif opening.tree is not None and not opening.inside:
        content, found = _of_tree(named, opening)
    else:
        content, found = _on_disk(named, opening)
    found = replace(found, rules=opening.rules, above=(*opening.above, opening.place))
    if found.place in found.above:
        turn = found.above[found.above.index(found.place) :]
        names = " → ".join(os.path.basename(one) for one in (*turn, found.place))
        raise CannotExtendError("settings.extends-cycle", names=names)
    if len(found.above) > EXTENDS_MAX:
        raise CannotExtendError("settings.extends-deep", most=EXTENDS_MAX)
    return content, found


def _on_disk(named: str, opening: Opening) -> tuple[bytes, Opening]:
    folder = os.path.dirname(opening.place)
    place = os.path.realpath(os.path.join(folder, named))
    home = os.path.realpath(opening.inside or opening.root) if opening.inside or opening.root else ""
    # a repository's own configuration may be anybody's: it must not show what else is on this machine
    hidden = home and ".git" in (part.lower() for part in os.path.relpath(place, home).split(os.sep))
    if home and (hidden or os.path.isabs(named) or os.path.commonpath((home, place)) != home):
        raise CannotExtendError("settings.extends-outside", text=named)
    shown = os.path.join(os.path.dirname(opening.shown), named)
    return _content(place, named), replace(opening, shown=shown, name=os.path.basename(place), place=place)


def _of_tree(named: str, opening: Opening) -> tuple[bytes, Opening]:
    assert opening.tree is not None
    place = normpath(join(os.path.dirname(opening.place), named))
    if place.startswith(("../", "/")):
        raise CannotExtendError("settings.extends-outside", text=named)
    content = opening.tree(place)
    if content is None:
        raise CannotExtendError("settings.extends-gone", text=named)
    stem = opening.shown.removesuffix(opening.place)
    return content, replace(opening, shown=f"{stem}{place}", name=os.path.basename(place), place=place)


def _of_package(named: str, opening: Opening) -> tuple[bytes, Opening]:
    """A file of an installed package, which is found and not imported: nothing of it runs."""
    package, _, path = named.removeprefix(PACKAGE).partition("/")
    if not package.isidentifier() or not path:
        raise CannotExtendError("settings.extends-package", text=named)
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):  # a module that says nothing of where it is from, such as __main__
        spec = None
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not folders:
        raise CannotExtendError("settings.extends-no-package", package=package)
    home = os.path.realpath(folders[0])
    place = os.path.realpath(os.path.join(home, path))
    if os.path.commonpath((home, place)) != home:
        raise CannotExtendError("settings.extends-package", text=named)
    return _content(place, named), Opening(named, os.path.basename(place), place, opening.root, inside=home)


def _content(place: str, named: str) -> bytes:
    try:
        return files.read(place, FILE_BYTES_MAX)
    except FileNotFoundError as error:
        raise CannotExtendError("settings.extends-gone", text=named) from error
    except (OSError, ValueError) as error:
        raise CannotExtendError("settings.extends-unread", text=named, why=reason_of(error)) from error
