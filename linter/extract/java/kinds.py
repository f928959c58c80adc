"""What a name or expression is statically, as far as one file tells: variable or type, and of which type."""

from __future__ import annotations

from tree_sitter import Node

from linter.extract.java.flow import Flow
from linter.extract.java.names import Names, Scope
from linter.extract.java.source import Source
from linter.extract.java.syntax import NUMBERS, code

DEPTH_MAX = 60
"""Expressions inside expressions."""

_NUMERIC_TYPES = frozenset({"int", "long", "short", "byte", "Integer", "Long"})


class Kinds:
    def __init__(self, source: Source, names: Names, flow: Flow) -> None:
        self.source = source
        self.names = names
        self.flow = flow

    def is_type(self, name: str, scope: Scope | None) -> bool:
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

    def dotted(self, node: Node) -> list[Node] | None:
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

    def type_length(self, texts: list[str], scope: Scope | None) -> int:
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
        return not self.is_type(name, scope) and (
            any(name in outer.fields for outer in (scope.chain if scope else ()))
            or name in self.names.static_single
            or (name[:1].islower() and any(outer.supers for outer in (scope.chain if scope else ())))
        )

    def method_name(self, call: Node) -> str:
        named = call.child_by_field_name("name")
        return self.source.text(named) if named is not None else ""

    def static_owner(self, target: Node, scope: Scope | None) -> tuple[str, ...] | None:
        """Candidate types when a call's object is the name of a type, else None."""
        if target.type == "identifier":
            name = self.source.text(target)
            if not name[:1].isupper() and not self.is_type(name, scope):
                return None
            if self.is_variable(target, scope):
                return None
            return self.names.types(name, scope)[0]
        parts = self.dotted(target) if target.type == "field_access" else None
        if parts is None or self.is_variable(parts[0], scope):
            return None
        texts = [self.source.text(part) for part in parts]
        last = texts[-1]
        if self.type_length([*texts, "x"], scope) != len(texts) or last.upper() == last:
            return None
        if texts[-2][:1].isupper() and not any(
            name in self.names.by_name for name in self.names.types(".".join(texts), scope)[0]
        ):
            return None  # a constant in camel case, or a member type: evaluation can tell
        return self.names.types(".".join(texts), scope)[0]

    def is_collection(self, node: Node, scope: Scope | None) -> bool:
        """Whether an argument is declared as an array or collection."""
        declared = self.declared_type(node, scope)
        return declared is not None and declared.type in ("array_type", "generic_type")

    def is_entry(self, target: Node, scope: Scope | None) -> bool:
        declared = self.declared_type(target, scope)
        return (
            declared is None or "Entry" in self.source.text(declared) or self.source.text(declared) == "var"
        )

    def is_environment(self, target: Node, scope: Scope | None) -> bool:
        if target.type == "method_invocation":
            return self.method_name(target) == "getEnvironment"
        kinds = self.types_of(target, scope)
        simple = kinds[0].rpartition(".")[2] if kinds else ""
        return simple.endswith("Environment")

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
        name = self.method_name(node)
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

    def is_number(self, node: Node, scope: Scope | None) -> bool:
        if node.type in NUMBERS:
            return True
        if node.type == "parenthesized_expression":
            inner = code(node)
            return bool(inner) and self.is_number(inner[0], scope)
        if node.type == "binary_expression":
            sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
            return all(side is not None and self.is_number(side, scope) for side in sides)
        declared = self.declared_type(node, scope) if node.type == "identifier" else None
        return declared is not None and self.source.text(declared) in _NUMERIC_TYPES
