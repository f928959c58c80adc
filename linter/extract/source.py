"""A source file -> facts: it is lowered, and what the lowered form declares is recognised. No other file has a say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module

from msgspec.structs import replace

from subdrift.linter.extract.suppressions import MARK, suppressions
from subdrift.linter.languages.text import decode
from subdrift.linter.model import ir
from subdrift.linter.model.facts import FileFacts, Problem
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import say
from subdrift.linter.recognise import facts as recognised

LANGUAGES = {
    "java": "subdrift.linter.languages.java",
    "kotlin": "subdrift.linter.languages.kotlin",
    "python": "subdrift.linter.languages.python",
}
"""Language -> the package that lowers its files (`lower`) and finds their comments (`comments`); imported when first
used, for parsers are heavy."""

Comments = Callable[[bytes], tuple[list[str], list[tuple[ir.At, str]]]]
"""Content -> the lines of its text, and the place and text of each comment."""


def reader(language: str) -> Callable[[str, bytes], FileFacts]:
    """The `linter.extract.Reader` of a language."""
    module = import_module(LANGUAGES[language])

    def read_file(name: str, content: bytes) -> FileFacts:
        # a Kotlin file's name is that of the class the JVM has for what it declares outside of classes
        stem = (name.rpartition(".")[0],) if language == "kotlin" else ()
        facts = recognised(module.lower(content, *stem))
        facts = replace(facts, problems=(*_decoding(language, content), *facts.problems))
        if MARK not in content or facts.unit is None or facts.unit.skipped:
            return facts
        comments: Comments = module.comments
        lines, found = comments(content)
        return replace(facts, suppressions=suppressions(lines, [(Span(*at), text) for at, text in found]))

    return read_file


def _decoding(language: str, content: bytes) -> Iterator[Problem]:
    """What has to be said where bytes are neither UTF-8 nor marked as anything else; a Python file names its encoding."""
    if language == "python" or content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return
    try:
        content.decode()
    except UnicodeDecodeError:
        encoding = decode(content)[1]
        yield Problem("parse-error", say("not-utf8", encoding=encoding), None, START)
