"""The paths of one repository, indexed for demand."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from subdrift.linter.model.placed import python_module


class Paths:
    """The paths of one repository, indexed for demand: which file may define a name."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = {}
        self._folders: dict[str, list[str]] = {}
        self._kotlin: dict[str, list[str]] = {}
        for path in paths:
            folder, _, name = path.rpartition("/")
            self._by_name.setdefault(name, []).append(path)
            if name.endswith((".kt", ".kts")):
                self._kotlin.setdefault(folder, []).append(path)
            if name.endswith(".java"):
                self._folders.setdefault(folder, []).append(path)
        self._packages: dict[str, list[str]] = {}
        for folder in self._folders:
            self._packages.setdefault(folder.rpartition("/")[2], []).append(folder)

    @functools.cached_property
    def clues(self) -> frozenset[str]:
        """What of these paths can answer for a name, in the spelling of `clues_of`."""
        packages = {
            f"{path.rpartition('/')[0].rpartition('/')[2]}/" for path in self._by_name.get("__init__.py", ())
        }
        folders = {f"{folder}/" for folder in self._packages}
        return frozenset((*self._by_name, *packages, *folders, *((_ANY_KOTLIN,) if self._kotlin else ())))

    def defining(self, name: str) -> list[str]:
        """The files whose path says that they define a type (Python names start with a dot)."""
        return self._python(name[1:]) if name.startswith(".") else self._java(name) or self._of_package(name)

    def _of_package(self, name: str) -> list[str]:
        """Every Kotlin file of the package a name is declared in: a file's name says nothing. Its folder may leave out
        the first parts of the package."""
        parts = name.split(".")
        end = next((i for i, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
        for cut in range(end + 1 if self._kotlin else 0):
            tail = "/".join(parts[cut:end])
            found = [
                path
                for folder, inside in self._kotlin.items()
                if folder == tail or folder.endswith(f"/{tail}" if tail else "/kotlin")
                for path in inside
            ]
            if found:
                return found
        return []

    def neighbours(self, name: str) -> tuple[str, list[str]]:
        """A Java type's simple name, and the files of its package, where no file bears its name."""
        package, simple = _java_parts(name)
        if not simple or not package or self._java(name):
            return "", []
        tail = package.replace(".", "/")
        folders = [
            folder
            for folder in self._packages.get(tail.rpartition("/")[2], ())
            if folder == tail or folder.endswith(f"/{tail}")
        ]
        return simple, [path for folder in folders for path in self._folders[folder]]

    def named(self, name: str) -> list[str]:
        """The files of a base name; `*` in it stands for any part."""
        if "*" not in name:
            return self._by_name.get(name, [])
        fits = re.compile(re.escape(name).replace(r"\*", "[^/]+")).fullmatch
        return [path for base, paths in self._by_name.items() if fits(base) for path in paths]

    def _java(self, name: str) -> list[str]:
        for package, simple in _java_splits(name):
            if f"{simple}.java" not in self._by_name:
                continue
            tail = f"{package.replace('.', '/')}/{simple}.java" if package else f"{simple}.java"
            dotted = f"{package}/{simple}.java"  # a folder named like the whole package
            found = [
                path
                for path in self._by_name.get(f"{simple}.java", ())
                if path == tail or path.endswith((f"/{tail}", f"/{dotted}"))
            ]
            if found:
                return found
        return []

    def _python(self, name: str) -> list[str]:
        parts = tuple(part for part in name.split(".") if part)
        found: list[str] = []
        for cut in range(len(parts), 0, -1):
            module = parts[:cut]
            for base in (f"{module[-1]}.py", "__init__.py"):
                found += [
                    path for path in self._by_name.get(base, ()) if python_module(path)[-cut:] == module
                ]
            if found:
                break
        return found


_ANY_KOTLIN = "*.kt"
"""The clue of any Kotlin file: its name says nothing."""


def clues_of(name: str) -> frozenset[str]:
    """What a repository must have a clue of to answer for a name: base names of files, names of folders (with a slash). A
    repository without any of these has no file that `Paths` gives for it; `*` in the name of a settings file matches too
    much for a clue, and then there is none here."""
    if "*" in name:
        return frozenset()
    if name.startswith("."):
        parts = [part for part in name.split(".") if part]
        return frozenset((*(f"{part}.py" for part in parts), *(f"{part}/" for part in parts)))
    package, _ = _java_parts(name)
    files = (f"{simple}.java" for _, simple in _java_splits(name))
    return frozenset((name, *files, f"{package.rpartition('.')[2]}/", _ANY_KOTLIN))


@functools.lru_cache(1 << 16)
def _java_splits(name: str) -> tuple[tuple[str, str], ...]:
    """Every way to tell package and outermost type of a full name apart; a package may be capitalised too."""
    parts = name.split(".")
    return tuple((".".join(parts[:index]), part) for index, part in enumerate(parts) if part[:1].isupper())


@functools.lru_cache(1 << 16)
def _java_parts(name: str) -> tuple[str, str]:
    """Package and outermost type of a full name, told apart by the case of the first letter."""
    parts = name.split(".")
    for index, part in enumerate(parts):
        if part[:1].isupper():
            return ".".join(parts[:index]), part
    return name, ""
