"""Where tree-sitter-kotlin does not read valid Kotlin. Offsets stay, whatever is changed in a text.

A last member on the line of its class's brace: `class A { fun f() {} }` is an error to it, or an infix call `class A {…}`;
`class A { fun f() {};}` is not.

Annotations of declarations: `@A(["x"]) class B {}` is to it an annotated `(["x"])` and then a class, `@A @B class C {}` an
annotated infix call. They are taken out of the text, which is parsed again, and put before what follows them.

`class A : B by c { fun f() {} }` may be to it a class without a body, whose delegate is the call `c {…}`: `by c` is taken out.

A line that begins with `+` or `-`, or with a call of `by` or `where`, goes on with the one before to it; to Kotlin it is a
statement, outside of parentheses.

A loop in the place of a branch, `if (a) for (b in c) d(b)`, is to it a call of `for`: it is parsed by itself, and a name stands
for it.

`a to f<B>(c)` is to it `(a to f)<B>(c)`, `a ?: f<B>(c)` the comparison `((a ?: f) < B) > (c)`: the `<B>` is taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct
from tree_sitter import Node, Tree

from subdrift.linter.languages import trees
from subdrift.linter.languages.kotlin.syntax import GRAMMAR, kind

NESTED_MAX = 8
"""Classes inside classes in which annotations are put right: each level is read once more."""

GENERIC_MAX = 256
"""Calls with type arguments that are put right in one file."""

LOOPS_MAX = 64
"""Loops without braces around them that are put right in one file."""

_ANNOTATED = kind("annotated_expression")
_ANNOTATED_LAMBDA = kind("annotated_lambda")
_ASSIGNMENT = kind("assignment")
_BINARY = kind("binary_expression")
_CALL = kind("call_expression")
_CLASSES = GRAMMAR.kinds("class_declaration object_declaration companion_object")
_DELEGATED = kind("explicit_delegation")
_DELEGATIONS = kind("delegation_specifiers")
_ANNOTATION = kind("annotation")
_IDENTIFIER = kind("identifier")
_IF = kind("if_expression")
_INFIX = kind("infix_expression")
_LOOPS = GRAMMAR.kinds("for_statement while_statement")
_OPERATIONS = GRAMMAR.kinds("binary_expression infix_expression range_expression in_expression as_expression")
_PARENTHESES = kind("parenthesized_expression")
_STATEMENTS = GRAMMAR.kinds("block lambda_literal source_file class_body function_body")
_BRACKETS = GRAMMAR.kinds("parenthesized_expression value_arguments index_expression collection_literal")
_TYPE_ARGUMENTS = kind("type_arguments")
_MEMBERS = GRAMMAR.kinds(
    "source_file class_declaration object_declaration companion_object class_body enum_class_body ERROR"
)
"""What declarations stand in, and no expression does; in scripts expressions do, and lose their annotations."""

_SIGNED_LINE = re.compile(rb"\n[ \t]*([+-](?![=+\->])|(?:by|where)\b)")
_LOOP = re.compile(rb"(?<=[\s)])(?:for|while)(?=[ \t]*\()")
_GENERIC = re.compile(rb"(?<=[\w`])<(?=[ \t]*[\w(*@`])")
_BETWEEN = re.compile(rb"[<>]|->|[^\w\s.,?*()&@`:]")
_CALLED = re.compile(rb"[ \t]*[({]")

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
    stray = (_first(child) for node in _holders(root) for child in node.named_children)
    calls = (child for child in stray if child.kind_id == _INFIX)
    begun = (child.children[0] for child in calls)
    taken = sum(data[one.start_byte : one.end_byte] in (b"class", b"interface", b"object") for one in begun)
    return taken + len(trees.broken(root))


def _first(node: Node) -> Node:
    """What is assigned to, where an assignment stands for a declaration; else the node."""
    return node.children[0] if node.kind_id == _ASSIGNMENT and node.child_count else node


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


class Taken(NamedTuple):
    """What was taken out of a text, and is not in its tree: annotations by the offset of the declaration that they stand
    before, delegates by the offset of the type that they stand for, type arguments of calls and loops by their own."""

    annotations: dict[int, list[Loose]]
    delegates: dict[int, Node]
    types: dict[int, Node]
    loops: dict[int, Node]

    def merged(self, more: Taken) -> Taken:
        """All that was taken out here and there."""
        return Taken(
            self.annotations | more.annotations,
            self.delegates | more.delegates,
            self.types | more.types,
            self.loops | more.loops,
        )


def put_right(tree: Tree, data: bytes) -> tuple[Tree, bytes, Taken]:
    """The tree of a text without what the grammar misreads, that text, and what was taken out."""
    found: list[Loose] = []
    delegates: dict[int, Node] = {}
    types: dict[int, Node] = {}
    inside = Taken({}, {}, {}, {})
    for _ in range(NESTED_MAX):
        loose = list(_loose(tree.root_node))
        ranges = [(one.annotation.start_byte, one.end) for one in loose]
        for type_, value, start in _swallowed(tree.root_node):
            delegates[type_.start_byte] = value
            ranges.append((start, value.end_byte))
        for given in _misread_types(tree.root_node, data, GENERIC_MAX - len(types)):
            types[given.start_byte] = given
            ranges.append((given.start_byte, given.end_byte))
        breaks = list(_broken_lines(tree.root_node, data))
        cut = bytearray(data)
        for one in _bare_loops(tree.root_node, cut, LOOPS_MAX - len(inside.loops)):
            inside = inside.merged(one)
        if not ranges and not breaks and cut == data:
            break
        for place in breaks:
            cut[place : place + 1] = b";"
        for start, end in ranges:
            cut[start:end] = _INK.sub(b" ", data[start:end])
        again = trees.parse(GRAMMAR.parser, bytes(cut))
        if again is None:
            break
        tree, data = again, bytes(cut)
        found += loose
    return tree, data, Taken(_placed(found, data), delegates, types, {}).merged(inside)


def _bare_loops(root: Node, cut: bytearray, most: int) -> Iterator[Taken]:
    """Takes loops that the grammar took for calls out of a text, the last one first: each with what is taken out of it."""
    for match in list(_LOOP.finditer(cut))[::-1]:
        name = root.descendant_for_byte_range(*match.span())
        if name is None or name.kind_id != _IDENTIFIER or name.start_byte != match.start() or most <= 0:
            continue
        start = match.start()
        loop = _first_loop(bytes(cut[start : _end_of_branch(name)]), start) or _first_loop(
            bytes(cut[start:]), start
        )
        end = 0 if loop is None else loop.end_byte
        tree = trees.parse(GRAMMAR.parser, b" " * start + cut[start:end] + b"\n") if end else None
        if tree is None:
            continue
        tree, _, taken = put_right(tree, b" " * start + cut[start:end] + b"\n")
        again = next((one for one in tree.root_node.named_children if one.kind_id in _LOOPS), None)
        if again is not None:
            most -= 1
            cut[start:end] = b"_" + _INK.sub(b" ", bytes(cut[start + 1 : end]))
            yield taken.merged(Taken({}, {}, {}, {start: again}))


def _end_of_branch(node: Node) -> int:
    """Where the branch of an `if` ends that a node stands in."""
    current = node
    while current.parent is not None and current.parent.kind_id != _IF:
        current = current.parent
    return current.end_byte


def _first_loop(text: bytes, start: int) -> Node | None:
    """The loop that a text begins with, at its offsets."""
    tree = trees.parse(GRAMMAR.parser, b" " * start + text)
    first = tree.root_node.named_children[:1] if tree is not None else []
    return first[0] if first and first[0].kind_id in _LOOPS else None


def _broken_lines(root: Node, data: bytes) -> Iterator[int]:
    """The offsets of line ends behind which a sign or word stands that is not an operator between two lines."""
    for match in _SIGNED_LINE.finditer(data):
        sign = root.descendant_for_byte_range(*match.span(1))
        holder = sign.parent if sign is not None else None
        if holder is None or sign is None or sign.start_byte != match.start(1):
            continue
        if holder.kind_id not in (_BINARY, _INFIX) or holder.children[0].end_byte > sign.start_byte:
            continue
        while holder is not None and holder.kind_id not in _STATEMENTS and holder.kind_id not in _BRACKETS:
            holder = holder.parent
        if holder is not None and holder.kind_id in _STATEMENTS:
            yield match.start()


def _misread_types(root: Node, data: bytes, most: int) -> Iterator[Node]:
    """The type arguments of calls that are to the grammar calls of an operation, or comparisons."""
    for match in _GENERIC.finditer(data):
        start = match.start()
        sign = root.descendant_for_byte_range(start, start + 1)
        holder = sign.parent if sign is not None else None
        if holder is None or most <= 0:
            continue
        found: Node | None = None
        if holder.kind_id == _TYPE_ARGUMENTS:
            call = holder.parent
            if call is not None and call.kind_id == _CALL and call.children[0].kind_id in _OPERATIONS:
                found = holder
        elif holder.kind_id == _BINARY:
            end = _closing(data, start)
            found = _as_types(data, start, end) if end and _CALLED.match(data, end) else None
        if found is not None:
            most -= 1
            yield found


def _closing(data: bytes, start: int) -> int:
    """The offset behind the `>` of a `<`; 0 where what is between them is no list of types."""
    depth = 0
    for found in _BETWEEN.finditer(data, start, start + 300):
        if found[0] == b"<":
            depth += 1
        elif found[0] == b">":
            depth -= 1
            if not depth:
                return found.end()
        elif found[0] != b"->":
            return 0
    return 0


def _as_types(data: bytes, start: int, end: int) -> Node | None:
    """The type arguments that a text is in the place of a call's, at their offsets."""
    tree = trees.parse(GRAMMAR.parser, b" " * (start - 1) + b"f" + data[start:end] + b"()")
    node = None if tree is None else tree.root_node.descendant_for_byte_range(start, start + 1)
    given = node.parent if node is not None else None
    return given if given is not None and given.kind_id == _TYPE_ARGUMENTS else None


def _placed(found: list[Loose], data: bytes) -> dict[int, list[Loose]]:
    """Annotations by the offset of what stands behind them."""
    before: dict[int, list[Loose]] = {}
    start = place = len(data)  # of the annotation behind, and of what that one stands before
    for one in sorted(found, key=lambda each: each.annotation.start_byte, reverse=True):
        blank = _BLANKS.match(data, one.end, start)
        reached = blank.end() if blank else one.end
        place = place if reached == start else reached
        before.setdefault(place, []).insert(0, one)
        start = one.annotation.start_byte
    return before


def _swallowed(root: Node) -> Iterator[tuple[Node, Node, int]]:
    """Delegates that swallowed the body of their class: the type, the delegate, where its `by` stands."""
    for node in _holders(root):
        if node.kind_id not in _CLASSES or any(child.kind_id in _MEMBERS for child in node.named_children):
            continue
        last = node.named_children[-1] if node.named_child_count else None
        each = last.named_children[-1] if last is not None and last.kind_id == _DELEGATIONS else None
        inner = each.named_children[-1] if each is not None and each.named_child_count else None
        if inner is None or inner.kind_id != _DELEGATED:
            continue
        call = inner.named_children[-1]
        if call.kind_id == _CALL and call.children[-1].kind_id == _ANNOTATED_LAMBDA:
            by = next(child for child in inner.children if child.type == "by")
            yield inner.named_children[0], call.children[0], by.start_byte


def _loose(root: Node) -> Iterator[Loose]:
    """The annotations of expressions where only declarations stand."""
    for node in _holders(root):
        for child in node.named_children:
            if _first(child).kind_id == _ANNOTATED:
                yield from _of_expression(_first(child))


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
