"""The patterns of `match` -> `ir` labels and patterns."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from subdrift.linter.languages.python.expressions import Expressions
from subdrift.linter.languages.python.operators import NUMBERS
from subdrift.linter.languages.python.syntax import (
    CONCATENATED,
    DOTTED,
    IDENTIFIER,
    STRING,
    kind,
    kinds,
    token,
)
from subdrift.linter.model import ir

AS_PATTERN = kinds("as_pattern")
CASE_PATTERN = kind("case_pattern")
CLASS_PATTERN = kind("class_pattern")
COMPLEX = kind("complex_pattern")
DICT_PATTERN = kind("dict_pattern")
KEYWORD_PATTERN = kind("keyword_pattern")
LIST_PATTERN = kinds("list_pattern")
SINGLETONS = {kind("true"): True, kind("false"): False, kind("none"): None}
SPLAT_PATTERN = kind("splat_pattern")
TUPLE_PATTERN = kinds("tuple_pattern")
UNION_PATTERN = kind("union_pattern")

_BAR = token("|")
_COMMA = token(",")
_SIGNS = frozenset(
    {token("("), token(")"), token("["), token("]"), token("{"), token("}"), token(":"), _COMMA}
)

Group = Sequence[Node]
"""The nodes of one pattern: the grammar gives a sign and its number side by side."""

Label = ir.Expr | ir.Pattern


class Patterns(Expressions):
    """Lowers the patterns of one file."""

    def label(self, group: Group) -> Label:
        """A pattern that is compared as an expression, or one that takes its subject apart."""
        group = self._inner(group)
        node = group[0]
        at = self._over(group)
        if len(group) > 1:
            return self._negative(group, at)
        if node.kind_id in SINGLETONS:
            return ir.Const(SINGLETONS[node.kind_id], at)
        if node.kind_id in NUMBERS or node.kind_id == STRING or node.kind_id == CONCATENATED:
            return self.expression(node)
        if node.kind_id == DOTTED and node.named_child_count > 1:
            return self._member_type(node)
        if node.kind_id == COMPLEX:
            return self._complex(node)
        return self.pattern(group)

    def wildcard(self, group: Group) -> bool:
        """Whether a pattern takes anything and names nothing."""
        group = self._inner(group)
        return len(group) == 1 and self.text(group[0]) == "_"

    def alternatives(self, group: Group) -> list[Group] | None:
        """The parts of `a | b`; None for another pattern."""
        group = self._inner(group)
        if len(group) != 1 or group[0].kind_id != UNION_PATTERN:
            return None
        found: list[list[Node]] = [[]]
        for child in self.children(group[0]):
            if child.kind_id == _BAR:
                found.append([])
            else:
                found[-1].append(child)
        return [each for each in found if each]

    def pattern(self, group: Group) -> ir.Pattern:
        group = self._inner(group)
        at = self._over(group)
        if self.too_deep():
            return ir.Pattern("value", "", (), (ir.Opaque("nesting", at),), at)
        self.depth += 1
        self.nested += 1
        lowered = self._pattern_of(group, at)
        self.nested -= 1
        self.depth -= 1
        return lowered

    def sequence(self, groups: Sequence[Group], at: ir.At) -> ir.Pattern:
        return ir.Pattern("sequence", "", (), tuple([self.pattern(group) for group in groups]), at)

    def start(self, group: Group) -> int:
        """The offset at which a pattern begins, its parentheses left out."""
        return self._inner(group)[0].start_byte

    def _pattern_of(self, group: Group, at: ir.At) -> ir.Pattern:
        node = group[0]
        number = node.kind_id
        if len(group) == 1:
            if (
                self.text(node) == "_"
                or (number == DOTTED and node.named_child_count == 1)
                or number == IDENTIFIER
            ):
                return ir.Pattern("capture", self.dotted(node) or "_", (), (), at)
            if number in AS_PATTERN:
                inner, name = self.named(node)[0], self.named(node)[-1]
                return ir.Pattern("as", self.text(name), (), (self.pattern([inner]),), at)
            if number == UNION_PATTERN:
                parts = self.alternatives(group) or []
                return ir.Pattern("or", "", (), tuple([self.pattern(part) for part in parts]), at)
            if number in LIST_PATTERN or number in TUPLE_PATTERN:
                return self.sequence(self.groups(node), at)
            if number == SPLAT_PATTERN:
                named = self.named(node)
                return ir.Pattern("star", self.name(named[0]) if named else "_", (), (), at)
            if number == CLASS_PATTERN:
                return self._class_pattern(node, at)
            if number == DICT_PATTERN:
                return self._mapping(node, at)
        label = self.label(group) if len(group) > 1 or number in _VALUES else self.opaque(node, node.type)
        return ir.Pattern("value", "", (), (label,), at)

    def groups(self, node: Node) -> list[Group]:
        """The patterns inside brackets."""
        return [[child] for child in self.children(node) if child.kind_id not in _SIGNS]

    def _class_pattern(self, node: Node, at: ir.At) -> ir.Pattern:
        head, *written = self.named(node)
        name = self.dotted(head)
        self.names.update(name.split("."))
        keys: list[str] = []
        parts: list[Label] = []
        for each in written:
            inner = self._inner([each])[0]
            bound: Node | None = None
            if inner.kind_id in AS_PATTERN:  # `key=P() as name`: the grammar binds the key and all
                bound, inner = self.named(inner)[-1], self._inner(self.named(inner)[:1])[0]
            if inner.kind_id != KEYWORD_PATTERN:
                keys.append("")
                parts.append(self.pattern([each]))
                continue
            key, _, *value = self.children(inner)
            keys.append(self.name(key))
            part = self.pattern(value)
            if bound is not None:
                over = self.between(value[0].start_byte, bound.end_byte)
                part = ir.Pattern("as", self.name(bound), (), (part,), over)
            parts.append(part)
        return ir.Pattern("class", name, tuple(keys), tuple(parts), at)

    def _mapping(self, node: Node, at: ir.At) -> ir.Pattern:
        """`keys` are texts where they are; another key makes the pattern opaque. The rest is a star at the end."""
        parts: list[Label] = []
        keys: list[str] = []
        key: list[Node] = []
        for index, child in enumerate(node.children):
            name = node.field_name_for_child(index)
            if name == "key":
                key.append(child)
            elif name == "value":
                lowered = self.label(key) if key else None
                if not (isinstance(lowered, ir.Const) and isinstance(lowered.value, str)):
                    held = () if lowered is None or isinstance(lowered, ir.Pattern) else (lowered,)
                    return ir.Pattern("value", "", (), (ir.Opaque("mapping pattern", at, held),), at)
                keys.append(lowered.value)
                parts.append(self.pattern([child]))
                key = []
            elif child.kind_id == SPLAT_PATTERN:
                named = self.named(child)
                keys.append("")
                parts.append(ir.Pattern("star", self.name(named[0]) if named else "_", (), (), at))
        return ir.Pattern("mapping", "", tuple(keys), tuple(parts), at)

    def _negative(self, group: Group, at: ir.At) -> ir.Expr:
        value = self.expression(group[-1])
        if isinstance(value, ir.Const) and isinstance(value.value, int | float):
            return ir.Const(-value.value, at)
        return ir.Unary("-", value, at)

    def _complex(self, node: Node) -> ir.Expr:
        """`1 - 2j`."""
        children = self.children(node)
        cut = max((index for index, child in enumerate(children[:-1]) if not child.is_named), default=1)
        left = self.label(children[:cut]) if cut else ir.Opaque("missing", self.at(node))
        if isinstance(left, ir.Pattern):
            return self.opaque(node, node.type)
        return ir.Binary(self.text(children[cut]), left, self.expression(children[-1]), self.at(node))

    def _inner(self, group: Group) -> Group:
        """What a pattern is without parentheses."""
        while len(group) == 1:
            node = group[0]
            if node.kind_id == CASE_PATTERN:
                children = self.children(node)
            elif node.kind_id in TUPLE_PATTERN and not any(
                child.kind_id == _COMMA for child in node.children
            ):
                children = [child for child in self.children(node) if child.kind_id not in _SIGNS]
            else:
                return group
            if not children:
                return group
            group = children
        return group

    def _over(self, group: Group) -> ir.At:
        return self.between(group[0].start_byte, group[-1].end_byte)


_VALUES = frozenset({*SINGLETONS, *NUMBERS, STRING, CONCATENATED, DOTTED, COMPLEX})
