"""Bytes of one file -> `FileFacts`, path-free and total. The path only tells the language by the file's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from linter.extract.prefilter import base_name, language_of
from linter.model.facts import FileFacts, Problem
from linter.model.location import START
from linter.model.message import say

Reader = Callable[[str, bytes, frozenset[str]], FileFacts | None]
"""(base name, content, tracked names) -> facts, or None where the file holds nothing for us."""

_READERS: dict[str, str] = {
    "java": "linter.extract.java",
    "python": "linter.extract.python",
    "kotlin": "linter.extract.kotlin",
    "config": "linter.extract.config",
    "xml": "linter.extract.xml",
    "build": "linter.extract.build",
    "deploy": "linter.extract.deploy",
    "owners": "linter.extract.owners",
}
"""Language -> module with a `read_file` of type `Reader`; imported when first used, for parsers are heavy."""


_LOWERED = {"java": "linter.languages.java", "python": "linter.languages.python"}
"""Language -> module that lowers a file to the intermediate form."""


def read(path: str, content: bytes, tracked: frozenset[str] = frozenset()) -> FileFacts | None:
    """The facts of one file; None when nothing reads files of this name or the file holds nothing for us.

    `tracked` are simple names of methods, classes and annotations whose uses are wanted as `CallSite`s. Never
    raises: a bug costs the file and becomes an `internal-error` problem.
    """
    language = language_of(path)
    module = _READERS.get(language or "")
    if language is None or module is None:
        return None
    try:
        reader: Reader = import_module(module).read_file
        facts = reader(base_name(path), content, tracked)
        if facts is not None and language in _LOWERED:
            return replace(facts, unit=import_module(_LOWERED[language]).lower(content))
        return facts
    except RecursionError:
        return FileFacts(language, problems=(_too_deep(),))
    except Exception as error:  # noqa: BLE001 - totality: one file is lost, and says so
        problem = Problem(
            "internal-error",
            say("reading-failed", error=f"{type(error).__name__}: {error}"),
            say("report-this-file"),
            START,
        )
        return FileFacts(language, problems=(problem,))


def _too_deep() -> Problem:
    """The blind spot of a file whose code is nested deeper than a reader follows; its neighbours are unharmed."""
    return Problem(
        "skipped-file",
        say("code-nested-too-deeply"),
        say("split-deepest"),
        START,
    )
