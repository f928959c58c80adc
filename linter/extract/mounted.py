"""Settings files inside a ConfigMap or Secret -> `ConfigEntry`s that name the inner file, placed in the outer one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.extract.masks import node_span, unmask
from subdrift.linter.model.facts import ConfigEntry
from subdrift.linter.model.location import Span

if TYPE_CHECKING:
    from yaml.nodes import Node

_SPRING_FILE = re.compile(r"(?:application|bootstrap)(?:-[^/]+)?\.(?:ya?ml|properties)")

_HELD_UNDER = {"ConfigMap": "data", "Secret": "stringData"}

Settings = Callable[[str, str], list[ConfigEntry]]
"""Name and text of a file -> what it sets."""


def mounted(root: Node, lines: Sequence[str], settings: Settings) -> Iterator[ConfigEntry]:
    """The keys of the Spring files that a ConfigMap holds, or a Secret whose texts are not encoded, as `settings` reads them;
    `lines` are those of the whole manifest.

    A block scalar keeps its lines, so every key has its own place; in any other style all keys stand where the
    inner file does. What does not parse gives nothing: the file is data to Kubernetes.
    """
    import yaml

    if not isinstance(root, yaml.MappingNode):
        return
    top = {key.value: value for key, value in root.value if isinstance(key, yaml.ScalarNode)}
    kind = top.get("kind")
    data = top.get(_HELD_UNDER.get(kind.value, "")) if isinstance(kind, yaml.ScalarNode) else None
    if not isinstance(data, yaml.MappingNode):
        return
    holder = _name(top.get("metadata"))
    for key, value in data.value:
        if not isinstance(key, yaml.ScalarNode) or not isinstance(value, yaml.ScalarNode):
            continue
        if not _SPRING_FILE.fullmatch(key.value):
            continue
        text = unmask(value.value)
        whole = node_span(value)
        for entry in settings(key.value, text):
            yield replace(entry, at=_shifted(entry.at, value, lines, whole), file=key.value, holder=holder)


def _name(metadata: Any) -> str:
    """The name of an object, "" where a chart makes it."""
    import yaml

    held = metadata.value if isinstance(metadata, yaml.MappingNode) else ()
    for key, value in held:
        if getattr(key, "value", "") == "name" and isinstance(value, yaml.ScalarNode):
            name = unmask(value.value)
            return "" if "{{" in name else name
    return ""


def _shifted(at: Span, value: Any, lines: Sequence[str], whole: Span) -> Span:
    if value.style != "|":
        return whole
    first = value.start_mark.line + 1
    inside = next((line for line in lines[first:] if line.strip()), "")
    indent = len(inside) - len(inside.lstrip(" "))
    return Span(at.line + first, at.column + indent, at.end_line + first, at.end_column + indent)
