"""Modules that take each other in: rings of a graph, in time that grows with its size."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from msgspec import Struct, field

Node = TypeVar("Node")


class _Walk(Struct, Generic[Node]):
    """Where Tarjan's depth-first walk has come to: when it met a node, and the earliest one that is reached from there."""

    met: dict[Node, int] = field(default_factory=dict)
    low: dict[Node, int] = field(default_factory=dict)
    open: dict[Node, None] = field(default_factory=dict)


def rings(nodes: Iterable[Node], targets: Callable[[Node], Sequence[Node]]) -> list[tuple[Node, ...]]:
    """The strongly connected parts of more than one node, each in the order of `nodes`."""
    ordered = list(nodes)
    place = {node: number for number, node in enumerate(ordered)}
    walk: _Walk[Node] = _Walk()
    found: list[tuple[Node, ...]] = []
    for start in ordered:
        if start not in walk.met:
            parts = _parts(walk, start, targets)
            found += [tuple(sorted(part, key=place.__getitem__)) for part in parts if len(part) > 1]
    return sorted(found, key=lambda part: place[part[0]])


def _parts(walk: _Walk[Node], start: Node, targets: Callable[[Node], Sequence[Node]]) -> Iterator[list[Node]]:
    """The strongly connected parts that are met from a node; without recursion, for a chain may be long."""
    path: list[tuple[Node, Iterator[Node]]] = [(start, _met(walk, start, targets))]
    while path:
        node, rest = path[-1]
        for target in rest:
            if target not in walk.met:
                path.append((target, _met(walk, target, targets)))
                break
            if target in walk.open:
                walk.low[node] = min(walk.low[node], walk.met[target])
        else:
            path.pop()
            if path:
                above = path[-1][0]
                walk.low[above] = min(walk.low[above], walk.low[node])
            if walk.low[node] == walk.met[node]:
                part: list[Node] = []
                while not part or part[-1] != node:
                    part.append(walk.open.popitem()[0])
                yield part


def _met(walk: _Walk[Node], node: Node, targets: Callable[[Node], Sequence[Node]]) -> Iterator[Node]:
    walk.met[node] = walk.low[node] = len(walk.met)
    walk.open[node] = None
    return iter(targets(node))


def way_around(ring: Sequence[Node], targets: Callable[[Node], Sequence[Node]]) -> tuple[Node, ...]:
    """The shortest way from the first node of a ring back to it, that node at both ends."""
    inside, start = set(ring), ring[0]
    before: dict[Node, Node] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for target in targets(node):
            if target == start:
                way = [start, node]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return tuple(reversed(way))
            if target in inside and target not in before:
                before[target] = node
                queue.append(target)
    raise ValueError("not a ring")
