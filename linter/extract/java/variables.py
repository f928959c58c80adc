"""A local variable at a place -> the expression of what it may hold there, collections and texts filled in steps included."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from tree_sitter import Node

from linter.extract.java import functions
from linter.extract.java.combine import alternatives, asks_presence, one_of, or_else
from linter.extract.java.flow import Kind, Variable, parameter_name, parameters
from linter.extract.java.names import Scope
from linter.extract.java.substitution import substituted
from linter.extract.java.syntax import arguments, blocks
from linter.model.expr import (
    Argument,
    Call,
    Concat,
    Entries,
    Expr,
    Items,
    Literal,
    LoopVar,
    Member,
    New,
    Param,
    Unknown,
    Why,
)
from linter.model.location import Span

if TYPE_CHECKING:
    from linter.extract.java.expressions import Expressions

OPTIONS_MAX = 16
"""Alternatives of one local variable."""

_MAP = re.compile(r"(?:java\.util\.)?(?:Properties|(?:Hash|LinkedHash|Tree|ConcurrentHash)?Map)\b")
"""Declared types of what `put` and `setProperty` fill."""

MUTATORS = "put|putIfAbsent|setProperty|add|putAll|addAll"
"""Methods that put something into a collection, as a regular expression."""


class Variables:
    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.source = expressions.source
        self.kinds = expressions.kinds

    def value(self, variable: Variable, node: Node, name: str, scope: Scope | None, at: Span) -> Expr:
        options: list[tuple[Expr, Node | None]] = []
        values = list(reversed(variable.values))
        for value in values[:OPTIONS_MAX]:
            if value is None:
                options.append((Unknown(Why.DYNAMIC, f"variable {name}", at), None))
            elif value.type != "null_literal":
                options.append((self.expressions.expr(value, scope), value))
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
        if isinstance(found, Call | Member) and self._is_map(variable) and values[-1] is not None:
            more = self._filled(Entries((), at), name, values[-1].end_byte, node, scope)
            if isinstance(more, Entries) and more.entries:
                return functions.builtin("filled", (found, more), found.at)
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
        depth = blocks(self.source.path(value.start_byte, value.end_byte))
        for call in self.calls_on(name, r"[a-z]\w*", value.end_byte, use.start_byte):
            path = self.source.path(call.start_byte, call.start_byte + 1)
            chain = [
                node
                for node in path
                if node.type == "method_invocation" and node.start_byte == call.start_byte
            ]
            if blocks(path) != depth or any(self.kinds.method_name(link) != "append" for link in chain):
                return Unknown(Why.UNSUPPORTED, "a text built step by step", at)
            parts += [
                self.expressions.expr(arg, scope) for link in reversed(chain) for arg in arguments(link)[:1]
            ]
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
                    return LoopVar(
                        self.source.span(variable.node), self.expressions.expr(source, scope), (), at
                    )
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
            and self.kinds.method_name(call) in ("forEach", "forEachOrdered")
        ):
            parameters = variable.node.child_by_field_name("parameters")
            pair = (
                parameters is not None
                and parameters.type != "identifier"
                and parameters.named_child_count == 2
            )
            source = self.expressions.expr(target, scope)
            loop = self.source.span(variable.node)
            if pair:
                entries = functions.builtin("entries", (source,), source.at)
                return LoopVar(loop, entries, (variable.index,), at)
            return LoopVar(loop, source, (), at)
        return Unknown(Why.DYNAMIC, f"lambda parameter {name}", at)

    def _is_map(self, variable: Variable) -> bool:
        """Whether a local variable is declared as one of the JDK's maps."""
        if variable.kind is not Kind.LOCAL or variable.type is None:
            return False
        return _MAP.match(self.source.text(variable.type)) is not None

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
        for method in scope.methods.get(self.kinds.method_name(call), ()):
            given, body = parameters(method), method.child_by_field_name("body")
            if len(given) != len(args) or body is None:
                continue
            names = [parameter_name(each) for each in given]
            texts = [self.source.text(each) if each is not None else "" for each in names]
            own = texts[args.index(path[-1])]
            bindings = tuple(
                (text, self.expressions.expr(arg, scope))
                for text, arg in zip(texts, args, strict=True)
                if text != own
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
                stem = self.kinds.method_name(call)[3:]
                given.append(Argument(self.expressions.expr(args[0], scope), stem[:1].lower() + stem[1:]))
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
        args = [self.expressions.expr(argument, scope) for argument in arguments(call)]
        method = self.kinds.method_name(call)
        if isinstance(made, Entries) and len(args) == 2 and method in ("put", "putIfAbsent", "setProperty"):
            return Entries((*made.entries, (args[0], args[1])), made.at)
        if isinstance(made, Items) and len(args) == 1 and method == "add":
            return Items((*made.items, args[0]), made.at)
        if isinstance(made, Entries) and len(args) == 1 and isinstance(args[0], Entries):
            return Entries((*made.entries, *args[0].entries), made.at)
        if isinstance(made, Items) and len(args) == 1 and isinstance(args[0], Items):
            return Items((*made.items, *args[0].items), made.at)
        if method == "load" and isinstance(made, Entries) and args:
            return functions.loaded(args[0], self.source.span(call))
        return Unknown(Why.UNSUPPORTED, f"a collection filled by {method}", self.source.span(call))


@cache
def _called(methods: str) -> re.Pattern[bytes]:
    return re.compile(rb"\s*\.\s*(?:" + methods.encode() + rb")\s*\(")
