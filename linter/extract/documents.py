"""Settings files as whole documents, for code that loads them by itself: types, empty maps and sections kept.

`FileFacts.text` is the text of an INI file, whose meaning hangs on how its reader is set up, and the tree of a YAML, JSON
or TOML file as JSON: a list of the documents of the file. A scalar that no JSON stands for (a date) is `{"!": kind}`; one of
YAML that is written otherwise than in JSON (`yes`, `010`) is `{"!": text, "=": value}`.
"""

from __future__ import annotations

import datetime
import json
import math
from typing import Any, Final

from subdrift.linter.extract.masks import unmask

DOCUMENT_CHARS_MAX: Final = 64 * 1024
"""Characters of a document that is kept."""

NODES_MAX: Final = 4_096
"""Nodes of a document, those that aliases name again counted each time."""

NESTING_MAX: Final = 60
OTHER: Final = "!"
"""The only key of what stands for a scalar without a JSON of its own, or the one beside `SAME`."""
SAME: Final = "="


class _TooLargeError(Exception):
    """The tree has more than `NODES_MAX` nodes."""


def text_of(text: str) -> str:
    return text if len(text) <= DOCUMENT_CHARS_MAX else ""


def of_data(data: object) -> str:
    """A tree of Python's own values, of JSON or TOML; "" where it is too large."""
    try:
        return text_of(json.dumps([_plain(data, [NODES_MAX], 0)]))
    except (_TooLargeError, ValueError):
        return ""


def of_nodes(roots: list[Any]) -> str:
    """The documents of a YAML file as `yaml.safe_load` makes them of their nodes; "" where they are too large."""
    budget = [NODES_MAX]
    try:
        return text_of(json.dumps([_of_node(root, budget, 0) for root in roots]))
    except (_TooLargeError, ValueError):
        return ""


def _plain(value: object, budget: list[int], depth: int) -> object:
    _count(budget, depth)
    if isinstance(value, dict):
        return {str(key): _plain(each, budget, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, budget, depth + 1) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {OTHER: "float"}
    if isinstance(value, datetime.date | datetime.time):
        return {OTHER: "date"}
    return value


def _count(budget: list[int], depth: int) -> None:
    budget[0] -= 1
    if budget[0] < 0 or depth > NESTING_MAX:
        raise _TooLargeError


def _of_node(node: Any, budget: list[int], depth: int) -> object:
    import yaml

    _count(budget, depth)
    if isinstance(node, yaml.SequenceNode):
        return [_of_node(each, budget, depth + 1) for each in node.value]
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, budget, depth)
    return _scalar(node)


def _mapping(node: Any, budget: list[int], depth: int) -> dict[str, object]:
    """A mapping; what `<<` brings in is there where no key of its own is. A key that is not a text is given up."""
    import yaml

    merged: dict[str, object] = {}
    own: dict[str, object] = {}
    for key, value in node.value:
        if key.tag == "tag:yaml.org,2002:merge":
            sources = value.value if isinstance(value, yaml.SequenceNode) else [value]
            for source in reversed(sources):
                if isinstance(source, yaml.MappingNode) and source is not node:
                    _count(budget, depth + 1)
                    merged.update(_mapping(source, budget, depth + 1))
            continue
        name = _scalar(key) if isinstance(key, yaml.ScalarNode) else None
        if not isinstance(name, str):
            raise _TooLargeError
        own[name] = _of_node(value, budget, depth + 1)
    return {**merged, **own}


_SCALARS: Final = frozenset({"null", "bool", "int", "float"})


def _scalar(node: Any) -> object:
    """What PyYAML's `SafeConstructor` makes of a scalar."""
    import yaml

    kind = node.tag.rpartition(":")[2]
    text = unmask(node.value)
    if kind == "str":
        return text
    if kind not in _SCALARS:
        return {OTHER: kind}
    made = yaml.constructor.SafeConstructor().construct_object(node)
    if isinstance(made, float) and not math.isfinite(made):
        return {OTHER: kind}
    return made if made is None or json.dumps(made) == text else {OTHER: text, SAME: made}
