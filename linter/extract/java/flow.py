"""A variable at a place in a method -> what may have been assigned to it there: straight line, branches, loops.

Locals only; fields are facts of the type. Values come back as syntax nodes, the building of expressions is left
to the caller. A value in a branch that returns or throws does not reach what follows it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from tree_sitter import Node

from linter.extract.java.names import METHOD_NODES
from linter.extract.java.source import Source


class Kind(Enum):
    LOCAL = "local"
    FIELD = "field"  # none of this method's, but assigned in it before
    PARAM = "param"  # of the enclosing method or constructor
    LOOP = "loop"  # of a for-each statement
    INDEX = "index"  # of a counting for statement
    LAMBDA = "lambda"  # parameter of a lambda
    OPAQUE = "opaque"  # catch clause, parameter of an anonymous class's method, pattern


@dataclass(slots=True, eq=False)
class Variable:
    """A local variable as seen from one place. `values` nearest first; an entry that is an assignment
    expression stands for `+=`; None for a value that is not written as an expression of its own."""

    kind: Kind
    node: Node  # what declares it
    type: Node | None = None
    values: list[Node | None] = field(default_factory=list)  # and what `kind` says, unless it is LOCAL
    index: int = 0  # which lambda parameter
    owner: Node | None = None  # the method of a parameter
    settled: bool = False


@dataclass(slots=True, eq=False)
class _Found:
    """What one statement does to the variable."""

    values: list[Node | None]
    definite: bool = False
    declared: Node | None = None
    type: Node | None = None
    exits: bool = False


_BLOCKS = frozenset({"block", "constructor_body", "switch_block_statement_group", "program"})
_LOOPS = frozenset({"while_statement", "do_statement", "for_statement", "enhanced_for_statement"})
_EXITS = frozenset({"return_statement", "throw_statement"})
_MEMBERS = METHOD_NODES | {
    "static_initializer", "field_declaration", "constant_declaration", "block", "enum_constant"
}  # fmt: skip
_NOTHING = _Found([])
_WRITES = re.compile(rb"\s*(?:[-+*/|&^%]?=(?!=)|;|,|\[)")
"""What follows a name where it is declared or assigned (and in other places too)."""

_ASSIGNS = re.compile(rb"\s*([-+*/|&]?=(?!=)|\+\+|--)")

BRANCHES_MAX = 200
"""Nested statements looked into for one variable."""


@dataclass(frozen=True, slots=True)
class _Target:
    """A name in one member of a type, and where that member declares or assigns it."""

    name: str
    word: bytes
    offsets: list[int]

    def within(self, start: int, end: int) -> list[int]:
        return self.offsets[bisect_left(self.offsets, start) : bisect_left(self.offsets, end)]


class Flow:
    def __init__(self, source: Source) -> None:
        self.source = source
        self._targets: dict[tuple[int, str], _Target] = {}
        self._children: dict[int, tuple[list[Node], list[int]]] = {}
        self._variables: dict[tuple[int, str], Variable | None] = {}

    def variable(self, node: Node, name: str) -> Variable | None:
        """The local variable or parameter that `name` means where `node` stands; None when it is none."""
        found = self._cached(node, name)
        return found if found is not None and found.kind is not Kind.FIELD else None

    def assigned(self, node: Node, name: str) -> Variable | None:
        """What the method assigns to a name that is no local of it, before `node`; None when it does not.

        `settled` says that one of the values is sure to have replaced what the field held.
        """
        found = self._cached(node, name)
        return found if found is not None and found.kind is Kind.FIELD else None

    def _cached(self, node: Node, name: str) -> Variable | None:
        key = (node.start_byte, name)
        if key not in self._variables:
            self._variables[key] = self._find(node, name)
        return self._variables[key]

    def _find(self, node: Node, name: str) -> Variable | None:
        path = self.source.path(node.start_byte, node.end_byte)
        outermost = _outermost(path)
        if outermost >= len(path):
            return None
        target = self._target(path[outermost], name)
        values: list[Node | None] = []
        settled = False
        for position in range(len(path) - 1, outermost, -1):
            parent, below = path[position - 1], path[position]
            if parent.type in _BLOCKS:
                offsets = target.within(parent.start_byte, below.start_byte)
                for statement in self._nearest(parent, offsets):
                    found = self._statement(statement, target, 0)
                    if not settled:
                        values += found.values
                    if found.declared is not None:
                        return Variable(Kind.LOCAL, found.declared, found.type, values)
                    if found.definite and not settled:
                        settled = True
                        declared = self._declaration(parent, offsets, target)
                        if declared is not None:
                            return Variable(Kind.LOCAL, *declared, values)
                continue
            variable = self._declared(parent, below, target, position - 1 == outermost)
            if variable is not None:
                if settled:
                    variable.kind, variable.values = Kind.LOCAL, values
                else:
                    variable.values = values + variable.values
                return variable
        return Variable(Kind.FIELD, node, None, values, settled=settled) if values else None

    def _target(self, member: Node, name: str) -> _Target:
        key = (member.start_byte, name)
        found = self._targets.get(key)
        if found is None:
            word = name.encode()
            offsets = [
                start
                for start in self.source.words(word, member.start_byte, member.end_byte)
                if _WRITES.match(self.source.data, start + len(word))
                and self._written(start, start + len(word))
            ]
            found = self._targets[key] = _Target(name, word, offsets)
        return found

    def _written(self, start: int, end: int) -> bool:
        """Whether the identifier at these bytes is declared or assigned there."""
        path = self.source.path(start, end)
        if len(path) < 3 or path[-1].type != "identifier":
            return False
        node, parent = path[-1], path[-2]
        if parent.type == "field_access":
            node, parent = parent, path[-3]
        if parent.type == "variable_declarator":
            return parent.child_by_field_name("name") == node
        return parent.type == "assignment_expression" and parent.child_by_field_name("left") == node

    def _nearest(self, block: Node, offsets: list[int]) -> Iterator[Node]:
        """The statements of a block that hold some of the offsets, each once, the last one first."""
        last = -1
        for offset in reversed(offsets):
            position = self._position(block, offset)
            if position not in (last, -1):
                last = position
                yield self._children[block.id][0][position]

    def _position(self, block: Node, offset: int) -> int:
        """Which statement of a block holds a byte."""
        known = self._children.get(block.id)
        if known is None:
            children = block.named_children
            known = self._children[block.id] = (children, [child.start_byte for child in children])
        return bisect_right(known[1], offset) - 1

    def _declaration(
        self, block: Node, offsets: list[int], target: _Target
    ) -> tuple[Node, Node | None] | None:
        """The declarator of the name, and its type, among the statements of one block that hold the offsets."""
        for offset in offsets:
            position = self._position(block, offset)
            statement = self._children[block.id][0][position]
            if statement.type == "local_variable_declaration":
                for declarator in statement.children_by_field_name("declarator"):
                    if self._is(declarator.child_by_field_name("name"), target.name):
                        return declarator, statement.child_by_field_name("type")
        return None

    def _declared(self, parent: Node, below: Node, target: _Target, outermost: bool) -> Variable | None:
        kind = parent.type
        if kind == "enhanced_for_statement":
            if self._is(
                parent.child_by_field_name("name"), target.name
            ) and below == parent.child_by_field_name("body"):
                return Variable(Kind.LOOP, parent, parent.child_by_field_name("type"))
        elif kind == "for_statement":
            for init in parent.children_by_field_name("init"):
                found = self._statement(init, target, 0) if init.end_byte <= below.start_byte else _NOTHING
                if found.declared is not None:
                    return Variable(Kind.INDEX, parent, found.type, found.values)
        elif kind == "lambda_expression":
            return self._lambda(parent, target.name)
        elif kind == "catch_clause":
            for child in parent.named_children:
                if child.type == "catch_formal_parameter" and self._is(
                    child.child_by_field_name("name"), target.name
                ):
                    return Variable(Kind.OPAQUE, child)
        elif kind == "try_with_resources_statement":
            for child in parent.named_children:
                if child.type == "resource_specification" and child.end_byte <= below.start_byte:
                    for resource in child.named_children:
                        if self._is(resource.child_by_field_name("name"), target.name):
                            value = resource.child_by_field_name("value")
                            return Variable(
                                Kind.LOCAL, resource, resource.child_by_field_name("type"), [value]
                            )
        elif kind in METHOD_NODES:
            return self._parameter(parent, target.name, outermost)
        elif (
            kind == "class_body"
            and not outermost
            and self.source.mentions(target.word, parent.start_byte, parent.end_byte)
        ):
            return self._body_field(parent, target.name)
        return None

    def _lambda(self, node: Node, name: str) -> Variable | None:
        parameters = node.child_by_field_name("parameters")
        if parameters is None:
            return None
        each = [parameters] if parameters.type == "identifier" else parameters.named_children
        for index, parameter in enumerate(each):
            named = parameter if parameter.type == "identifier" else parameter.child_by_field_name("name")
            if self._is(named, name):
                declared = None if parameter.type == "identifier" else parameter.child_by_field_name("type")
                return Variable(Kind.LAMBDA, node, declared, index=index)
        return None

    def _parameter(self, method: Node, name: str, outermost: bool) -> Variable | None:
        for parameter in parameters(method):
            if self._is(parameter_name(parameter), name):
                kind = Kind.PARAM if outermost else Kind.OPAQUE
                return Variable(kind, parameter, parameter_type(parameter), owner=method)
        return None

    def _body_field(self, body: Node, name: str) -> Variable | None:
        """A field of an anonymous or local class around the place."""
        for child in body.named_children:
            if child.type == "field_declaration":
                for declarator in child.children_by_field_name("declarator"):
                    if self._is(declarator.child_by_field_name("name"), name):
                        value = declarator.child_by_field_name("value")
                        return Variable(Kind.LOCAL, declarator, child.child_by_field_name("type"), [value])
        return None

    def _is(self, node: Node | None, name: str) -> bool:
        return node is not None and self.source.text(node) == name

    def _statement(self, node: Node, target: _Target, depth: int) -> _Found:
        """What a statement assigns to the variable; `exits` when nothing after it runs."""
        kind = node.type
        if kind in _EXITS:
            return _Found([], exits=True)
        if not target.within(node.start_byte, node.end_byte):
            # only whether it leaves matters
            return _Found([], exits=kind == "block" and _leaves(node))
        if depth > BRANCHES_MAX:
            return _Found([None])
        if kind == "local_variable_declaration":
            for declarator in node.children_by_field_name("declarator"):
                if self._is(declarator.child_by_field_name("name"), target.name):
                    value = declarator.child_by_field_name("value")
                    values: list[Node | None] = [value] if value is not None else []
                    return _Found(values, True, declarator, node.child_by_field_name("type"))
            return _NOTHING
        if kind == "expression_statement":
            return self._assignment(node, target)
        if kind in ("block", "constructor_body", "switch_block_statement_group"):
            return self._sequence(node.named_children, target, depth)
        if kind == "if_statement":
            return self._if(node, target, depth)
        if kind in ("try_statement", "try_with_resources_statement"):
            return self._try(node, target, depth)
        if kind == "switch_expression":
            return self._switch(node, target, depth)
        if kind in _LOOPS:
            body = node.child_by_field_name("body")
            inner = self._statement(body, target, depth + 1) if body is not None else _NOTHING
            if inner.declared is not None:
                return _NOTHING
            nested = self._nested(node, target, body)
            return _Found([*inner.values, *nested], definite=kind == "do_statement" and inner.definite)
        if kind in ("labeled_statement", "synchronized_statement"):
            for child in node.named_children[::-1]:
                if child.type != "identifier":
                    return self._statement(child, target, depth + 1)
        return _Found(self._nested(node, target, None))

    def _assignment(self, node: Node, target: _Target) -> _Found:
        inner = node.named_children[0] if node.named_children else None
        if inner is None or inner.type != "assignment_expression":
            if inner is not None and inner.type == "switch_expression":
                return self._switch(inner, target, 0)
            return _Found(self._nested(node, target, None))
        left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        if left is None or right is None or not self._names(left, target.name):
            return _Found(self._nested(node, target, None))
        operator = inner.child_by_field_name("operator")
        plain = operator is None or operator.type == "="
        if plain:
            return _Found([right], True)
        return _Found([inner if operator is not None and operator.type == "+=" else None], True)

    def _names(self, left: Node, name: str) -> bool:
        """Whether the left side of an assignment is the variable, or the field of that name of `this`."""
        if left.type == "field_access":
            held = left.child_by_field_name("object")
            if held is None or held.type != "this":
                return False
            return self._is(left.child_by_field_name("field"), name)
        return left.type == "identifier" and self._is(left, name)

    def _nested(self, node: Node, target: _Target, beside: Node | None) -> list[Node | None]:
        """[None] when the name is assigned somewhere inside an expression of the node."""
        for start in target.within(node.start_byte, node.end_byte):
            if beside is not None and beside.start_byte <= start < beside.end_byte:
                continue
            if _ASSIGNS.match(self.source.data, start + len(target.word), node.end_byte):
                path = self.source.path(start, start + len(target.word), node)
                if any(each.type == "assignment_expression" for each in path[-3:-1]):
                    return [None]
        return []

    def _sequence(self, statements: list[Node], target: _Target, depth: int) -> _Found:
        values: list[Node | None] = []
        exits = bool(statements) and (statements[-1].type in _EXITS or _leaves(statements[-1]))
        for statement in reversed(statements):
            if not target.within(statement.start_byte, statement.end_byte):
                continue
            found = self._statement(statement, target, depth + 1)
            if found.declared is not None:
                return _Found([], exits=exits)  # a variable of its own in an inner block
            values += found.values
            if found.definite:
                return _Found(values, True, exits=exits)
        return _Found(values, exits=exits)

    def _if(self, node: Node, target: _Target, depth: int) -> _Found:
        consequence, alternative = (
            node.child_by_field_name("consequence"),
            node.child_by_field_name("alternative"),
        )
        condition = node.child_by_field_name("condition")
        first = self._statement(consequence, target, depth + 1) if consequence is not None else _NOTHING
        second = self._statement(alternative, target, depth + 1) if alternative is not None else _NOTHING
        values = [*([] if second.exits else second.values), *([] if first.exits else first.values)]
        if condition is not None:
            values += self._nested(condition, target, None)
        definite = (first.definite or first.exits) and (second.definite or second.exits)
        return _Found(values, definite, exits=first.exits and second.exits)

    def _try(self, node: Node, target: _Target, depth: int) -> _Found:
        body = _NOTHING
        others: list[_Found] = []
        last = _NOTHING
        for child in node.named_children:
            if child.type == "block":
                body = self._statement(child, target, depth + 1)
            elif child.type == "catch_clause":
                inner = child.child_by_field_name("body")
                if inner is not None:
                    others.append(self._statement(inner, target, depth + 1))
            elif child.type == "finally_clause" and child.named_children:
                last = self._statement(child.named_children[0], target, depth + 1)
        if last.definite:
            return last
        values = [*last.values]
        for other in reversed(others):
            values += [] if other.exits else other.values
        values += body.values
        return _Found(values, body.definite and all(other.definite or other.exits for other in others))

    def _switch(self, node: Node, target: _Target, depth: int) -> _Found:
        body = node.child_by_field_name("body")
        values: list[Node | None] = []
        definite, default = True, False
        for group in reversed(body.named_children if body is not None else []):
            label = next((c for c in group.named_children if c.type == "switch_label"), None)
            default = default or (
                label is not None and label.child_count > 0 and label.children[0].type == "default"
            )
            inside = [c for c in group.named_children if c.type != "switch_label"]
            if not inside:
                continue  # falls through to the next label
            found = self._sequence(inside, target, depth + 1)
            if found.exits:
                continue
            values += found.values
            definite = definite and found.definite
        return _Found(values, definite and default)


def _outermost(path: list[Node]) -> int:
    """Where on the way down the member of a named type begins; past the end where there is none."""
    return next((position for position, node in enumerate(path) if node.type in _MEMBERS), len(path))


def _leaves(node: Node) -> bool:
    """Whether a statement ends by returning or throwing."""
    while node.type == "block" and node.named_children:
        node = node.named_children[-1]
    return node.type in _EXITS


def parameters(method: Node) -> list[Node]:
    """The parameter nodes of a method, constructor or record."""
    held = method.child_by_field_name("parameters")
    if held is None:
        return []
    return [child for child in held.named_children if child.type in ("formal_parameter", "spread_parameter")]


def parameter_name(parameter: Node) -> Node | None:
    named = parameter.child_by_field_name("name")
    if named is None:
        for child in parameter.named_children:
            if child.type == "variable_declarator":
                return child.child_by_field_name("name")
    return named


def parameter_type(parameter: Node) -> Node | None:
    declared = parameter.child_by_field_name("type")
    if declared is None:
        for child in parameter.named_children:
            if child.type.endswith(("_type", "type_identifier")):
                return child
    return declared
