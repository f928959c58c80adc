"""Kotlin declarations: types, their members, imports, the file."""

from __future__ import annotations

import msgspec
from tree_sitter import Node

from subdrift.linter.languages.jvm.scoping import scoped
from subdrift.linter.languages.kotlin.expressions import (
    ANNOTATION,
    CLASS_BODY,
    CONSTRUCTED,
    FUNCTION_BODY,
    MULTI_VARIABLE,
    PARAMETERS,
    VARIABLE,
)
from subdrift.linter.languages.kotlin.members import Members
from subdrift.linter.languages.kotlin.repair import Taken
from subdrift.linter.languages.kotlin.statements import (
    ASSIGN,
    BLOCK,
    DELEGATE,
    MODIFIERS,
    PROPERTY,
    Statements,
)
from subdrift.linter.languages.kotlin.syntax import COMMENTS, GRAMMAR, field, kind, token
from subdrift.linter.languages.kotlin.types import IDENTIFIER, PARAMETER, TYPE_ARGUMENTS, VALUE_ARGUMENTS
from subdrift.linter.languages.text import Places
from subdrift.linter.languages.trees import LEVELS_MAX
from subdrift.linter.model import ir

ALIAS = kind("type_alias")
CLASS = kind("class_declaration")
CLASS_PARAMETER = kind("class_parameter")
CLASS_PARAMETERS = kind("class_parameters")
COMPANION = kind("companion_object")
DELEGATION = kind("explicit_delegation")
DELEGATION_CALL = kind("constructor_delegation_call")
DELEGATIONS = kind("delegation_specifiers")
ENTRY = kind("enum_entry")
ENUM_BODY = kind("enum_class_body")
FILE_ANNOTATION = kind("file_annotation")
FUNCTION = kind("function_declaration")
GETTER = kind("getter")
IMPORT = kind("import")
INIT = kind("anonymous_initializer")
OBJECT = kind("object_declaration")
PACKAGE = kind("package_header")
PARAMETER_MODIFIERS = kind("parameter_modifiers")
PRIMARY = kind("primary_constructor")
QUALIFIED = kind("qualified_identifier")
SECONDARY = kind("secondary_constructor")
SETTER = kind("setter")
TYPE_PARAMETER = kind("type_parameter")
TYPE_PARAMETERS = kind("type_parameters")
TYPES = GRAMMAR.kinds("user_type nullable_type non_nullable_type function_type parenthesized_type")

ASTERISK = token("*")
INTERFACE = token("interface")
SUPER = token("super")
VAL = token("val")
VAR = token("var")

TYPE_FIELD = field("type")

BODIES = frozenset({CLASS_BODY, ENUM_BODY})

TYPE_WORDS = {token("class"): "class", INTERFACE: "interface", token("object"): "object"}


class Declarations(Statements):
    """Types and their members."""

    __slots__ = ("taken",)

    def __init__(self, data: bytes, places: Places, taken: Taken) -> None:
        """`taken`: what the tree does not have."""
        super().__init__(data, places)
        self.taken = taken

    def modifiers(self, node: Node, depth: int) -> tuple[frozenset[str], tuple[ir.Annotation, ...]]:
        """Keywords and annotations before a declaration."""
        words: set[str] = set()
        annotations: list[ir.Annotation] = []
        for one in self.taken.annotations.get(node.start_byte, ()):
            annotations += self.annotation(one.annotation, depth + 1, one.arguments)
        for child in node.children:
            if child.kind_id in (MODIFIERS, PARAMETER_MODIFIERS):
                self._modifiers(child, words, annotations, depth + 1)
        return frozenset(words), tuple(annotations)

    def _modifiers(self, node: Node, words: set[str], annotations: list[ir.Annotation], depth: int) -> None:
        for part in self.named(node):
            if part.kind_id == ANNOTATION:
                annotations += self.annotation(part, depth)
            else:
                words.add(self.text(part))

    def parameters(self, node: Node, depth: int) -> tuple[ir.Param, ...]:
        params: list[ir.Param] = []
        words: set[str] = set()
        annotations: list[ir.Annotation] = []
        assigned = False
        for child in self.children(node):
            number = child.kind_id
            if number == PARAMETER_MODIFIERS:
                self._modifiers(child, words, annotations, depth + 1)
            elif number == PARAMETER or (number == IDENTIFIER and not assigned):
                bound = self.variable(child, depth + 1)
                name = self.word(child) if number == IDENTIFIER else bound.name
                kind_ = "..." if "vararg" in words else ""
                params.append(ir.Param(name, bound.type, bound.at, None, kind_, tuple(annotations)))
                words, annotations = set(), []
            elif number == ASSIGN:
                assigned = True
            elif assigned and child.is_named and params:
                last = params[-1]
                params[-1] = ir.Param(
                    last.name, last.type, last.at, self.expr(child, depth + 1), last.kind, last.annotations
                )
                assigned = False
        return tuple(params)

    def components(self, node: Node, depth: int) -> tuple[ir.Param, ...]:
        """The parameters of a primary constructor; those with `val` or `var` are also properties."""
        params: list[ir.Param] = []
        for group in self.named(node):
            for each in self.named(group) if group.kind_id == CLASS_PARAMETERS else ():
                if each.kind_id != CLASS_PARAMETER:
                    continue
                words, annotations = self.modifiers(each, depth)
                bound = self.variable(each, depth)
                default: ir.Expr | None = None
                own = assigned = False
                for part in self.children(each):
                    if part.kind_id in (VAL, VAR):
                        own = True
                    elif part.kind_id == ASSIGN:
                        assigned = True
                    elif assigned and part.is_named:
                        default = self.expr(part, depth + 1)
                name = next((self.word(part) for part in each.children if part.kind_id == IDENTIFIER), "")
                params.append(
                    ir.Param(
                        name,
                        bound.type,
                        bound.at,
                        default,
                        "..." if "vararg" in words else "",
                        annotations,
                        own,
                        private="private" in words,
                        nullable=bound.nullable,
                    )
                )
        return tuple(params)

    def type_parameters(self, node: Node, depth: int) -> tuple[tuple[str, ir.TypeRef | None], ...]:
        """Type variables with their first bound."""
        found: list[tuple[str, ir.TypeRef | None]] = []
        for each in self._type_parameters(node):
            names = [self.word(part) for part in each.named_children if part.kind_id == IDENTIFIER]
            bounds = [self.type(part, depth) for part in each.named_children if part.kind_id in TYPES]
            found.append((names[0] if names else "", bounds[0] if bounds else None))
        return tuple(found)

    def _type_parameters(self, node: Node) -> list[Node]:
        return [each for each in self.named(node) if each.kind_id == TYPE_PARAMETER]

    # -- types ------------------------------------------------------------------------------------------------------

    def declaration(
        self, node: Node, depth: int, within: str = "local"
    ) -> ir.ClassDecl | ir.MethodDecl | None:
        number = node.kind_id
        if number == FUNCTION:
            return self.function(node, depth)
        if number == ALIAS:
            return self.alias(node, depth)
        if number in (CLASS, OBJECT, COMPANION):
            return self.declared(node, depth, within)
        return None

    def declared(self, node: Node, depth: int, within: str) -> ir.ClassDecl:
        """A class, interface, enum, annotation or object."""
        words, annotations = self.modifiers(node, depth)
        number = node.kind_id
        of = {OBJECT: "object", COMPANION: "companion"}.get(number, "class")
        if "enum" in words or "annotation" in words:
            of = "enum" if "enum" in words else "annotation"
        name: Node | None = None
        body: Node | None = None
        primary: Node | None = None
        parameters: tuple[tuple[str, ir.TypeRef | None], ...] = ()
        supers: Node | None = None
        for child in self.children(node):
            inner = child.kind_id
            if inner == INTERFACE:
                of = "interface"
            elif inner == IDENTIFIER:
                name = child
            elif inner in BODIES:
                body = child
            elif inner == PRIMARY:
                primary = child
            elif inner == DELEGATIONS:
                supers = child
            elif inner == TYPE_PARAMETERS:
                parameters = self.type_parameters(child, depth + 1)
        simple = "Companion" if name is None and of == "companion" else ""
        members = Members(simple if name is None else self.word(name), of)
        if supers is not None:
            self.supers(supers, members, depth)
        if body is not None:
            self.members(body, members, depth)
        made = members.declared(
            self.at(node),
            self.at(node if name is None else name),
            annotations,
            None if primary is None else self.components(primary, depth + 1),
            parameters,
            of == "interface" or bool({"abstract", "sealed"} & words),
            within != "module" and "inner" not in words and (within != "local" or of != "class"),
            bool({"data", "value"} & words),  # both are equal by what they hold
        )
        if primary is None or "private" not in self.modifiers(primary, depth)[0]:
            return made
        return msgspec.structs.replace(made, hidden=True)

    def supers(self, node: Node, members: Members, depth: int) -> None:
        """What stands behind the colon: a superclass with arguments, interfaces, delegates."""
        first: list[ir.TypeRef] = []
        rest: list[ir.TypeRef] = []
        for each in self.named(node):
            parts = self.named(each)
            if not parts:
                continue
            part = parts[-1]
            inner = self.named(part)
            if part.kind_id == CONSTRUCTED and inner:
                first.append(self.type(inner[0], depth + 1))
                members.super_args = self.handed(inner[1:], depth + 1)
                self.calls.add((first[-1].name.rpartition(".")[2], len(members.super_args)))
            elif part.kind_id == DELEGATION and inner:
                rest.append(self.type(inner[0], depth + 1))
                value = self.needed(inner[-1] if len(inner) > 1 else None, part, depth + 1)
                members.delegates.append(ir.Delegate(rest[-1], value))
            else:
                rest.append(self.type(part, depth + 1))
                taken = self.taken.delegates.get(part.start_byte)
                if taken is not None:
                    members.delegates.append(ir.Delegate(rest[-1], self.expr(taken, depth + 1)))
        members.supers = (*first, *rest)
        members.interfaces = len(rest) if first or members.kind in ("interface", "enum") else 0

    def anonymous(self, node: Node, depth: int) -> ir.ClassDecl:
        members = Members("", "anonymous")
        for child in self.named(node):
            if child.kind_id == DELEGATIONS:
                self.supers(child, members, depth)
            elif child.kind_id in BODIES:
                self.members(child, members, depth)
        at = self.at(node)
        return members.declared(at, at)

    def alias(self, node: Node, depth: int) -> ir.ClassDecl:
        name = node.child_by_field_id(TYPE_FIELD)
        parts = self.named(node)
        members = Members("" if name is None else self.word(name), "alias")
        if parts and parts[-1] != name:
            members.supers = (self.type(parts[-1], depth + 1),)
        parameters = next(
            (self.type_parameters(each, depth) for each in parts if each.kind_id == TYPE_PARAMETERS), ()
        )
        at = self.at(node if name is None else name)
        return members.declared(self.at(node), at, parameters=parameters, static=True)

    # -- members ----------------------------------------------------------------------------------------------------

    def members(self, body: Node, members: Members, depth: int) -> None:
        """Everything a body declares."""
        for child in body.named_children:
            self.member(child, members, depth + 2)

    def member(self, node: Node, members: Members, depth: int) -> None:
        number = node.kind_id
        if number in COMMENTS:
            return
        at = self.at(node)
        if depth > LEVELS_MAX:
            members.initialisers.append(ir.Initialiser((ir.Do(self.cut(node), at),), True, at))
        elif number == FUNCTION:
            members.methods.append(self.function(node, depth + 1))
        elif number == PROPERTY:
            self.property(node, members, depth + 1)
        elif number in (CLASS, OBJECT, COMPANION):
            members.types.append(self.declared(node, depth + 1, members.kind))
        elif number == ALIAS:
            members.types.append(self.alias(node, depth + 1))
        elif number == INIT:
            blocks = [part for part in self.named(node) if part.kind_id == BLOCK]
            statements = self.block(blocks[0], depth + 1) if blocks else ()
            members.initialisers.append(ir.Initialiser(statements, False, at))
        elif number == SECONDARY:
            members.methods.append(self.secondary(node, depth + 1))
        elif number == ENTRY:
            self.entry(node, members, depth + 1)
        elif node.is_error:
            self.recover(node, members, depth + 1)
        else:
            self.stray(node, members, depth + 1)

    def stray(self, node: Node, members: Members, depth: int) -> None:
        """A statement where members stand: of a script, or in a broken file."""
        out: list[ir.Stmt] = []
        self.statement(node, out, depth)
        if out:
            members.initialisers.append(ir.Initialiser(tuple(out), False, self.at(node)))

    def recover(self, node: Node, members: Members, depth: int) -> None:
        """What can be read inside a syntax error. Behind `class X` it belongs to X."""
        if depth > LEVELS_MAX:
            self.cut(node)
            return
        into = members
        opened: Node | None = None
        words, annotations = self.modifiers(node, depth)
        components: tuple[ir.Param, ...] | None = None
        word = -1
        for child in node.children:
            number = child.kind_id
            if number == IDENTIFIER and word in TYPE_WORDS:
                if opened is not None:
                    at = self.at(opened)
                    members.types.append(into.declared(at, at, annotations, components))
                    annotations, components = (), None
                opened = child
                of = "enum" if "enum" in words else TYPE_WORDS[word]
                into = Members(self.word(child), of)
            elif number == PRIMARY:
                components = self.components(child, depth)
            elif number == DELEGATIONS and opened is not None:
                self.supers(child, into, depth)
            elif child.is_error or number in _RECOVERED:
                self.member(child, into, depth)
            elif number in COMMENTS or not child.is_named or number == MODIFIERS:
                pass
            elif child.child_count and number not in TYPES and number not in _HEADERS:
                self.stray(child, into, depth)
            else:
                self.cut(child)
            word = number
        if opened is not None:
            at = self.at(opened)
            members.types.append(into.declared(at, at, annotations, components))

    def entry(self, node: Node, members: Members, depth: int) -> None:
        name = ""
        given: tuple[ir.Argument, ...] = ()
        body: ir.ClassDecl | None = None
        for child in self.named(node):
            if child.kind_id == IDENTIFIER:
                name = self.word(child)
            elif child.kind_id == VALUE_ARGUMENTS:
                given = self.handed((child,), depth)
            elif child.kind_id in BODIES:
                own = Members("", "anonymous")
                own.supers = (ir.TypeRef(members.owner),)
                self.members(child, own, depth)
                at = self.at(child)
                body = own.declared(at, at)
        self.calls.add((members.owner, len(given)))
        annotations = self.modifiers(node, depth)[1]
        members.constants.append(ir.EnumConstant(name, given, body, annotations, self.at(node)))

    def function(self, node: Node, depth: int) -> ir.MethodDecl:
        words, annotations = self.modifiers(node, depth)
        name: Node | None = None
        receiver: ir.TypeRef | None = None
        returns: ir.TypeRef | None = None
        params: tuple[ir.Param, ...] = ()
        parameters: tuple[tuple[str, ir.TypeRef | None], ...] = ()
        kept: tuple[str, ...] = ()
        body: tuple[ir.Stmt, ...] | None = None
        behind = False
        for child in self.children(node):
            number = child.kind_id
            if number == PARAMETERS:
                params = self.parameters(child, depth)
                behind = True
            elif number == TYPE_PARAMETERS:
                parameters = self.type_parameters(child, depth + 1)
                kept = tuple(
                    name
                    for (name, _), each in zip(parameters, self._type_parameters(child), strict=True)
                    if "reified" in self.text(each).partition(":")[0].split()
                )
            elif number == FUNCTION_BODY:
                body = self.function_body(child, depth)
            elif number == IDENTIFIER:
                name = child
            elif number in TYPES and behind:
                returns = self.type(child, depth)
            elif number in TYPES:
                receiver = self.type(child, depth)
        at = self.at(node)
        return ir.MethodDecl(
            "" if name is None else self.word(name),
            params,
            returns,
            body,
            at,
            at if name is None else self.at(name),
            annotations=annotations,
            receiver=receiver,
            private="private" in words,
            parameters=parameters,
            reified=kept,
        )

    def secondary(self, node: Node, depth: int) -> ir.MethodDecl:
        words, annotations = self.modifiers(node, depth)
        params: tuple[ir.Param, ...] = ()
        body: list[ir.Stmt] = []
        for child in self.named(node):
            number = child.kind_id
            if number == PARAMETERS:
                params = self.parameters(child, depth)
            elif number == DELEGATION_CALL:
                body.append(self.constructor_call(child, depth))
            elif number == BLOCK:
                body += self.block(child, depth)
        at = self.at(node)
        return ir.MethodDecl(
            "<init>",
            params,
            None,
            tuple(body),
            at,
            self.at(node.children[0]),
            annotations=annotations,
            private="private" in words,
        )

    def constructor_call(self, node: Node, depth: int) -> ir.Stmt:
        """`: this(…)`, `: super(…)`."""
        at = self.at(node)
        which = node.children[0]
        name_at = self.at(which)
        target = ir.Super(name_at) if which.kind_id == SUPER else ir.This(name_at)
        given = self.handed(self.children(node)[1:], depth)
        self.calls.add(("<init>", len(given)))
        return ir.Do(ir.Call(target, "<init>", given, at, name_at), at)

    def property(self, node: Node, members: Members, depth: int) -> None:
        words, annotations = self.modifiers(node, depth)
        bound: Node | None = None
        receiver: ir.TypeRef | None = None
        value = delegate = None
        getter: tuple[ir.Stmt, ...] | None = None
        setter: ir.MethodDecl | None = None
        final = assigned = False
        for child in self.children(node):
            number = child.kind_id
            if number in (VARIABLE, MULTI_VARIABLE):
                bound = child
            elif number in TYPES and bound is None:
                receiver = self.type(child, depth)
            elif number == VAL:
                final = True
            elif number == ASSIGN:
                assigned = True
            elif number == DELEGATE:
                parts = self.named(child)
                delegate = self.needed(parts[-1] if parts else None, child, depth + 1)
            elif number == GETTER:
                getter = self.accessor(child, depth)[1]
            elif number == SETTER:
                setter = self.setter(child, depth)
            elif assigned and child.is_named:
                value = self.assigned(child, node, depth)
                assigned = False
        if bound is None or bound.kind_id == MULTI_VARIABLE:  # the latter only in scripts
            self.stray(node, members, depth)
            return
        declared = self.variable(bound, depth)
        members.fields.append(
            ir.FieldDecl(
                declared.name,
                declared.type,
                value,
                self.at(node),
                False,
                final,
                annotations,
                getter,
                setter,
                delegate,
                "lateinit" in words,
                receiver,
                private="private" in words,
                nullable=declared.nullable,
            )
        )

    def setter(self, node: Node, depth: int) -> ir.MethodDecl | None:
        params, statements = self.accessor(node, depth)
        at = self.at(node)
        return None if statements is None else ir.MethodDecl("set", params, None, statements, at, at)

    def accessor(self, node: Node, depth: int) -> tuple[tuple[ir.Param, ...], tuple[ir.Stmt, ...] | None]:
        """Parameters and body of a getter or setter; no body where only its visibility is declared."""
        params: list[ir.Param] = []
        body: tuple[ir.Stmt, ...] | None = None
        for child in self.named(node):
            if child.kind_id in (IDENTIFIER, PARAMETER, VARIABLE):
                bound = self.variable(child, depth)
                name = self.word(child) if child.kind_id == IDENTIFIER else bound.name
                params.append(ir.Param(name, bound.type, bound.at))
            elif child.kind_id == FUNCTION_BODY:
                body = self.function_body(child, depth)
        return tuple(params), body

    # -- the file ---------------------------------------------------------------------------------------------------

    def unit(self, root: Node, broken: tuple[ir.At, ...], module: str) -> ir.Unit:
        package = ""
        imports: list[ir.Import] = []
        members = Members(module, "module")
        annotations: list[ir.Annotation] = []
        nodes = [root] if root.is_error else list(root.named_children)
        for node in nodes:
            inner = node.named_children if node.is_error else [node]
            for child in inner:
                if child.kind_id == PACKAGE:
                    package = ".".join(self.words(child))
                elif child.kind_id == IMPORT:
                    imports.append(self.imported(child))
                elif child.kind_id == FILE_ANNOTATION:
                    annotations += self.annotation(child, 1)
            if node.kind_id not in (PACKAGE, IMPORT, FILE_ANNOTATION):
                self.member(node, members, 0)
        for annotation in annotations:
            if annotation.name == "JvmName" and annotation.args:
                given = annotation.args[0].value
                if isinstance(given, ir.Const):
                    members.owner = str(given.value)
        types = list(members.types)
        members.types.clear()
        if members or annotations:
            at = self.at(root)
            types.append(members.declared(at, at, tuple(annotations)))
        self.names.discard("")
        return ir.Unit(
            "kotlin",
            package,
            tuple(imports),
            tuple(map(scoped, types)),
            tuple(sorted(self.calls)),
            tuple(sorted(self.names)),
            broken,
        )

    def words(self, node: Node) -> list[str]:
        """The identifiers of a dotted name."""
        found: list[str] = []
        stack = [node]
        while stack:
            inner = stack.pop()
            if inner.kind_id == IDENTIFIER:
                found.append(self.word(inner))
            stack.extend(reversed(inner.children))
        return found

    def imported(self, node: Node) -> ir.Import:
        path = ""
        name = ""
        wildcard = False
        for child in self.children(node):
            if child.kind_id == QUALIFIED:
                path = ".".join(self.words(child))
            elif child.kind_id == IDENTIFIER:
                name = self.word(child)
            elif child.kind_id == ASTERISK:
                wildcard = True
        if not wildcard and not name:
            name = path.rpartition(".")[2]
        return ir.Import(path, "" if wildcard else name, self.at(node), wildcard=wildcard)


_RECOVERED = frozenset({CLASS, OBJECT, COMPANION, FUNCTION, PROPERTY, ALIAS, INIT, SECONDARY, ENTRY})
"""Members that are read also where a syntax error holds them."""

_HEADERS = frozenset(
    {PARAMETERS, VALUE_ARGUMENTS, TYPE_ARGUMENTS, TYPE_PARAMETERS, PACKAGE, IMPORT, VARIABLE}
)
"""What the header of a declaration in a syntax error consists of."""
