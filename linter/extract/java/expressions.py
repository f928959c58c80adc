"""Syntax nodes -> `Expr`, with imports applied and local variables followed; nothing is evaluated here.

Each expression is bounded in nodes and nesting; what is beyond says `too-many`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from tree_sitter import Node

from linter.extract.apis import CLASSIC_ROOTS, JAVA_CONSTANTS
from linter.extract.java import functions
from linter.extract.java.flow import Flow, Kind, Variable, parameter_name, parameters
from linter.extract.java.literals import integer, string
from linter.extract.java.names import Names, Scope
from linter.extract.java.source import Source
from linter.extract.java.substitution import substituted
from linter.model.expr import (
    Argument,
    Call,
    Concat,
    Config,
    Created,
    Entries,
    EnvVar,
    Expr,
    Interpolate,
    Items,
    Literal,
    LoopVar,
    Member,
    Name,
    New,
    OneOf,
    Param,
    This,
    TypeName,
    Unknown,
    Why,
)
from linter.model.location import Span

NODES_MAX = 2_000
"""Syntax nodes looked at for one expression, those of the variables it mentions included."""

DEPTH_MAX = 60
"""Expressions inside expressions."""

OPTIONS_MAX = 16
"""Alternatives of one local variable."""

EXPRESSION, TYPE = "expression", "type"
FILTER_EXPRESSION = "org.apache.rocketmq.client.apis.consumer.FilterExpression"
SELECTORS = {"byTag": "TAG", "bySql": "SQL92"}

_NUMBERS = frozenset({
    "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal",
})  # fmt: skip
_NUMERIC_TYPES = frozenset({"int", "long", "short", "byte", "Integer", "Long"})
SELECTOR_TYPES = frozenset(
    [f"{root}.client.consumer.MessageSelector" for root in CLASSIC_ROOTS]
    + ["com.aliyun.openservices.ons.api.MessageSelector"]
)
_SIMPLE_NAMES = frozenset({"getSimpleName", "getName", "getCanonicalName", "getTypeName"})
MUTATORS = "put|putIfAbsent|setProperty|add|putAll|addAll"
"""Methods that put something into a collection, as a regular expression."""


class Expressions:
    def __init__(self, source: Source, names: Names) -> None:
        self.source = source
        self.names = names
        self.flow = Flow(source)
        self.created: dict[tuple[int, int], Span] = {}  # bytes of a node that makes a consumer -> its site
        self._known: dict[tuple[int, int, str], tuple[Expr, int]] = {}  # and how many nodes it took
        self._left = 0
        self._depth = 0

    def expr(self, node: Node, scope: Scope | None) -> Expr:
        """The expression a node says, where `scope` is the named type it stands in."""
        if self._depth == 0:
            self._left = NODES_MAX
        key = (node.start_byte, node.end_byte, scope.name if scope is not None else "")
        known = self._known.get(key)
        if known is not None and known[1] < self._left:
            self._left -= known[1]
            return known[0]
        self._left -= 1
        before = self._left
        at = self.source.span(node)
        if self._depth >= DEPTH_MAX or self._left <= 0:
            return Unknown(Why.TOO_MANY, "an expression that is too large", at)
        self._depth += 1
        try:
            found = self._expr(node, scope, at)
        finally:
            self._depth -= 1
        if self._left > 0 and self._depth < DEPTH_MAX // 2:
            self._known[key] = (found, before - self._left + 1)
        return found

    def _expr(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        match node.type:
            case "string_literal" | "character_literal":
                return Literal(string(self.source.text(node)), at)
            case "true" | "false":
                return Literal(node.type, at)
            case "identifier":
                return self._identifier(node, scope, at)
            case "field_access" | "scoped_identifier" | "scoped_type_identifier":
                return self._field_access(node, scope, at)
            case "binary_expression":
                return self._binary(node, scope, at)
            case "method_invocation":
                return self._invocation(node, scope, at)
            case "object_creation_expression":
                return self._creation(node, scope, at)
            case "ternary_expression":
                return self._ternary(node, scope, at)
            case "parenthesized_expression" | "cast_expression":
                return self._inner(node, scope, at)
            case "switch_expression":
                return self._switch(node, scope, at)
            case "array_initializer" | "element_value_array_initializer":
                return Items(tuple(self.expr(child, scope) for child in code(node)), at)
            case "array_creation_expression":
                value = node.child_by_field_name("value")
                if value is not None:
                    return self.expr(value, scope)
            case "array_access":
                return self._array_access(node, scope, at)
            case "class_literal":
                return TypeName(self.names.of_type(node.named_children[0], scope), at)
            case "this":
                return This(at)
            case "null_literal":
                return functions.builtin("none", (), at)
            case "assignment_expression":
                return self._assignment(node, scope, at)
            case kind if kind in _NUMBERS:
                return Literal(integer(self.source.text(node)), at)
            case "decimal_floating_point_literal":
                return Literal(self.source.text(node), at)
            case "ERROR":
                return Unknown(Why.BROKEN, "a syntax error", at)
        return Unknown(Why.UNSUPPORTED, node.type.replace("_", " "), at)

    def _ternary(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        parts = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
        condition = node.child_by_field_name("condition")
        nodes = [part for part in parts if part is not None]
        options = [self.expr(part, scope) for part in nodes]
        asked = self.source.text(condition) if condition is not None else ""
        if len(options) == 2 and asks_presence(asked):
            # the side the condition asks about is the value, the other its stand-in
            if self.source.text(nodes[1]) in asked and self.source.text(nodes[0]) not in asked:
                options.reverse()
            return or_else(options[0], options[1], at)
        return one_of(options, at) or Unknown(Why.BROKEN, "", at)

    def _inner(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        inside = code(node)
        return self.expr(inside[-1], scope) if inside else Unknown(Why.BROKEN, "", at)

    def _assignment(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None:
            return Unknown(Why.BROKEN, "", at)
        if operator is not None and operator.type == "+=":
            return Concat((self.expr(left, scope), self.expr(right, scope)), at)
        return self.expr(right, scope)

    def _binary(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        parts: list[Node] = []
        current = node
        while True:  # a sum leans to the left, as deep as it has terms
            left, right = current.child_by_field_name("left"), current.child_by_field_name("right")
            operator = current.child_by_field_name("operator")
            if left is None or right is None or operator is None or operator.type != "+":
                text = operator.type if operator is not None else "operator"
                return Unknown(Why.UNSUPPORTED, f"operator {text}", at)
            parts.append(right)
            if left.type != "binary_expression":
                parts.append(left)
                break
            current = left
            if len(parts) > NODES_MAX:
                return Unknown(Why.TOO_MANY, "a sum with too many terms", at)
        parts.reverse()
        if self._numeric(parts[0], scope) and self._numeric(parts[1], scope):
            return Unknown(Why.UNSUPPORTED, "arithmetic", at)
        return Concat(tuple(self.expr(part, scope) for part in parts), at)

    def _numeric(self, node: Node, scope: Scope | None) -> bool:
        if node.type in _NUMBERS:
            return True
        if node.type == "parenthesized_expression":
            inner = code(node)
            return bool(inner) and self._numeric(inner[0], scope)
        if node.type == "binary_expression":
            sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
            return all(side is not None and self._numeric(side, scope) for side in sides)
        declared = self.declared_type(node, scope) if node.type == "identifier" else None
        return declared is not None and self.source.text(declared) in _NUMERIC_TYPES

    def _switch(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        body = node.child_by_field_name("body")
        options: list[Expr] = []
        for rule in body.named_children if body is not None else ():
            for part in code(rule):
                if part.type == "expression_statement":
                    options += [self.expr(child, scope) for child in code(part)[:1]]
                elif part.type == "block":
                    options += [
                        self.expr(code(child)[0], scope)
                        for child in part.named_children
                        if child.type == "yield_statement" and code(child)
                    ]
                elif part.type == "yield_statement" and code(part):
                    options.append(self.expr(code(part)[0], scope))
        return one_of(options, at) or Unknown(Why.UNSUPPORTED, "a switch", at)

    def _array_access(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        array, index = node.child_by_field_name("array"), node.child_by_field_name("index")
        if array is None or index is None:
            return Unknown(Why.BROKEN, "", at)
        return self._item(self.expr(array, scope), index, scope, at)

    def _item(self, source: Expr, index: Node, scope: Scope | None, at: Span) -> Expr:
        """An element by index: a literal one, or the turn of a counting loop."""
        if index.type == "identifier":
            variable = self.flow.variable(index, self.source.text(index))
            if variable is not None and variable.kind is Kind.INDEX:
                return LoopVar(self.source.span(variable.node), source, (), at)
        return functions.builtin("getitem", (source, self.expr(index, scope)), at)

    # -- names ----------------------------------------------------------------------------------------------

    def _identifier(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        name = self.source.text(node)
        variable = self.flow.variable(node, name)
        if variable is not None:
            return self._variable(variable, node, name, scope, at)
        if self._is_type(name, scope):
            candidates, exact = self.names.types(name, scope)
            return Name(candidates, at, exact)
        return self._member_name(node, name, scope, at)

    def _member_name(self, node: Node, name: str, scope: Scope | None, at: Span) -> Expr:
        """A field; where the method itself has assigned it before, what it assigned."""
        candidates, exact = self.names.members(name, scope)
        found = library_constant(candidates, at) or Name(candidates, at, exact)
        assigned = self.flow.assigned(node, name)
        if assigned is None or isinstance(found, Literal):
            return found
        options: list[Expr] = [] if assigned.settled else [found]
        values = list(reversed(assigned.values))[:OPTIONS_MAX]
        options += [self.expr(v, scope) for v in values if v is not None and v.type != "null_literal"]
        return alternatives(options, at) or found

    def _is_type(self, name: str, scope: Scope | None) -> bool:
        """Whether a bare identifier that is no local means a type: declared or imported, else by its spelling."""
        chain = scope.chain if scope is not None else ()
        if any(name in outer.fields for outer in chain):
            return False
        if (
            name in self.names.top
            or name in self.names.single
            or any(name in s.nested or s.simple == name for s in chain)
        ):
            return True
        if name in self.names.static_single:
            return False
        return name[:1].isupper() and any(char.islower() for char in name)

    def _variable(self, variable: Variable, node: Node, name: str, scope: Scope | None, at: Span) -> Expr:
        options: list[tuple[Expr, Node | None]] = []
        values = list(reversed(variable.values))
        for value in values[:OPTIONS_MAX]:
            if value is None:
                options.append((Unknown(Why.DYNAMIC, f"variable {name}", at), None))
            elif value.type != "null_literal":
                options.append((self.expr(value, scope), value))
        base = self._base(variable, name, scope, at)
        if base is not None:
            options = [(base, None)] if variable.kind is Kind.INDEX else [(base, None), *options]
        found = self._merged(options, name, self.source.span(variable.node))
        if found is None:
            if values:
                return functions.builtin("none", (), at)
            return Unknown(Why.UNDEFINED, f"{name} is never assigned", at)
        if isinstance(found, Literal) and values and self._is_builder(values[-1]):
            return self._built(found, name, values[-1], node, scope)
        if isinstance(found, Entries | Items) and variable.kind is Kind.LOCAL and values[-1] is not None:
            return self._filled(found, name, values[-1].end_byte, node, scope)
        if isinstance(found, New) and variable.kind is Kind.LOCAL and values[-1] is not None:
            return self._set_up(found, name, values[-1].end_byte, node, scope)
        return found

    def _merged(self, options: list[tuple[Expr, Node | None]], name: str, at: Span) -> Expr | None:
        """One expression for the values of a variable: what is assigned only when it is empty is its stand-in."""
        found: list[Expr] = []
        for option, node in options:
            if found and node is not None and self._stands_in(node, name):
                found = [or_else(one_of(found, at) or option, option, at)]
            else:
                found.append(option)
        return alternatives(found, at)

    def _stands_in(self, value: Node, name: str) -> bool:
        """Whether a value is assigned below `if (name is empty)`."""
        for parent in reversed(self.source.path(value.start_byte, value.end_byte)[:-1]):
            if parent.type == "if_statement":
                condition = parent.child_by_field_name("condition")
                text = self.source.text(condition) if condition is not None else ""
                return name in text and asks_presence(text)
            if parent.type.endswith(("_declaration", "_body")):
                return False
        return False

    def _is_builder(self, node: Node | None) -> bool:
        if node is None or node.type != "object_creation_expression":
            return False
        kind = node.child_by_field_name("type")
        return kind is not None and self.source.text(kind) in ("StringBuilder", "StringBuffer")

    def _built(self, made: Expr, name: str, value: Node | None, use: Node, scope: Scope | None) -> Expr:
        """A text built by `name.append(…)` in a straight line; in a branch or loop it is not followed."""
        assert value is not None
        at = self.source.span(use)
        parts: list[Expr] = [made]
        depth = _blocks(self.source.path(value.start_byte, value.end_byte))
        for call in self.calls_on(name, r"[a-z]\w*", value.end_byte, use.start_byte):
            path = self.source.path(call.start_byte, call.start_byte + 1)
            chain = [
                node
                for node in path
                if node.type == "method_invocation" and node.start_byte == call.start_byte
            ]
            if _blocks(path) != depth or any(self._method_name(link) != "append" for link in chain):
                return Unknown(Why.UNSUPPORTED, "a text built step by step", at)
            parts += [self.expr(arg, scope) for link in reversed(chain) for arg in arguments(link)[:1]]
        return Concat(tuple(parts), at) if len(parts) > 1 else made

    def _base(self, variable: Variable, name: str, scope: Scope | None, at: Span) -> Expr | None:
        """What a variable is by its kind, apart from what is assigned to it."""
        match variable.kind:
            case Kind.LOCAL:
                return None
            case Kind.PARAM:
                return Param(name, at)
            case Kind.INDEX:
                return Unknown(Why.DYNAMIC, f"counter {name}", at)
            case Kind.LOOP:
                source = variable.node.child_by_field_name("value")
                if source is not None:
                    return LoopVar(self.source.span(variable.node), self.expr(source, scope), (), at)
            case Kind.LAMBDA:
                return self._lambda(variable, name, scope, at)
        return Unknown(Why.DYNAMIC, f"parameter {name}", at)

    def _lambda(self, variable: Variable, name: str, scope: Scope | None, at: Span) -> Expr:
        """A parameter of the lambda of `collection.forEach(…)` is a loop variable."""
        path = self.source.path(variable.node.start_byte, variable.node.end_byte)
        call = next((node for node in reversed(path) if node.type == "method_invocation"), None)
        target = call.child_by_field_name("object") if call is not None else None
        if (
            call is not None
            and target is not None
            and self._method_name(call) in ("forEach", "forEachOrdered")
        ):
            parameters = variable.node.child_by_field_name("parameters")
            pair = (
                parameters is not None
                and parameters.type != "identifier"
                and parameters.named_child_count == 2
            )
            source = self.expr(target, scope)
            loop = self.source.span(variable.node)
            if pair:
                entries = functions.builtin("entries", (source,), source.at)
                return LoopVar(loop, entries, (variable.index,), at)
            return LoopVar(loop, source, (), at)
        return Unknown(Why.DYNAMIC, f"lambda parameter {name}", at)

    def _filled(self, made: Expr, name: str, start: int, use: Node, scope: Scope | None) -> Expr:
        """A list or map made here, with what `name.put(…)` and its kin add before the place of use."""
        for call in self.calls_on(name, f"{MUTATORS}|load", start, use.start_byte):
            made = self.added(made, call, scope)
        for offset in self.source.words(name.encode(), start, use.start_byte):
            made = self._handed(made, offset, name, scope)
        return made

    def _handed(self, made: Expr, offset: int, name: str, scope: Scope | None) -> Expr:
        """A collection handed to a method of this type, with what that method puts into its parameter."""
        path = self.source.path(offset, offset + len(name.encode()))
        if scope is None or len(path) < 3 or path[-2].type != "argument_list":
            return made
        call = path[-3]
        target = call.child_by_field_name("object") if call.type == "method_invocation" else call
        if call.type != "method_invocation" or (target is not None and target.type != "this"):
            return made
        args = arguments(call)
        for method in scope.methods.get(self._method_name(call), ()):
            given, body = parameters(method), method.child_by_field_name("body")
            if len(given) != len(args) or body is None:
                continue
            names = [parameter_name(each) for each in given]
            texts = [self.source.text(each) if each is not None else "" for each in names]
            own = texts[args.index(path[-1])]
            bindings = tuple(
                (text, self.expr(arg, scope)) for text, arg in zip(texts, args, strict=True) if text != own
            )
            for inner in self.calls_on(own, f"{MUTATORS}|load", body.start_byte, body.end_byte):
                made = substituted(self.added(made, inner, scope), bindings)
        return made

    def _set_up(self, made: New, name: str, start: int, use: Node, scope: Scope | None) -> New:
        """An object made here, with what its setters are given before the place of use as named arguments."""
        given: list[Argument] = []
        for call in self.calls_on(name, r"set[A-Z]\w*", start, use.start_byte):
            args = arguments(call)
            if len(args) == 1:
                stem = self._method_name(call)[3:]
                given.append(Argument(self.expr(args[0], scope), stem[:1].lower() + stem[1:]))
        return New(made.candidates, (*made.args, *given), made.at) if given else made

    def calls_on(self, name: str, methods: str, start: int, end: int) -> list[Node]:
        """The calls `name.method(…)` between two bytes, in source order; `methods` is a regular expression."""
        found: list[Node] = []
        word = name.encode()
        pattern = _called(methods)
        for offset in self.source.words(word, start, max(start, end)):
            after = offset + len(word)
            if pattern.match(self.source.data, after) is None:
                continue
            path = self.source.path(offset, after)
            if len(path) > 1 and path[-1].type == "identifier" and path[-2].type == "method_invocation":
                found.append(path[-2])
            elif len(path) > 2 and path[-2].type == "field_access" and path[-3].type == "method_invocation":
                found.append(path[-3])
        return found

    def added(self, made: Expr, call: Node, scope: Scope | None) -> Expr:
        """A collection with the arguments of one more `put`, `add`, `putAll` or `addAll`."""
        args = [self.expr(argument, scope) for argument in arguments(call)]
        method = self._method_name(call)
        if isinstance(made, Entries) and len(args) == 2 and method in ("put", "putIfAbsent", "setProperty"):
            return Entries((*made.entries, (args[0], args[1])), made.at)
        if isinstance(made, Items) and len(args) == 1 and method == "add":
            return Items((*made.items, args[0]), made.at)
        if isinstance(made, Entries) and len(args) == 1 and isinstance(args[0], Entries):
            return Entries((*made.entries, *args[0].entries), made.at)
        if isinstance(made, Items) and len(args) == 1 and isinstance(args[0], Items):
            return Items((*made.items, *args[0].items), made.at)
        return Unknown(Why.UNSUPPORTED, f"a collection filled by {method}", self.source.span(call))

    def _field_access(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        held, named = node.child_by_field_name("object"), node.child_by_field_name("field")
        if held is None:
            held, named = node.child_by_field_name("scope"), node.child_by_field_name("name")
        if held is None or named is None:
            return Unknown(Why.BROKEN, "", at)
        name = self.source.text(named)
        if held.type == "this" and scope is not None:
            if name in scope.fields:
                return self._member_name(node, name, scope, at)
            return Name((f"{scope.name}#{name}",), at)
        if held.type == "super" and scope is not None:
            return Name(tuple(f"{s}#{name}" for names in scope.supers for s in names), at)
        if named.type == "this":
            return This(at)
        if held.type == "field_access" and self._ends_in_this(held):
            outer = self.names.types(self.source.text(held).removesuffix(".this"), scope)[0]
            return Name(tuple(f"{owner}#{name}" for owner in outer), at)
        parts = self._dotted(node)
        if parts is None:
            if name == "length":
                return Unknown(Why.UNSUPPORTED, "length", at)
            return Member(self.expr(held, scope), name, None, at)
        return self._qualified(node, parts, scope, at)

    def _ends_in_this(self, node: Node) -> bool:
        field = node.child_by_field_name("field")
        return field is not None and field.type == "this"

    def _dotted(self, node: Node) -> list[Node] | None:
        """The identifiers of `a.b.c`, None when something else is among them."""
        parts: list[Node] = []
        current = node
        while current.type in ("field_access", "scoped_identifier"):
            field = current.child_by_field_name("field") or current.child_by_field_name("name")
            held = current.child_by_field_name("object") or current.child_by_field_name("scope")
            if field is None or held is None or field.type != "identifier" or len(parts) > DEPTH_MAX:
                return None
            parts.append(field)
            current = held
        if current.type != "identifier":
            return None
        parts.append(current)
        parts.reverse()
        return parts

    def _qualified(self, node: Node, parts: list[Node], scope: Scope | None, at: Span) -> Expr:
        """`a.b.C.D`: a variable's fields, or a member of a type, told apart by declarations, then by spelling."""
        texts = [self.source.text(part) for part in parts]
        head = texts[0]
        if self.is_variable(parts[0], scope):
            found = self.expr(parts[0], scope)
            rest = 1
        else:
            rest = self._type_length(texts, scope)
            owner = ".".join(texts[:rest])
            candidates, exact = self.names.types(owner, scope)
            if rest == len(texts):
                return Name(candidates, at, exact)
            members = tuple(f"{candidate}#{texts[rest]}" for candidate in candidates)
            span = self.source.span_of(parts[0].start_byte, parts[rest].end_byte)
            found = library_constant(members, span) or Name(members, span, exact)
            rest += 1
        for part in parts[rest:]:
            if head and self.source.text(part) == "length" and part == parts[-1]:
                return Unknown(Why.UNSUPPORTED, "length", at)
            span = self.source.span_of(parts[0].start_byte, part.end_byte)
            found = Member(found, self.source.text(part), None, span)
        return found

    def _type_length(self, texts: list[str], scope: Scope | None) -> int:
        """How many leading parts of a dotted name are the type; the last part is a member."""
        count = 1
        while (
            count < len(texts) and texts[count - 1][:1].islower() and not self._declared_type(texts[0], scope)
        ):
            count += 1
        while count < len(texts) - 1:
            following = texts[count]
            known = [
                self.names.by_name.get(name) for name in self.names.types(".".join(texts[:count]), scope)[0]
            ]
            if any(found is not None and following in found.fields for found in known):
                break
            constant_after = all(part.upper() == part for part in texts[count : count + 2])
            camel = following[:1].isupper() and following.upper() != following
            if not camel and not (constant_after and following[:1].isupper()):
                break
            count += 1
        return min(count, len(texts))

    def _declared_type(self, name: str, scope: Scope | None) -> bool:
        chain = scope.chain if scope is not None else ()
        return (
            name in self.names.single
            or name in self.names.top
            or any(name in s.nested or s.simple == name for s in chain)
        )

    def is_variable(self, node: Node, scope: Scope | None) -> bool:
        """Whether an identifier means a local, a parameter or a field, and not a type."""
        name = self.source.text(node)
        if self.flow.variable(node, name) is not None:
            return True
        return not self._is_type(name, scope) and (
            any(name in outer.fields for outer in (scope.chain if scope else ()))
            or name in self.names.static_single
            or (name[:1].islower() and any(outer.supers for outer in (scope.chain if scope else ())))
        )

    # -- calls ----------------------------------------------------------------------------------------------

    def _method_name(self, call: Node) -> str:
        named = call.child_by_field_name("name")
        return self.source.text(named) if named is not None else ""

    def _created(self, node: Node, at: Span) -> Expr | None:
        """The consumer a node makes: its constructor call, or a chain of builder calls on the factory's result."""
        current: Node | None = node
        while current is not None and current.end_byte > node.start_byte:
            site = self.created.get((current.start_byte, current.end_byte))
            if site is not None:
                return Created(site, at)
            current = current.child_by_field_name("object") if current.type == "method_invocation" else None
        return None

    def _creation(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        made = self._created(node, at) if self.created else None
        if made is not None:
            return made
        kind = node.child_by_field_name("type")
        candidates = self.names.of_type(kind, scope)
        simple = candidates[-1].rpartition(".")[2] if candidates else ""
        args = arguments(node)
        library = any(c.startswith("java.") for c in candidates) or simple in self.names.single
        if simple in functions.MAPS or simple in functions.LISTS:
            made = self._collection(node, simple in functions.MAPS, args, scope, at)
            if made is not None:
                return made
        if simple == "String" and library and len(args) == 1:
            return self.expr(args[0], scope)
        if simple in ("StringBuilder", "StringBuffer"):
            return self.expr(args[0], scope) if args else Literal("", at)
        values = [self.expr(arg, scope) for arg in args]
        if FILTER_EXPRESSION in candidates:
            return selector(values[0] if values else None, values[1] if len(values) > 1 else None, at)
        return New(candidates, tuple(map(Argument, values)), at)

    def _collection(
        self, node: Node, is_map: bool, args: list[Node], scope: Scope | None, at: Span
    ) -> Expr | None:
        made: Expr = Entries((), at) if is_map else Items((), at)
        if args and args[0].type not in _NUMBERS:
            made = self.expr(args[0], scope)
        body = next((child for child in node.named_children if child.type == "class_body"), None)
        for block in body.named_children if body is not None else ():
            for statement in block.named_children if block.type == "block" else ():
                for call in statement.named_children:
                    if call.type == "method_invocation":
                        made = self.added(made, call, scope)
        return made

    def _invocation(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        made = self._created(node, at) if self.created else None
        if made is not None:
            return made
        target = node.child_by_field_name("object")
        name = self._method_name(node)
        args = arguments(node)
        if target is None or target.type in ("this", "super"):
            return self._own_call(target, name, args, scope, at)
        if target.type == "class_literal" and name in _SIMPLE_NAMES:
            return self._class_name(self.expr(target, scope), name, at)
        owner = self.static_owner(target, scope)
        if owner is not None:
            return self._static_call(owner, name, args, scope, at)
        return self._call_on(node, target, name, args, scope, at)

    def _class_name(self, kind: Expr, method: str, at: Span) -> Expr:
        return functions.builtin(
            "simple_name" if method == "getSimpleName" else "qualified_name", (kind,), at
        )

    def _own_call(
        self, target: Node | None, name: str, args: list[Node], scope: Scope | None, at: Span
    ) -> Expr:
        values = tuple(self.expr(arg, scope) for arg in args)
        if name == "getClass" and not args:
            return TypeName((), at)
        if target is not None and target.type == "super" and scope is not None:
            candidates = tuple(f"{owner}#{name}" for names in scope.supers for owner in names)
        else:
            candidates = self.names.methods(name, scope)
        for candidate in candidates:
            owner = candidate.rpartition("#")[0]
            known = functions.static((owner,), name, values, at)
            if known is not None:
                return known
        return Call(candidates, tuple(map(Argument, values)), at)

    def static_owner(self, target: Node, scope: Scope | None) -> tuple[str, ...] | None:
        """Candidate types when a call's object is the name of a type, else None."""
        if target.type == "identifier":
            name = self.source.text(target)
            if not name[:1].isupper() and not self._is_type(name, scope):
                return None
            if self.is_variable(target, scope):
                return None
            return self.names.types(name, scope)[0]
        parts = self._dotted(target) if target.type == "field_access" else None
        if parts is None or self.is_variable(parts[0], scope):
            return None
        texts = [self.source.text(part) for part in parts]
        last = texts[-1]
        if self._type_length([*texts, "x"], scope) != len(texts) or last.upper() == last:
            return None
        if texts[-2][:1].isupper() and not any(
            name in self.names.by_name for name in self.names.types(".".join(texts), scope)[0]
        ):
            return None  # a constant in camel case, or a member type: evaluation can tell
        return self.names.types(".".join(texts), scope)[0]

    def _static_call(
        self, owner: tuple[str, ...], name: str, args: list[Node], scope: Scope | None, at: Span
    ) -> Expr:
        values = tuple(self.expr(arg, scope) for arg in args)
        if name == "valueOf" and len(values) == 1 and any(candidate in JAVA_CONSTANTS for candidate in owner):
            return values[0]
        if name in SELECTORS and len(values) == 1 and any(candidate in SELECTOR_TYPES for candidate in owner):
            return selector(values[0], Literal(SELECTORS[name], at), at)
        if len(args) == 1 and name in functions.VARIADIC and self._is_collection(args[0], scope):
            return values[0]
        known = functions.static(owner, name, values, at)
        if known is not None:
            return known
        candidates = tuple(f"{candidate}#{name}" for candidate in owner)
        return Call(candidates, tuple(map(Argument, values)), at)

    def _is_collection(self, node: Node, scope: Scope | None) -> bool:
        """Whether an argument is declared as an array or collection."""
        declared = self.declared_type(node, scope)
        return declared is not None and declared.type in ("array_type", "generic_type")

    def _call_on(
        self, node: Node, target: Node, name: str, args: list[Node], scope: Scope | None, at: Span
    ) -> Expr:
        value = self.expr(target, scope)
        if name in _SIMPLE_NAMES and isinstance(value, TypeName):
            return self._class_name(value, name, at)
        if name == "getClass" and not args:
            kinds = self.types_of(target, scope)
            return TypeName(kinds, at) if kinds else Member(value, name, (), at)
        if (
            isinstance(value, LoopVar)
            and not args
            and name in ("getKey", "getValue")
            and self._entry(target, scope)
        ):
            return LoopVar(value.loop, value.source, (*value.path, int(name == "getValue")), at)
        if name == "get" and len(args) == 1 and args[0].type == "identifier":
            item = self._item(value, args[0], scope, at)
            if isinstance(item, LoopVar):
                return item
        values = tuple(self.expr(arg, scope) for arg in args)
        if self._is_environment(target, scope):
            if name == "resolvePlaceholders" and values:
                return Interpolate(values[0], at)
            configured = functions.configuration(name, values, at)
            if configured is not None:
                return configured
        if (
            any(kind.startswith("com.ctrip.framework.apollo") for kind in self.types_of(target, scope))
            and values
        ):
            return Config(values[0], values[1] if len(values) > 1 else None, at)
        if name == "values" and not args and isinstance(value, Entries | Name | Param):
            return functions.builtin("values", (value,), at)
        if name == "append" and len(values) == 1 and isinstance(value, Literal | Concat | Name | Param):
            return Concat((value, values[0]), at)
        known = functions.on_text(value, name, values, at)
        return known if known is not None else Member(value, name, tuple(map(Argument, values)), at)

    def _entry(self, target: Node, scope: Scope | None) -> bool:
        declared = self.declared_type(target, scope)
        return (
            declared is None or "Entry" in self.source.text(declared) or self.source.text(declared) == "var"
        )

    def _is_environment(self, target: Node, scope: Scope | None) -> bool:
        if target.type == "method_invocation":
            return self._method_name(target) == "getEnvironment"
        kinds = self.types_of(target, scope)
        simple = kinds[0].rpartition(".")[2] if kinds else ""
        return simple.endswith("Environment")

    # -- types ----------------------------------------------------------------------------------------------

    def declared_type(self, node: Node, scope: Scope | None) -> Node | None:
        """The type node a variable or field was declared with."""
        if node.type == "field_access":
            held, named = node.child_by_field_name("object"), node.child_by_field_name("field")
            if held is None or named is None or held.type != "this" or scope is None:
                return None
            entry = scope.fields.get(self.source.text(named))
            return entry[0].child_by_field_name("type") if entry else None
        if node.type != "identifier":
            return None
        name = self.source.text(node)
        variable = self.flow.variable(node, name)
        if variable is not None:
            return variable.type
        for outer in scope.chain if scope is not None else ():
            if name in outer.fields:
                return outer.fields[name][0].child_by_field_name("type")
        return None

    def types_of(self, node: Node, scope: Scope | None, depth: int = 0) -> tuple[str, ...]:
        """Candidate full names of an expression's static type, as far as this file tells; else empty."""
        if depth > DEPTH_MAX:
            return ()
        match node.type:
            case "identifier" | "field_access":
                declared = self.declared_type(node, scope)
                if declared is not None and self.source.text(declared) != "var":
                    return self.names.of_type(declared, scope)
                variable = (
                    self.flow.variable(node, self.source.text(node)) if node.type == "identifier" else None
                )
                values = [value for value in variable.values if value is not None] if variable else []
                return self.types_of(values[-1], scope, depth + 1) if values else ()
            case "object_creation_expression":
                return self.names.of_type(node.child_by_field_name("type"), scope)
            case "cast_expression":
                return self.names.of_type(node.child_by_field_name("type"), scope)
            case "parenthesized_expression":
                inner = code(node)
                return self.types_of(inner[0], scope, depth + 1) if inner else ()
            case "this":
                return (scope.name,) if scope is not None else ()
            case "method_invocation":
                return self._return_type(node, scope)
            case "string_literal":
                return ("java.lang.String",)
        return ()

    def _return_type(self, node: Node, scope: Scope | None) -> tuple[str, ...]:
        """The declared type of a call of a method of this file."""
        target = node.child_by_field_name("object")
        name = self._method_name(node)
        owners: tuple[Scope, ...] = ()
        if target is None or target.type == "this":
            owners = scope.chain if scope is not None else ()
        else:
            kinds = self.static_owner(target, scope) or self.types_of(target, scope, 1)
            owners = tuple(self.names.by_name[kind] for kind in kinds if kind in self.names.by_name)
        for owner in owners:
            for method in owner.methods.get(name, ()):
                return self.names.of_type(method.child_by_field_name("type"), owner)
        return ()


def arguments(node: Node) -> list[Node]:
    """The argument nodes of a call, comments left out."""
    held = node.child_by_field_name("arguments")
    return code(held) if held is not None else []


def code(node: Node) -> list[Node]:
    """The named children that are no comments."""
    return [child for child in node.named_children if not child.type.endswith("_comment")]


def one_of(options: list[Expr], at: Span) -> Expr | None:
    """Alternatives without repetition; a single one is itself, none is None."""
    distinct = list(dict.fromkeys(options))
    if len(distinct) > 1:
        return OneOf(tuple(distinct), at)
    return distinct[0] if distinct else None


_PRESENCE = re.compile(r"null|[Bb]lank|[Ee]mpty|hasText|hasLength|isPresent|length\(\)|\"\"")


@cache
def _called(methods: str) -> re.Pattern[bytes]:
    return re.compile(rb"\s*\.\s*(?:" + methods.encode() + rb")\s*\(")


def asks_presence(condition: str) -> bool:
    """Whether the text of a condition asks if a value is there at all."""
    return _PRESENCE.search(condition) is not None


def alternatives(options: list[Expr], at: Span) -> Expr | None:
    """Alternatives where some come from outside: what is asked of the environment first, the rest its default."""
    asked = [option for option in options if isinstance(option, EnvVar | Config) and option.default is None]
    rest = [option for option in options if option not in asked]
    if not asked or not rest:
        return one_of(options, at)
    found = one_of(rest, at)
    for option in reversed(asked):
        found = replace(option, default=found)
    return found


def or_else(value: Expr, default: Expr, at: Span) -> Expr:
    """A value that gives way to another where it is null or blank."""
    if isinstance(value, EnvVar | Config) and value.default is None:
        return replace(value, default=default)
    if isinstance(value, Literal) and value.text.strip():
        return value
    return functions.builtin("or_else", (value, default), at)


def _blocks(path: list[Node]) -> int:
    """How many statements that may run several times or not at all stand around the last node."""
    return sum(node.type.endswith("_statement") and node.type not in _STRAIGHT for node in path)


_STRAIGHT = frozenset({"expression_statement", "return_statement", "try_statement", "synchronized_statement"})


def selector(expression: Expr | None, kind: Expr | None, at: Span) -> Entries:
    """A `MessageSelector` or `FilterExpression` as the record of its two parts."""
    parts = ((EXPRESSION, expression or Literal("*", at)), (TYPE, kind or Literal("TAG", at)))
    return Entries(tuple((Literal(name, at), value) for name, value in parts), at)


def library_constant(candidates: tuple[str, ...], at: Span) -> Expr | None:
    """A constant of a client library (`MessageModel.BROADCASTING`) as the text it stands for."""
    for candidate in candidates:
        owner, _, member = candidate.partition("#")
        if owner == FILTER_EXPRESSION and member == "SUB_ALL":
            return selector(None, None, at)
        text = JAVA_CONSTANTS.get(owner, {}).get(member)
        if text is not None:
            return Literal(text, at)
    return None
