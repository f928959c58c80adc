"""Python expressions -> `ir` expressions, with what they call and mention."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from subdrift.linter.languages.python.text import Text
from subdrift.linter.languages.python.types import dotted, type_ref
from subdrift.linter.model import ir

DEPTH_MAX = 200
"""Levels of the lowered form. Deeper ones become `Opaque`: whoever walks a unit may recurse."""

NESTED_MAX = 90
"""Nested expressions and statements, chains like `a + b + c` counted once: each costs up to six frames here."""

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Mod: "%",
    ast.FloorDiv: "//",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "===",
    ast.IsNot: "!==",
    ast.In: "in",
    ast.NotIn: "!in",
}
_UNARY: dict[type[ast.unaryop], str] = {ast.Not: "!", ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
_CONVERSIONS = {-1: "", ord("r"): "r", ord("s"): "s", ord("a"): "a"}
_INTEGERS = range(-(2**63), 2**63)


class Expressions:
    """Lowers the expressions of one file, and collects `calls` and `names` on the way."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.calls: set[tuple[str, int]] = set()
        self.names: set[str] = set()
        self.depth = 0
        self.nested = 0
        self.classes: list[str] = []  # enclosing classes, from outside
        self.generator = False  # whether the function at hand holds a `YieldPoint`
        self._table: dict[type[ast.expr], Callable[[Any], ir.Expr]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._chain,
            ast.Call: self._chain,
            ast.Subscript: self._chain,
            ast.Slice: self._slice,
            ast.BinOp: self._binary,
            ast.BoolOp: self._logical,
            ast.UnaryOp: self._unary,
            ast.Compare: self._compare,
            ast.IfExp: self._conditional,
            ast.List: self._list,
            ast.Tuple: self._tuple,
            ast.Set: self._set,
            ast.Dict: self._dict,
            ast.Starred: self._starred,
            ast.ListComp: self._list_comprehension,
            ast.SetComp: self._set_comprehension,
            ast.GeneratorExp: self._generator,
            ast.DictComp: self._dict_comprehension,
            ast.Lambda: self._lambda,
            ast.NamedExpr: self._walrus,
            ast.JoinedStr: self._joined,
            ast.FormattedValue: self._formatted,
            ast.Await: self._await,
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield_from,
        }

    def expression(self, node: ast.expr) -> ir.Expr:
        """The lowered form of any expression."""
        lower = self._table.get(type(node))
        if lower is None or self.too_deep():
            return self.opaque(node, "nesting" if lower else type(node).__name__)
        self.depth += 1
        self.nested += 1
        lowered = lower(node)
        self.nested -= 1
        self.depth -= 1
        return lowered

    def too_deep(self) -> bool:
        return self.depth >= DEPTH_MAX or self.nested >= NESTED_MAX

    def optional(self, node: ast.expr | None) -> ir.Expr | None:
        return None if node is None else self.expression(node)

    def expressions(self, nodes: Sequence[ast.expr]) -> tuple[ir.Expr, ...]:
        return tuple([self.expression(node) for node in nodes])

    def at(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> ir.At:
        if self.text.plain:
            return (node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1)  # type: ignore[return-value, operator]
        return self.text.at(node)

    def opaque(self, node: ast.expr | ast.stmt, what: str) -> ir.Opaque:
        """What is not lowered. Its calls and names stay in the index."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call):
                self.calls.add((_called(inner), -1))
            elif isinstance(inner, ast.Name):
                self.names.add(inner.id)
            elif isinstance(inner, ast.Attribute):
                self.names.add(inner.attr)
        return ir.Opaque(what, self.at(node))

    # -- leaves

    def _constant(self, node: ast.Constant) -> ir.Expr:
        value = node.value
        if isinstance(value, str):
            if value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value):
                return ir.Const(value, self.at(node))
            return ir.Opaque("surrogate", self.at(node))
        if value is None or isinstance(value, bool | float):
            return ir.Const(value, self.at(node))
        if isinstance(value, int):
            return (
                ir.Const(value, self.at(node)) if value in _INTEGERS else ir.Opaque("integer", self.at(node))
            )
        if isinstance(value, bytes):
            return ir.Const(value.decode("latin-1"), self.at(node), binary=True)
        return ir.Opaque("ellipsis" if value is ... else type(value).__name__, self.at(node))

    def _name(self, node: ast.Name) -> ir.Expr:
        self.names.add(node.id)
        return ir.Name(node.id, self.at(node))

    # -- chains: `a.b(c)[d]` is as deep as it is long, so it is taken apart in a loop

    def _chain(self, node: ast.expr) -> ir.Expr:
        links: list[ast.Attribute | ast.Call | ast.Subscript] = []
        depth = self.depth
        while len(links) < max(DEPTH_MAX - depth, 1):
            if isinstance(node, ast.Attribute | ast.Subscript):
                links.append(node)
                node = node.value
            elif isinstance(node, ast.Call):
                links.append(node)
                if isinstance(node.func, ast.Name):
                    break
                node = node.func.value if isinstance(node.func, ast.Attribute) else node.func
            else:
                break
        first = links[-1]
        self.depth = depth + len(links)
        value: ir.Expr | None
        if isinstance(first, ast.Call) and _is_super(first, self.classes):
            value = ir.Super(self.at(first))
            links.pop()
        elif isinstance(first, ast.Call) and isinstance(first.func, ast.Name):
            value = None
        else:
            value = self.expression(node)
        while links:
            link = links.pop()
            self.depth = depth + len(links)
            if isinstance(link, ast.Call):
                value = self._call(link, value)
            elif isinstance(link, ast.Attribute):
                assert value is not None
                self.names.add(link.attr)
                value = ir.Attribute(value, link.attr, self.at(link))
            else:
                assert value is not None
                value = ir.Index(value, self.expression(link.slice), self.at(link))
        self.depth = depth
        assert value is not None
        return value

    def _call(self, node: ast.Call, target: ir.Expr | None) -> ir.Call:
        function = node.func
        at = self.at(node)
        if isinstance(function, ast.Attribute):
            name, name_at = function.attr, self._name_at(function)
        elif isinstance(function, ast.Name):
            name, name_at = function.id, self.at(function)
        else:
            name, name_at = "", self.at(function)
        arguments = self.arguments(node.args, node.keywords)
        if name:
            spread = any(argument.spread for argument in arguments)
            self.calls.add((name, -1 if spread else len(arguments)))
        return ir.Call(target, name, arguments, at, name_at)

    def _name_at(self, node: ast.Attribute) -> ir.At:
        """The place of the name behind the dot: it ends where the attribute ends."""
        line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
        column = self.text.column(line, end)
        written = self.text.lines[line - 1][: column - 1] if line <= len(self.text.lines) else ""
        length = len(node.attr)
        if not written.endswith(node.attr):  # names are normalised (NFKC): `ﬁ` is `fi`
            length = len(written) - len(written.rstrip("".join(set(written) - set(" \t\f.")))) or length
        return (line, column - length, line, column)

    def arguments(
        self, plain: Sequence[ast.expr], keywords: Sequence[ast.keyword]
    ) -> tuple[ir.Argument, ...]:
        """Arguments in the order of their places."""
        if not keywords:
            return tuple([self._argument(node) for node in plain])
        mixed: list[ast.expr | ast.keyword] = [*plain, *keywords]
        if plain and (plain[-1].lineno, plain[-1].col_offset) > (keywords[0].lineno, keywords[0].col_offset):
            mixed.sort(key=lambda node: (node.lineno, node.col_offset))
        return tuple([self._argument(node) for node in mixed])

    def _argument(self, node: ast.expr | ast.keyword) -> ir.Argument:
        if isinstance(node, ast.keyword):
            if node.arg is None:
                return ir.Argument(self.expression(node.value), spread="**")
            return ir.Argument(self.expression(node.value), node.arg)
        if isinstance(node, ast.Starred):
            return ir.Argument(self.expression(node.value), spread="*")
        return ir.Argument(self.expression(node))

    def _slice(self, node: ast.Slice) -> ir.Expr:
        return ir.Slice(
            self.optional(node.lower), self.optional(node.upper), self.optional(node.step), self.at(node)
        )

    # -- operators

    def _binary(self, node: ast.BinOp) -> ir.Expr:
        """`a + b + c` leans to the left and may be long."""
        links = [node]
        depth = self.depth
        while isinstance(links[-1].left, ast.BinOp) and len(links) < DEPTH_MAX - depth:
            links.append(links[-1].left)
        self.depth = depth + len(links)
        value = self.expression(links[-1].left)
        while links:
            link = links.pop()
            self.depth = depth + len(links)
            value = ir.Binary(BINARY[type(link.op)], value, self.expression(link.right), self.at(link))
        return value

    def _logical(self, node: ast.BoolOp) -> ir.Expr:
        operator = "&&" if isinstance(node.op, ast.And) else "||"
        depth = self.depth
        self.depth += len(node.values).bit_length()
        values = self.expressions(node.values)
        self.depth = depth
        return balanced(operator, values)

    def _unary(self, node: ast.UnaryOp) -> ir.Expr:
        operand = node.operand
        if (
            isinstance(node.op, ast.USub)
            and isinstance(operand, ast.Constant)
            and isinstance(operand.value, int | float)
            and not isinstance(operand.value, bool)
            and (isinstance(operand.value, float) or -operand.value in _INTEGERS)
        ):
            return ir.Const(-operand.value, self.at(node))
        return ir.Unary(_UNARY[type(node.op)], self.expression(operand), self.at(node))

    def _compare(self, node: ast.Compare) -> ir.Expr:
        if len(node.ops) == 1:
            right = self.expression(node.comparators[0])
            return ir.Binary(_COMPARE[type(node.ops[0])], self.expression(node.left), right, self.at(node))
        depth = self.depth
        self.depth += len(node.ops).bit_length()
        left = self.expression(node.left)
        pairs: list[ir.Expr] = []
        for index, (operator, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = again = self.expression(comparator)
            if index + 1 < len(node.ops) and not isinstance(right, ir.Const | ir.Name):
                again = ir.Name(f"${right.at[0]}:{right.at[1]}", right.at)
                right = ir.Assign(again, right, right.at)
            pairs.append(ir.Binary(_COMPARE[type(operator)], left, right, _from_to(left, right)))
            left = again
        self.depth = depth
        return balanced("&&", pairs)

    def _conditional(self, node: ast.IfExp) -> ir.Expr:
        return ir.Conditional(
            self.expression(node.test),
            self.expression(node.body),
            self.expression(node.orelse),
            self.at(node),
        )

    # -- collections

    def _list(self, node: ast.List) -> ir.Expr:
        return ir.Sequence("list", self.expressions(node.elts), self.at(node))

    def _tuple(self, node: ast.Tuple) -> ir.Expr:
        return ir.Sequence("tuple", self.expressions(node.elts), self.at(node))

    def _set(self, node: ast.Set) -> ir.Expr:
        return ir.Sequence("set", self.expressions(node.elts), self.at(node))

    def _dict(self, node: ast.Dict) -> ir.Expr:
        entries = [
            (self.optional(key), self.expression(value))
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return ir.Mapping(tuple(entries), self.at(node))

    def _starred(self, node: ast.Starred) -> ir.Expr:
        return ir.Spread(self.expression(node.value), self.at(node))

    def _list_comprehension(self, node: ast.ListComp) -> ir.Expr:
        return self._comprehension("list", node, node.elt, None)

    def _set_comprehension(self, node: ast.SetComp) -> ir.Expr:
        return self._comprehension("set", node, node.elt, None)

    def _generator(self, node: ast.GeneratorExp) -> ir.Expr:
        return self._comprehension("generator", node, node.elt, None)

    def _dict_comprehension(self, node: ast.DictComp) -> ir.Expr:
        return self._comprehension("dict", node, node.key, node.value)

    def _comprehension(
        self,
        kind: str,
        node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
        element: ast.expr,
        value: ast.expr | None,
    ) -> ir.Expr:
        clauses = [
            ir.Clause(
                self.expression(clause.target), self.expression(clause.iter), self.expressions(clause.ifs)
            )
            for clause in node.generators
        ]
        return ir.Comprehension(
            kind, self.expression(element), self.optional(value), tuple(clauses), self.at(node)
        )

    # -- texts

    def _joined(self, node: ast.JoinedStr) -> ir.Expr:
        at = self.at(node)
        parts: list[ir.Expr] = []
        for value in node.values:
            if isinstance(value, ast.Constant):  # its own place differs between Python versions
                if value.value == "":  # Python 3.12.0 and 3.12.1 end the format of a field so
                    continue
                parts.append(self._text_part(value, at))
            else:
                parts.append(self.expression(value))
        if not parts:
            return ir.Const("", at)
        if len(parts) == 1 and isinstance(parts[0], ir.Const):
            return parts[0]
        return ir.Join(tuple(parts), at)

    def _text_part(self, node: ast.Constant, at: ir.At) -> ir.Expr:
        lowered = self._constant(node)
        return ir.Const(lowered.value, at) if isinstance(lowered, ir.Const) else ir.Opaque("surrogate", at)

    def _formatted(self, node: ast.FormattedValue) -> ir.Expr:
        value = self.expression(node.value)
        if node.conversion == -1 and node.format_spec is None:
            return value
        spec = self.optional(node.format_spec)
        return ir.Format(value, _CONVERSIONS.get(node.conversion, ""), spec, value.at)

    # -- functions

    def _lambda(self, node: ast.Lambda) -> ir.Expr:
        generator, self.generator = self.generator, False
        parameters = self.parameters(node.args)
        body = self.expression(node.body)
        self.generator = generator
        return ir.Lambda(parameters, (ir.Return(body, body.at),), self.at(node))

    def parameters(self, node: ast.arguments) -> tuple[ir.Param, ...]:
        """Parameters in the order in which they are written."""
        plain = [(argument, "/") for argument in node.posonlyargs] + [
            (argument, "") for argument in node.args
        ]
        defaults: list[ast.expr | None] = [None] * (len(plain) - len(node.defaults))
        lowered = [
            self._parameter(argument, kind, default)
            for (argument, kind), default in zip(plain, (*defaults, *node.defaults), strict=True)
        ]
        if node.vararg is not None:
            lowered.append(self._parameter(node.vararg, "...", None))
        lowered += [
            self._parameter(argument, "*", default)
            for argument, default in zip(node.kwonlyargs, node.kw_defaults, strict=True)
        ]
        if node.kwarg is not None:
            lowered.append(self._parameter(node.kwarg, "**", None))
        return tuple(lowered)

    def _parameter(self, node: ast.arg, kind: str, default: ast.expr | None) -> ir.Param:
        annotation = node.annotation
        if annotation is None and default is None:
            return ir.Param(node.arg, None, self.at(node), None, kind)
        return ir.Param(
            node.arg,
            self.type(annotation),
            self.at(node),
            self.optional(default),
            kind,
            self.metadata(annotation),
        )

    def type(self, node: ast.expr | None) -> ir.TypeRef | None:
        """The type that an annotation names, or None."""
        if node is None:
            return None
        found = type_ref(node)
        if found is not None:
            self.names.update(_type_names(found))
        return found

    def metadata(self, node: ast.expr | None) -> tuple[ir.Annotation, ...]:
        """What an annotation calls: `Annotated[T, Depends(make)]`, `conint(gt=0)`."""
        if node is None or isinstance(node, ast.Name | ast.Constant | ast.Attribute):
            return ()
        if isinstance(node, ast.Call):
            return (self.annotation(node, self.at(node)),)
        if isinstance(node, ast.Subscript):
            inner = node.slice
            items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return tuple([made for item in items for made in self.metadata(item)])
        if isinstance(node, ast.BinOp):
            return self.metadata(node.left) + self.metadata(node.right)
        return ()

    def annotation(self, node: ast.expr, at: ir.At) -> ir.Annotation:
        """A decorator or the like; `at` is its place."""
        value = self.expression(node)
        if isinstance(node, ast.Call):
            name = dotted(node.func)
            return ir.Annotation(name, value.args if name and isinstance(value, ir.Call) else (), at, value)
        return ir.Annotation(dotted(node), (), at, value)

    def _walrus(self, node: ast.NamedExpr) -> ir.Expr:
        return ir.Assign(self.expression(node.target), self.expression(node.value), self.at(node))

    def _await(self, node: ast.Await) -> ir.Expr:
        return self.expression(node.value)

    def _yield(self, node: ast.Yield) -> ir.Expr:
        self.generator = True
        return ir.YieldPoint(self.optional(node.value), False, self.at(node))

    def _yield_from(self, node: ast.YieldFrom) -> ir.Expr:
        self.generator = True
        return ir.YieldPoint(self.expression(node.value), True, self.at(node))


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


def _called(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def _is_super(node: ast.Call, classes: Sequence[str]) -> bool:
    """`super()`, or `super(C, self)` inside the class C, which means the same."""
    if not isinstance(node.func, ast.Name) or node.func.id != "super" or node.keywords:
        return False
    if not node.args:
        return True
    own = node.args[0]
    return bool(classes) and len(node.args) == 2 and isinstance(own, ast.Name) and own.id == classes[-1]


def _type_names(type_: ir.TypeRef) -> set[str]:
    """All identifiers in a type."""
    found = set(type_.name.split(".")) - {""}
    for argument in type_.args:
        found |= _type_names(argument)
    return found
