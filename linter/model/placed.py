"""Facts and their origin: what the path of a file adds to what the file says.

Extraction is path-free; here a file gets its repository and path, from which follow the scope of what it
declares, the dotted name of a Python module, and the profile a Spring configuration file belongs to.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Location, Origin, Span

_TEST_FOLDERS = frozenset(
    {"test", "tests", "testing", "it", "integrationtest", "testfixtures", "androidtest"}
)
_SAMPLE_WORD = re.compile(r"(?:^|[-_.])(?:examples?|samples?|demos?|quickstart|tutorials?)(?:$|[-_.])")
_TEST_MODULE = re.compile(r"(?:^|[-_.])(?:tests?|e2e|it|integration-tests?)$")
_TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*\.py|[^/]*_test\.py|conftest\.py)$")
_PACKAGE_ROOTS = frozenset({"com", "org", "net", "io", "cn", "java", "kotlin"})
"""Folders below which the folders of JVM sources are packages, whose names decide nothing."""

_SPRING = re.compile(
    r"(?:^|/)(?:(application|bootstrap)(?:-([^/]+?))?\.(?:ya?ml|properties)"
    r"|META-INF/(microprofile-config)(?:-([^/]+?))?\.properties)$"
)


class Placed(Struct, frozen=True):
    """The facts of one file with its origin."""

    origin: Origin
    facts: FileFacts

    def at(self, span: Span) -> Location:
        return Location(self.origin, span)


@lru_cache(maxsize=65_536)
def scope_of(path: str) -> str:
    """`test`, `sample` or `main`, by the folders a file stands in; packages and names of classes decide nothing."""
    parts = path.lower().split("/")
    folders = parts[:-1]
    if "src" in folders and any(part in _TEST_FOLDERS for part in folders[folders.index("src") + 1 :][:1]):
        return "test"
    if _TEST_FILE.search(path):
        return "test"
    outside = folders[: folders.index("src")] if "src" in folders else folders
    if "src" not in folders and path.endswith((".java", ".kt")):
        outside = folders[
            : next((i for i, part in enumerate(folders) if part in _PACKAGE_ROOTS), len(folders))
        ]
    if any(part in _TEST_FOLDERS or _TEST_MODULE.search(part) for part in outside):
        return "test"
    if any(_SAMPLE_WORD.search(part) for part in outside):
        return "sample"
    return "main"


def spring_file(path: str) -> tuple[str, str] | None:
    """(`application`, `bootstrap` or `microprofile-config`, profile or "") of a settings file that is found by its name, None
    for another file."""
    match = _SPRING.search(path)
    return (match[1] or match[3], match[2] or match[4] or "") if match else None


def python_module(path: str) -> tuple[str, ...]:
    """The dotted parts a Python file can be imported by, from the repository root down."""
    parts = path.removesuffix(".py").split("/")
    return tuple(parts[:-1] if parts[-1] == "__init__" else parts)
