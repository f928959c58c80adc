"""Calls of wanted names -> `CallSite`s: methods, constructors, `super(...)` and `this(...)`."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from linter.extract.java.expressions import Expressions
from linter.extract.java.names import Names, Place
from linter.extract.java.objects import Objects
from linter.extract.java.source import Source
from linter.extract.java.syntax import arguments
from linter.model.expr import Argument
from linter.model.facts import CallSite


class Calls:
    def __init__(self, source: Source, names: Names, expressions: Expressions, objects: Objects) -> None:
        self.source = source
        self.names = names
        self.expressions = expressions
        self.objects = objects

    def of(self, wanted: frozenset[str]) -> tuple[CallSite, ...]:
        """The call sites of the wanted simple names in this file, in source order."""
        found = [*self._named(wanted), *self._delegating(wanted)]
        found.sort(key=lambda each: each.at)
        return tuple(found)

    def _named(self, wanted: frozenset[str]) -> Iterator[CallSite]:
        for path in self.objects.hits(frozenset(name.encode() for name in wanted)):
            last = path[-1]
            place = self.names.place(path)
            if len(path) > 1 and path[-2].type == "method_invocation":
                if path[-2].child_by_field_name("name") == last:
                    yield self._method(path[-2], last, place)
                continue
            node = next((each for each in reversed(path) if each.type == "object_creation_expression"), None)
            kind = node.child_by_field_name("type") if node is not None else None
            if node is None or kind is None or not kind.start_byte <= last.start_byte < kind.end_byte:
                continue
            candidates = self.names.of_type(kind, place.scope)
            if candidates and candidates[0].endswith(self.source.text(last)):
                yield self._constructor(node, self.source.text(last), candidates, place)

    def _method(self, call: Node, named: Node, place: Place) -> CallSite:
        target = call.child_by_field_name("object")
        name = self.source.text(named)
        receiver = None
        if target is None or target.type == "this":
            candidates = self.names.methods(name, place.scope)
        elif target.type == "super":
            supers = place.scope.supers if place.scope is not None else ()
            candidates = tuple(f"{owner}#{name}" for names in supers for owner in names)
        else:
            owners = self.expressions.kinds.static_owner(target, place.scope)
            if owners is None:
                receiver = self.expressions.expr(target, place.scope)
                owners = self.expressions.kinds.types_of(target, place.scope)
            candidates = tuple(f"{owner}#{name}" for owner in owners)
        args = tuple(Argument(self.expressions.expr(arg, place.scope)) for arg in arguments(call))
        at = self.source.span(named)
        return CallSite(name, candidates, receiver, args, at, place.symbol, place.type)

    def _constructor(self, node: Node, name: str, owners: tuple[str, ...], place: Place) -> CallSite:
        candidates = tuple(f"{owner}#<init>" for owner in owners)
        args = tuple(Argument(self.expressions.expr(arg, place.scope)) for arg in arguments(node))
        return CallSite(name, candidates, None, args, self.source.span(node), place.symbol, place.type)

    def _delegating(self, wanted: frozenset[str]) -> Iterator[CallSite]:
        """`super(...)` and `this(...)` of the file's types."""
        for scope in self.names.scopes:
            own = scope.simple in wanted
            above = scope.supers[0] if scope.supers else ()
            if not own and not any(name.rpartition(".")[2] in wanted for name in above):
                continue
            for method in scope.methods.get("<init>", ()):
                body = method.child_by_field_name("body")
                for child in body.named_children if body is not None else ():
                    if child.type != "explicit_constructor_invocation":
                        continue
                    called = child.child_by_field_name("constructor")
                    place = Place(scope, method, f"{scope.name}#<init>")
                    to_super = called is not None and called.type == "super"
                    if to_super and above:
                        yield self._constructor(child, above[0].rpartition(".")[2], above, place)
                    elif not to_super and own:
                        yield self._constructor(child, scope.simple, (scope.name,), place)
