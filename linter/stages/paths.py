"""The paths of one repository, indexed for demand."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from linter.model.placed import python_module


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
