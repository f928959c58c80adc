"""Python annotations -> `ir.TypeRef`, as far as they are names."""

from __future__ import annotations

import ast

from subdrift.linter.model.ir import TypeRef

_DEPTH_MAX = 12
_QUOTED_MAX = 400
_TRANSPARENT = frozenset({"Optional", "Annotated", "Required", "NotRequired", "ReadOnly"})


def dotted(node: ast.expr) -> str:
    """`a.b.c` as written, "" for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    names.append(node.id)
    return ".".join(reversed(names))


def type_ref(node: ast.expr, depth: int = 0) -> TypeRef | None:
    """The type that an annotation or base class names, or None.

    Quoted types are read too. `Optional[T]`, `T | None` and `Annotated[T, …]` are T; another union is `Union`. Arguments
    that are not types (of `Literal`, `Callable`'s list) are left out.
    """
    if depth > _DEPTH_MAX:
        return None
    if isinstance(node, ast.Name | ast.Attribute):
        name = dotted(node)
        return TypeRef(name) if name else None
    if isinstance(node, ast.Constant):
        if node.value is None:
            return TypeRef("None")
        return _quoted(node.value, depth) if isinstance(node.value, str) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union(
            [part for part in (type_ref(node.left, depth + 1), type_ref(node.right, depth + 1)) if part]
        )
    if isinstance(node, ast.Subscript):
        return _generic(node, depth)
    if isinstance(node, ast.Starred):
        return type_ref(node.value, depth + 1)
    return None


def _generic(node: ast.Subscript, depth: int) -> TypeRef | None:
    name = dotted(node.value)
    if not name:
        return None
    simple = name.rpartition(".")[2]
    if simple == "Literal":
        return TypeRef(name)
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if simple in _TRANSPARENT:
        return type_ref(items[0], depth + 1) if items else None
    args = tuple([part for item in items if (part := type_ref(item, depth + 1))])
    return _union(list(args)) if simple == "Union" else TypeRef(name, args)


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
    if len(text) > _QUOTED_MAX:
        return None
    if text.isidentifier():
        return TypeRef(text)
    try:
        return type_ref(ast.parse(text.strip(), mode="eval").body, depth + 1)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a text that is not a type
        return None
