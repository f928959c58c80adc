"""Which file a Python import means.

Nobody writes down where Python looks for modules (`sys.path`), so it is seen from the files: an import root is a folder
above the importing file, or one whose top package does not itself stand in a package (`src` layouts, several projects in
one repository). The nearest root wins; two equally near ones are ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from subdrift.linter.model.location import Origin

_SOURCE_FOLDERS = frozenset({"src", "lib", "python", "source", "sources"})

_OF_OTHER_NAMES = frozenset(
    (
        "Crypto", "Cryptodome", "IPython", "MySQLdb", "OpenSSL", "PIL", "_pytest", "aliyunsdkcore", "attr", "boto3", "botocore",
        "bs4", "certifi", "charset_normalizer", "click", "cv2", "cx_Oracle", "dateutil", "docx", "fitz", "git", "google",
        "grpc", "h11", "httpcore", "idna", "itsdangerous", "jinja2", "jose", "jwt", "ldap", "lxml", "magic", "markupsafe",
        "multidict", "mysql", "nacl", "numpy", "opentelemetry", "packaging", "pandas", "pip", "pkg_resources", "pptx",
        "psycopg2", "pydantic_core", "pydantic_settings", "pymysql", "pytest", "pytz", "requests", "ruamel", "serial",
        "setuptools", "simplejson", "six", "skimage", "sklearn", "sniffio", "socks", "sqlalchemy", "starlette", "tencentcloud",
        "toml", "tornado", "typing_extensions", "tzlocal", "urllib3", "werkzeug", "win32api", "win32con", "wx", "yaml", "yarl",
        "zmq",
    )
)  # fmt: skip
"""Modules of distributions that have other names, or that others bring along: a build does not declare them by name."""

_ABOUT = re.compile(r"^(?:python|py|django|flask)_?|_(?:python|py|client|sdk|binary|headless)\d?$|\d+$")
"""What names of distributions say beside that of the module."""


def is_declared(module: str, distributions: Iterable[str]) -> bool:
    """Whether a module may be one of some distributions, or of a library that nobody declares by name."""
    if module in _OF_OTHER_NAMES:
        return True
    wanted = _plain(module)
    return any(one.startswith(wanted) or wanted.startswith(one) for one in map(_plain, distributions))


def _plain(name: str) -> str:
    small = name.lower().replace("-", "_")
    while (shorter := _ABOUT.sub("", small)) and shorter != small:
        small = shorter
    return small.replace("_", "")


class Ambiguous(Struct, frozen=True):
    """Files that an import means equally well."""

    places: tuple[Origin, ...]


class ModuleIndex:
    """All Python files of a run, by the names they can be imported under."""

    def __init__(self, origins: Iterable[Origin]) -> None:
        self._by_last: dict[str, list[tuple[tuple[str, ...], Origin]]] = {}
        self._packages: set[tuple[str, tuple[str, ...]]] = set()
        self._files: dict[tuple[str, tuple[str, ...]], Origin] = {}
        self._folders: set[tuple[str, tuple[str, ...]]] = set()
        for origin in origins:
            if not origin.path.endswith(".py"):
                continue
            parts = tuple(origin.path[:-3].split("/"))
            package = parts[-1] == "__init__"
            parts = parts[:-1] if package else parts
            if package:
                self._packages.add((origin.repo, parts))
            if package or (origin.repo, parts) not in self._files:  # a package hides a module of its name
                self._files[origin.repo, parts] = origin
            for end in range(1, len(parts)):
                self._folders.add((origin.repo, parts[:end]))
        for (_, parts), origin in self._files.items():
            if parts:
                self._by_last.setdefault(parts[-1], []).append((parts, origin))

    def relative(self, near: Origin, level: int, module: str) -> Origin | None:
        """`from ..module import …` in the file `near`: level 1 is its own package."""
        here = tuple(near.path.split("/"))[:-1]
        if level - 1 > len(here):
            return None
        base = here[: len(here) - (level - 1)]
        return self._files.get((near.repo, (*base, *module.split(".")) if module else base))

    def absolute(self, near: Origin, module: str) -> Origin | Ambiguous | None:
        """`import module` in the file `near`: of its own repository, else the only one elsewhere that fits."""
        wanted = tuple(module.split("."))
        here = tuple(near.path.split("/"))[:-1]
        ranked: list[tuple[tuple[int, int, int], Origin]] = []
        for parts, origin in self._by_last.get(wanted[-1], ()):
            if parts[-len(wanted) :] != wanted or origin == near:
                continue
            root = parts[: len(parts) - len(wanted)]
            if (origin.repo, root) in self._packages and root != here:
                continue  # a folder inside a package is not an import root, unless a script runs there
            shared = _shared(root, here)
            if origin.repo != near.repo:
                if len(wanted) > 1 or (origin.repo, parts) in self._packages:
                    ranked.append(((2, 0, len(root)), origin))
            elif shared == len(root):
                ranked.append(((0, -shared, 0), origin))
            else:
                ranked.append(((1, -shared, 0 if root[-1] in _SOURCE_FOLDERS else 1), origin))
        if not ranked:
            return None
        best = min(rank for rank, _ in ranked)
        level = sorted(origin for rank, origin in ranked if rank == best)
        return level[0] if len(level) == 1 else Ambiguous(tuple(level))

    def inside(self, package: Origin, name: str) -> Origin | None:
        """The module `name` of a package, given its `__init__.py`."""
        parts = tuple(package.path.split("/"))
        if parts[-1] != "__init__.py":
            return None
        return self._files.get((package.repo, (*parts[:-1], name)))

    def children(self, package: Origin) -> list[tuple[str, bool]]:
        """The modules of a package, given its `__init__.py`, in order: each with whether it is a package itself."""
        here = tuple(package.path.split("/"))[:-1]
        return sorted(
            (parts[-1], (repo, parts) in self._packages)
            for repo, parts in self._files
            if repo == package.repo and len(parts) == len(here) + 1 and parts[:-1] == here
        )

    def is_package(self, near: Origin, module: str) -> bool:
        """Whether a dotted name is a folder of Python files that has no `__init__.py`, seen from `near`."""
        wanted = tuple(module.split("."))
        here = tuple(near.path.split("/"))[:-1]
        return any(
            (near.repo, (*here[:end], *source, *wanted)) in self._folders
            for end in range(len(here) + 1)
            for source in ((), *((each,) for each in sorted(_SOURCE_FOLDERS)))
        )


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many leading folders two paths have in common."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
