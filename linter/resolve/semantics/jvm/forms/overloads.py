"""Which method a call means."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from subdrift.linter.model import ir
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import UNSET, leaves
from subdrift.linter.resolve.execute.interpreter import Interpreter, is_array
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    OF_CHARACTERS,
    Bound,
    Frame,
    Function,
    Guarded,
    LibraryConstant,
    Long,
    Object,
    Text,
    TypeValue,
    Unknown,
)
from subdrift.linter.resolve.semantics.jvm.forms.common import ZERO
from subdrift.linter.resolve.semantics.jvm.library import kinds, tasks
from subdrift.linter.resolve.semantics.jvm.static_types import BOXED, element_type, fits_written, static_types

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


_WRITTEN = frozenset({"Object", *BOXED, *BOXED.values()})
"""Types of arguments that are told by how these are declared, not by what they hold."""


def candidates(
    java: Java, run: Interpreter, this: Guarded, around: Class, name: str, count: int
) -> list[Method]:
    """The methods of a class around, as the object's own class overrides them."""
    methods = run.scope.methods(around, name, count)
    if not methods:
        return []
    return methods


def enclosing(java: Java, run: Interpreter, made: Object, around: Class) -> Any:
    current: Any = made
    for _ in range(16):
        if not isinstance(current, Object) or current.declared is None:
            return made
        if run.scope.is_a(current.declared, around):
            return current
        nearer = current.outer
        if nearer is None and current.captured is not None:
            nearer = next((v for _, v in leaves(current.captured.this) if isinstance(v, Object)), None)
        current = nearer
    return made


def inherited(
    java: Java,
    run: Interpreter,
    this: Guarded,
    around: Class,
    node: ir.Call,
    arguments: Arguments,
    frame: Frame,
) -> Guarded:
    """A method the library class above provides: on a consumer's subclass, a collection, a thread."""
    for _, leaf in leaves(this, run.guard):
        if isinstance(leaf, Object):
            if leaf.client is not None and node.name in leaf.client.operations:
                return java.call_method(run, leaf, node.name, arguments, frame, node.at)
            if leaf.entries is not None or leaf.items is not None:
                return java.call_method(run, leaf, node.name, arguments, frame, node.at)
            if tasks.is_thread(run, leaf) and node.name in tasks.OF_THREADS:
                return java.call_method(run, leaf, node.name, arguments, frame, node.at)
    return UNSET


def overload(java: Java, run: Interpreter, methods: Sequence[Method], arguments: Arguments) -> Method | None:
    """The method whose parameters fit the arguments best; a variable one only where no other fits. None where there is none:
    a model need not have all that its library has."""
    if methods and methods[0].owner.file.model:
        methods = [each for each in methods if not _refuses(run, each, arguments.values)]
    if not methods:
        return None
    if len(methods) == 1:
        return methods[0]
    static = [Static(name, _class_of(run, name, arguments.near)) for name in static_types(run, arguments)]
    scored = []
    for index, method in enumerate(methods):
        whole = method.varargs and _takes_array(method, arguments)
        fits = java._fit(run, method, arguments.values, static)
        scored.append((whole or not method.varargs, fits + 4 * (whole and fits >= 0), -index))
    possible = [score for score in scored if score[1] >= 0]
    best = max(possible or scored)
    return methods[-best[2]]


def _takes_array(method: Method, arguments: Arguments) -> bool:
    """Whether an array stands for all that a variable parameter of Java takes, so that the method is one of fixed arity."""
    params, values = method.decl.params, arguments.values
    near, rest = arguments.near, params[-1].type
    if len(values) != len(params) or method.owner.file.language != "java" or near is None or rest is None:
        return False
    if len(arguments.written) != len(values) or not all(is_array(one) for _, one in leaves(values[-1])):
        return False
    written = arguments.written[-1].value
    held = "Object" if isinstance(written, ir.Sequence) else element_type(written, near)
    return held == rest.name or (held not in ("", *BOXED) and rest.name not in BOXED)


_NUMBERS = frozenset({"byte", "short", "int", "long", "float", "double", *("Integer", "Long", "Double")})
_POINTED = frozenset({"float", "double", "Float", "Double"})
_OF_A_CHARACTER = {"int": 3, "long": 2, "float": 1, "double": 1}
_TEXTS = frozenset({"String", "CharSequence"})
_SINGLE = _NUMBERS | _TEXTS | {"char", "Character", "boolean", "Boolean"}
"""Types of which a value says whether it is of them."""


def _refuses(run: Interpreter, method: Method, values: Sequence[Guarded]) -> bool:
    """Whether a method surely does not take some values, so that another is meant."""
    for param, value in zip(method.decl.params, values, strict=False):
        if param.type is None or param.kind == "...":
            continue
        simple = param.type.name.rpartition(".")[2]
        if simple in _SINGLE:
            refused = not any(_may_be(leaf, simple) for _, leaf in leaves(value))
        else:
            refused = all(_is_no_other(run, leaf, param.type, method.owner) for _, leaf in leaves(value))
        if refused:
            return True
    return False


def _is_no_other(run: Interpreter, leaf: Any, ref: ir.TypeRef, near: Class) -> bool:
    """Whether a value is surely not an array, or not of an enumeration, where a parameter is declared as one."""
    if ref.name == "[]":  # bytes are the text they stand for
        is_text = isinstance(leaf, Text) and not (ref.args and ref.args[0].name in ("byte", "char"))
        return is_text or isinstance(leaf, int | float)
    named = run.scope.named(ref.name, near) if isinstance(leaf, LibraryConstant | Object) else None
    if not isinstance(named, Class) or named.kind != "enum":
        return False
    if isinstance(leaf, LibraryConstant):
        return leaf.owner.rpartition(".")[2] != named.simple
    return leaf.declared is not None and not run.scope.is_a(leaf.declared, named)


def _may_be(leaf: Any, simple: str) -> bool:
    if isinstance(leaf, Text):
        return simple in (("char", "Character", *OF_CHARACTERS) if leaf.char else _TEXTS)
    if isinstance(leaf, bool):
        return simple in ("boolean", "Boolean")
    if isinstance(leaf, float):
        return simple in _POINTED
    if isinstance(leaf, int):
        return simple in _NUMBERS
    if isinstance(leaf, Object):
        return simple == "CharSequence" or leaf.constant != ""
    return not isinstance(leaf, Function | Bound)


class Static(NamedTuple):
    """What an argument is declared with: the name of its type, and the class of the program that it is, if any."""

    name: str
    declared: Class | None


def _class_of(run: Interpreter, name: str, near: Frame | None) -> Class | None:
    named = run.type_named(name, near) if name and name not in _WRITTEN and near is not None else None
    return named if isinstance(named, Class) and not named.file.model else None


def fit(
    java: Java, run: Interpreter, method: Method, values: Sequence[Guarded], static: Sequence[Static] = ()
) -> int:
    total = 0
    params = method.decl.params
    for index, value in enumerate(values):
        param = params[min(index, len(params) - 1)]
        ref = param.type
        if ref is None:
            continue
        if param.kind == "..." and ref.name == "[]" and ref.args:
            ref = ref.args[0]
        written = static[index] if index < len(static) else Static("", None)
        fits = _fits_declared(run, written, ref, method)
        if fits is not None:
            if fits < 0:
                return -1
            total += fits
            continue
        worst = 9
        for _, leaf in leaves(value):
            worst = min(worst, java._fits(run, leaf, ref, method.owner))
        if worst < 0:
            return -1
        total += worst
    return total


def _fits_declared(run: Interpreter, written: Static, ref: ir.TypeRef, method: Method) -> int | None:
    """How well a parameter takes an argument by what that is declared with; None where what it holds tells."""
    simple = ref.name.rpartition(".")[2]
    if written.name in _WRITTEN:
        return fits_written(written.name, simple, method, ref.name)
    if written.name == simple and written.name != "[]":
        return 9
    named = run.scope.named(ref.name, method.owner) if written.declared is not None else None
    if written.declared is None or not isinstance(named, Class):
        return None
    above = run.scope.supers(written.declared)
    return max(2, 8 - above.index(named)) if named in above else -1


def _counts(run: Interpreter, leaf: Function | Bound) -> Collection[int]:
    """With how many arguments a function can be called; -1 where that is not seen."""
    if isinstance(leaf, Function):
        return (len(leaf.params),)
    target = leaf.target
    declared = target.declared if isinstance(target, TypeValue | Object) else None
    if declared is None:
        return (-1,)
    of_type = isinstance(target, TypeValue)
    if leaf.name == "<init>":
        methods = declared.methods.get(leaf.name, [])
        return {method.arity for method in methods} or (len(declared.decl.components or ()),)
    found = [one for each in run.scope.supers(declared) for one in each.methods.get(leaf.name, ())]
    if any(one.varargs for one in found):
        return (-1,)
    return {one.arity + (of_type and not one.decl.static) for one in found} or (-1,)


def fits(java: Java, run: Interpreter, leaf: Any, ref: ir.TypeRef, near: Class) -> int:
    """-1: a value of another type; else how well it fits."""
    name = ref.name.rpartition(".")[2]
    if leaf is None:
        return -1 if name in ZERO or name == "char" else 1
    if name in near.variables or (len(name) == 1 and name.isupper()) or name == "Object":
        return 1
    if isinstance(leaf, Text):
        if leaf.char:
            return 5 if name in ("char", "Character") else _OF_A_CHARACTER.get(name, -1)
        return 5 if name == "String" else 3 if name in ("CharSequence", "Comparable") else -1
    if name == "Comparable" and isinstance(leaf, int | float):
        return 3
    if isinstance(leaf, bool):
        return 5 if name in ("boolean", "Boolean") else -1
    if type(leaf) is Long:
        return {"long": 6, "Long": 5, "Number": 4, "float": 3, "double": 2}.get(name, -1)
    if isinstance(leaf, int):
        if name in ("int", "Integer"):
            return 6 if name == "int" else 5
        return 4 if name in ("long", "Long", "short", "byte", "Number", "double", "float") else -1
    if isinstance(leaf, float):
        return 5 if name in ("double", "Double", "float", "Float", "Number") else -1
    named = run.scope.named(ref.name, near)
    if isinstance(leaf, Object):
        if leaf.declared is not None and isinstance(named, Class):
            return 6 if leaf.declared is named else 4 if run.scope.is_a(leaf.declared, named) else -1
        if leaf.declared is not None:
            above = run.scope.library_supers(leaf.declared)
            return kinds.of_these(above, name, named)
        if isinstance(named, Class) or name in ("String", *ZERO):
            return -1
        return 5 if leaf.type.rpartition(".")[2] == name else kinds.is_a(leaf, name)
    if isinstance(leaf, Function | Bound):
        if name in ("String", *ZERO):
            return -1
        declared = named if isinstance(named, Class) else None
        return max(kinds.functional(name, count, declared, run) for count in _counts(run, leaf))
    if isinstance(leaf, TypeValue):
        return 5 if name == "Class" else -1
    if isinstance(leaf, Unknown) and leaf.type is not None:
        if leaf.type.declared is not None and isinstance(named, Class):
            return 4 if run.scope.is_a(leaf.type.declared, named) else -1
        if leaf.type.simple == name:
            return 5
        return 0 if isinstance(named, str) and leaf.type.declared is None else -1
    return 0 if name in kinds.FUNCTIONAL else 1  # few calls of what nobody sees give a function
