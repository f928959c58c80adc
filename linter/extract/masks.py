"""Texts that real YAML files hold and YAML forbids, made readable without moving a column; and where a node stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from subdrift.linter.model.location import Span

if TYPE_CHECKING:
    from yaml.nodes import Node

FORBIDDEN = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Characters YAML does not allow: the pattern of PyYAML, which is compiled once where it is used, and takes its time."""

_MAVEN = re.compile(r"@([A-Za-z0-9._-]+)@")
_STAND_IN = "\ue000"
_OPEN, _CLOSE = "\ue001\ue001", "\ue002\ue002"


def masked_maven(text: str) -> str:
    """The text with a letter of no language in place of the signs around Maven's placeholders."""
    return _MAVEN.sub(rf"{_STAND_IN}\1{_STAND_IN}", text)


def mask(text: str) -> str:
    """Make texts readable that real files hold and YAML forbids, without moving a column.

    Maven's `@x@` (a reserved indicator at the start of a value), tabs used as indentation or before comments, template
    lines of Helm (`{{ … }}` alone on a line becomes a comment; inside a value it is text), characters YAML does not allow.
    """
    masked = text
    if "@" in text:
        masked = masked_maven(text)
    if "\t" in masked:
        masked = re.sub(r"(?m)^[ \t]+|[ \t]+$|(?<=:)[ \t]+", lambda match: " " * len(match[0]), masked)
    if "{{" in masked:
        masked = re.sub(
            r"(?m)^(\s*)\{\{.*\}\}[ ]*$",
            lambda match: match[1] + "#" * (len(match[0]) - len(match[1])),
            masked,
        )
        masked = re.sub(
            r"(?m)(?<=[:-] )(\w[^\n\"'{}]*)?(\{\{[^{}\n]*\}\}[^\n\"'{}]*)+$",
            lambda match: match[0].replace("{{", _OPEN).replace("}}", _CLOSE),
            masked,
        )
    return re.sub(FORBIDDEN, "\ufffd", masked)


def unmask(text: str) -> str:
    """What was written where a masked text was read."""
    return text.replace(_STAND_IN, "@").replace(_OPEN, "{{").replace(_CLOSE, "}}")


def node_span(node: Node) -> Span:
    """The place of a node."""
    start, end = node.start_mark, node.end_mark
    return Span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)
