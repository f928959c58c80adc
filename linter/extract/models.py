"""The models of library classes that come with the program, lowered when first asked for.

A model is source code of the analysed language that does what a library's class or module does (`resolve/models`). Its
files are data beside the code, also where that lies in an archive.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from subdrift.linter.extract.source import LANGUAGES
from subdrift.linter.model import ir

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_PACKAGE = f"{__name__.removesuffix('.extract.models')}.resolve.models"
_SUFFIXES = {".java": "java", ".kt": "kotlin", ".py": "python"}


@cache
def paths() -> tuple[str, ...]:
    """The models' paths below their folder, sorted: `java/java/util/Optional.java`."""
    found: list[str] = []
    stack = [("", _folder())]
    while stack:
        inside, one = stack.pop()
        for each in one.iterdir():
            path = f"{inside}/{each.name}" if inside else each.name
            if each.is_dir():
                stack.append((path, each))
            elif inside and language_of(path):
                found.append(path)
    return tuple(sorted(found))


@cache
def lowered(path: str) -> ir.Unit:
    """The lowered form of a model that comes with the program."""
    return lower(path, _folder().joinpath(*path.split("/")).read_bytes())


@lru_cache(maxsize=256)
def lower(path: str, content: bytes) -> ir.Unit:
    """The lowered form of any file of a language, which its path names; raises `KeyError` for another one."""
    language = _SUFFIXES[path[path.rindex(".") :]]
    stem = (path.rpartition("/")[2].rpartition(".")[0],) if language == "kotlin" else ()
    unit: ir.Unit = import_module(LANGUAGES[language]).lower(content, *stem)
    return unit


def language_of(path: str) -> str:
    """The language of a file that may be a model, "" for any other file."""
    return _SUFFIXES.get(f".{path.rpartition('.')[2]}", "")


def _folder() -> Traversable:
    from importlib.resources import files  # no run that takes everything from its cache needs it

    return files(_PACKAGE)
