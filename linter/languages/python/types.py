"""Python annotations -> `ir.TypeRef`, as far as they are names."""

from __future__ import annotations

from tree_sitter import Node

from subdrift.linter.languages import trees
from subdrift.linter.languages.python import literals
from subdrift.linter.languages.python.syntax import (
    ATTRIBUTE,
    ATTRIBUTE_NAME,
    BINARY,
    COMMENTS,
    CONCATENATED,
    DOTTED,
    GENERIC,
    GRAMMAR,
    IDENTIFIER,
    LEFT,
    LIST_SPLAT,
    MEMBER_TYPE,
    NONE,
    OBJECT,
    OPERATOR,
    RIGHT,
    SPLAT_TYPE,
    STARRED,
    STRING,
    SUBSCRIPT,
    SUBSCRIPT_KIND,
    TUPLES,
    TYPE_PARAMETERS,
    UNION_TYPE,
    VALUE,
    bare,
    first,
)
from subdrift.linter.languages.text import Places
from subdrift.linter.model.ir import TypeRef

_DEPTH_MAX = 12
_QUOTED_MAX = 400
_TRANSPARENT = frozenset({"Optional", "Annotated", "Required", "NotRequired", "ReadOnly"})


class Types(trees.Reader):
    """Reads the names and types of one file."""

    COMMENTS = COMMENTS

    def name(self, node: Node) -> str:
        """An identifier, normalised as CPython does."""
        written = self.text(node)
        if written.isascii():
            return written
        import unicodedata  # few files have such names

        return unicodedata.normalize("NFKC", written)

    def dotted(self, node: Node | None) -> str:
        """`a.b.c` as written, "" for anything else."""
        names: list[str] = []
        while node is not None:
            node = bare(node)
            if node.kind_id == ATTRIBUTE:
                last = node.child_by_field_id(ATTRIBUTE_NAME)
                node = node.child_by_field_id(OBJECT)
            elif node.kind_id == MEMBER_TYPE or node.kind_id == DOTTED:
                parts = self.named(node)
                names += [self.dotted(part) for part in reversed(parts)]
                return ".".join(reversed(names)) if all(names) else ""
            elif node.kind_id in STARRED:  # `*tuple[int]` is read as `(*tuple)[int]`
                node = first(node)
                continue
            else:
                break
            names.append("" if last is None else self.name(last))
        if node is None or node.kind_id != IDENTIFIER:
            return ""
        names.append(self.name(node))
        return ".".join(reversed(names))

    def plain_text(self, node: Node) -> str | None:
        """The value of a literal that is a text without fields; None for anything else."""
        strings = (
            [node] if node.kind_id == STRING else self.named(node) if node.kind_id == CONCATENATED else []
        )
        parts: list[str] = []
        for string in strings:
            written = self.text(string)
            prefix, quote = literals.opening(written)
            if not quote or "b" in prefix or "f" in prefix or "t" in prefix:
                return None
            try:
                parts.append(literals.text(written[len(prefix) + len(quote) : -len(quote)], prefix))
            except literals.MalformedError:
                return None
        return "".join(parts) if parts else None

    def in_type(self, node: Node) -> list[Node]:
        """What stands in the brackets of `a[…]`, without commas."""
        if node.kind_id == GENERIC:
            brackets = next((each for each in node.named_children if each.kind_id == TYPE_PARAMETERS), None)
            found = [] if brackets is None else self.named(brackets)
        else:
            found = node.children_by_field_id(SUBSCRIPT)
        if len(found) == 1:
            only = bare(found[0])
            return self.named(only) if only.kind_id in TUPLES else [only]
        return [bare(each) for each in found]

    def type_ref(self, node: Node, depth: int = 0) -> TypeRef | None:
        """The type that an annotation or base class names, or None.

        Quoted types are read too. `Optional[T]`, `T | None` and `Annotated[T, …]` are T; another union is `Union`. Arguments
        that are not types (of `Literal`, `Callable`'s list) are left out.
        """
        if depth > _DEPTH_MAX:
            return None
        node = bare(node)
        kind = node.kind_id
        if kind == IDENTIFIER:
            return TypeRef(self.name(node))
        if kind in (ATTRIBUTE, MEMBER_TYPE):
            name = self.dotted(node)
            return TypeRef(name) if name else None
        if kind == NONE:
            return TypeRef("None")
        if kind in (STRING, CONCATENATED):
            text = self.plain_text(node)
            return None if text is None else _quoted(text, depth)
        if kind in (SUBSCRIPT_KIND, GENERIC):
            return self._generic_type(node, depth)
        if kind == BINARY:
            operator = node.child_by_field_id(OPERATOR)
            sides = [node.child_by_field_id(LEFT), node.child_by_field_id(RIGHT)]
            if operator is None or self.text(operator) != "|":
                return None
            return _union(self._types([side for side in sides if side is not None], depth))
        if kind == UNION_TYPE:
            return _union(self._types(self.named(node), depth))
        if kind in (LIST_SPLAT, SPLAT_TYPE):
            inner = first(node)
            return None if inner is None else self.type_ref(inner, depth + 1)
        return None

    def _types(self, nodes: list[Node], depth: int) -> list[TypeRef]:
        return [found for node in nodes if (found := self.type_ref(node, depth + 1))]

    def _generic_type(self, node: Node, depth: int) -> TypeRef | None:
        name = self.dotted(node.child_by_field_id(VALUE) if node.kind_id == SUBSCRIPT_KIND else first(node))
        if not name:
            return None
        simple = name.rpartition(".")[2]
        if simple == "Literal":
            return TypeRef(name)
        items = self.in_type(node)
        if simple in _TRANSPARENT:
            return self.type_ref(items[0], depth + 1) if items else None
        args = self._types(items, depth)
        return _union(args) if simple == "Union" else TypeRef(name, tuple(args))


def _union(parts: list[TypeRef]) -> TypeRef | None:
    """Nested unions are one; None does not count unless it is alone."""
    flat: list[TypeRef] = []
    for part in parts:
        flat.extend(part.args if part.name == "Union" else (part,))
    types = [part for part in flat if part.name != "None"] or flat[:1]
    if not types:
        return None
    return types[0] if len(types) == 1 else TypeRef("Union", tuple(dict.fromkeys(types)))


def _quoted(text: str, depth: int) -> TypeRef | None:
    """The type that a text names, if it is an expression that does."""
    if len(text) > _QUOTED_MAX:
        return None
    if text.isidentifier():
        return TypeRef(text)
    data = text.strip().encode("utf-8", "replace")
    tree = trees.parse(GRAMMAR.parser, data)
    if tree is None or tree.root_node.has_error:
        return None
    statements = tree.root_node.named_children
    if (
        len(statements) != 1
        or statements[0].type != "expression_statement"
        or statements[0].named_child_count != 1
    ):
        return None
    expression = first(statements[0])
    return None if expression is None else Types(data, Places(data)).type_ref(expression, depth + 1)
