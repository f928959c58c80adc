"""What a simple or dotted name may mean in a file: package, imports and the types it declares, nearest first."""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from linter.extract.java.source import Source
from linter.model.facts import TypeKind

_LANG = frozenset({
    "String", "Object", "Integer", "Long", "Boolean", "Double", "Float", "Short", "Byte", "Character", "Number",
    "Math", "System", "Class", "Enum", "Iterable", "StringBuilder", "StringBuffer", "CharSequence", "Thread",
    "Runnable", "Exception", "RuntimeException", "Throwable", "Override", "Deprecated", "SuppressWarnings", "Void",
})  # fmt: skip

TYPE_NODES = {
    "class_declaration": TypeKind.CLASS,
    "interface_declaration": TypeKind.INTERFACE,
    "enum_declaration": TypeKind.ENUM,
    "record_declaration": TypeKind.RECORD,
    "annotation_type_declaration": TypeKind.ANNOTATION,
}

METHOD_NODES = frozenset({"method_declaration", "constructor_declaration", "compact_constructor_declaration"})


@dataclass(slots=True, eq=False)
class Scope:
    """A type declared in the file, with what is needed to look names up inside it."""

    name: str
    simple: str
    kind: TypeKind
    node: Node
    parent: Scope | None
    nested: dict[str, Scope] = field(default_factory=dict)
    fields: dict[str, tuple[Node, Node]] = field(default_factory=dict)  # name -> (declaration, declarator)
    methods: dict[str, list[Node]] = field(default_factory=dict)
    supers: tuple[tuple[str, ...], ...] = ()
    inherits: bool = False  # extends a class, so that it may assign fields it does not declare

    @property
    def chain(self) -> tuple[Scope, ...]:
        """This type and those around it, innermost first."""
        found: list[Scope] = []
        scope: Scope | None = self
        while scope is not None:
            found.append(scope)
            scope = scope.parent
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Place:
    """The named type around a piece of code, its member that holds it, and the symbol of `ConsumerSite`."""

    scope: Scope | None
    member: Node | None
    symbol: str

    @property
    def type(self) -> str:
        return self.scope.name if self.scope is not None else ""


_BODIES = frozenset({
    "class_body", "interface_body", "enum_body", "enum_body_declarations", "annotation_type_body", "record_body",
})  # fmt: skip


class Names:
    """The names of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.package = ""
        self.single: dict[str, str] = {}
        self.wildcards: list[str] = []
        self.static_single: dict[str, list[str]] = {}
        self.static_wildcards: list[str] = []
        self.scopes: list[Scope] = []  # in source order, outer before inner
        self.top: dict[str, Scope] = {}
        self.by_name: dict[str, Scope] = {}
        self._by_node: dict[int, Scope] = {}
        if source.root is not None:
            self._read(source.root)

    @property
    def imports(self) -> tuple[str, ...]:
        """Full names of what is imported; a wildcard ends in `.*`, a static member is `TYPE#member`."""
        found = list(self.single.values())
        found += [f"{name}.*" for name in self.wildcards]
        found += [name for names in self.static_single.values() for name in names]
        found += [f"{name}#*" for name in self.static_wildcards]
        return tuple(dict.fromkeys(found))

    def _read(self, root: Node) -> None:
        for node in root.named_children:
            kind = node.type
            if kind == "package_declaration":
                self.package = _dotted(self.source, node)
            elif kind == "import_declaration":
                self._import(node)
        self._types(root, None, "")

    def _import(self, node: Node) -> None:
        name = _dotted(self.source, node)
        if not name:
            return
        wildcard = any(child.type == "asterisk" for child in node.named_children)
        static = any(child.type == "static" for child in node.children)
        if static and wildcard:
            self.static_wildcards.append(name)
        elif static:
            owner, _, member = name.rpartition(".")
            self.static_single.setdefault(member, []).append(f"{owner}#{member}")
        elif wildcard:
            self.wildcards.append(name)
        else:
            self.single.setdefault(name.rpartition(".")[2], name)

    def _types(self, root: Node, parent: Scope | None, prefix: str) -> None:
        stack: list[tuple[Node, Scope | None]] = [(root, parent)]
        while stack:
            node, outer = stack.pop()
            inner: list[tuple[Node, Scope | None]] = []
            for child in node.named_children:
                kind = TYPE_NODES.get(child.type)
                if kind is not None:
                    scope = self._declare(child, kind, outer)
                    body = child.child_by_field_name("body")
                    if scope is not None and body is not None:
                        inner.append((body, scope))
                elif child.type in ("enum_body_declarations", "ERROR"):
                    inner.append((child, outer))
                elif outer is not None:
                    self._member(child, outer)
            stack.extend(reversed(inner))

    def _declare(self, node: Node, kind: TypeKind, outer: Scope | None) -> Scope | None:
        named = node.child_by_field_name("name")
        if named is None:
            return None
        simple = self.source.text(named)
        before = outer.name if outer is not None else self.package
        scope = Scope(f"{before}.{simple}" if before else simple, simple, kind, node, outer)
        self.scopes.append(scope)
        self.by_name.setdefault(scope.name, scope)
        self._by_node[node.id] = scope
        (outer.nested if outer is not None else self.top).setdefault(simple, scope)
        return scope

    def _member(self, node: Node, scope: Scope) -> None:
        kind = node.type
        if kind in ("field_declaration", "constant_declaration"):
            for declarator in node.children_by_field_name("declarator"):
                named = declarator.child_by_field_name("name")
                if named is not None:
                    scope.fields.setdefault(self.source.text(named), (node, declarator))
        elif kind == "method_declaration":
            named = node.child_by_field_name("name")
            if named is not None:
                scope.methods.setdefault(self.source.text(named), []).append(node)
        elif kind in ("constructor_declaration", "compact_constructor_declaration"):
            scope.methods.setdefault("<init>", []).append(node)
        elif kind == "enum_constant":
            named = node.child_by_field_name("name")
            if named is not None:
                scope.fields.setdefault(self.source.text(named), (node, node))

    def place(self, path: list[Node]) -> Place:
        """Where the last node of a path from the root stands: the named type around it, and the member of that."""
        scope: Scope | None = None
        member: Node | None = None
        for node in path:
            inner = self._by_node.get(node.id) if node.type in TYPE_NODES else None
            if inner is not None:
                scope, member = inner, None
            elif scope is not None and member is None and node.type not in _BODIES:
                member = node
        return Place(scope, member, self._symbol(scope, member))

    def _symbol(self, scope: Scope | None, member: Node | None) -> str:
        if scope is None:
            return ""
        if member is None:
            return scope.name
        named: Node | None = None
        if member.type == "method_declaration":
            named = member.child_by_field_name("name")
        elif member.type in ("field_declaration", "constant_declaration"):
            declarator = member.child_by_field_name("declarator")
            named = declarator.child_by_field_name("name") if declarator is not None else None
        elif member.type == "static_initializer":
            return f"{scope.name}#<clinit>"
        elif member.type in ("constructor_declaration", "compact_constructor_declaration", "block"):
            return f"{scope.name}#<init>"
        return f"{scope.name}#{self.source.text(named)}" if named is not None else scope.name

    def declare_supers(self) -> None:
        """Fills `Scope.supers`; apart, because it looks names up and so needs every type declared."""
        for scope in self.scopes:
            found: list[tuple[str, ...]] = []
            for part in scope.node.named_children:
                if part.type == "superclass":
                    scope.inherits = True
                    found += [self.of_type(child, scope.parent or scope) for child in part.named_children[:1]]
                elif part.type in ("super_interfaces", "extends_interfaces"):
                    for each in part.named_children:
                        found += [self.of_type(child, scope.parent or scope) for child in each.named_children]
            scope.supers = tuple(names for names in found if names)

    def of_type(self, node: Node | None, scope: Scope | None) -> tuple[str, ...]:
        """Candidate full names of a type node; empty for primitives and what is not a plain type."""
        if node is None:
            return ()
        kind = node.type
        if kind == "generic_type" or kind == "annotated_type":
            inner = [
                c for c in node.named_children if c.type in ("type_identifier", "scoped_type_identifier")
            ]
            return self.of_type(inner[0], scope) if inner else ()
        if kind == "array_type":
            return self.of_type(node.child_by_field_name("element"), scope)
        if kind in ("type_identifier", "scoped_type_identifier", "identifier", "scoped_identifier"):
            return self.types(_dotted(self.source, node), scope)[0]
        return ()

    def element_of(self, node: Node | None, scope: Scope | None) -> tuple[str, ...]:
        """Candidates of what a collection or array type holds: its last type argument (a map's values)."""
        if node is None:
            return ()
        if node.type == "array_type":
            return self.of_type(node.child_by_field_name("element"), scope)
        for child in node.named_children if node.type == "generic_type" else ():
            if child.type == "type_arguments" and child.named_children:
                return self.of_type(child.named_children[-1], scope)
        return ()

    def types(self, text: str, scope: Scope | None) -> tuple[tuple[str, ...], bool]:
        """Candidate full names of a type as written, nearest first, and whether there is no doubt."""
        head, dot, rest = text.partition(".")
        tail = dot + rest
        for outer in scope.chain if scope is not None else ():
            if outer.simple == head:
                return (outer.name + tail,), True
            if head in outer.nested:
                return (outer.nested[head].name + tail,), True
        if head in self.top:
            return (self.top[head].name + tail,), True
        if head in self.single:
            return (self.single[head] + tail,), True
        if dot and head[:1].islower():
            return (text,), True
        if head in _LANG:
            return (f"java.lang.{text}",), True
        found = [f"{self.package}.{text}" if self.package else text]
        found += [f"{name}.{text}" for name in self.wildcards]
        # a member type that an enclosing type inherits: first by the language, last by how often it is met
        found += [
            f"{name}.{text}"
            for outer in (scope.chain if scope is not None else ())
            for names in outer.supers
            for name in names
            if not name.startswith("java.") and not name.endswith(f".{head}")
        ]
        return tuple(dict.fromkeys(found)), False

    def members(self, name: str, scope: Scope | None) -> tuple[tuple[str, ...], bool]:
        """Candidates `TYPE#name` of a bare field or constant: own class, enclosing ones, static imports, wildcards.

        A type that does not declare it but has supertypes stays a candidate: it may inherit it.
        """
        found: list[str] = []
        for outer in scope.chain if scope is not None else ():
            if name in outer.fields:
                found.append(f"{outer.name}#{name}")
                return tuple(found), len(found) == 1
            if outer.supers:
                found.append(f"{outer.name}#{name}")
        found += self.static_single.get(name, ())
        if not (name in self.static_single and len(found) == 1):
            found += [f"{owner}#{name}" for owner in self.static_wildcards]
        if not found and scope is not None:
            found.append(f"{scope.name}#{name}")
        return tuple(dict.fromkeys(found)), name in self.static_single and len(found) == 1

    def methods(self, name: str, scope: Scope | None) -> tuple[str, ...]:
        """Candidates `TYPE#name` of a bare method call, as for `members`."""
        found: list[str] = []
        for outer in scope.chain if scope is not None else ():
            if name in outer.methods:
                found.append(f"{outer.name}#{name}")
                return tuple(found)
            if outer.supers:
                found.append(f"{outer.name}#{name}")
        found += self.static_single.get(name, ())
        found += [f"{owner}#{name}" for owner in self.static_wildcards]
        if not found and scope is not None:
            found.append(f"{scope.name}#{name}")
        return tuple(dict.fromkeys(found))


def _dotted(source: Source, node: Node) -> str:
    """The name inside a package, import or type node, without blanks, comments and type arguments."""
    if node.type in ("identifier", "type_identifier"):
        return source.text(node)
    for child in node.named_children:
        if child.type == "scoped_identifier":
            text = source.text(child)
            if text.replace(".", "").isalnum():
                return text
    parts: list[str] = []
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in ("identifier", "type_identifier"):
            parts.append(source.text(current))
        elif current.type != "type_arguments":
            stack.extend(reversed(current.named_children))
    return ".".join(parts)
