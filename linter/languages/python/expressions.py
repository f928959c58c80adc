"""Python expressions -> `ir` expressions, with what they call and mention."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tree_sitter import Node

from subdrift.linter.languages.python import literals
from subdrift.linter.languages.python.nested import DEPTH_MAX, NESTED_MAX
from subdrift.linter.languages.python.strings import Strings
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
    MEMBER_TYPE,
    NAME,
    NONE,
    OBJECT,
    RIGHT,
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
from subdrift.linter.model import ir

DEFAULT_PARAMETER = kind("default_parameter")
DICT_SPLAT = kind("dictionary_splat")
DICT_SPLAT_PATTERN = kind("dictionary_splat_pattern")
FOR_CLAUSE = kind("for_in_clause")
KEYWORD_SEPARATOR = kind("keyword_separator")
LIST_SPLAT_PATTERN = kind("list_splat_pattern")
PAIR = kind("pair")
POSITIONAL_SEPARATOR = kind("positional_separator")
TYPED_DEFAULT = kind("typed_default_parameter")
TYPED_PARAMETER = kind("typed_parameter")

_STAR = ord("*")
_WRITTEN_MAX = 400

_COLON = token(":")
_COMMA = token(",")
_FROM = token("from")

BODY = field("body")
KEY = field("key")
PARAMETERS = field("parameters")
TYPE = field("type")


class Expressions(Strings):
    """Lowers the expressions of one file, and collects `calls` and `names` on the way."""

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
        if isinstance(value, int) and value not in literals.INTEGERS:
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
        if element is None or not clauses:
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
            self.annotated(annotation),
        )

    def type(self, node: Node | None) -> ir.TypeRef | None:
        """The type that an annotation names, or None."""
        if node is None:
            return None
        found = self.type_ref(node)
        if found is not None:
            self.names.update(_type_names(found))
        return found

    def annotated(self, node: Node | None) -> tuple[ir.Annotation, ...]:
        """What an annotation calls, and its text where it is more than a name."""
        found = self.metadata(node)
        if node is None or bare(node).kind_id in (IDENTIFIER, ATTRIBUTE, MEMBER_TYPE, NONE):
            return found
        written, at = self.text(node), self.at(node)
        if len(written) > _WRITTEN_MAX:
            return found
        return (*found, ir.Annotation(ir.WRITTEN, (), at, ir.Const(written, at)))

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
