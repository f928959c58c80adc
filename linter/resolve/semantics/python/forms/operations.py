"""Operators, truth, and how values are shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import told
from subdrift.linter.resolve.execute.guards import UNSET, Diagram, apply, instead, leaves
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.identity import as_seen
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    Frame,
    Function,
    Gap,
    Guarded,
    Key,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    join,
    text,
)
from subdrift.linter.resolve.semantics.python import (
    classes,
    collection_methods,
    containers,
    enumerations,
    equality,
    library,
    operators,
    texts,
    types,
)
from subdrift.linter.resolve.semantics.python.classes import info_of
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.forms import importing
from subdrift.linter.resolve.semantics.python.forms.common import is_modelled

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


_BINARY_METHODS = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "**": "__pow__",
    "|": "__or__",
    "&": "__and__",
    "^": "__xor__",
    "<<": "__lshift__",
    ">>": "__rshift__",
    "@": "__matmul__",
    "==": "__eq__",
    "<": "__lt__",
    "<=": "__le__",
    ">": "__gt__",
    ">=": "__ge__",
}

_OPERATORS = {*_BINARY_METHODS, "!=", "in", "!in"}

_REFLECTED = {
    "__lt__": "__gt__",
    "__gt__": "__lt__",
    "__le__": "__ge__",
    "__ge__": "__le__",
    "__eq__": "__eq__",
}
"""What the class of the right side is asked for in place of a comparison."""

_REFLECTED_SIGNS = {"<", "<=", ">", ">="}

_DECLINED = TypeValue(None, "builtins.NotImplemented")
"""What an operator of a class gives that leaves it to the other side."""

_REPRESENTED_MAX = 8
"""Objects inside one another that `repr` shows."""

_IN_PLACE = {"list": "*", "deque": "*", "set": "&-^"}
"""Operators that change a collection, beside those that add to it."""


def operate(
    python: Python, run: Interpreter, operator: str, left: Guarded, right: Guarded, frame: Frame, at: ir.At
) -> Guarded:
    """What an operator gives that a class of the program may say the meaning of, called where it is written; UNSET for
    others."""
    if right is UNSET:
        return run.over(left, partial(python.unary, run, operator)) if _has_class(left) else UNSET
    if operator not in _OPERATORS:
        return UNSET
    method = _BINARY_METHODS.get(operator, "")
    if type(left) is Unknown and method in run.heap.get(classes.OWN_NAMES, ()):
        run.misses_call(method, left)
        importing.lose_called(run, method, left, unknown_from((left,), operator))
    if not (_has_class(left) or _has_class(right)):
        return UNSET
    near = (frame, run.place(frame, at))
    return run.over(
        left, lambda one: run.over(right, lambda other: python.binary(run, operator, one, other, near))
    )


def binary(
    python: Python,
    run: Interpreter,
    operator: str,
    left: Any,
    right: Any,
    near: tuple[Frame, Location] | None = None,
) -> Any:
    if isinstance(left, Object | Unknown | TypeValue) or isinstance(right, Object | TypeValue):
        found = operator_method(python, run, operator, left, right, near)
        if found is not UNSET:
            return found
    if operator == "|" and isinstance(left, TypeValue | tuple) and isinstance(right, TypeValue | None):
        kinds = left if isinstance(left, tuple) else (left,)  # as `isinstance` takes them
        return (*kinds, TypeValue(None, "types.NoneType") if right is None else right)
    if (
        operator in _REFLECTED_SIGNS
        and isinstance(left, Object)
        and "<flag>" in left.fields
        and left.declared
    ):
        info = info_of(run, left.declared)
        if info is not None and "enum.IntFlag" not in info.library and "builtins.int" not in info.library:
            run.throw(refused(run, operator, left, right, near[1] if near else None))
            return UNSET
    if operator in _SAME and not (run.last is not None and is_modelled(run.last[0])):
        left, right = (equality.plain(one) if type(one) is TypeValue else one for one in (left, right))
    found = operators.binary(
        run, operator, left, right, lambda value: python.shown(run, value), partial(python.binary, run)
    )
    of = left if isinstance(left, Object) and "<flag>" in left.fields else right
    if operator in ("|", "&", "^") and isinstance(of, Object) and "<flag>" in of.fields and of.declared:
        return enumerations.flags(run, of.declared, found)
    return found


_SAME = frozenset({"===", "!=="})
"""`is` and `is not`. A model asks by these whether it was given something, such as a function that nobody sees."""


def operator_method(
    python: Python,
    run: Interpreter,
    operator: str,
    left: Any,
    right: Any,
    near: tuple[Frame, Location] | None = None,
) -> Any:
    """What a class of the program says an operator means that is written at a place, where that is known."""
    if operator in ("in", "!in"):
        return contains(python, run, left, right, operator == "!in")
    negated, declined = operator == "!=", False
    name = _BINARY_METHODS.get("==" if negated else operator, "")
    for own, other, method in ((left, right, name), (right, left, _REFLECTED.get(name, f"__r{name[2:]}"))):
        if not isinstance(own, Object) or own.declared is None or not name:
            continue
        info = info_of(run, own.declared)
        frame = info.frame if info is not None else None
        if frame is None:
            continue
        differs = classes.method_of(python, run, own, "__ne__", frame) if negated else UNSET
        if isinstance(differs, Function):
            value = run.call(differs, Arguments([other]), *(near or (frame, own.at)))
            return apply(lambda leaf: unknown_from((own,), operator) if leaf == _DECLINED else leaf, value)  # noqa: B023
        hook = classes.method_of(python, run, own, method, frame)
        if hook is UNSET and classes.unseen(run, own.declared) is not None:
            return Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))
        if isinstance(hook, Function):
            value = run.call(hook, Arguments([other]), *(near or (frame, own.at)))
            if value == _DECLINED:
                declined = True
                continue
            value = apply(lambda leaf: unknown_from((own,), operator) if leaf == _DECLINED else leaf, value)  # noqa: B023
            if negated:
                return apply(lambda leaf: operators.unary("!", leaf, python.truth), value)
            return value
    if declined and name not in ("__eq__", "__ne__"):
        run.throw(refused(run, operator, left, right, near[1] if near else None))
    return UNSET


def refused(run: Interpreter, operator: str, left: Any, right: Any, at: Location | None) -> Object:
    """The error of an operator that is not for two values."""
    error = run.make(None, "builtins.TypeError", at)
    kinds = [types.kind_of(each) for each in (left, right)]
    between = f"'{operator}' not supported between instances of '{kinds[0]}' and '{kinds[1]}'"
    of = f"unsupported operand type(s) for {operator}: '{kinds[0]}' and '{kinds[1]}'"
    if None not in kinds and operator != "**":
        error.fields["<message>"] = text(
            between if operator[0] in "<>" and operator not in ("<<", ">>") else of
        )
        error.fields["args"] = (error.fields["<message>"],)
    return error


def own_equality(python: Python, run: Interpreter, left: Any, right: Any) -> bool | Test:
    """What the class of an object says of it and another value; a collection asks for it."""
    found = operator_method(python, run, "==", left, right)
    if isinstance(found, bool | Test):
        return found
    return Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))


def contains(python: Python, run: Interpreter, item: Any, holder: Any, negated: bool) -> Any:
    found: Any = UNSET
    if isinstance(holder, Object) and isinstance(item, Object) and "<flag>" in holder.fields:
        one, other = item.fields.get("<value>"), holder.fields["<value>"]
        if isinstance(one, int) and isinstance(other, int):
            found = one & other == one
    elif isinstance(holder, Object) and holder.declared is not None:
        info = info_of(run, holder.declared)
        frame = info.frame if info is not None else None
        hook = classes.method_of(python, run, holder, "__contains__", frame) if frame is not None else UNSET
        if isinstance(hook, Function):
            found = run.call(hook, Arguments([item]), frame, holder.at)
    elif isinstance(holder, TypeValue):
        if holder.declared is not None and (every := enumerations.members(run, holder.declared)) is not None:
            found = operators.contains(run, (*every, *(each.fields["<value>"] for each in every)), item)
        elif holder.declared is None:
            found = library.contains(run, holder.name, item)
        elif (info := info_of(run, holder.declared)) is not None:
            hook = python.of_metaclass(run, info, "__contains__", holder, info.frame)
            if isinstance(hook, Function):
                found = run.call(hook, Arguments([item]), info.frame, None)
    if found is UNSET or not negated:
        return found
    return apply(lambda leaf: operators.unary("!", leaf, python.truth), found)


def unary(python: Python, run: Interpreter, operator: str, operand: Any) -> Any:
    if isinstance(operand, Object) and operand.declared is not None:
        if operator == "!":
            return apply(lambda leaf: operators.unary("!", leaf, python.truth), python.truth_in(run, operand))
        name = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}.get(operator)
        hook = python._own_method(run, operand, name) if name else UNSET
        if isinstance(hook, Function):
            return run.call(hook, Arguments([]), None, operand.at)
    if operator == "~" and isinstance(operand, Object) and "<flag>" in operand.fields and operand.declared:
        bits = operand.fields["<value>"]
        rest = enumerations.all_flags(run, operand.declared) & ~bits if isinstance(bits, int) else bits
        return enumerations.flags(run, operand.declared, rest)
    return operators.unary(operator, operand, python.truth)


def own_method(python: Python, run: Interpreter, leaf: Object, name: str) -> Guarded:
    """A special method that the class of an object has, bound; UNSET where there is none."""
    info = info_of(run, leaf.declared) if leaf.declared is not None else None
    return UNSET if info is None else classes.method_of(python, run, leaf, name, info.frame)


def truth_in(python: Python, run: Interpreter, leaf: Any) -> Guarded:
    """`bool(leaf)`, also where the class of an object decides it."""
    if isinstance(leaf, Object) and leaf.declared is not None:
        info = info_of(run, leaf.declared)
        if info is not None:
            return python.truth_of(run, leaf, info.frame)
    return python.truth(leaf)


def fallback(python: Python, run: Interpreter, left: Guarded, right: ir.Expr, frame: Frame) -> Guarded:
    """`os.getenv(X) or default` is an environment variable with a default; UNSET for any other `or`."""
    if not (isinstance(left, Text) and len(left.parts) == 1 and isinstance(left.parts[0], Key)):
        return UNSET
    key = left.parts[0]
    if key.default is not None or not isinstance(
        right, ir.Const | ir.Name | ir.Attribute | ir.Join | ir.Call
    ):
        return UNSET
    if isinstance(right, ir.Call) and right.name not in ("getenv", "get"):
        return UNSET
    value = run.value(right, frame)
    if not isinstance(value, Text):
        return UNSET
    whole = Text((Key(key.key, value, key.variable),), left.steps, left.char, left.frame)
    texts_there = told(run, left, None)  # a variable that is set, to nothing, is false too
    if texts_there is None or all(leaf.known != "" for _, leaf in leaves(texts_there)):
        return whole
    return apply(
        lambda leaf: value if leaf.known == "" else whole if leaf.known is None else leaf, texts_there
    )


def truth(python: Python, leaf: Any) -> Guarded:
    return operators.truth(leaf)


def truth_of(python: Python, run: Interpreter, leaf: Object, frame: Frame) -> Guarded:
    """`bool(leaf)` where its class has a method that decides it."""
    if not leaf.constant:
        for name in ("__bool__", "__len__"):
            hook = classes.method_of(python, run, leaf, name, frame)
            if hook is not UNSET:
                found = run.over(hook, lambda each: run.call(each, Arguments([]), frame, None))
                return operators.truth(found) if not isinstance(found, Diagram) else python.truth(leaf)
    return python.truth(leaf)


def augment(
    python: Python,
    run: Interpreter,
    before: Any,
    operator: str,
    value: Guarded,
    frame: Frame,
    at: ir.At,
) -> bool:
    """`before += value` of a collection, which changes it in place."""
    if not isinstance(before, Object) or before.declared is not None or isinstance(value, Diagram):
        return False
    if operator in _IN_PLACE.get(before.type, ""):
        made = python.binary(run, operator, before, value)
        if isinstance(made, Object) and made.items is not None and before.items is not None:
            before.items = instead(run.guard, made.items, before.items)
            before.open = before.open or made.open
        else:
            reason = (
                made
                if isinstance(made, Unknown)
                else unknown_from((value,), phrase("operation-on-values", operator))
            )
            forget_contents(run, reason, (before,))
        return True
    kind = {"+": ("list", "deque"), "|": ("set", "dict", "defaultdict", "OrderedDict")}.get(operator, ())
    if before.type not in kind:
        return False
    name = "extend" if operator == "+" else "update"
    found: Guarded = UNSET
    if containers.pairs(value) is not None:
        found = collection_methods.method(run, before, name, Arguments([value]), before.at, containers.pairs)
    if found is UNSET:
        forget_contents(run, unknown_from((value,), f"{name}()"), (before,))
    return True


def in_place(
    python: Python, run: Interpreter, operator: str, left: Guarded, right: Guarded, frame: Frame, at: ir.At
) -> Guarded:
    """What `left += right` makes of an object whose class says it (`__iadd__`); UNSET for others."""
    name = _BINARY_METHODS.get(operator)
    if name is None or not isinstance(left, Object) or left.declared is None:
        return UNSET
    hook = classes.method_of(python, run, left, f"__i{name[2:]}", frame)
    if not isinstance(hook, Function):
        return UNSET
    found = run.call(hook, Arguments([right]), frame, run.place(frame, at))
    return UNSET if found == _DECLINED else found


def shown(python: Python, run: Interpreter, leaf: Any) -> Text:
    """`str(leaf)`."""
    if isinstance(leaf, Object):
        own = UNSET if leaf.declared is None else classes.class_attribute(run, leaf.declared, "__str__")
        if leaf.constant and enumerations.shows_value(leaf) and own is UNSET:
            return python.shown(run, leaf.fields["<value>"])
        if leaf.declared is not None:
            for name in ("__str__", "__repr__"):
                info = info_of(run, leaf.declared)
                hook = classes.method_of(python, run, leaf, name, info.frame) if info is not None else UNSET
                if isinstance(hook, Function) and run.guard is not False:
                    value = run.call(hook, Arguments([]), info.frame if info else None, leaf.at)
                    return (
                        value
                        if isinstance(value, Text)
                        else python.shown(run, unknown_from((value,), "str()"))
                    )
    return shown_above(python, run, leaf)


def shown_above(python: Python, run: Interpreter, leaf: Any) -> Text:
    """`str(leaf)` where the classes of the program say nothing of it."""
    if isinstance(leaf, Object):
        if "<message>" in leaf.fields and _is_key_error(run, leaf) and len(leaf.fields.get("args", ())) == 1:
            return python.represented(run, leaf.fields["args"][0])
        if leaf.declared is not None:
            if leaf.constant:
                steps = (Step(leaf.at, leaf.constant),) if leaf.at is not None else ()
                return text(f"{leaf.declared.simple}.{leaf.constant}", steps)
            if "<message>" in leaf.fields:
                return python.shown(run, leaf.fields["<message>"])
            if "<flag>" in leaf.fields:
                return Text(
                    (Gap(Why.UNSUPPORTED, phrase("python-versions-format-this-enumeration-differently")),)
                )
            if "<plain>" in leaf.fields and not leaf.constant:
                return python.shown(run, leaf.fields["<plain>"])
            if "<compare>" in leaf.fields:
                return python.represented(run, leaf)
        elif "<message>" in leaf.fields:
            return python.shown(run, leaf.fields["<message>"])
    if isinstance(leaf, Diagram):
        return Text((Gap(Why.UNSUPPORTED, phrase("text-of-alternatives")),))
    found = texts.shown_plain(as_seen(run, leaf))
    if found is not None:
        return found
    kind = leaf.type if isinstance(leaf, Object) else type(leaf).__name__
    return Text((Gap(Why.DYNAMIC, phrase("str-of", kind.rpartition(".")[2])),))


def _is_key_error(run: Interpreter, leaf: Object) -> bool:
    if leaf.declared is None:
        return leaf.type == "builtins.KeyError"
    info = info_of(run, leaf.declared)
    return info is not None and "builtins.KeyError" in info.library


def represented(python: Python, run: Interpreter, leaf: Any, depth: int = 0) -> Text:
    """`repr(leaf)`."""
    unknown = Text((Gap(Why.DYNAMIC, "repr()"),))
    if isinstance(leaf, Text):
        return unknown if leaf.known is None else text(repr(leaf.known), leaf.steps)
    if depth > _REPRESENTED_MAX or isinstance(leaf, Diagram | Unknown | Test):
        return unknown
    if isinstance(leaf, Object) and leaf.declared is None and "<message>" in leaf.fields:
        return _called(python, run, leaf.type.rpartition(".")[2], leaf, depth)
    if isinstance(leaf, Object) and leaf.declared is not None:
        hook = python._own_method(run, leaf, "__repr__")
        if isinstance(hook, Function) and run.guard is not False:
            value = run.call(hook, Arguments([]), None, leaf.at)
            return value if isinstance(value, Text) else unknown
        if "<message>" in leaf.fields:
            return _called(python, run, leaf.declared.simple, leaf, depth)
        kind = text(leaf.declared.simple)
        if leaf.constant:
            value = python.represented(run, leaf.fields.get("<value>"), depth + 1)
            return (
                unknown
                if leaf.fields.get("<format>")
                else join([text("<"), kind, text(f".{leaf.constant}: "), value, text(">")])
            )
        names = leaf.fields.get("<shown>", leaf.fields.get("<compare>"))
        if names is None:
            return unknown
        parts = [kind, text("(")]
        for number, name in enumerate(names):
            parts.append(text(f"{', ' if number else ''}{name}="))
            parts.append(python.represented(run, leaf.fields.get(name), depth + 1))
        return join([*parts, text(")")])
    plain = texts.shown_plain(leaf)
    return unknown if plain is None or (isinstance(leaf, Object) and leaf.type == "bytes") else plain


def _called(python: Python, run: Interpreter, kind: str, leaf: Object, depth: int) -> Text:
    """An exception, as a call of its class."""
    args = leaf.fields.get("args")
    if not isinstance(args, tuple):
        return Text((Gap(Why.DYNAMIC, "repr()"),))
    shown = [python.represented(run, each, depth + 1) for each in args]
    between = [part for each in shown for part in (text(", "), each)][1:]
    return join([text(f"{kind}("), *between, text(")")])


def inserted(python: Python, run: Interpreter, leaf: Any) -> Text:
    """A value in an f-string."""
    own = isinstance(leaf, Object) and leaf.declared is not None
    return python.formatted(run, leaf, "", text("")) if own else python.shown(run, leaf)


def formatted(python: Python, run: Interpreter, leaf: Any, conversion: str, spec: Any) -> Text:
    if not isinstance(spec, Text) or spec.known is None:
        return Text((Gap(Why.DYNAMIC, phrase("format")),))
    if conversion == "r":
        return texts.format_value(
            python.represented(run, leaf), "", spec.known, lambda value: python.shown(run, value)
        )
    if isinstance(leaf, Object) and leaf.declared is not None:
        hook = UNSET if conversion else python._own_method(run, leaf, "__format__")
        if isinstance(hook, Function):
            value = run.call(hook, Arguments([spec]), None, leaf.at)
            return value if isinstance(value, Text) else python.shown(run, value)
        if not conversion and not spec.known and python._own_method(run, leaf, "__str__") is not UNSET:
            return python.shown(run, leaf)
        if conversion:
            return texts.format_value(
                python.shown(run, leaf), "", spec.known, lambda value: python.shown(run, value)
            )
    return texts.format_value(leaf, conversion, spec.known, lambda value: python.shown(run, value))


def literal(python: Python, run: Interpreter, node: ir.Const, frame: Frame) -> Guarded:
    if isinstance(node.value, str) and is_modelled(frame) and not node.binary:
        return text(node.value)
    if isinstance(node.value, str):
        step = Step(run.place(frame, node.at), f'"{node.value}"')
        made = text(node.value, (step,), frame=frame.number)
        if node.binary:
            held = run.make(None, "bytes", run.place(frame, node.at))
            held.fields["<text>"] = made
            return held
        return made
    return node.value


def _has_class(value: Guarded) -> bool:
    """Whether a value may be an object of a class of the program."""
    return any(isinstance(leaf, Object) and leaf.declared is not None for _, leaf in leaves(value))
