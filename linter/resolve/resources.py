"""Where a configuration file is found at run time, and which further files configuration and code name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.expr import Expr, Items, Literal
from subdrift.linter.model.facts import ConfigEntry, ResourceFolder, Type
from subdrift.linter.model.placed import scope_of

_ROOTS = ("resources", "java", "kotlin")
_IMPORT_KEY = re.compile(r"spring\.config\.import(?:\[(\d+)\])?", re.IGNORECASE)
_HINT = re.compile(r"\[\.[A-Za-z]+\]$")
_CENTRES = ("nacos",)
_FILES = ("classpath*", "classpath", "file")


def is_test_resource(path: str) -> bool:
    """Whether a file belongs to the test class path of its module (`src/test/resources`), whatever the module is."""
    folders = path.split("/")[:-1]
    return (
        "src" in folders and scope_of("/".join(["src", *folders[folders.index("src") + 1 :], "x"])) == "test"
    )


_BUILT = re.compile(
    r"(?:^|/)(?:target/(?:test-)?classes|build/(?:resources|classes)|bin/(?:main|test)|out/(?:production|test))/"
)
"""Where builds copy the resources of a module to."""


def is_copy(path: str) -> bool:
    """Whether a file is what a build has made of a resource: the resource itself is what is meant."""
    return _BUILT.search(path) is not None


def resource_of(path: str, folder: str) -> tuple[int, str] | None:
    """(0 for the working directory, 1 for the class path) and the name a file of a module is found by there.

    None for a file in a folder that neither the build nor Spring looks into by itself.
    """
    relative = path.removeprefix(f"{folder}/") if folder else path
    parts = relative.split("/")
    folders = parts[:-1]
    if "src" in folders:
        start = folders.index("src") + 2
        if start < len(parts) - 1 and parts[start] in _ROOTS:
            return 1, "/".join(parts[start + 1 :])
        return (1, parts[-1]) if start == len(parts) - 1 else None
    if folders[:1] == ["resources"]:
        return 1, "/".join(parts[1:])
    if not folders or folders == ["config"]:
        return 0, relative
    return None


def copied_to(path: str, folder: str, folders: Sequence[ResourceFolder]) -> tuple[str, bool] | None:
    """The name on the class path that a build gives a file of a module, and whether it is filtered; None where no
    resource folder holds the file."""
    relative = path.removeprefix(f"{folder}/") if folder else path
    for each in folders:
        if not relative.startswith(f"{each.directory}/"):
            continue
        name = relative[len(each.directory) + 1 :]
        if each.includes and not any(_fits(pattern, name) for pattern in each.includes):
            continue
        if not any(_fits(pattern, name) for pattern in each.excludes):
            return f"{each.target}/{name}".lstrip("/"), each.filtered
    return None


@lru_cache(maxsize=1_024)
def _pattern(text: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", f"{text}**" if text.endswith("/") else text)
    signs = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(signs.get(part) or re.escape(part) for part in parts))


def _fits(pattern: str, name: str) -> bool:
    """Whether a name fits one of Maven's patterns."""
    return _pattern(pattern.replace("\\", "/")).fullmatch(name) is not None


def filled_in(text: str, delimiters: str, known: Callable[[str], str | None]) -> str:
    """A text in which the build replaced the properties it knows; others stay as written."""

    def replaced(match: re.Match[str]) -> str:
        found = known(match[1])
        return match[0] if found is None else found

    if "$" in delimiters and "${" in text:
        text = re.sub(r"\$\{([\w.-]+)\}", replaced, text)
    if "@" in delimiters and text.count("@") > 1:
        text = re.sub(r"@([\w.-]+)@", replaced, text)
    return text


class Import(Struct, frozen=True):
    """A file that is named: its path as written, and the configuration centre that serves it ("" for none).

    `scheme`: `classpath` or `file` as written; without one a path that does not begin with a slash starts at the folder
    of the file that names it.
    """

    path: str
    centre: str = ""
    scheme: str = ""

    def seen_from(self, resource: str) -> Import:
        """The same file as a file found under a name on the class path means it."""
        folder = resource.rpartition("/")[0]
        if self.scheme or self.centre or self.path.startswith("/") or not folder:
            return self
        return replace(self, path=posixpath.normpath(f"{folder}/{self.path}"))


def imports_of(entries: Sequence[ConfigEntry]) -> Iterator[tuple[ConfigEntry, int, Import]]:
    """The files `spring.config.import` names: the entry, its number in the list, and the file."""
    for entry in entries:
        match = _IMPORT_KEY.fullmatch(entry.key)
        if match is None:
            continue
        for number, text in enumerate(entry.text.split(",")):
            found = location(text)
            if found is not None:
                yield entry, int(match[1] or 0) + number, found


def location(text: str) -> Import | None:
    """A resource location as Spring writes it; None for what is no file of the tree."""
    plain = text.strip().removeprefix("optional:").strip()
    written, colon, rest = plain.partition(":")
    if colon and written in _CENTRES:
        return Import(rest.partition("?")[0].lstrip("/"), written)
    scheme = written.rstrip("*") if colon and written in _FILES else ""
    if scheme:
        plain = rest
    elif colon and re.fullmatch(r"[a-z][a-z0-9+.-]*", written):
        return None
    plain = _HINT.sub("", plain.strip())
    return Import(plain, scheme=scheme) if plain else None


def property_sources(type_: Type) -> Iterator[Import]:
    """The files the `@PropertySource`s of a class name, written literally."""
    for annotation in type_.annotations:
        if not any(name.rpartition(".")[2] == "PropertySource" for name in annotation.candidates):
            continue
        for text in literals(annotation.argument("value")):
            found = location(text)
            if found is not None:
                yield found


def literals(expr: Expr | None) -> Iterator[str]:
    """The texts written in an attribute, alone or in an array."""
    if isinstance(expr, Literal):
        yield expr.text
    elif isinstance(expr, Items):
        for item in expr.items:
            yield from literals(item)
