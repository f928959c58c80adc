"""Where tree-sitter-kotlin does not read valid Kotlin. Offsets stay, whatever is changed in a text.

A last member on the line of its class's brace: `class A { fun f() {} }` is an error to it, or an infix call `class A {…}`;
`class A { fun f() {};}` is not.

Annotations of declarations: `@A(["x"]) class B {}` is to it an annotated `(["x"])` and then a class, `@A @B class C {}` an
annotated infix call. They are taken out of the text, which is parsed again, and put before what follows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from tree_sitter import Node, Tree

from subdrift.linter.languages import trees
from subdrift.linter.languages.kotlin.syntax import GRAMMAR, kind

NESTED_MAX = 8
"""Classes inside classes in which annotations are put right: each level is read once more."""

_ANNOTATED = kind("annotated_expression")
_ANNOTATION = kind("annotation")
_INFIX = kind("infix_expression")
_PARENTHESES = kind("parenthesized_expression")
_MEMBERS = GRAMMAR.kinds(
    "source_file class_declaration object_declaration companion_object class_body enum_class_body ERROR"
)
"""What declarations stand in, and no expression does; in scripts expressions do, and lose their annotations."""

_BLANKS = re.compile(rb"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_INK = re.compile(rb"[^\r\n]")

_TOKEN = re.compile(
    rb"""
      //[^\n]*
    | /\*.*?\*/
    | \"\"\".*?\"\"\"+
    | "(?:\\.|\$\{[^{}"\n]{0,200}(?:"[^"\n]{0,200}"[^{}"\n]{0,200}){0,9}\}|[^"\\\n])*"
    | '(?:\\.|[^'\\\n])+'
    | (?<![\s{;,(\[]) (?<!->) [ ](?=\})
    """,
    re.VERBOSE | re.DOTALL,
)


def close_members(data: bytes) -> bytes:
    """The text with a semicolon in place of the blank before a closing brace."""
    return _TOKEN.sub(lambda match: b";" if match[0] == b" " else match[0], data)


def wrong(root: Node, data: bytes) -> int:
    """How many places of a tree are not Kotlin: syntax errors, and classes that the grammar took for infix calls."""
    calls = (child for node in _holders(root) for child in node.named_children if child.kind_id == _INFIX)
    begun = (child.children[0] for child in calls)
    taken = sum(data[one.start_byte : one.end_byte] in (b"class", b"interface", b"object") for one in begun)
    return taken + len(trees.broken(root))


def _holders(root: Node) -> Iterator[Node]:
    """Every node in which declarations stand, and no expression does."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(child for child in node.named_children if child.kind_id in _MEMBERS or child.is_error)


class Loose(Struct, frozen=True):
    """An annotation that the grammar took for one of an expression; `arguments` what it took for that expression."""

    annotation: Node
    arguments: Node | None

    @property
    def end(self) -> int:
        return (self.arguments or self.annotation).end_byte


def put_right(tree: Tree, data: bytes) -> tuple[Tree, bytes, dict[int, list[Loose]]]:
    """The tree of a text without the annotations that the grammar misreads, that text, and by the offset of each
    declaration the annotations before it."""
    found: list[Loose] = []
    for _ in range(NESTED_MAX):
        loose = list(_loose(tree.root_node))
        if not loose:
            break
        cut = bytearray(data)
        for one in loose:
            start = one.annotation.start_byte
            cut[start : one.end] = _INK.sub(b" ", data[start : one.end])
        again = trees.parse(GRAMMAR.parser, bytes(cut))
        if again is None:
            break
        tree, data = again, bytes(cut)
        found += loose
    before: dict[int, list[Loose]] = {}
    start = place = len(data)  # of the annotation behind, and of what that one stands before
    for one in sorted(found, key=lambda each: each.annotation.start_byte, reverse=True):
        blank = _BLANKS.match(data, one.end, start)
        reached = blank.end() if blank else one.end
        place = place if reached == start else reached
        before.setdefault(place, []).insert(0, one)
        start = one.annotation.start_byte
    return tree, data, before


def _loose(root: Node) -> Iterator[Loose]:
    """The annotations of expressions where only declarations stand."""
    for node in _holders(root):
        for child in node.named_children:
            if child.kind_id == _ANNOTATED:
                yield from _of_expression(child)


def _of_expression(node: Node) -> Iterator[Loose]:
    current: Node | None = node
    while current is not None and current.kind_id == _ANNOTATED:
        annotations = [child for child in current.named_children if child.kind_id == _ANNOTATION]
        current = current.named_children[-1] if current.named_children else None
        for each in annotations:
            yield Loose(each, _arguments(current, each.end_byte) if current is not None else None)


def _arguments(expression: Node, start: int) -> Node | None:
    """The parentheses that an expression begins with right behind an annotation."""
    current: Node | None = expression
    while current is not None and current.start_byte == start:
        if current.kind_id == _PARENTHESES:
            return current
        current = current.children[0] if current.child_count else None
    return None
