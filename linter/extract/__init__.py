"""Bytes of one file -> `FileFacts`, path-free and total. The path only tells the language by the file's name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from subdrift.linter.extract import source
from subdrift.linter.model.facts import FileFacts, Problem
from subdrift.linter.model.languages import base_name, language_of
from subdrift.linter.model.location import START
from subdrift.linter.model.message import say

Reader = Callable[[str, bytes], FileFacts | None]
"""(base name, content) -> facts, or None where the file holds nothing for us."""

_READERS: dict[str, str] = {
    "config": "subdrift.linter.extract.config",
    "xml": "subdrift.linter.extract.spring_beans",
    "build": "subdrift.linter.extract.build",
    "deploy": "subdrift.linter.extract.deploy",
    "owners": "subdrift.linter.extract.owners",
}
"""Language -> module with a `read_file` of type `Reader`; imported when first used, for parsers are heavy."""


def read(path: str, content: bytes) -> FileFacts | None:
    """The facts of one file; None when nothing reads files of this name or the file holds nothing for us.

    A bug costs the file and becomes an `internal-error` problem. Raises `MemoryError` alone.
    """
    language = language_of(path)
    if language is None or (language not in _READERS and language not in source.LANGUAGES):
        return None
    try:
        return _reader(language)(base_name(path), content)
    except RecursionError:
        return FileFacts(language, problems=(_too_deep(),))
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - totality: one file is lost, and says so
        problem = Problem(
            "internal-error",
            say("reading-failed", error=f"{type(error).__name__}: {error}"),
            say("report-this-file"),
            START,
        )
        return FileFacts(language, problems=(problem,))


def _reader(language: str) -> Reader:
    if language in source.LANGUAGES:
        return source.reader(language)
    found: Reader = import_module(_READERS[language]).read_file
    return found


def _too_deep() -> Problem:
    """The blind spot of a file whose code is nested deeper than a reader follows; its neighbours are unharmed."""
    return Problem("skipped-file", say("code-nested-too-deeply"), say("split-deepest"), START)
