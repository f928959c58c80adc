"""What the sources say of the type of an expression of Java, where what it holds does not tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.calls import is_prepared
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import apply, pick, some, under
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import LEAVES_MAX
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.state import PRIMITIVE
from subdrift.linter.resolve.execute.values import Frame, Guarded, Unknown, text
from subdrift.linter.resolve.semantics.jvm.operators import convert, raise_where

BOXED = {"int": "Integer", "long": "Long", "char": "Character", "boolean": "Boolean", "double": "Double", "float": "Float",
          "short": "Short", "byte": "Byte"}  # fmt: skip
_WIDER = ("byte", "short", "int", "long", "float", "double")


def fits_written(written: str, name: str, method: Method, whole: str) -> int:
    """How well a parameter takes an argument that is declared as `Object`, a number or its box; -1: not at all."""
    if written == name:
        return 9
    if name in method.owner.variables or (len(whole) == 1 and whole.isupper()):
        return 1
    if written == "Object":
        return -1
    primitive = written in BOXED
    if name == "Object":
        return 1 if primitive else 5
    if name in ("Number", "Comparable", "Serializable"):
        return 2 if primitive else 6
    if not primitive:
        plain = next(one for one, box in BOXED.items() if box == written)
        return 3 if plain == name else 2 if _widens(plain, name) else -1
    if BOXED[written] == name:
        return 3
    return 9 - _WIDER.index(name) if _widens(written, name) else -1


def _widens(one: str, other: str) -> bool:
    if one == "char":
        return other in _WIDER[2:]
    return one in _WIDER and other in _WIDER and _WIDER.index(one) < _WIDER.index(other)


def static_types(run: Interpreter, arguments: Arguments) -> Sequence[str]:
    """The simple names of the types that arguments are declared with, "" where that is not seen."""
    near = arguments.near
    if near is None or len(arguments.written) != len(arguments.values):
        return ()
    return [declared_with(run, one.value, near) for one in arguments.written]


def declared_with(run: Interpreter, node: Any, frame: Frame) -> str:
    """The simple name of the type that an argument is written with, "" where that does not say it."""
    if isinstance(node, ir.Cast | ir.New | ir.NewArray):
        return node.type.name.rpartition(".")[2]
    if isinstance(node, ir.Const):
        of_kotlin = frame.owner is not None and frame.owner.file.language == "kotlin"
        kinds = ("Long", "Int") if of_kotlin else ("long", "int")
        return kinds[0] if node.long else kinds[1] if type(node.value) is int else ""
    if isinstance(node, ir.Call) and node.name == "valueOf" and isinstance(node.target, ir.Name):
        return node.target.name
    if isinstance(node, ir.Call) and frame.owner is not None:
        return _returned(run, node, frame)
    ref = _written_type(run, node, frame)
    return ref.name.rpartition(".")[2] if ref is not None else ""


def _written_type(run: Interpreter, node: Any, frame: Frame) -> ir.TypeRef | None:
    """The type that a variable, a field or an element of an array is written with."""
    if isinstance(node, ir.Index):
        held = _written_type(run, node.target, frame)
        return held.args[0] if held is not None and held.name == "[]" and held.args else None
    if not isinstance(node, ir.Name):
        return None
    ref = _variable_type(node.name, frame)
    if ref is not None:
        return ref
    fields = (run.scope.field(around, node.name) for around in (frame.owner.lexical() if frame.owner else ()))
    found = next((one for one in fields if one is not None), None)
    return found[1].type if found is not None else None


def _variable_type(name: str, frame: Frame) -> ir.TypeRef | None:
    """The type that a local variable is declared with."""
    current: Frame | None = frame
    while current is not None:
        ref = current.declared.get(name)
        if ref is not None:
            return ref
        current = current.parent
    return None


def element_type(node: Any, frame: Frame) -> str:
    """The name of the type of the elements of an array that is written out, or that a variable is declared as, "" where that
    is not seen."""
    written = node.type if isinstance(node, ir.Cast | ir.NewArray) else None
    ref = _variable_type(node.name, frame) if isinstance(node, ir.Name) else written
    return ref.args[0].name if ref is not None and ref.args else ""


def _returned(run: Interpreter, node: ir.Call, frame: Frame) -> str:
    """What the methods that a call without a target, or of a class, may mean give; "" where that is not the same."""
    owners: list[Class] = []
    if node.target is None and frame.owner is not None:
        owners = list(frame.owner.lexical())
    elif isinstance(node.target, ir.Name):
        named = run.type_named(node.target.name, frame)
        owners = [named] if isinstance(named, Class) else []
    for around in owners:
        methods = run.scope.methods(around, node.name, len(node.args))
        if methods:
            types = {
                each.decl.returns.name.rpartition(".")[2] for each in methods if each.decl.returns is not None
            }
            return types.pop() if len(types) == 1 else ""
    return ""


_INTS = frozenset({"int", "Int", "short", "byte", "char", "Integer", "Short", "Byte", "Character"})
_LONGS = frozenset({"long", "Long"})
_OF_TEXTS = frozenset({"charAt", "length", "indexOf", "lastIndexOf", "codePointAt", "compareTo"})
_JOINING = frozenset({"+", "-", "*", "/", "%", "&", "|", "^"})


def bits_of(run: Interpreter, node: Any, frame: Frame) -> int:
    """How many bits the integer that an expression gives is calculated with, 0 where that is not seen."""
    if isinstance(node, ir.Binary):
        left = bits_of(run, node.left, frame)
        if node.operator in ("<<", ">>", ">>>"):
            return left
        right = bits_of(run, node.right, frame) if node.operator in _JOINING else 0
        return max(left, right) if left and right else 0
    if isinstance(node, ir.Unary):
        return bits_of(run, node.operand, frame)
    if isinstance(node, ir.Const) and node.char:
        return 32
    if isinstance(node, ir.Call):
        of_text = node.name in _OF_TEXTS and declared_with(run, node.target, frame) == "String"
        return 32 if node.name == "hashCode" or of_text else 0
    if isinstance(node, ir.Attribute) and isinstance(node.target, ir.This) and not node.target.type:
        node = ir.Name(node.name, node.at)
    name = declared_with(run, node, frame)
    return 32 if name in _INTS else 64 if name in _LONGS else 0


_PRIMITIVES = frozenset(
    {"length", "size", "hashCode", "indexOf", "lastIndexOf", "ordinal", "compareTo", "compare", "count", "sum", "getAsInt",
     "intValue", "longValue", "shortValue", "byteValue", "doubleValue", "floatValue", "parseInt", "parseLong", "parseDouble",
     "nextInt", "nextLong", "getAsLong", "getAsDouble", "incrementAndGet", "decrementAndGet", "getAndIncrement", "addAndGet"}
)  # fmt: skip
"""Methods of the library that give a number which is not an object."""


def is_box(run: Interpreter, node: Any, frame: Frame) -> bool:
    """Whether the number that an expression of Java gives may be an object."""
    if isinstance(node, ir.Const | ir.Binary | ir.Unary):
        return False
    if isinstance(node, ir.Assign):
        return is_box(run, node.target, frame)
    if isinstance(node, ir.Conditional):
        return is_box(run, node.then, frame) and is_box(run, node.otherwise, frame)
    if isinstance(node, ir.Attribute) and not isinstance(node.target, ir.This):
        return node.name != "length" and not node.name.isupper()
    if isinstance(node, ir.Call) and node.name in _PRIMITIVES:
        return False
    name = declared_with(run, ir.Name(node.name, node.at) if isinstance(node, ir.Attribute) else node, frame)
    if not name and isinstance(node, ir.Call) and node.target is not None:
        owner = run.type_named(declared_with(run, node.target, frame) or "?", frame)
        methods = run.scope.methods(owner, node.name, len(node.args)) if isinstance(owner, Class) else ()
        given = {each.decl.returns.name for each in methods if each.decl.returns is not None}
        name = given.pop() if len(given) == 1 else ""
    return name not in BOXED


_PLAIN = {box: plain for plain, box in BOXED.items()}


def unboxed(run: Interpreter, value: Guarded, frame: Frame) -> Guarded:
    """What is taken for a number or truth value of Java that is no object: null throws then, unless code that nobody sees may
    have filled it."""
    null = apply(lambda leaf: leaf is None, value)
    if null is False:
        return value
    if is_prepared(run, frame):
        return pick(null, Unknown(Why.DYNAMIC, "null"), value)
    raise_where(run, null, "NullPointerException")
    return under(value, run.guard)


def operands(
    run: Interpreter, node: ir.Binary | ir.Assign, left: Guarded, right: Guarded, frame: Frame
) -> tuple[Guarded, Guarded]:
    """The operands of an operator of Java that takes no null: one that calculates, or compares with what is no object."""
    if node.operator in ("==", "!=", "+"):
        nodes = (node.left, node.right) if isinstance(node, ir.Binary) else (node.target, node.value)
        values = (left, right)
        if node.operator == "+" and left is None and declared_with(run, nodes[0], frame) == "String":
            return text("null"), right
        for null, other in ((0, 1), (1, 0)):
            of_number = all(isinstance(leaf, int | float) for leaf in some(values[other], LEAVES_MAX))
            of_box = of_number and declared_with(run, nodes[null], frame) in _PLAIN
            if not of_box or (node.operator != "+" and is_box(run, nodes[other], frame)):
                continue
            left = unboxed(run, left, frame) if null == 0 else left
            right = unboxed(run, right, frame) if null == 1 else right
        return left, right
    left = unboxed(run, left, frame)
    return left, unboxed(run, right, frame) if run.guard is not False else right


def promoted(run: Interpreter, node: ir.Conditional, value: Guarded, frame: Frame) -> Guarded:
    """The value of a conditional expression where one part may give a number of another type than the other, or null where
    the other is no object."""
    if any(leaf is None for leaf in some(value, LEAVES_MAX)):
        names = [declared_with(run, part, frame) for part in (node.then, node.otherwise)]
        are_objects = [name in _PLAIN for name in names if _PLAIN.get(name, name) in PRIMITIVE]
        value = unboxed(run, value, frame) if sorted(are_objects) == [False, True] else value
    if not any(isinstance(leaf, int | float) for leaf in some(value, 2)):
        return value
    kinds = [_kind(run, part, frame) for part in (node.then, node.otherwise)]
    if kinds[0] == kinds[1] or not all(kind in _WIDER or kind == "char" for kind in kinds):
        return value
    if "char" in kinds and isinstance(node.then if kinds[1] == "char" else node.otherwise, ir.Const):
        wide = "char"
    else:
        wide = max((kind for kind in kinds if kind in _WIDER), key=_WIDER.index)
    return apply(lambda leaf: convert(leaf, wide), value)


def _kind(run: Interpreter, node: ir.Expr, frame: Frame) -> str:
    """The primitive type that an expression is written with or its box is of, "" where that is not seen."""
    if isinstance(node, ir.Const) and (node.char or type(node.value) is float):
        return "char" if node.char else "double"
    name = declared_with(run, node, frame)
    return _PLAIN.get(name, name)
