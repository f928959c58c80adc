"""Consumer objects of a file: where they are made, and which object a receiver of a later call is.

An object is followed through locals, fields of the same class, builder chains, methods of the same file that
return it, and methods of the same file that take it as a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from tree_sitter import Node

from linter.clients.apis import (
    CLASSIC_ROOTS,
    JAVA_CONSUMERS,
    JAVA_FACTORIES,
    JAVA_MACHINERY,
    JavaConsumer,
    JavaFactory,
)
from linter.extract.java.expressions import Expressions
from linter.extract.java.flow import Kind, parameter_name, parameters
from linter.extract.java.members import Members
from linter.extract.java.names import METHOD_NODES, Names, Place, Scope
from linter.extract.java.source import STANDING, Source
from linter.extract.java.substitution import Bindings, substituted
from linter.extract.java.syntax import arguments, code
from linter.model.expr import Expr
from linter.model.facts import Problem, Setting, SubscriptionSite
from linter.model.location import Span
from linter.model.message import say

HOPS_MAX = 8
"""Variables, fields and methods followed from a receiver to the object."""

CALLERS_MAX = 32
"""Calls of one method in the file that are followed."""

ROWS: dict[str, JavaConsumer] = {
    name: row for row in JAVA_CONSUMERS for name in (*row.types, *row.interfaces)
}
"""Full class name -> its row, interfaces included."""

CLASSES: dict[str, JavaConsumer] = {name: row for row in JAVA_CONSUMERS for name in row.types}

_CLIENTS = sorted(
    {
        name.rpartition(".")[0].removesuffix(".consumer"): row
        for row in JAVA_CONSUMERS
        if row.api in ("push", "grpc-push", "ons")
        for name in (*row.types, *row.interfaces)
    }.items(),
    key=lambda each: -len(each[0]),
)
"""Packages of the clients and the row that stands for a consumer of theirs whose class is not seen."""

_FACTORIES: dict[str, JavaFactory] = {factory.method: factory for factory in JAVA_FACTORIES}
_INNER = frozenset(
    {"getDefaultMQPullConsumer", "getDefaultMQPushConsumer", "getDefaultLitePullConsumer", "getConsumer"}
)


@dataclass(slots=True, eq=False)
class Object:
    """One consumer object while its file is read."""

    row: JavaConsumer
    api: str
    node: Node  # what makes it
    at: Span
    place: Place
    factory: JavaFactory | None = None
    scope: Scope | None = None  # the declared subclass it stands for
    settings: list[tuple[int, Setting]] = field(default_factory=list)
    subscriptions: list[tuple[int, SubscriptionSite]] = field(default_factory=list)
    cleared: list[int] = field(default_factory=list)
    mode: str = ""
    started: bool = False
    broken: bool = False
    instead: list[Object] = field(default_factory=list)  # made in other branches for the same variable


_RECEIVES = re.compile(rb"\s*\.")


@dataclass(frozen=True, slots=True)
class Target:
    """An object a call acts on. `bindings` are arguments for the parameters of the method the call stands in,
    `at` the call that supplies them."""

    object: Object
    bindings: Bindings = ()
    at: Span | None = None


@dataclass(frozen=True, slots=True)
class Foreign:
    """A receiver of a consumer's type that is made elsewhere."""

    row: JavaConsumer
    node: Node
    sure: bool = True  # its type is a consumer's; else only its name says so


class Objects:
    """Finds the objects of one file."""

    def __init__(self, source: Source, names: Names, expressions: Expressions, members: Members) -> None:
        self.source = source
        self.names = names
        self.expressions = expressions
        self.members = members
        self.all: list[Object] = []
        self._by_node: dict[tuple[int, int], Object] = {}
        self._by_scope: dict[str, Object] = {}
        self._fields: dict[tuple[str, str], list[Node]] = {}
        self._handed: dict[tuple[int, int], list[Target]] = {}
        self._unfollowed: list[Problem] = []
        self._hooks: dict[tuple[int, int], Object] = {}  # parameter of a hook -> the object it is handed

    # -- creation ---------------------------------------------------------------------------------------------

    def find(self) -> None:
        """Every place that makes a consumer, in source order."""
        subclasses = {
            scope.simple: row for scope in self.names.scopes for row in [self._extended(scope)] if row
        }
        for scope in self.names.scopes:
            row = self._extended(scope)
            if row is not None and row.types:
                self._subclass(scope, row)
        words = _class_words() | {name.encode() for name in subclasses}
        for path in self.hits(words):
            self._construct(path)
        for path in self.hits(_factory_words()):
            self._factory(path)
        self.all.sort(key=lambda each: each.node.start_byte)

    def hits(self, words: frozenset[bytes] | set[bytes], suffix: bytes = b"") -> Iterator[list[Node]]:
        """The path to every identifier among the words, in source order; comments and strings are none."""
        after = re.compile(suffix) if suffix else None
        data = self.source.data
        for start, end in self._offsets(words):
            if after is not None and after.match(data, end) is None:
                continue
            path = self.source.path(start, end)
            if path and path[-1].type in ("identifier", "type_identifier"):
                yield path

    def _offsets(self, words: frozenset[bytes] | set[bytes]) -> list[tuple[int, int]]:
        source = self.source
        return sorted(
            (start, start + len(word))
            for word in words
            for start in (source.standing(word) if word in STANDING else source.words(word))
        )

    def _extended(self, scope: Scope) -> JavaConsumer | None:
        """The row of the consumer class a declared type extends, through types of this file."""
        current: Scope | None = scope
        for _ in range(HOPS_MAX):
            if current is None:
                return None
            following = None
            for names in current.supers:
                for name in names:
                    if name in CLASSES:
                        return CLASSES[name]
                    following = following or self.names.by_name.get(name)
            current = following
        return None

    def _subclass(self, scope: Scope, row: JavaConsumer) -> None:
        """An object for a declared subclass, made by its constructor's `super(...)`."""
        named = scope.node.child_by_field_name("name") or scope.node
        made, place = named, Place(scope, None, scope.name)
        for method in scope.methods.get("<init>", ()):
            body = method.child_by_field_name("body")
            for child in body.named_children[:1] if body is not None else ():
                if child.type == "explicit_constructor_invocation" and self._is_super(child):
                    made, place = child, Place(scope, method, f"{scope.name}#<init>")
        at = self.source.span(made)
        found = Object(row, row.api, made, at, place, scope=scope, mode=row.mode)
        found.started = True
        self._add(found)
        self._by_scope[scope.name] = found

    def _is_super(self, node: Node) -> bool:
        called = node.child_by_field_name("constructor")
        return called is not None and called.type == "super"

    def _construct(self, path: list[Node]) -> None:
        node = next((each for each in reversed(path) if each.type == "object_creation_expression"), None)
        kind = node.child_by_field_name("type") if node is not None else None
        if node is None or kind is None or not kind.start_byte <= path[-1].start_byte < kind.end_byte:
            return
        if path[-2].type in ("type_arguments",):
            return
        place = self.names.place(path)
        candidates = self.names.of_type(kind, place.scope)
        own = next((self._by_scope[name] for name in candidates if name in self._by_scope), None)
        if own is not None:
            self._by_node[node.start_byte, node.end_byte] = own
            return
        row = next((CLASSES[name] for name in candidates if name in CLASSES), None)
        if row is not None:
            self._add(Object(row, row.api, node, self.source.span(node), place, mode=row.mode))

    def _factory(self, path: list[Node]) -> None:
        if len(path) < 2 or path[-2].type != "method_invocation":
            return
        node, named = path[-2], path[-1]
        if node.child_by_field_name("name") != named:
            return
        factory = _FACTORIES[self.source.text(named)]
        target = node.child_by_field_name("object")
        place = self.names.place(path)
        if target is None or len(arguments(node)) not in factory.roles:
            return
        owners = self.expressions.kinds.static_owner(target, place.scope) or self.expressions.kinds.types_of(
            target, place.scope
        )
        if not any(owner in factory.owners for owner in owners):
            package = factory.owners[0].rpartition(".")[0]
            if owners or not factory.method.startswith("new") or not self._imports(package):
                return
        row = next(row for row in JAVA_CONSUMERS if row.api == factory.api)
        self._add(Object(row, row.api, node, self.source.span(named), place, factory, mode=factory.mode))

    def _imports(self, package: str) -> bool:
        return self.names.package.startswith(package) or any(
            name.startswith(package) for name in self.names.imports
        )

    def _add(self, made: Object) -> None:
        if self.is_machinery(made.place):
            return
        made.broken = self.source.broken(made.node)
        self.all.append(made)
        key = (made.node.start_byte, made.node.end_byte)
        self._by_node[key] = made
        self.expressions.created[key] = made.at

    def is_machinery(self, place: Place) -> bool:
        """Whether a place is inside a client library itself, where it serves the consumers declared elsewhere."""
        if any(self.names.package.startswith(f"{root}.client.impl") for root in CLASSIC_ROOTS):
            return True
        return place.scope is not None and place.scope.chain[-1].name in JAVA_MACHINERY

    def declare(self, made: Object) -> None:
        """Takes in an object that no expression makes: a declared listener."""
        made.broken = self.source.broken(made.node)
        self.all.append(made)

    def sorted(self) -> list[Object]:
        """The objects in source order."""
        return sorted(self.all, key=lambda each: each.node.start_byte)

    def leaves(self, name: str, start: int, end: int) -> bool:
        """Whether a local is mentioned between two bytes other than as the receiver of a call."""
        word, data = name.encode(), self.source.data
        return any(
            data[offset - 1 : offset] != b"." and _RECEIVES.match(data, offset + len(word)) is None
            for offset in self.source.words(word, start, end)
        )

    def problems(self) -> list[Problem]:
        """Uses of the API that became nothing."""
        found = list(dict.fromkeys(self._unfollowed))
        for path in self.hits(_class_words(), rb"\s*::\s*new\b"):
            place = self.names.place(path)
            if len(path) > 1 and path[-2].type == "method_reference":
                names = self.names.types(self.source.text(path[-1]), place.scope)[0]
                if any(name in CLASSES for name in names):
                    at = self.source.span(path[-2])
                    found.append(
                        Problem("unrecognised-use", say("constructor-reference"), say("make-with-new"), at)
                    )
        return found

    def hook(self, parameter: Node, made: Object) -> None:
        """The parameter of a hook method stands for an object made elsewhere in the file."""
        self._hooks[parameter.start_byte, parameter.end_byte] = made

    # -- receivers --------------------------------------------------------------------------------------------

    def receiver(self, call: Node, path: list[Node], place: Place) -> tuple[list[Target], Foreign | None]:
        """What a method call acts on: objects of this file, or a consumer made elsewhere; neither for others."""
        target = call.child_by_field_name("object")
        if target is not None and target.type not in ("this", "super"):
            targets = self.origins(target, place.scope, 0)
            return targets, None if targets else self._foreign(target, place.scope)
        for node in reversed(path):
            if node.type == "object_creation_expression":
                body = node.named_children[-1]
                if body.type == "class_body" and body.start_byte <= call.start_byte:
                    made = self._by_node.get((node.start_byte, node.end_byte))
                    return ([Target(made)] if made is not None else []), None
        for scope in place.scope.chain if place.scope is not None else ():
            made = self._by_scope.get(scope.name)
            if made is not None:
                return [Target(made)], None
        return [], None

    def _foreign(self, node: Node, scope: Scope | None) -> Foreign | None:
        for name in self.expressions.kinds.types_of(node, scope):
            row = ROWS.get(name)
            if row is not None:
                return Foreign(row, node)
        return self._unseen(node, scope)

    def _unseen(self, node: Node, scope: Scope | None) -> Foreign | None:
        """A receiver whose type this file does not tell, called a consumer in a file that imports a client.

        An inherited field or the result of a method elsewhere; evaluation finds out what it is.
        """
        if self.expressions.kinds.types_of(node, scope):
            return None
        if node.type == "method_invocation":
            named = node.child_by_field_name("name")
        elif node.type == "identifier" and scope is not None:
            variable = self.expressions.flow.variable(node, self.source.text(node))
            undeclared = variable is None and scope.inherits
            inferred = variable is not None and variable.kind is Kind.LOCAL
            named = node if undeclared or inferred else None
        else:
            return None
        if named is None or not self.source.text(named).endswith("onsumer"):
            return None
        found = next((Foreign(row, node, False) for package, row in _CLIENTS if self._imports(package)), None)
        if found is not None and node.type == "identifier" and self._extends_super(node):
            at = self.source.span(node)
            self._unfollowed.append(
                Problem("unrecognised-use", say("overridden-method"), say("make-in-one-method"), at)
            )
            return None
        return found

    def _extends_super(self, node: Node) -> bool:
        """Whether the method around a node calls the one it overrides: it adds to what that one made."""
        path = self.source.path(node.start_byte, node.end_byte)
        method = next((each for each in path if each.type == "method_declaration"), None)
        named = method.child_by_field_name("name") if method is not None else None
        if method is None or named is None:
            return False
        called = (
            rb"\bsuper\s*\.\s*" + re.escape(self.source.data[named.start_byte : named.end_byte]) + rb"\s*\("
        )
        return re.compile(called).search(self.source.data, method.start_byte, node.start_byte) is not None

    def origins(self, node: Node, scope: Scope | None, hops: int) -> list[Target]:
        """The objects of this file an expression may be."""
        if hops > HOPS_MAX:
            return []
        made = self._by_node.get((node.start_byte, node.end_byte))
        if made is not None:
            return [Target(made)]
        match node.type:
            case "parenthesized_expression" | "cast_expression":
                inside = code(node)
                return self.origins(inside[-1], scope, hops + 1) if inside else []
            case "assignment_expression":
                right = node.child_by_field_name("right")
                return self.origins(right, scope, hops + 1) if right is not None else []
            case "ternary_expression":
                return [found for child in code(node)[1:] for found in self.origins(child, scope, hops + 1)]
            case "identifier":
                return self._variable(node, scope, hops)
            case "field_access":
                held = node.child_by_field_name("object")
                named = node.child_by_field_name("field")
                if held is not None and named is not None and held.type == "this" and scope is not None:
                    return self._field(self.source.text(named), scope, hops)
                if held is not None and named is not None and held.type == "identifier":
                    owners = self.expressions.kinds.static_owner(held, scope) or ()
                    for owner in owners:
                        if owner in self.names.by_name:
                            return self._field(self.source.text(named), self.names.by_name[owner], hops)
            case "method_invocation":
                return self._invocation(node, scope, hops)
            case "this":
                own = self._by_scope.get(scope.name) if scope is not None else None
                return [Target(own)] if own is not None else []
        return []

    def _invocation(self, node: Node, scope: Scope | None, hops: int) -> list[Target]:
        target = node.child_by_field_name("object")
        named = node.child_by_field_name("name")
        name = self.source.text(named) if named is not None else ""
        if target is None or target.type == "this":
            return self._returned(node, name, scope, hops)
        current, chained = target, 0
        while current.type == "method_invocation" and chained < 200:
            inner = self._by_node.get((current.start_byte, current.end_byte))
            if inner is not None:
                return [Target(inner)] if inner.api.startswith("grpc") else []
            held = current.child_by_field_name("object")
            if held is None:
                break
            current, chained = held, chained + 1
        found = self.origins(
            current if chained and current.type != "method_invocation" else target, scope, hops + 1
        )
        return [each for each in found if each.object.api.startswith("grpc") or name in _INNER]

    def _returned(self, node: Node, name: str, scope: Scope | None, hops: int) -> list[Target]:
        """What a method of this file returns; one with parameters only where it has a single caller here."""
        for owner in scope.chain if scope is not None else ():
            for method in owner.methods.get(name, ()):
                given = parameters(method)
                args = arguments(node)
                if len(given) != len(args):
                    continue
                if given and len(self.calls_of(name, len(given))) != 1:
                    return []
                body = method.child_by_field_name("body")
                values = list(self.members.return_values(body)) if body is not None else []
                found = [target for value in values for target in self.origins(value, owner, hops + 1)]
                return found
        return []

    def _variable(self, node: Node, scope: Scope | None, hops: int) -> list[Target]:
        name = self.source.text(node)
        variable = self.expressions.flow.variable(node, name)
        if variable is None:
            assigned = self.expressions.flow.assigned(node, name)
            if assigned is not None and assigned.settled:
                values = [value for value in assigned.values if value is not None]
                here = [found for value in values for found in self.origins(value, scope, hops + 1)]
                if here:
                    here = list(dict.fromkeys(here))
                    self._exclude(here)
                    return here
            for owner in scope.chain if scope is not None else ():
                if name in owner.fields:
                    return self._field(name, owner, hops)
            return []
        found: list[Target] = []
        for value in variable.values:
            if value is not None:
                found += self.origins(value, scope, hops + 1)
        if variable.kind is Kind.PARAM and variable.owner is not None:
            hooked = self._hooks.get((variable.node.start_byte, variable.node.end_byte))
            if hooked is not None:
                return [Target(hooked)]
            found += self._callers(variable.owner, variable.node, hops)
        found = list(dict.fromkeys(found))
        if variable.kind is Kind.LOCAL:
            self._exclude(found)
        return found

    def _exclude(self, targets: list[Target]) -> None:
        """Remembers that objects of one variable were made in branches that exclude each other."""
        made = [target.object for target in targets if not target.bindings]
        if len(made) < 2 or len({(each.place.symbol, each.api) for each in made}) > 1:
            return
        made.sort(key=lambda each: each.node.start_byte)
        for other in made[1:]:
            if other not in made[0].instead:
                made[0].instead.append(other)

    def _field(self, name: str, scope: Scope, hops: int) -> list[Target]:
        """The objects assigned to a field anywhere in its type."""
        if name not in scope.fields:
            return []
        key = (scope.name, name)
        if key not in self._fields:
            self._fields[key] = []  # a field defined by itself ends here
            values: list[Node] = []
            initial = scope.fields[name][1].child_by_field_name("value")
            if initial is not None:
                values.append(initial)
            values += [
                right
                for assigned, node, _ in self.members.assignments(scope.node, scope, name)
                if assigned == name and (right := node.child_by_field_name("right")) is not None
            ]
            self._fields[key] = values
        found = [target for value in self._fields[key] for target in self.origins(value, scope, hops + 1)]
        found = list(dict.fromkeys(found))
        self._exclude(found)
        return found

    def calls_of(self, name: str, count: int) -> list[tuple[Node, list[Node]]]:
        """The calls of a method of this name and number of arguments in the file, with their paths."""
        found: list[tuple[Node, list[Node]]] = []
        for path in self.hits({name.encode()}, rb"\s*\("):
            call = path[-2] if len(path) > 1 and path[-2].type == "method_invocation" else None
            if call is None or call.child_by_field_name("name") != path[-1]:
                continue
            if len(arguments(call)) == count:
                found.append((call, path))
        return found[:CALLERS_MAX]

    def _callers(self, method: Node, parameter: Node, hops: int) -> list[Target]:
        """The objects handed to a parameter by calls in this file, with what the other parameters get."""
        if method.type not in METHOD_NODES or method.type != "method_declaration":
            return []
        named = method.child_by_field_name("name")
        given = parameters(method)
        if named is None:
            return []
        index = next((i for i, each in enumerate(given) if each == parameter), None)
        key = (parameter.start_byte, parameter.end_byte)
        known = self._handed.get(key)
        if known is not None:
            return known
        self._handed[key] = []  # methods that call each other end here, and are followed once
        found: list[Target] = []
        for call, path in self.calls_of(self.source.text(named), len(given)):
            if method.start_byte <= call.start_byte < method.end_byte or index is None:
                continue
            place = self.names.place(path)
            args = arguments(call)
            for target in self.origins(args[index], place.scope, hops + 1):
                bindings: list[tuple[str, Expr]] = []
                for each, arg in zip(given, args, strict=True):
                    name = parameter_name(each)
                    if name is not None and each != parameter:
                        bindings.append((self.source.text(name), self.expressions.expr(arg, place.scope)))
                called = call.child_by_field_name("name") or call
                bound = tuple((name, substituted(value, target.bindings)) for name, value in bindings)
                found.append(Target(target.object, bound, target.at or self.source.span(called)))
        self._handed[key] = found
        return found


@cache
def _class_words() -> frozenset[bytes]:
    return frozenset(name.rpartition(".")[2].encode() for name in CLASSES)


@cache
def _factory_words() -> frozenset[bytes]:
    return frozenset(name.encode() for name in _FACTORIES)
