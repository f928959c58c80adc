"""Topics with their senders and readers (`linter.model.topics`) as diagrams, for Mermaid and for Graphviz.

Applications on the left, the topics they send to with the tags on the arrows, the groups that read them with theirs. What
nobody sends or reads has a dashed frame.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.topics import Map, application_of
from subdrift.linter.report.language import Language
from subdrift.linter.report.terminal import safe
from subdrift.linter.report.topics import asked_by, name_of, tag_in_words

Node = tuple[str, str]
"""Kind (`s` sender, `t` topic, `g` group) and name."""


def _arrows(found: Map, words: Language) -> Iterator[tuple[Node, str, Node]]:
    """From a node to another one, with what stands on the arrow; a topic that has none to itself without text."""
    for topic in found.topics:
        here = ("t", name_of(topic))
        yield here, "", here
        tags: dict[str, dict[str, None]] = {}
        for one in topic.sent:
            tags.setdefault(application_of(one.sender), {})[tag_in_words(one.tag, words)] = None
        for name, sent in sorted(tags.items()):
            yield ("s", name), ", ".join(sent), here
        groups: dict[str, dict[str, None]] = {}
        for each in topic.read:
            groups.setdefault(each.group, {})[asked_by(each, words)] = None
        for name, asked in sorted(groups.items()):
            yield here, ", ".join(asked), ("g", name)


def _alone(found: Map) -> set[Node]:
    return {("t", name_of(one)) for one in found.topics if not one.sent or not one.read}


def as_mermaid(found: Map, words: Language) -> str:
    """A flow chart of Mermaid."""
    lines = ["flowchart LR"]
    numbers: dict[Node, str] = {}
    frames = {"s": "[{}]", "t": "([{}])", "g": "[[{}]]"}

    def node(one: Node) -> str:
        known = numbers.get(one)
        if known is None:
            known = numbers[one] = f"{one[0]}{sum(one[0] == kind for kind, _ in numbers) + 1}"
            lines.append(f"  {known}{frames[one[0]].format(_mermaid(one[1]))}")
        return known

    for source, text, target in _arrows(found, words):
        left, right = node(source), node(target)
        if source != target:
            lines.append(f"  {left} -->|{_mermaid(text)}| {right}")
    alone = [numbers[one] for one in numbers if one in _alone(found)]
    if alone:
        lines += ["  classDef alone stroke-dasharray: 4 4", f"  class {','.join(alone)} alone"]
    return "\n".join(lines) + "\n"


def as_dot(found: Map, words: Language) -> str:
    """A graph of Graphviz."""
    lines = ["digraph topics {", "  rankdir=LR;"]
    shapes = {"s": "box", "t": "ellipse", "g": "box3d"}
    alone = _alone(found)
    seen: set[Node] = set()
    for source, text, target in _arrows(found, words):
        for one in (source, target):
            if one not in seen:
                seen.add(one)
                style = ", style=dashed" if one in alone else ""
                lines.append(f"  {_id(one)} [label={_dot(one[1])}, shape={shapes[one[0]]}{style}];")
        if source != target:
            lines.append(f"  {_id(source)} -> {_id(target)} [label={_dot(text)}];")
    return "\n".join((*lines, "}")) + "\n"


def _id(one: Node) -> str:
    return _dot(f"{one[0]} {one[1]}")


def _dot(text: str) -> str:
    """A quoted text: in one, Graphviz reads quotes and what a backslash begins."""
    shown = safe(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{shown}"'


def _mermaid(text: str) -> str:
    """A label: signs that Mermaid reads are written by their numbers."""
    shown = "".join(f"#{ord(sign)};" if sign in '"#&<>`' else sign for sign in safe(text))
    return f'"{shown}"'
