"""XML -> elements with places.

Parsed by expat alone, without recursion. Document types with an internal subset and every entity declaration are
refused; an external one (`<!DOCTYPE beans PUBLIC …>` of old Spring files) is never fetched. Names are compared
without their namespace prefix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.parsers import expat

from msgspec import Struct, field

from subdrift.linter.extract.suppressions import MARK, suppressions
from subdrift.linter.extract.texts import decode
from subdrift.linter.model.facts import Problem, Suppression
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import say

FILE_BYTES_MAX = 2 * 1024 * 1024
"""Larger XML files are left out."""

NESTING_MAX = 100
"""Elements inside one another."""

ELEMENTS_MAX = 100_000
"""Elements of one file."""

_DECLARED = re.compile(rb"<\?xml[^>]*encoding\s*=\s*[\"']([\w.-]+)[\"']")


class Element(Struct):
    """One element: local name, attributes by local name, own text, children, and its place; `prefixed` are the attributes
    whose names have a prefix, with it."""

    tag: str
    attributes: dict[str, str]
    at: Span
    text: str = ""
    children: list[Element] = field(default_factory=list)
    text_at: Span = START
    prefixed: dict[str, str] = field(default_factory=dict)

    def child(self, tag: str) -> Element | None:
        return next((child for child in self.children if child.tag == tag), None)

    def all(self, tag: str) -> list[Element]:
        return [child for child in self.children if child.tag == tag]

    def content(self, tag: str) -> str:
        """The stripped text of the first child of that name, "" without one."""
        found = self.child(tag)
        return found.text.strip() if found is not None else ""

    def walk(self) -> Iterator[Element]:
        stack = [self]
        while stack:
            current = stack.pop()
            yield current
            stack.extend(reversed(current.children))


class Parsed(Struct, frozen=True):
    """A whole tree, or what stood in its way; comments with their places either way."""

    root: Element | None
    problem: Problem | None
    comments: tuple[tuple[Span, str], ...] = ()


class _Refused(Exception):
    """What a file holds that is not read, as a message's code."""


class _Reader:
    """Elements as expat tells of them, with the places of the texts inside."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self.comments: list[tuple[Span, str]] = []
        self._open: list[tuple[Element, list[str]]] = []
        self._count = 0
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = False  # or texts have the place of what follows them
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.CommentHandler = self._comment
        self._parser.StartDoctypeDeclHandler = self._document_type
        self._parser.EntityDeclHandler = self._entity

    def read(self, content: bytes) -> Problem | None:
        """Read a file to its end, or to what stands in its way."""
        try:
            self._parser.Parse(content, True)
        except expat.ExpatError as error:
            message = say("does-not-parse", language="XML", reason=expat.ErrorString(error.code))
            at = Span(error.lineno, error.offset + 1, error.lineno, error.offset + 1)
            return Problem("parse-error", message, say("rest-not-read"), at)
        except _Refused as refused:
            self.root = None
            line = self._place()[0]
            return Problem("skipped-file", say(str(refused)), say("exclude-the-file"), Span(line, 1, line, 1))
        finally:
            for element, texts in self._open:  # not closed: the file breaks off
                element.text = "".join(texts)
        return None

    def _place(self) -> tuple[int, int]:
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > ELEMENTS_MAX:
            raise _Refused("xml.too-many-elements")
        if len(self._open) >= NESTING_MAX:
            raise _Refused("xml.nested-too-deeply")
        line, column = self._place()
        prefixed = {key: value for key, value in attributes.items() if ":" in key}
        plain = {key.rpartition(":")[2]: value for key, value in prefixed.items()} | attributes
        at = Span(line, column, line, column + 1 + len(name))
        element = Element(name.rpartition(":")[2], plain, at, prefixed=prefixed)
        if self._open:
            self._open[-1][0].children.append(element)
        elif self.root is None:
            self.root = element
        self._open.append((element, []))

    def _end(self, name: str) -> None:
        element, texts = self._open.pop()
        element.text = "".join(texts)
        line, column = self._place()
        same = (line, column) == (element.at.line, element.at.column)
        length = len(name) + (1 if same else 3)
        element.at = Span(element.at.line, element.at.column, line, column + length)

    def _characters(self, data: str) -> None:
        if not self._open:
            return
        element, texts = self._open[-1]
        if element.text_at == START and data.strip():
            line, column = self._place()
            lead = data[: len(data) - len(data.lstrip())]
            if "\n" in lead:
                line, column = line + lead.count("\n"), len(lead) - lead.rfind("\n")
            else:
                column += len(lead)
            element.text_at = Span(line, column, line, column + len(data.strip().split("\n")[0]))
        texts.append(data)

    def _comment(self, data: str) -> None:
        line, column = self._place()
        lines = data.split("\n")
        end_column = len(lines[-1]) + 4 if len(lines) > 1 else column + len(data) + 7
        self.comments.append((Span(line, column, line + len(lines) - 1, end_column), data))

    @staticmethod
    def _document_type(name: str, system: str | None, public: str | None, internal: int) -> None:
        if internal:
            raise _Refused("xml.document-type")

    @staticmethod
    def _entity(*_: object) -> None:
        raise _Refused("xml.entity")


def parse(content: bytes) -> Parsed:
    """The tree of an XML file. Never raises; never reads anything but these bytes."""
    if len(content) > FILE_BYTES_MAX:
        message = say("too-many-bytes", count=len(content), most=FILE_BYTES_MAX)
        return Parsed(None, Problem("skipped-file", message, say("exclude-the-file"), START))
    reader = _Reader()
    problem = reader.read(_decoded(content).encode("utf-8", "replace"))
    return Parsed(reader.root, problem, tuple(reader.comments))


def _decoded(content: bytes) -> str:
    declared = _DECLARED.search(content[:200])
    if declared is not None and not content.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            return content.decode(declared[1].decode("ascii"), "replace")
        except (LookupError, ValueError, AssertionError):
            pass
    return decode(content)


def xml_suppressions(content: bytes, parsed: Parsed) -> tuple[Suppression, ...]:
    if MARK not in content:
        return ()
    return suppressions(re.split(r"\r\n|\r|\n", _decoded(content)), list(parsed.comments))
