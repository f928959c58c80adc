"""Python expressions -> `ir` expressions, with what they call and mention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tree_sitter import Node

from subdrift.linter.languages.python import literals
from subdrift.linter.languages.python.syntax import (
    ARGUMENTS,
    ATTRIBUTE,
    ATTRIBUTE_NAME,
    BINARY,
    CALL,
    COMMENTS,
    FUNCTION,
    GENERATOR,
    GENERIC,
    IDENTIFIER,
    KEYWORD,
    LEFT,
    NAME,
    OBJECT,
    OPERATOR,
    RIGHT,
    STARRED,
    STRING,
    SUBSCRIPT,
    SUBSCRIPT_KIND,
    UNION_TYPE,
    VALUE,
    bare,
    field,
    first,
    kind,
    kinds,
    last,
    token,
)
from subdrift.linter.languages.python.types import Types
from subdrift.linter.languages.text import Places
from subdrift.linter.model import ir

DEPTH_MAX = 200
"""Levels of the lowered form. Deeper ones become `Opaque`: whoever walks a unit may recurse."""

NESTED_MAX = 90
"""Nested expressions and statements, chains like `a + b + c` counted once: each costs up to six frames here."""

_COMPARE = {
    "==": "==",
    "!=": "!=",
    "<>": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "is": "===",
    "is not": "!==",
    "in": "in",
    "not in": "!in",
}
_INTEGERS = range(-(2**63), 2**63)

BOOLEAN = kind("boolean_operator")
CONVERSION = kind("type_conversion")
DEFAULT_PARAMETER = kind("default_parameter")
DICT_SPLAT = kind("dictionary_splat")
DICT_SPLAT_PATTERN = kind("dictionary_splat_pattern")
FORMAT_EXPRESSION = kind("format_expression")
FORMAT_SPECIFIER = kind("format_specifier")
FOR_CLAUSE = kind("for_in_clause")
INTERPOLATION = kind("interpolation")
KEYWORD_SEPARATOR = kind("keyword_separator")
LIST_SPLAT_PATTERN = kind("list_splat_pattern")
NAMED = kind("named_expression")
NUMBERS = kinds("integer float")
PAIR = kind("pair")
POSITIONAL_SEPARATOR = kind("positional_separator")
TYPED_DEFAULT = kind("typed_default_parameter")
TYPED_PARAMETER = kind("typed_parameter")

_STAR = ord("*")

_AND = token("and")
_COLON = token(":")
_COMMA = token(",")
_EQUALS = token("=")
_FROM = token("from")

ARGUMENT = field("argument")
BODY = field("body")
EXPRESSION = field("expression")
KEY = field("key")
OPERATORS = field("operators")
PARAMETERS = field("parameters")
TYPE = field("type")


class Expressions(Types):
    """Lowers the expressions of one file, and collects `calls` and `names` on the way."""

    def __init__(self, data: bytes, places: Places) -> None:
        super().__init__(data, places)
        self.depth = 0
        self.nested = 0
        self.classes: list[str] = []  # enclosing classes, from outside
        self.generator = False  # whether the function at hand holds a `YieldPoint`
        self._star = -1  # the offset of a star that the grammar gave to less than it belongs to

    def expression(self, node: Node) -> ir.Expr:
        """The lowered form of any expression."""
        node = bare(node)
        if self._star >= 0:
            node = self._unstarred(node)
        lower = _EXPRESSIONS.get(node.kind_id)
        if lower is None or self.depth >= DEPTH_MAX or self.nested >= NESTED_MAX:
            return self.opaque(node, "nesting" if lower else node.type)
        self.depth += 1
        self.nested += 1
        lowered = lower(self, node)
        self.nested -= 1
        self.depth -= 1
        return lowered

    def too_deep(self) -> bool:
        return self.depth >= DEPTH_MAX or self.nested >= NESTED_MAX

    def optional(self, node: Node | None) -> ir.Expr | None:
        return None if node is None else self.expression(node)

    def field_of(self, node: Node, number: int) -> ir.Expr:
        """A part that the grammar always has."""
        part = node.child_by_field_id(number)
        return ir.Opaque("missing", self.at(node)) if part is None else self.expression(part)

    def expressions(self, nodes: Sequence[Node]) -> tuple[ir.Expr, ...]:
        return tuple([self.expression(node) for node in nodes])

    def items(self, nodes: Sequence[Node]) -> tuple[ir.Expr, ...]:
        """What stands between commas: the only place of a star outside of calls."""
        return tuple([self._item(node) for node in nodes])

    def _item(self, node: Node) -> ir.Expr:
        """The grammar reads `*a.b` as `(*a).b`."""
        if self.data[node.start_byte : node.start_byte + 1] != b"*" or node.kind_id in STARRED:
            return self.expression(node)
        operand = node
        while operand.kind_id not in STARRED and operand.child_count:
            operand = operand.children[0]
        star, start = node.start_byte, (first(operand) or operand).start_byte
        between, outer = self.between, self._star
        self.between = partial(_moved, between, star, start)
        self._star = star
        value = self.expression(node)
        self.between, self._star = between, outer
        return ir.Spread(value, self.at(node))

    def _unstarred(self, node: Node) -> Node:
        inner = first(node) if node.kind_id in STARRED and node.start_byte == self._star else None
        return node if inner is None else bare(inner)

    def opaque(self, node: Node, what: str) -> ir.Opaque:
        """What is not lowered. Its calls and names stay in the index."""
        stack = [node]
        while stack:
            inner = stack.pop()
            if inner.kind_id == CALL:
                self.calls.add((self._called(inner), -1))
            elif inner.kind_id == IDENTIFIER:
                self.names.add(self.name(inner))
                continue
            elif inner.kind_id == KEYWORD:
                stack += inner.children_by_field_id(VALUE)
                continue
            stack += inner.named_children
        return ir.Opaque(what, self.at(node))

    def _called(self, node: Node) -> str:
        function = node.child_by_field_id(FUNCTION)
        if function is not None and (function := bare(function)).kind_id == ATTRIBUTE:
            function = function.child_by_field_id(ATTRIBUTE_NAME)
        return "" if function is None or function.kind_id != IDENTIFIER else self.name(function)

    # -- leaves

    def _none(self, node: Node) -> ir.Expr:
        return ir.Const(None, self.at(node))

    def _true(self, node: Node) -> ir.Expr:
        return ir.Const(True, self.at(node))

    def _false(self, node: Node) -> ir.Expr:
        return ir.Const(False, self.at(node))

    def _ellipsis(self, node: Node) -> ir.Expr:
        return ir.Opaque("ellipsis", self.at(node))

    def _number(self, node: Node) -> ir.Expr:
        written = self.text(node)
        value = literals.number(written)
        if value is None:
            return ir.Opaque("complex" if written[-1:] in "jJ" else "integer", self.at(node))
        if isinstance(value, int) and value not in _INTEGERS:
            return ir.Opaque("integer", self.at(node))
        return ir.Const(value, self.at(node))

    def _name(self, node: Node) -> ir.Expr:
        name = self.name(node)
        self.names.add(name)
        return ir.Name(name, self.at(node))

    # -- chains: `a.b(c)[d]` is as deep as it is long, so it is taken apart in a loop

    def _chain(self, node: Node) -> ir.Expr:
        links: list[tuple[Node, Node]] = []  # a link, and the object or function it stands behind
        depth = self.depth
        while len(links) < max(DEPTH_MAX - depth, 1):
            number = _BEFORE.get(node.kind_id)
            before = None if number is None else node.child_by_field_id(number)
            if before is None:
                break
            before = self._unstarred(bare(before))
            links.append((node, before))
            if node.kind_id == CALL:
                if before.kind_id == IDENTIFIER:
                    break
                held = before.child_by_field_id(OBJECT) if before.kind_id == ATTRIBUTE else None
                node = before if held is None else bare(held)
            else:
                node = before
        self.depth = depth + len(links)
        call, function = links[-1]
        value: ir.Expr | None
        if call.kind_id == CALL and function.kind_id == IDENTIFIER:
            value = None
            if self._is_super(call, function):
                value = ir.Super(self.at(call))
                links.pop()
        else:
            value = self.expression(node)
        while links:
            link, before = links.pop()
            self.depth = depth + len(links)
            if link.kind_id == CALL:
                value = self._call(link, before, value)
                continue
            assert value is not None
            if link.kind_id == ATTRIBUTE:
                tail = link.child_by_field_id(ATTRIBUTE_NAME)
                name = "" if tail is None else self.name(tail)
                self.names.add(name)
                value = ir.Attribute(value, name, self.at(link))
            else:
                value = ir.Index(value, self._in_brackets(link), self.at(link))
        self.depth = depth
        assert value is not None
        return value

    def _call(self, node: Node, function: Node, target: ir.Expr | None) -> ir.Call:
        named = function.child_by_field_id(ATTRIBUTE_NAME) if function.kind_id == ATTRIBUTE else function
        name = "" if named is None or named.kind_id != IDENTIFIER else self.name(named)
        written = node.child_by_field_id(ARGUMENTS)
        arguments = () if written is None else self.arguments(written)
        if name:
            spread = any(argument.spread for argument in arguments)
            self.calls.add((name, -1 if spread else len(arguments)))
        return ir.Call(target, name, arguments, self.at(node), self.at(function if named is None else named))

    def _is_super(self, node: Node, function: Node) -> bool:
        """`super()`, or `super(C, self)` inside the class C, which means the same."""
        if self.text(function) != "super":
            return False
        written = node.child_by_field_id(ARGUMENTS)
        if written is None or written.kind_id == GENERATOR:
            return False
        arguments = self.named(written)
        if not arguments:
            return True
        if (
            len(arguments) != 2
            or not self.classes
            or {each.kind_id for each in arguments} & {KEYWORD, DICT_SPLAT}
        ):
            return False
        own = bare(arguments[0])
        return own.kind_id == IDENTIFIER and self.name(own) == self.classes[-1]

    def arguments(self, node: Node) -> tuple[ir.Argument, ...]:
        """Arguments in the order of their places."""
        if node.kind_id == GENERATOR:
            return (ir.Argument(self.expression(node)),)
        return tuple([self.argument(each) for each in self.named(node)])

    def argument(self, node: Node) -> ir.Argument:
        if node.kind_id == KEYWORD:
            name = node.child_by_field_id(NAME)
            return ir.Argument(self.field_of(node, VALUE), "" if name is None else self.name(name))
        inner = first(node) if node.kind_id == DICT_SPLAT else None
        if inner is not None:
            return ir.Argument(self.expression(inner), spread="**")
        value = self._item(node)
        return ir.Argument(value.value, spread="*") if isinstance(value, ir.Spread) else ir.Argument(value)

    def _in_brackets(self, node: Node) -> ir.Expr:
        """The index of `a[index]`; several are a tuple, which ends behind its last comma."""
        parts = node.children_by_field_id(SUBSCRIPT)
        within = self.children(node)
        if not parts or len(within) < 2:
            return ir.Opaque("missing", self.at(node))
        end = within[-2]
        if len(parts) == 1 and end.kind_id != _COMMA and self.data[parts[0].start_byte] != _STAR:
            return self.expression(parts[0])
        at = self.between(parts[0].start_byte, end.end_byte)
        return ir.Sequence("tuple", self.items(parts), at)

    def _generic(self, node: Node) -> ir.Expr:
        """`list[int]` where a type is expected."""
        head = first(node)
        target = ir.Opaque("missing", self.at(node)) if head is None else self.expression(head)
        brackets = last(node)
        parts = [] if brackets is None else self.named(brackets)
        if not parts:
            return self.opaque(node, node.type)
        if len(parts) == 1:
            return ir.Index(target, self.expression(parts[0]), self.at(node))
        at = self.between(parts[0].start_byte, parts[-1].end_byte)
        return ir.Index(target, ir.Sequence("tuple", self.expressions(parts), at), self.at(node))

    def _member_type(self, node: Node) -> ir.Expr:
        parts = self.named(node)
        value = self.expression(parts[0])
        for part in parts[1:]:
            name = self.name(part)
            self.names.add(name)
            value = ir.Attribute(value, name, self.between(node.start_byte, part.end_byte))
        return value

    def _slice(self, node: Node) -> ir.Expr:
        bounds: dict[int, ir.Expr] = {}
        position = 0
        for child in node.children:
            if child.kind_id == _COLON:
                position += 1
            elif child.kind_id not in COMMENTS:
                bounds[position] = self.expression(child)
        return ir.Slice(bounds.get(0), bounds.get(1), bounds.get(2), self.at(node))

    # -- operators

    def _binary(self, node: Node) -> ir.Expr:
        """`a + b + c` leans to the left and may be long."""
        if self._mixes_bits(node):
            return self._bits(node)
        links = [node]
        depth = self.depth
        while len(links) < DEPTH_MAX - depth:
            left = links[-1].child_by_field_id(LEFT)
            if left is None or (left := bare(left)).kind_id != BINARY or self._mixes_bits(left):
                break
            links.append(left)
        self.depth = depth + len(links)
        value = self.field_of(links[-1], LEFT)
        while links:
            link = links.pop()
            self.depth = depth + len(links)
            operator = link.child_by_field_id(OPERATOR)
            written = "" if operator is None else self.text(operator)
            value = ir.Binary(written, value, self.field_of(link, RIGHT), self.at(link))
        return value

    def _operator(self, node: Node) -> str:
        operator = node.child_by_field_id(OPERATOR) if node.kind_id == BINARY else None
        return "" if operator is None else self.text(operator)

    def _mixes_bits(self, node: Node) -> bool:
        """Whether `&` stands beside `^`: the grammar has `a ^ b & c` as `(a ^ b) & c`."""
        operator = self._operator(node)
        if operator != "&" and operator != "^":
            return False
        sides = (node.child_by_field_id(LEFT), node.child_by_field_id(RIGHT))
        return any(
            side is not None and self._operator(side) in "&^" and self._operator(side) for side in sides
        )

    def _bits(self, node: Node) -> ir.Expr:
        """`a ^ b & c` as Python has it: `&` binds closer."""
        operands: list[Node] = []
        operators: list[str] = []
        stack: list[Node | str] = [node]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                operators.append(item)
            elif (operator := self._operator(item)) in ("&", "^"):
                sides = [item.child_by_field_id(RIGHT), operator, item.child_by_field_id(LEFT)]
                stack += [each for each in sides if each is not None]
            else:
                operands.append(item)
        if len(operands) != len(operators) + 1:
            return self.opaque(node, node.type)
        depth = self.depth
        self.depth += len(operands)
        values = [(self.expression(each), each.start_byte, each.end_byte) for each in operands]
        self.depth = depth
        terms = [values[0]]
        for operator, right in zip(operators, values[1:], strict=True):
            if operator == "^":
                terms.append(right)
            else:
                terms[-1] = self._joined("&", terms[-1], right)
        whole = terms[0]
        for term in terms[1:]:
            whole = self._joined("^", whole, term)
        return whole[0]

    def _joined(
        self, operator: str, left: tuple[ir.Expr, int, int], right: tuple[ir.Expr, int, int]
    ) -> tuple[ir.Expr, int, int]:
        at = self.between(left[1], right[2])
        return ir.Binary(operator, left[0], right[0], at), left[1], right[2]

    def _logical(self, node: Node) -> ir.Expr:
        """`a and b and c`, of which the grammar makes pairs that lean to the left."""
        operator = node.child_by_field_id(OPERATOR)
        sign = _AND if operator is None else operator.kind_id
        operands: list[Node] = []
        left: Node | None = node
        while left is not None:
            held = left.child_by_field_id(OPERATOR) if left.kind_id == BOOLEAN else None
            if held is None or held.kind_id != sign:
                operands.append(left)
                break
            right = left.child_by_field_id(RIGHT)
            if right is not None:
                operands.append(right)
            left = left.child_by_field_id(LEFT)
        depth = self.depth
        self.depth += len(operands).bit_length()
        values = self.expressions(operands[::-1])
        self.depth = depth
        return balanced("&&" if sign == _AND else "||", values)

    def _not(self, node: Node) -> ir.Expr:
        return ir.Unary("!", self.field_of(node, ARGUMENT), self.at(node))

    def _unary(self, node: Node) -> ir.Expr:
        sign = node.child_by_field_id(OPERATOR)
        written = "" if sign is None else self.text(sign)
        operand = node.child_by_field_id(ARGUMENT)
        if written == "-" and operand is not None and (operand := bare(operand)).kind_id in NUMBERS:
            value = literals.number(self.text(operand))
            if isinstance(value, float) or (value is not None and -value in _INTEGERS):
                return ir.Const(-value, self.at(node))
        return ir.Unary(written, self.field_of(node, ARGUMENT), self.at(node))

    def _compare(self, node: Node) -> ir.Expr:
        operators = [
            _COMPARE.get(" ".join(self.text(each).split()), "")
            for each in node.children_by_field_id(OPERATORS)
        ]
        operands = self.named(node)
        if len(operands) != len(operators) + 1 or "" in operators:
            return self.opaque(node, node.type)
        if len(operators) == 1:
            right = self.expression(operands[1])
            return ir.Binary(operators[0], self.expression(operands[0]), right, self.at(node))
        depth = self.depth
        self.depth += len(operators).bit_length()
        left = self.expression(operands[0])
        pairs: list[ir.Expr] = []
        for index, operator in enumerate(operators):
            right = again = self.expression(operands[index + 1])
            if index + 1 < len(operators) and not isinstance(right, ir.Const | ir.Name):
                again = ir.Name(f"${right.at[0]}:{right.at[1]}", right.at)
                right = ir.Assign(again, right, right.at)
            pairs.append(ir.Binary(operator, left, right, _from_to(left, right)))
            left = again
        self.depth = depth
        return balanced("&&", pairs)

    def _conditional(self, node: Node) -> ir.Expr:
        parts = self.named(node)
        if len(parts) != 3:
            return self.opaque(node, node.type)
        then, test, otherwise = parts
        if then.kind_id == NAMED:  # `n := a if b else c`, which the grammar has as `(n := a) if b else c`
            value = then.child_by_field_id(VALUE)
            held = ir.Conditional(
                self.expression(test),
                self.field_of(then, VALUE),
                self.expression(otherwise),
                self.between((value or then).start_byte, node.end_byte),
            )
            return ir.Assign(self.field_of(then, NAME), held, self.at(node))
        return ir.Conditional(
            self.expression(test), self.expression(then), self.expression(otherwise), self.at(node)
        )

    def _union_type(self, node: Node) -> ir.Expr:
        parts = self.named(node)
        value = self.expression(parts[0])
        for part in parts[1:]:
            right = self.expression(part)
            value = ir.Binary("|", value, right, _from_to(value, right))
        return value

    # -- collections

    def _list(self, node: Node) -> ir.Expr:
        return ir.Sequence("list", self.items(self.named(node)), self.at(node))

    def _tuple(self, node: Node) -> ir.Expr:
        return ir.Sequence("tuple", self.items(self.named(node)), self.at(node))

    def _set(self, node: Node) -> ir.Expr:
        return ir.Sequence("set", self.items(self.named(node)), self.at(node))

    def _dict(self, node: Node) -> ir.Expr:
        entries: list[tuple[ir.Expr | None, ir.Expr]] = []
        for entry in self.named(node):
            inner = first(entry) if entry.kind_id == DICT_SPLAT else None
            if inner is not None:
                entries.append((None, self.expression(inner)))
            elif entry.kind_id == PAIR:
                entries.append((self.field_of(entry, KEY), self.field_of(entry, VALUE)))
            else:
                entries.append((None, self.opaque(entry, entry.type)))
        return ir.Mapping(tuple(entries), self.at(node))

    def _starred(self, node: Node) -> ir.Expr:
        inner = first(node)
        return (
            self.opaque(node, node.type)
            if inner is None
            else ir.Spread(self.expression(inner), self.at(node))
        )

    def _list_comprehension(self, node: Node) -> ir.Expr:
        return self._comprehension("list", node)

    def _set_comprehension(self, node: Node) -> ir.Expr:
        return self._comprehension("set", node)

    def _generator(self, node: Node) -> ir.Expr:
        return self._comprehension("generator", node)

    def _dict_comprehension(self, node: Node) -> ir.Expr:
        return self._comprehension("dict", node)

    def _comprehension(self, of: str, node: Node) -> ir.Expr:
        clauses: list[ir.Clause] = []
        conditions: list[Node] = []
        head: Node | None = None
        element = node.child_by_field_id(BODY)
        for child in [*self.named(node), None]:
            if child is not None and child.id == (element.id if element is not None else 0):
                continue
            if child is None or child.kind_id == FOR_CLAUSE:
                if head is not None:
                    source = self.several(head.children_by_field_id(RIGHT), head)
                    target = self.field_of(head, LEFT)
                    clauses.append(ir.Clause(target, source, self.expressions(conditions)))
                head, conditions = child, []
            elif (test := first(child)) is not None:
                conditions.append(test)
        if element is None:
            return self.opaque(node, node.type)
        if element.kind_id == PAIR:
            key, value = self.field_of(element, KEY), self.field_of(element, VALUE)
            return ir.Comprehension(of, key, value, tuple(clauses), self.at(node))
        return ir.Comprehension(of, self.expression(element), None, tuple(clauses), self.at(node))

    def several(self, nodes: Sequence[Node], around: Node) -> ir.Expr:
        """One expression, or a tuple of several without parentheses."""
        nodes = [node for node in nodes if node.is_named]
        if not nodes:
            return ir.Opaque("missing", self.at(around))
        following = nodes[-1].next_sibling
        comma = following is not None and following.kind_id == _COMMA
        if len(nodes) == 1 and not comma:
            return self.expression(nodes[0])
        at = self.between(
            nodes[0].start_byte, following.end_byte if comma and following else nodes[-1].end_byte
        )
        return ir.Sequence("tuple", self.items(nodes), at)

    # -- texts

    def _string(self, node: Node) -> ir.Expr:
        at = self.at(node)
        pieces = _Pieces(at)
        binary = formatted = False
        for part in [node] if node.kind_id == STRING else self.named(node):
            written = self.text(part)
            prefix, quote = literals.opening(written)
            if not quote or "t" in prefix:
                return self.opaque(node, "TemplateStr" if quote else "repr")
            start = len(prefix) + len(quote)
            try:
                if "f" in prefix:
                    formatted = True
                    self._fields(
                        part,
                        part.start_byte + start,
                        part.end_byte - len(quote),
                        prefix,
                        pieces,
                        self.at(part),
                    )
                else:
                    binary = binary or "b" in prefix
                    pieces.text(literals.text(written[start : -len(quote)], prefix))
            except literals.MalformedError:
                return self.opaque(node, "escape")
        if binary:
            return ir.Const("".join(pieces.texts), at, binary=True)
        return pieces.whole() if formatted else pieces.one()

    def _fields(self, node: Node, start: int, end: int, prefix: str, pieces: _Pieces, at: ir.At) -> None:
        """The texts and fields between two places of a f-string, or of the format of one of its fields."""
        for child in node.named_children:
            if child.kind_id == INTERPOLATION or child.kind_id == FORMAT_EXPRESSION:
                pieces.text(literals.formatted_text(self._between(start, child.start_byte), prefix))
                self._formatted_field(child, prefix, pieces, at)
                start = child.end_byte
        pieces.text(literals.formatted_text(self._between(start, end), prefix))

    def _between(self, start: int, end: int) -> str:
        if self.plain is not None:
            return self.plain[start:end]
        return self.data[start:end].decode("utf-8", "replace")

    def _formatted_field(self, node: Node, prefix: str, pieces: _Pieces, at: ir.At) -> None:
        written = node.child_by_field_id(EXPRESSION) or first(node)
        if written is None:
            raise literals.MalformedError(self.text(node))
        conversion = ""
        shown: int | None = None  # where `{value=}` ends its text
        spec: Node | None = None
        for child in node.children:
            if child.kind_id == _EQUALS:
                shown = child.end_byte
            elif shown is not None and shown >= 0 and child.kind_id not in COMMENTS:
                pieces.text(self._between(node.start_byte + 1, child.start_byte))
                shown = -1
            if child.kind_id == CONVERSION:
                conversion = self.text(child)[1:].strip()
            elif child.kind_id == FORMAT_SPECIFIER:
                spec = child
        if shown is not None and not conversion and spec is None:
            conversion = "r"
        value = self.expression(written)
        if not conversion and spec is None:
            pieces.add(value)
            return
        form: ir.Expr | None = None
        if spec is not None:
            inner = _Pieces(at)
            self._fields(spec, spec.start_byte + 1, spec.end_byte, prefix, inner, at)
            form = inner.whole()
        pieces.add(ir.Format(value, conversion, form, value.at))

    # -- functions

    def _lambda(self, node: Node) -> ir.Expr:
        generator, self.generator = self.generator, False
        written = node.child_by_field_id(PARAMETERS)
        parameters = () if written is None else self.parameters(written)
        body = self.field_of(node, BODY)
        self.generator = generator
        return ir.Lambda(parameters, (ir.Return(body, body.at),), self.at(node))

    def parameters(self, node: Node) -> tuple[ir.Param, ...]:
        """Parameters in the order in which they are written."""
        lowered: list[ir.Param] = []
        kind = ""
        for child in self.named(node):
            if child.kind_id == POSITIONAL_SEPARATOR:
                lowered = [
                    ir.Param(each.name, each.type, each.at, each.default, "/", each.annotations)
                    for each in lowered
                ]
            elif child.kind_id == KEYWORD_SEPARATOR:
                kind = "*"
            else:
                made = self._parameter(child, kind)
                if made.kind == "...":
                    kind = "*"
                lowered.append(made)
        return tuple(lowered)

    def _parameter(self, node: Node, kind: str) -> ir.Param:
        if node.kind_id == IDENTIFIER:
            return ir.Param(self.name(node), None, self.at(node), None, kind)
        named = node.child_by_field_id(NAME) if node.kind_id in (DEFAULT_PARAMETER, TYPED_DEFAULT) else node
        if node.kind_id == TYPED_PARAMETER:
            named = first(node)
        while named is not None and named.kind_id in (LIST_SPLAT_PATTERN, DICT_SPLAT_PATTERN):
            kind = "..." if named.kind_id == LIST_SPLAT_PATTERN else "**"
            named = first(named)
        name = self.name(named) if named is not None and named.kind_id == IDENTIFIER else ""
        start = node.start_byte if named is None else named.start_byte
        annotation = node.child_by_field_id(TYPE)
        end = (
            annotation.end_byte
            if annotation is not None
            else node.end_byte
            if named is None
            else named.end_byte
        )
        return ir.Param(
            name,
            self.type(annotation),
            self.between(start, end),
            self.optional(node.child_by_field_id(VALUE)),
            kind,
            self.metadata(annotation),
        )

    def type(self, node: Node | None) -> ir.TypeRef | None:
        """The type that an annotation names, or None."""
        if node is None:
            return None
        found = self.type_ref(node)
        if found is not None:
            self.names.update(_type_names(found))
        return found

    def metadata(self, node: Node | None) -> tuple[ir.Annotation, ...]:
        """What an annotation calls: `Annotated[T, Depends(make)]`, `conint(gt=0)`."""
        if node is None:
            return ()
        node = bare(node)
        if node.kind_id == CALL:
            return (self.annotation(node, self.at(node)),)
        if node.kind_id == SUBSCRIPT_KIND or node.kind_id == GENERIC:
            parts = self.in_type(node)
        elif node.kind_id == BINARY or node.kind_id == UNION_TYPE:
            parts = self.named(node)
        else:
            return ()
        return tuple([made for part in parts for made in self.metadata(part)])

    def annotation(self, node: Node, at: ir.At) -> ir.Annotation:
        """A decorator or the like; `at` is its place."""
        node = bare(node)
        value = self.expression(node)
        if node.kind_id == CALL:
            name = self.dotted(node.child_by_field_id(FUNCTION))
            return ir.Annotation(name, value.args if name and isinstance(value, ir.Call) else (), at, value)
        return ir.Annotation(self.dotted(node), (), at, value)

    def _walrus(self, node: Node) -> ir.Expr:
        return ir.Assign(self.field_of(node, NAME), self.field_of(node, VALUE), self.at(node))

    def _await(self, node: Node) -> ir.Expr:
        inner = first(node)
        if inner is None:
            return self.opaque(node, node.type)
        value = self.expression(inner)
        at = self.at(node)
        if inner.kind_id == BINARY and isinstance(value, ir.Binary):  # `await a ** b` raises what was awaited
            return ir.Binary(value.operator, ir.Await(value.left, at), value.right, at)
        return ir.Await(value, at)

    def _yield(self, node: Node) -> ir.Expr:
        self.generator = True
        everything = node.child_count > 1 and any(child.kind_id == _FROM for child in node.children)
        return ir.YieldPoint(self.optional(first(node)), everything, self.at(node))


class _Pieces:
    """The texts and fields of a literal so far."""

    def __init__(self, at: ir.At) -> None:
        self.at = at
        self.texts: list[str] = []
        self._parts: list[ir.Expr] = []

    def text(self, text: str) -> None:
        if text:
            self.texts.append(text)

    def add(self, field: ir.Expr) -> None:
        if self.texts:
            self._parts.append(self.one())
            self.texts = []
        self._parts.append(field)

    def one(self) -> ir.Expr:
        """The texts since the last field."""
        text = "".join(self.texts)
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            return ir.Opaque("surrogate", self.at)
        return ir.Const(text, self.at)

    def whole(self) -> ir.Expr:
        """All of it."""
        if self.texts:
            self._parts.append(self.one())
        if not self._parts:
            return ir.Const("", self.at)
        only = self._parts[0]
        if (
            len(self._parts) == 1
            and isinstance(only, ir.Const)
            and isinstance(only.value, str)
            and not only.binary
        ):
            return only
        return ir.Join(tuple(self._parts), self.at)


def _moved(between: Callable[[int, int], ir.At], old: int, new: int, start: int, end: int) -> ir.At:
    """The place of bytes, where what begins at `old` is to begin at `new`."""
    return between(new if start == old else start, end)


def balanced(operator: str, values: Sequence[ir.Expr]) -> ir.Expr:
    """`a operator b operator c …` for an associative operator, as deep as the logarithm of its length."""
    row = list(values)
    while len(row) > 1:
        paired: list[ir.Expr] = [
            ir.Binary(operator, left, right, _from_to(left, right))
            for left, right in zip(row[::2], row[1::2], strict=False)
        ]
        if len(row) % 2:
            paired.append(row[-1])
        row = paired
    return row[0]


def _from_to(left: ir.Expr, right: ir.Expr) -> ir.At:
    return (left.at[0], left.at[1], right.at[2], right.at[3])


def _type_names(type_: ir.TypeRef) -> set[str]:
    """All identifiers in a type."""
    found = set(type_.name.split(".")) - {""}
    for argument in type_.args:
        found |= _type_names(argument)
    return found


_BEFORE = {ATTRIBUTE: OBJECT, CALL: FUNCTION, SUBSCRIPT_KIND: VALUE}
"""The field that holds what a link of a chain stands behind."""

_E = Expressions
_BY_NAME: dict[str, Callable[[Expressions, Node], ir.Expr]] = {
    "identifier": _E._name,
    "integer float": _E._number,
    "string concatenated_string": _E._string,
    "attribute call subscript": _E._chain,
    "true": _E._true,
    "false": _E._false,
    "none": _E._none,
    "ellipsis": _E._ellipsis,
    "slice": _E._slice,
    "binary_operator": _E._binary,
    "boolean_operator": _E._logical,
    "not_operator": _E._not,
    "unary_operator": _E._unary,
    "comparison_operator": _E._compare,
    "conditional_expression": _E._conditional,
    "list list_pattern": _E._list,
    "tuple expression_list tuple_pattern pattern_list": _E._tuple,
    "set": _E._set,
    "dictionary": _E._dict,
    "list_splat list_splat_pattern parenthesized_list_splat splat_type": _E._starred,
    "list_comprehension": _E._list_comprehension,
    "set_comprehension": _E._set_comprehension,
    "generator_expression": _E._generator,
    "dictionary_comprehension": _E._dict_comprehension,
    "lambda": _E._lambda,
    "named_expression": _E._walrus,
    "await": _E._await,
    "yield": _E._yield,
    "generic_type": _E._generic,
    "member_type": _E._member_type,
    "union_type": _E._union_type,
}
_EXPRESSIONS = {number: lower for names, lower in _BY_NAME.items() for number in kinds(names)}
