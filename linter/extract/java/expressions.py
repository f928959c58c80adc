"""Syntax nodes -> `Expr`, with imports applied and local variables followed; nothing is evaluated here.

Each expression is bounded in nodes and nesting; what is beyond says `too-many`.
"""

from __future__ import annotations

from tree_sitter import Node

from linter.clients.apis import JAVA_CONSTANTS
from linter.extract.java import functions
from linter.extract.java.combine import (
    FILTER_EXPRESSION,
    SELECTOR_TYPES,
    SELECTORS,
    alternatives,
    asks_presence,
    library_constant,
    one_of,
    or_else,
    selector,
)
from linter.extract.java.flow import Flow, Kind
from linter.extract.java.kinds import DEPTH_MAX, Kinds
from linter.extract.java.literals import integer, string
from linter.extract.java.names import Names, Scope
from linter.extract.java.source import Source
from linter.extract.java.syntax import NUMBERS, arguments, code
from linter.extract.java.variables import OPTIONS_MAX, Variables
from linter.model.expr import (
    Argument,
    Call,
    Concat,
    Config,
    Created,
    Entries,
    Expr,
    Interpolate,
    Items,
    Literal,
    LoopVar,
    Member,
    Name,
    New,
    Param,
    This,
    TypeName,
    Unknown,
    Why,
)
from linter.model.location import Span

NODES_MAX = 2_000
"""Syntax nodes looked at for one expression, those of the variables it mentions included."""

_SIMPLE_NAMES = frozenset({"getSimpleName", "getName", "getCanonicalName", "getTypeName"})


class Expressions:
    def __init__(self, source: Source, names: Names) -> None:
        self.source = source
        self.names = names
        self.flow = Flow(source)
        self.kinds = Kinds(source, names, self.flow)
        self.variables = Variables(self)
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
            case kind if kind in NUMBERS:
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
        if self.kinds.is_number(parts[0], scope) and self.kinds.is_number(parts[1], scope):
            return Unknown(Why.UNSUPPORTED, "arithmetic", at)
        return Concat(tuple(self.expr(part, scope) for part in parts), at)

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
            return self.variables.value(variable, node, name, scope, at)
        if self.kinds.is_type(name, scope):
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
        parts = self.kinds.dotted(node)
        if parts is None:
            if name == "length":
                return Unknown(Why.UNSUPPORTED, "length", at)
            return Member(self.expr(held, scope), name, None, at)
        return self._qualified(node, parts, scope, at)

    def _ends_in_this(self, node: Node) -> bool:
        field = node.child_by_field_name("field")
        return field is not None and field.type == "this"

    def _qualified(self, node: Node, parts: list[Node], scope: Scope | None, at: Span) -> Expr:
        """`a.b.C.D`: a variable's fields, or a member of a type, told apart by declarations, then by spelling."""
        texts = [self.source.text(part) for part in parts]
        head = texts[0]
        if self.kinds.is_variable(parts[0], scope):
            found = self.expr(parts[0], scope)
            rest = 1
        else:
            rest = self.kinds.type_length(texts, scope)
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

    # -- calls ----------------------------------------------------------------------------------------------

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
        if args and args[0].type not in NUMBERS:
            made = self.expr(args[0], scope)
        body = next((child for child in node.named_children if child.type == "class_body"), None)
        for block in body.named_children if body is not None else ():
            for statement in block.named_children if block.type == "block" else ():
                for call in statement.named_children:
                    if call.type == "method_invocation":
                        made = self.variables.added(made, call, scope)
        return made

    def _invocation(self, node: Node, scope: Scope | None, at: Span) -> Expr:
        made = self._created(node, at) if self.created else None
        if made is not None:
            return made
        target = node.child_by_field_name("object")
        name = self.kinds.method_name(node)
        args = arguments(node)
        if target is None or target.type in ("this", "super"):
            return self._own_call(target, name, args, scope, at)
        if target.type == "class_literal" and name in _SIMPLE_NAMES:
            return self._class_name(self.expr(target, scope), name, at)
        owner = self.kinds.static_owner(target, scope)
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

    def _static_call(
        self, owner: tuple[str, ...], name: str, args: list[Node], scope: Scope | None, at: Span
    ) -> Expr:
        values = tuple(self.expr(arg, scope) for arg in args)
        if name == "valueOf" and len(values) == 1 and any(candidate in JAVA_CONSTANTS for candidate in owner):
            return values[0]
        if name in SELECTORS and len(values) == 1 and any(candidate in SELECTOR_TYPES for candidate in owner):
            return selector(values[0], Literal(SELECTORS[name], at), at)
        if len(args) == 1 and name in functions.VARIADIC and self.kinds.is_collection(args[0], scope):
            return values[0]
        known = functions.static(owner, name, values, at)
        if known is not None:
            return known
        candidates = tuple(f"{candidate}#{name}" for candidate in owner)
        return Call(candidates, tuple(map(Argument, values)), at)

    def _call_on(
        self, node: Node, target: Node, name: str, args: list[Node], scope: Scope | None, at: Span
    ) -> Expr:
        value = self.expr(target, scope)
        if name in _SIMPLE_NAMES and isinstance(value, TypeName):
            return self._class_name(value, name, at)
        if name == "getClass" and not args:
            kinds = self.kinds.types_of(target, scope)
            return TypeName(kinds, at) if kinds else Member(value, name, (), at)
        if (
            isinstance(value, LoopVar)
            and not args
            and name in ("getKey", "getValue")
            and self.kinds.is_entry(target, scope)
        ):
            return LoopVar(value.loop, value.source, (*value.path, int(name == "getValue")), at)
        if name == "get" and len(args) == 1 and args[0].type == "identifier":
            item = self._item(value, args[0], scope, at)
            if isinstance(item, LoopVar):
                return item
        values = tuple(self.expr(arg, scope) for arg in args)
        if self.kinds.is_environment(target, scope):
            if name == "resolvePlaceholders" and values:
                return Interpolate(values[0], at)
            configured = functions.configuration(name, values, at)
            if configured is not None:
                return configured
        if (
            any(kind.startswith("com.ctrip.framework.apollo") for kind in self.kinds.types_of(target, scope))
            and values
        ):
            return Config(values[0], values[1] if len(values) > 1 else None, at)
        if name == "values" and not args and isinstance(value, Entries | Name | Param):
            return functions.builtin("values", (value,), at)
        if name == "append" and len(values) == 1 and isinstance(value, Literal | Concat | Name | Param):
            return Concat((value, values[0]), at)
        known = functions.on_text(value, name, values, at)
        return known if known is not None else Member(value, name, tuple(map(Argument, values)), at)
