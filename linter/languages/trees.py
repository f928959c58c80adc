"""Text -> syntax tree, bounded in time; where it is broken; what every lowering of a tree needs."""

from __future__ import annotations

from tree_sitter import Language, Node, Parser, Tree

from subdrift.linter.languages.text import Places
from subdrift.linter.model import ir

LEVELS_MAX = 500
"""How deep the lowered form of one file may be; what lies deeper is `Opaque("too-many")`. Counted so that neither our own
calls nor the encoder's go deeper."""

PARSE_STEPS_MAX = 40_000
"""Progress reports of the parser before a text is given up; 2 MiB of real Java take about 10,000."""
PARSE_STEPS_LEAST = 200
PARSE_BYTES_A_STEP = 20
"""A text has so many reports and one for so many bytes, several times what code takes: brackets that nobody closes make
Kotlin's grammar try everything in everything. The library does not give back the memory of a parse that was ended."""

CHUNK_BYTES = 1 << 16

BROKEN_MAX = 50
"""Syntax errors of one file whose places are kept."""


def parse(parser: Parser, data: bytes) -> Tree | None:
    """The tree of a text, or None where the parser takes too long for it. Its nodes' own `text` is not to be asked for."""
    steps = 0
    most = min(PARSE_STEPS_MAX, PARSE_STEPS_LEAST + len(data) // PARSE_BYTES_A_STEP)

    def stop(_offset: int, _error: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps >= most

    # tree-sitter 0.26 never lets go of what it was handed: a view that is released holds nothing
    handed: list[memoryview] = []

    def chunk(offset: int, _point: object) -> memoryview:
        handed.append(memoryview(data)[offset : offset + CHUNK_BYTES])
        return handed[-1]

    try:
        return parser.parse(chunk, progress_callback=stop)
    except ValueError:  # what the binding raises for a parse that was stopped
        parser.reset()
        return None
    finally:
        for view in handed:
            view.release()


def broken(root: Node) -> list[Node]:
    """The outermost nodes of a tree that are syntax errors, in order."""
    found: list[Node] = []
    stack = [root] if root.has_error else []
    while stack and len(found) < BROKEN_MAX:
        node = stack.pop()
        if node.is_error or node.is_missing:
            found.append(node)
        elif node.has_error:
            stack.extend(reversed(node.children))
    return found


def comments(grammar: Grammar, kinds: frozenset[int], data: bytes) -> list[tuple[ir.At, str]]:
    """The place and text of each comment in a text; none where the parser gives it up."""
    tree = parse(grammar.parser, data)
    found: list[tuple[ir.At, str]] = []
    places = Places(data)
    stack = [tree.root_node] if tree is not None else []
    while stack:
        node = stack.pop()
        if node.kind_id in kinds:
            text = data[node.start_byte : node.end_byte].decode("utf-8", "replace")
            found.append((places.between(node.start_byte, node.end_byte), text))
        else:
            stack.extend(reversed(node.children))
    return found


class Grammar:
    """A grammar's node kinds, signs and fields by number. All raise `LookupError` for what the grammar does not have."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.parser = Parser(language)
        self.names = {
            number: language.node_kind_for_id(number) or "" for number in range(language.node_kind_count)
        }
        self._kinds: dict[str, set[int]] = {}
        for number, name in self.names.items():
            if language.node_kind_is_named(number):
                self._kinds.setdefault(name, set()).add(number)

    def kind(self, name: str) -> int:
        """The number of a named node kind."""
        return self._number(name, named=True)

    def kinds(self, names: str) -> frozenset[int]:
        """The numbers of named node kinds, also where several have one name."""
        return frozenset(
            number for name in names.split() for number in (self.kind(name), *self._kinds.get(name, ()))
        )

    def token(self, text: str) -> int:
        """The number of a keyword or sign."""
        return self._number(text, named=False)

    def field(self, name: str) -> int:
        """The number of a field."""
        number = self.language.field_id_for_name(name)
        if number is None:
            raise LookupError(f"the grammar has no field {name}")
        return number

    def _number(self, name: str, named: bool) -> int:
        number = self.language.id_for_node_kind(name, named)
        if number is None:
            raise LookupError(f"the grammar has no {name}")
        return number


class Reader:
    """One file while it is lowered. `calls` and `names` are collected on the way, see `ir.Unit`."""

    __slots__ = ("between", "calls", "data", "names", "plain")

    COMMENTS: frozenset[int]
    """Kinds of nodes that may stand between any two others."""

    def __init__(self, data: bytes, places: Places) -> None:
        self.data = data
        self.plain = data.decode() if data.isascii() else None
        self.between = places.between
        self.calls: set[tuple[str, int]] = set()
        self.names: set[str] = set()

    def text(self, node: Node) -> str:
        if self.plain is not None:
            return self.plain[node.start_byte : node.end_byte]
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def at(self, node: Node) -> ir.At:
        return self.between(node.start_byte, node.end_byte)

    def children(self, node: Node) -> list[Node]:
        """The children without comments."""
        return [child for child in node.children if child.kind_id not in self.COMMENTS]

    def named(self, node: Node) -> list[Node]:
        """The named children without comments."""
        return [child for child in node.named_children if child.kind_id not in self.COMMENTS]
