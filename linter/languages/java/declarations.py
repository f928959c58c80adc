"""Java declarations: types, their members, imports, the file."""

from __future__ import annotations

from tree_sitter import Node

from subdrift.linter.languages.java.expressions import BODY, CLASS_BODY, PARAMETERS, VALUE
from subdrift.linter.languages.java.newer import EXPORTED, MODULE_IMPORT
from subdrift.linter.languages.java.statements import DECLARATOR, DIMENSIONS, HANDLED, LOCAL, Statements
from subdrift.linter.languages.java.syntax import COMMENTS, field, kind, token
from subdrift.linter.languages.java.types import ANNOTATIONS, ARGUMENTS, IDENTIFIER, NAME, TYPE
from subdrift.linter.languages.jvm.lowering import Body
from subdrift.linter.languages.jvm.scoping import scoped
from subdrift.linter.languages.trees import LEVELS_MAX
from subdrift.linter.model import ir

ASTERISK = kind("asterisk")
BLOCK = kind("block")
COMPACT = kind("compact_constructor_declaration")
CONSTANT = kind("enum_constant")
CONSTANT_FIELD = kind("constant_declaration")
CONSTRUCTOR = kind("constructor_declaration")
ELEMENT = kind("annotation_type_element_declaration")
ENUM_BODY = kind("enum_body_declarations")
EXTENDS_INTERFACES = kind("extends_interfaces")
FIELD = kind("field_declaration")
FORMAL = kind("formal_parameter")
IMPORT = kind("import_declaration")
METHOD = kind("method_declaration")
MODIFIERS = kind("modifiers")
MODULE = kind("module_declaration")
PACKAGE = kind("package_declaration")
SPREAD = kind("spread_parameter")
STATIC_BLOCK = kind("static_initializer")
SUPER_INTERFACES = kind("super_interfaces")
SUPERCLASS = kind("superclass")
TYPE_BOUND = kind("type_bound")
TYPE_LIST = kind("type_list")
TYPE_PARAMETER = kind("type_parameter")
VARIABLE = kind("variable_declarator")
STATIC = token("static")

TYPE_PARAMETERS = field("type_parameters")

KINDS = {
    kind("class_declaration"): "class",
    kind("interface_declaration"): "interface",
    kind("enum_declaration"): "enum",
    kind("record_declaration"): "record",
    kind("annotation_type_declaration"): "annotation",
}

TYPE_WORDS = {
    token("class"): "class",
    token("interface"): "interface",
    token("enum"): "enum",
    token("record"): "record",
    token("@interface"): "annotation",
}

_SUPERS = frozenset({SUPERCLASS, SUPER_INTERFACES, EXTENDS_INTERFACES})

ABSTRACT = frozenset({"interface", "annotation"})
"""Kinds whose fields are constants and whose nested types have no outer instance."""


class Members(Body):
    """What a body of Java declares, with the supertypes."""

    __slots__ = ("supers",)

    def __init__(self, owner: str, of: str) -> None:
        super().__init__(owner, of)
        self.supers: list[ir.TypeRef] = []

    def __bool__(self) -> bool:
        return bool(self.fields or self.methods or self.constants or self.initialisers)


class Declarations(Statements):
    """Types and their members."""

    __slots__ = ()

    def modifiers(self, node: Node, depth: int) -> tuple[frozenset[str], tuple[ir.Annotation, ...]]:
        """Keywords and annotations before a declaration."""
        for child in node.children:
            number = child.kind_id
            if number == MODIFIERS:
                words = _WORDS.get(self.text(child))
                if words is not None:
                    return words, ()
                found: list[str] = []
                annotations: list[ir.Annotation] = []
                for part in child.children:
                    if part.kind_id in ANNOTATIONS:
                        annotations.append(self.annotation(part, depth + 1))
                    elif part.kind_id not in COMMENTS:
                        found.append(part.type)
                return frozenset(found), tuple(annotations)
            if number not in COMMENTS:
                break
        return _NO_WORDS, ()

    def parameters(self, node: Node | None, depth: int) -> tuple[ir.Param, ...]:
        if node is None or node.child_count == 2:
            return ()
        params: list[ir.Param] = []
        for child in node.named_children:
            number = child.kind_id
            if number == FORMAL:
                name = child.child_by_field_id(NAME)
                of = self.variable_type(child.child_by_field_id(TYPE), depth + 1)
                annotations: tuple[ir.Annotation, ...] = ()
                if child.child_count > 2:
                    annotations = self.modifiers(child, depth + 1)[1]
                    if of is not None:
                        of = self.array(of, child.child_by_field_id(DIMENSIONS))
                written = "" if name is None else self.text(name)
                params.append(ir.Param(written, of, self.at(child), annotations=annotations))
            elif number == SPREAD:
                params.append(self._spread(child, depth + 1))
            elif number == IDENTIFIER:
                params.append(ir.Param(self.text(child), None, self.at(child)))
        return tuple(params)

    def _spread(self, node: Node, depth: int) -> ir.Param:
        name = ""
        of: ir.TypeRef | None = None
        for child in self.named(node):
            number = child.kind_id
            if number == VARIABLE:
                bound = child.child_by_field_id(NAME)
                name = "" if bound is None else self.text(bound)
            elif number != MODIFIERS and number not in ANNOTATIONS:
                of = self.variable_type(child, depth)
        annotations = self.modifiers(node, depth)[1]
        return ir.Param(name, of, self.at(node), kind="...", annotations=annotations)

    # -- types ------------------------------------------------------------------------------------------------------

    def declaration(self, node: Node, depth: int, within: str = "") -> ir.ClassDecl | None:
        of = KINDS.get(node.kind_id)
        if of is None:
            return None
        words, annotations = self.modifiers(node, depth)
        name = node.child_by_field_id(NAME)
        simple = "" if name is None else self.text(name)
        members = Members(simple, of)
        for child in node.children:
            if child.kind_id in _SUPERS:
                self.supers(child, members, depth)
        components: tuple[ir.Param, ...] | None = None
        if of == "record":
            components = tuple(
                ir.Param(each.name, each.type, each.at, None, each.kind, each.annotations, True)
                for each in self.parameters(node.child_by_field_id(PARAMETERS), depth + 1)
            )
        body = node.child_by_field_id(BODY)
        if body is not None:
            self.members(body, members, depth)
        return ir.ClassDecl(
            simple,
            of,
            self.at(node),
            self.at(node if name is None else name),
            tuple(members.supers),
            members.interfaces,
            None,
            annotations,
            tuple(members.fields),
            tuple(_with_components(each, components) for each in members.methods),
            tuple(members.types),
            tuple(members.constants),
            components,
            tuple(members.initialisers),
            (),
            self.type_parameters(node.child_by_field_id(TYPE_PARAMETERS), depth + 1),
            of in ABSTRACT or "abstract" in words,
            "static" in words or within in ABSTRACT or (within != "" and of != "class"),
        )

    def supers(self, node: Node, members: Members, depth: int) -> None:
        """What stands behind `extends` or `implements`."""
        if node.kind_id == SUPERCLASS:
            members.supers += [self.type(each, depth + 1) for each in self.named(node)[:1]]
            return
        for part in self.named(node):
            written = self.named(part) if part.kind_id == TYPE_LIST else [part]
            members.supers += [self.type(each, depth + 1) for each in written]
            members.interfaces += len(written)

    def anonymous(self, node: Node, supers: tuple[ir.TypeRef, ...], depth: int) -> ir.ClassDecl:
        members = Members("", "anonymous")
        self.members(node, members, depth)
        at = self.at(node)
        return ir.ClassDecl(
            "",
            "anonymous",
            at,
            at,
            supers,
            fields=tuple(members.fields),
            methods=tuple(members.methods),
            types=tuple(members.types),
            initialisers=tuple(members.initialisers),
        )

    def type_parameters(self, node: Node | None, depth: int) -> tuple[tuple[str, ir.TypeRef | None], ...]:
        """Type variables with their first bound."""
        found: list[tuple[str, ir.TypeRef | None]] = []
        for child in () if node is None else node.named_children:
            if child.kind_id != TYPE_PARAMETER:
                continue
            name = ""
            bound: ir.TypeRef | None = None
            for part in self.named(child):
                if part.kind_id == TYPE_BOUND:
                    types = self.named(part)
                    bound = self.type(types[0], depth + 1) if types else None
                elif part.kind_id not in ANNOTATIONS:
                    name = self.text(part)
            found.append((name, bound))
        return tuple(found)

    # -- members ----------------------------------------------------------------------------------------------------

    def members(self, body: Node, members: Members, depth: int) -> None:
        """Everything a body declares."""
        for child in body.named_children:
            self.member(child, members, depth + 2)

    def member(self, node: Node, members: Members, depth: int) -> None:
        number = node.kind_id
        if number in COMMENTS:
            return
        if depth > LEVELS_MAX:
            at = self.at(node)
            members.initialisers.append(ir.Initialiser((ir.Do(self.cut(node), at),), True, at))
        elif number in (METHOD, CONSTRUCTOR, COMPACT):
            members.methods.append(self.method(node, members, depth + 1))
        elif number in (FIELD, CONSTANT_FIELD) or (number == LOCAL and not members.owner):
            self.fields(node, members, depth + 1)
        elif number in KINDS:
            declared = self.declaration(node, depth + 1, members.kind)
            if declared is not None:
                members.types.append(declared)
        elif number == BLOCK:
            members.initialisers.append(ir.Initialiser(self.block(node, depth + 1), False, self.at(node)))
        elif number == STATIC_BLOCK:
            blocks = [part for part in self.named(node) if part.kind_id == BLOCK]
            statements = self.block(blocks[0], depth + 1) if blocks else ()
            members.initialisers.append(ir.Initialiser(statements, True, self.at(node)))
        elif number == CONSTANT:
            self.constant(node, members, depth + 1)
        elif number == ENUM_BODY:
            for child in node.named_children:
                self.member(child, members, depth + 1)
        elif number == ELEMENT:
            self.element(node, members, depth + 1)
        elif node.is_error:
            self.recover(node, members, depth + 1)
        else:
            self.stray(node, members, depth + 1)

    def recover(self, node: Node, members: Members, depth: int) -> None:
        """What can be read inside a syntax error. Behind `class X` it belongs to X."""
        if depth > LEVELS_MAX:
            self.cut(node)
            return
        into = members
        opened: Node | None = None
        annotations: tuple[ir.Annotation, ...] = ()
        word = -1
        for child in node.children:
            number = child.kind_id
            if number == IDENTIFIER and word in TYPE_WORDS:
                self._close(into, members, opened, annotations)
                opened = child
                into = Members(self.text(child), TYPE_WORDS[word])
            elif number == MODIFIERS:
                annotations = self.modifiers(node, depth)[1] if opened is None else annotations
            elif number in _SUPERS and opened is not None:
                self.supers(child, into, depth)
            elif child.is_error or number in _RECOVERED:
                self.member(child, into, depth)
            elif number in HANDLED:
                self.stray(child, into, depth)
            elif number not in COMMENTS:
                self.cut(child)
            word = number
        self._close(into, members, opened, annotations)

    def _close(
        self, inner: Members, outer: Members, name: Node | None, annotations: tuple[ir.Annotation, ...]
    ) -> None:
        """Adds a type whose header stood in a syntax error."""
        if name is None:
            return
        at = self.at(name)
        outer.types.append(
            ir.ClassDecl(
                inner.owner,
                inner.kind,
                at,
                at,
                tuple(inner.supers),
                inner.interfaces,
                None,
                annotations,
                tuple(inner.fields),
                tuple(inner.methods),
                tuple(inner.types),
                tuple(inner.constants),
                initialisers=tuple(inner.initialisers),
            )
        )

    def stray(self, node: Node, members: Members, depth: int) -> None:
        """A statement where members stand: only in broken files."""
        out: list[ir.Stmt] = []
        self.statement(node, out, depth)
        if out:
            members.initialisers.append(ir.Initialiser(tuple(out), False, self.at(node)))

    def method(self, node: Node, members: Members, depth: int) -> ir.MethodDecl:
        words, annotations = self.modifiers(node, depth)
        name = node.child_by_field_id(NAME)
        constructor = node.kind_id != METHOD
        written = "" if name is None else self.text(name)
        returns: ir.TypeRef | None = None
        if not constructor:
            of = node.child_by_field_id(TYPE)
            if of is not None:
                returns = self.array(self.type(of, depth), node.child_by_field_id(DIMENSIONS))
        body = node.child_by_field_id(BODY)
        return ir.MethodDecl(
            "<init>" if constructor else written,
            self.parameters(node.child_by_field_id(PARAMETERS), depth),
            returns,
            None if body is None else self.block(body, depth),
            self.at(node),
            self.at(node if name is None else name),
            "static" in words,
            annotations,
            node.kind_id == COMPACT,
            private="private" in words,
            parameters=self.type_parameters(node.child_by_field_id(TYPE_PARAMETERS), depth),
        )

    def fields(self, node: Node, members: Members, depth: int) -> None:
        words, annotations = self.modifiers(node, depth)
        constant = members.kind in ABSTRACT
        written = node.child_by_field_id(TYPE)
        of = None if written is None else self.type(written, depth)
        for declarator in node.children_by_field_id(DECLARATOR):
            name = declarator.child_by_field_id(NAME)
            value = declarator.child_by_field_id(VALUE)
            own = of
            if own is not None and declarator.child_count > 1:
                own = self.array(own, declarator.child_by_field_id(DIMENSIONS))
            members.fields.append(
                ir.FieldDecl(
                    "" if name is None else self.text(name),
                    own,
                    None if value is None else self.expr(value, depth),
                    self.at(declarator),
                    constant or "static" in words,
                    constant or "final" in words,
                    annotations,
                    public="public" in words,
                    transient="transient" in words,
                )
            )

    def constant(self, node: Node, members: Members, depth: int) -> None:
        name = node.child_by_field_id(NAME)
        arguments = node.child_by_field_id(ARGUMENTS)
        given = () if arguments is None else self.arguments(arguments, depth)
        self.calls.add((members.owner, len(given)))
        body = node.child_by_field_id(BODY)
        of = (ir.TypeRef(members.owner),)
        members.constants.append(
            ir.EnumConstant(
                "" if name is None else self.text(name),
                given,
                None if body is None or body.kind_id != CLASS_BODY else self.anonymous(body, of, depth),
                self.modifiers(node, depth)[1],
                self.at(node),
            )
        )

    def element(self, node: Node, members: Members, depth: int) -> None:
        """An element of an annotation type: a field whose value is the default."""
        _, annotations = self.modifiers(node, depth)
        name = node.child_by_field_id(NAME)
        value = node.child_by_field_id(VALUE)
        written = node.child_by_field_id(TYPE)
        of = None if written is None else self.type(written, depth)
        members.fields.append(
            ir.FieldDecl(
                "" if name is None else self.text(name),
                None if of is None else self.array(of, node.child_by_field_id(DIMENSIONS)),
                None if value is None else self.expr(value, depth),
                self.at(node),
                annotations=annotations,
            )
        )

    # -- the file ---------------------------------------------------------------------------------------------------

    def unit(self, root: Node, broken: tuple[ir.At, ...]) -> ir.Unit:
        package = ""
        imports: list[ir.Import] = []
        modules: list[ir.Import] = []  # what they export is looked for behind all other imports
        members = Members("", "")
        for node in root.named_children:
            number = node.kind_id
            if number == IMPORT:
                self.imported(node, imports, modules)
            elif number == PACKAGE:
                parts = [part for part in self.named(node) if part.kind_id not in ANNOTATIONS]
                package = self.dotted(parts[-1]) if parts else ""
            elif number == MODULE:
                self.cut(node)
            elif node.is_error:
                for child in node.named_children:
                    if child.kind_id == IMPORT:
                        self.imported(child, imports, modules)
                self.recover(node, members, 0)
            else:
                self.member(node, members, 0)
        types = members.types
        if members and not (package or broken) and any(each.name == "main" for each in members.methods):
            types = [self._implicit(root, members, tuple(types))]
            modules += _module("java.base", self.at(root))
        elif members:
            types.append(self._implicit(root, members, ()))
        self.calls.discard(("", 0))
        self.names.discard("")
        return ir.Unit(
            "java",
            package,
            (*imports, *modules),
            tuple(scoped(each, members_hide=True) if self._may_clash(each) else each for each in types),
            tuple(sorted(call for call in self.calls if call[0])),
            tuple(sorted(self.names)),
            broken,
        )

    def _may_clash(self, declared: ir.ClassDecl) -> bool:
        """Whether a local variable may have the name of a field, which one of a class above may have too."""
        if len(declared.supers) > declared.interfaces:
            return bool(self.locals)
        names = {one.name for one in declared.fields} | {one.name for one in declared.components or ()}
        if not names.isdisjoint(self.locals):
            return True
        return any(map(self._may_clash, declared.types))

    def _implicit(self, root: Node, members: Members, types: tuple[ir.ClassDecl, ...]) -> ir.ClassDecl:
        """The class without a name that holds members outside of any class: that of a compact source file (Java 25), which
        holds its types too, or of a broken file."""
        at = self.at(root)
        return ir.ClassDecl(
            "",
            "class",
            at,
            at,
            fields=tuple(members.fields),
            methods=tuple(members.methods),
            types=types,
            constants=tuple(members.constants),
            initialisers=tuple(members.initialisers),
        )

    def imported(self, node: Node, imports: list[ir.Import], modules: list[ir.Import]) -> None:
        """Reads an import, of a name or of a module."""
        path = ""
        static = wildcard = False
        for child in node.children:
            number = child.kind_id
            if number == STATIC:
                static = True
            elif number == ASTERISK:
                wildcard = True
            elif child.is_named and number not in COMMENTS and not child.is_error:
                path = self.dotted(child)
        if MODULE_IMPORT.match(self.text(node)):
            modules += _module(path, self.at(node))
            return
        name = "" if wildcard else path.rpartition(".")[2]
        imports.append(ir.Import(path, name, self.at(node), static=static, wildcard=wildcard))


def _module(name: str, at: ir.At) -> tuple[ir.Import, ...]:
    """What the import of a module brings in."""
    return tuple(ir.Import(one, "", at, wildcard=True) for one in EXPORTED.get(name, (name,)))


def _with_components(method: ir.MethodDecl, components: tuple[ir.Param, ...] | None) -> ir.MethodDecl:
    if not method.compact:
        return method
    params = tuple(ir.Param(each.name, each.type, each.at, kind=each.kind) for each in components or ())
    return ir.MethodDecl(
        method.name,
        params,
        None,
        method.body,
        method.at,
        method.name_at,
        annotations=method.annotations,
        compact=True,
        private=method.private,
    )


_NO_WORDS: frozenset[str] = frozenset()

_WORDS = {
    text: frozenset(text.split())
    for access in ("", "public", "protected", "private")
    for rest in ("", "static", "final", "static final", "abstract", "static abstract", "default", "volatile")
    if (text := f"{access} {rest}".strip())
}
"""Modifiers as most declarations write them."""

_RECOVERED = frozenset(
    {
        *KINDS,
        METHOD,
        CONSTRUCTOR,
        COMPACT,
        FIELD,
        CONSTANT_FIELD,
        BLOCK,
        STATIC_BLOCK,
        CONSTANT,
        ENUM_BODY,
        ELEMENT,
    }
)
"""Members that are read also where a syntax error holds them."""
