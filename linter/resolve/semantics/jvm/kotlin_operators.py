"""Kotlin's operators, which are functions: members, extensions, those of the library; tests, and texts of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, either, leaves, negate, some, under
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    UNIT,
    Bound,
    Frame,
    Function,
    Gap,
    Guarded,
    Long,
    Object,
    Text,
    TypeValue,
    Unknown,
    is_whole,
    join,
    text,
)
from subdrift.linter.resolve.semantics.jvm import order
from subdrift.linter.resolve.semantics.jvm.collections import new_list
from subdrift.linter.resolve.semantics.jvm.elements import is_settled
from subdrift.linter.resolve.semantics.jvm.equality import same_value
from subdrift.linter.resolve.semantics.jvm.forms.unknown import may_be_own
from subdrift.linter.resolve.semantics.jvm.kotlin_frames import FUNCTIONS, TYPES, chain, reified
from subdrift.linter.resolve.semantics.jvm.kotlin_library import delegating, values
from subdrift.linter.resolve.semantics.jvm.kotlin_properties import Properties
from subdrift.linter.resolve.semantics.jvm.library import kinds
from subdrift.linter.resolve.semantics.jvm.maps import entry_object
from subdrift.linter.resolve.semantics.jvm.operators import raise_in

_SIGNS = {"+": "unaryPlus", "-": "unaryMinus", "!": "not"}

_OPERATORS = {
    "+": "plus", "-": "minus", "*": "times", "/": "div", "%": "rem", "in": "contains", "!in": "contains",
    "+=": "plusAssign", "-=": "minusAssign", "*=": "timesAssign", "/=": "divAssign", "%=": "remAssign",
    "<": "compareTo", ">": "compareTo", "<=": "compareTo", ">=": "compareTo",
}  # fmt: skip

_OF_TEXTS = frozenset({"plus", "compareTo"})
"""The functions of operators that are members of texts: they come before extensions."""

_COMPARED = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


_BOXED = {
    "int": "Integer",
    "boolean": "Boolean",
    "long": "Long",
    "double": "Double",
    "float": "Float",
    "char": "Character",
}
_STEPS = {"plus": "inc", "minus": "dec"}
"""What `x++` calls where it does not add."""
_INDICES = "<indices>"
"""Marks what stands between brackets and commas: `table[row, column]`."""


def _keys(key: Guarded) -> list[Guarded]:
    if isinstance(key, Object) and _INDICES in key.fields:
        return [item for _, item in key.items or ()]
    return [key]


def _alike(item: Guarded, value: Guarded) -> bool:
    """Whether a value is of the type of an element, as far as both tell."""
    return type(item) is type(value) and getattr(item, "declared", None) is getattr(value, "declared", None)


class Operators(Properties):
    """What operators mean."""

    def augment(
        self, run: Interpreter, before: Guarded, operator: str, value: Guarded, frame: Frame, at: ir.At
    ) -> bool:
        """`xs += x` on a collection that can change: it is another call, not another value."""
        found = [leaf for _, leaf in leaves(before, run.guard)]
        if operator not in ("+", "-") or not found:
            return False
        if not all(isinstance(leaf, Object) and values.can_change(leaf) for leaf in found):
            return False
        value = run.over(value, lambda one: values.walked(self, run, found[0], one))
        for guard, leaf in leaves(before, run.guard):
            is_one = isinstance(value, Object) and values.is_like_elements(leaf, value)
            if leaf.declared is None and (leaf.entries is not None or not order.is_sorted(leaf)):
                one = value
                if is_one:
                    one = new_list(run, "List", None)
                    one.items = [(True, value)]
                values.take_in(run, leaf, one, guard, removes=operator == "-")
                continue
            outside, run.guard = run.guard, guard
            run.over(value, lambda one: self._take_in(run, leaf, operator, one, is_one, frame, at))  # noqa: B023
            run.guard = either(run.guard, both(outside, negate(guard)))
        return True

    def _take_in(
        self, run: Interpreter, leaf: Object, operator: str, value: Any, is_one: bool, frame: Frame, at: ir.At
    ) -> Guarded:
        """`xs += x` by a method of the collection, which knows where the element stands or is the program's own."""
        several = isinstance(value, Object) and value.items is not None and not is_one
        if leaf.entries is None:
            name, given = ("add" if operator == "+" else "remove") + "All" * several, [value]
        elif operator == "-":
            name, given = ("removeAll" if several else "remove"), [value]
        elif isinstance(value, Unknown) or (isinstance(value, Object) and value.entries is not None):
            name, given = "putAll", [value]
        else:
            name, given = "put", [held for _, *pair in values.pairs(value) for held in pair]
        if several and operator == "-" and leaf.entries is not None:
            leaf = self.call_method(run, leaf, "keySet", Arguments([]), frame, at)
        return self.call_method(run, leaf, name, Arguments(given), frame, at)

    def _copy(
        self,
        run: Interpreter,
        leaf: Object,
        declared: Class,
        arguments: Arguments,
        frame: Frame,
        at: Location,
    ) -> Object:
        components = declared.decl.components or ()
        values = [
            arguments.get(index, each.name, under(leaf.fields.get(each.name), run.guard))
            for index, each in enumerate(components)
        ]
        return self.instantiate(run, declared, Arguments(values), frame, at)

    def binary(self, run: Interpreter, operator: str, left: Any, right: Any) -> Any:
        if operator in ("==", "!="):
            found = left is right if left is UNIT or right is UNIT else same_value(left, right)
            if found is False or found is True:
                found = _is_same_number(left, right, found=found)
            if operator == "==":
                return found
            return found.negate() if isinstance(found, Test) else not found
        if operator in ("in", "!in"):
            found = values.contains(run, right, left)
            if operator == "in":
                return found
            return found.negate() if isinstance(found, Test) else apply(lambda one: not one, found)
        if operator in ("+", "-") and values.is_empty(left) and isinstance(right, Object):
            left = new_list(run, "List", None)
        if operator in ("+", "-") and isinstance(left, Unknown) and isinstance(right, Object | Function):
            unknown = Unknown(left.why, left.detail)
            return run.havoc(operator, unknown, left, Arguments([right]), reads=True, throws=False)
        if operator in ("+", "-") and isinstance(left, Object):
            joined = values.combined(run, operator, left, values.walked(self, run, left, right))
            if joined is not NotImplemented:
                return joined
        if operator in ("+", "-") and isinstance(left, Text) and left.char and left.known:
            if isinstance(right, int):
                moved = ord(left.known) + (right if operator == "+" else -right)
                return text(chr(moved % 65_536), left.steps, char=True, frame=left.frame)
            if operator == "-" and isinstance(right, Text) and right.char and right.known:
                return ord(left.known) - ord(right.known)
        if operator == "+" and isinstance(left, Text) and left.char and isinstance(right, Text):
            return join([self.shown(run, left), self.shown(run, right)])
        texts = isinstance(left, Text) and isinstance(right, Text) and not left.char
        if texts and operator in _COMPARED and left.known is not None and right.known is not None:
            return _COMPARED[operator](left.known, right.known)
        if operator == "+" and (
            isinstance(left, Object) or (isinstance(left, int | float) and isinstance(right, Object))
        ):
            return Unknown(Why.DYNAMIC, "plus()")  # only what begins with a text becomes one
        return super().binary(run, operator, left, right)

    def joins(self, left: Guarded, right: Guarded) -> bool:
        return all(type(leaf) is Text for leaf in some(left, 4)) and super().joins(left, right)

    def operate(
        self, run: Interpreter, operator: str, left: Guarded, right: Guarded, frame: Frame, at: ir.At
    ) -> Guarded:
        """What the function of the program gives that an operator means; UNSET where it means none. `right` is UNSET behind
        a sign; `+=` and its like mean a function of their own, or none."""
        name = (_SIGNS if right is UNSET else _OPERATORS).get(operator)
        if name is None:
            return UNSET
        if right == 1 and is_whole(right) and self._steps(run, left, name):
            name, right = _STEPS[name], UNSET
        target, values = (right, [left]) if name == "contains" else (left, [] if right is UNSET else [right])
        given = Arguments(values)
        assigns = name.endswith("Assign")
        every = [leaf for _, leaf in leaves(target, run.guard)]
        found = [self._is_given(run, leaf, name, given, frame) for leaf in every]
        others = [leaf for leaf, known in zip(every, found, strict=True) if not known]
        self._may_mean(run, name, every, frame)
        if not any(found) or (assigns and not all(isinstance(leaf, Unknown) for leaf in others)):
            return UNSET

        def on(leaf: Any) -> Guarded:
            if not assigns and not self._is_given(run, leaf, name, given, frame):
                if right is UNSET:
                    return self.unary(run, operator, leaf)
                first, second = (left, leaf) if name == "contains" else (leaf, right)
                return apply(lambda a, b: self.binary(run, operator, a, b), first, second)
            value = self.call_method(run, leaf, name, given, frame, at)
            if name == "compareTo":
                return apply(lambda one: self.binary(run, operator, one, 0), value)
            return apply(lambda one: self.unary(run, "!", one), value) if operator == "!in" else value

        return run.over(target, on)

    def _may_mean(self, run: Interpreter, name: str, targets: Sequence[Any], frame: Frame) -> None:
        """An operator of what nobody knows, or a function that extends it, may be a method of the program."""
        for leaf in targets if name in run.scope.program.slice.by_name else ():
            if isinstance(leaf, Unknown) and leaf.type is None:
                run.misses_call(name, leaf)
                may_be_own(run, leaf, name, frame)

    def _steps(self, run: Interpreter, left: Guarded, name: str) -> bool:
        """Whether one more of a value is what `inc` of its class gives."""
        return name in _STEPS and all(
            isinstance(leaf, Object)
            and leaf.declared is not None
            and bool(run.scope.methods(leaf.declared, _STEPS[name], 0))
            and not run.scope.methods(leaf.declared, name, 1)
            for _, leaf in leaves(left, run.guard)
        )

    def _is_given(self, run: Interpreter, leaf: Any, name: str, given: Arguments, frame: Frame) -> bool:
        """Whether the program gives the function of an operator for a value: of its class, or one that extends its type."""
        if isinstance(leaf, Object):
            declared = leaf.declared
            if declared is not None and run.scope.methods(declared, name, len(given)):
                return True
            if declared is not None and leaf.constant and name == "compareTo":
                return True
            if declared is not None and "<by>" in leaf.fields:
                return name == "contains" or delegating.operator(leaf, name)
            if name == "contains" and any(
                _alike(item, one) for _, item in leaf.items or () for one in given.values
            ):
                return False
        elif isinstance(leaf, Text):
            if name == "contains" and any(isinstance(one, Object) for one in given.values):
                return True  # of a pattern
            if name in _OF_TEXTS:
                return False
        elif isinstance(leaf, Function | Bound):
            of = leaf.type
            if of is not None and run.scope.methods(of, name, len(given)):
                return True
        elif isinstance(leaf, Unknown) and not given.values:
            pass  # it may be what the program extends
        elif (
            type(leaf) not in (int, Long, float)
            or not given.values
            or name == "compareTo"
            or all(type(one) in (int, Long, float, Unknown) for _, one in leaves(given.values[0], run.guard))
        ):
            return False
        return any(
            self._takes(run, method, given) for method in self._extensions(run, leaf, name, given, frame)
        )

    def _takes(self, run: Interpreter, method: Method, given: Arguments) -> bool:
        """Whether the operands of an operator are of the types that its function takes."""
        variables = dict(method.decl.parameters)
        return all(
            param.type is None
            or param.type.name in variables
            or all(self._fits(run, one, param.type, method.owner) >= 0 for _, one in leaves(value, run.guard))
            for param, value in zip(method.decl.params, given.values, strict=False)
        )

    def unary(self, run: Interpreter, operator: str, operand: Any) -> Any:
        if operator == "!!":
            if operand is None:
                raise_in(run, "NullPointerException")
                return UNSET
            return operand
        return super().unary(run, operator, operand)

    def index(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> Guarded:
        if isinstance(leaf, Object) and leaf.items is not None and leaf.type == "[]":
            return super().index(run, leaf, key, frame, at)
        return self.call_method(run, leaf, "get", Arguments(_keys(key)), frame, at)

    def sequence(
        self, run: Interpreter, kind: str, items: list[tuple[Guarded, Guarded]], at: Location
    ) -> Any:
        made = super().sequence(run, kind, items, at)
        if kind == "indices":
            made.fields[_INDICES] = True
        return made

    def set_index(
        self, run: Interpreter, leaf: Any, key: Guarded, value: Guarded, frame: Frame, at: ir.At
    ) -> None:
        if isinstance(leaf, Object) and leaf.items is not None and leaf.type == "ArrayList" and is_whole(key):
            self.call_method(run, leaf, "set", Arguments([key, value]), frame, at)
        elif isinstance(leaf, Object) and leaf.items is not None:
            super().set_index(run, leaf, key, value, frame, at)
        elif isinstance(leaf, Object):
            table = leaf.entries is not None and leaf.declared is None
            keys = _keys(key)
            if leaf.declared is not None and not run.scope.methods(leaf.declared, "set", len(keys) + 1):
                table = bool(run.scope.methods(leaf.declared, "put", 2))
            name = "put" if table or leaf.type.endswith("Properties") else "set"
            self.call_method(run, leaf, name, Arguments([*keys, value]), frame, at)
        elif isinstance(leaf, Unknown):
            self.call_method(run, leaf, "set", Arguments([*_keys(key), value]), frame, at)

    def items(self, run: Interpreter, leaf: Any, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
        place = frame.owner.at(frame.owner.decl.at) if frame.owner else None
        if isinstance(leaf, Text) and leaf.known is not None:
            return [(True, text(char, leaf.steps, char=True)) for char in leaf.known]
        if values.is_empty(leaf):
            return []
        if isinstance(leaf, Object) and leaf.items is None and "<by>" in leaf.fields:
            for _, held in leaf.fields["<by>"]:
                inside = self.items(run, held, frame)
                if inside is not None and not self._has_member(run, leaf, "iterator", 0):
                    return inside
        if isinstance(leaf, Object) and leaf.entries is not None and leaf.open is None:
            return [(under(one.guard, run.guard), entry_object(run, one, place)) for one in leaf.entries]
        is_closed = isinstance(leaf, Object) and leaf.items is None and leaf.entries is None
        if is_closed and place is not None and self._is_extended(run, "iterator", frame):
            found = self._extensions(run, leaf, "iterator", Arguments([]), frame)
            if found and not self._has_member(run, leaf, "iterator", 0):
                iterator = self._extend(run, found, leaf, Arguments([]), frame, place)
                return self.items(run, iterator, frame) if iterator is not leaf else None
        return super().items(run, leaf, frame)

    def components(
        self, run: Interpreter, leaf: Any, count: int, frame: Frame
    ) -> list[tuple[Guarded, Guarded]] | None:
        """What `val (a, b) = …` takes a value apart into."""
        if isinstance(leaf, Object):
            if "key" in leaf.fields and "value" in leaf.fields:
                third = [leaf.fields["third"]] if "third" in leaf.fields else []
                return [(True, one) for one in (leaf.fields["key"], leaf.fields["value"], *third)][:count]
            taken_apart = leaf.entries is not None and frame.owner is not None
            if leaf.declared is not None or (taken_apart and self._is_extended(run, "component1", frame)):
                at = (leaf.declared or frame.owner).decl.at  # type: ignore[union-attr]
                return [
                    (True, self.call_method(run, leaf, f"component{n + 1}", Arguments([]), frame, at))
                    for n in range(count)
                ]
        found = None if isinstance(leaf, Text) else super().items(run, leaf, frame)
        return found if found is None else found[:count]

    def match(self, run: Interpreter, leaf: Any, label: Any, frame: Frame) -> Guarded:
        if isinstance(label, ir.InstanceOf):
            holds = self.is_instance(run, leaf, label.type, frame)
            if not label.negated:
                return holds
            return holds.negate() if isinstance(holds, Test) else not holds
        if isinstance(label, ir.Opaque) and label.what == "subject":
            return True
        if isinstance(label, ir.Binary) and isinstance(label.left, ir.Opaque):
            value = run.value(label.right, frame)
            found = self.operate(run, label.operator, leaf, value, frame, label.at)
            if found is not UNSET:
                return found
            return apply(lambda other: self.binary(run, label.operator, leaf, other), value)
        return apply(same_value, leaf, run.value(label, frame))

    def is_instance(self, run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool | Test:
        known = reified(frame, type_.name)
        type_ = self.meant(run, type_, frame) if known is None else ir.TypeRef(known.name, known.args)
        if type_.name == "Any":
            return leaf is not None
        if type_.name in ("Function", *FUNCTIONS) and isinstance(leaf, Function | Bound):
            return True
        if isinstance(leaf, Object) and leaf.declared is None:
            told = _of_library(leaf, type_.name.rpartition(".")[2])
            if told is None:
                return Test("true", (Unknown(Why.DYNAMIC, f"is {type_.name}"),))
            if told is not NotImplemented:
                return bool(told)
        named = TYPES.get(type_.name, type_.name)
        return super().is_instance(run, leaf, ir.TypeRef(_BOXED.get(named, named), type_.args), frame)

    def safely_cast(self, run: Interpreter, value: Guarded, ref: ir.TypeRef, frame: Frame) -> Guarded:
        """`value as? T`: null for what is certainly none."""
        known = reified(frame, ref.name)
        ref = self.meant(run, ref, frame) if known is None else ref
        decls = [each.method.decl for each in chain(frame) if each.method is not None]
        of = None if known is not None else next((d for d in decls if ref.name in dict(d.parameters)), None)
        if of is not None and ref.name in of.reified:
            unknown = Unknown(Why.DYNAMIC, f"as? {ref.name}")
            return apply(lambda leaf: None if leaf is None else unknown, value)
        if of is not None:
            return value  # the type is not there when it runs

        def one(leaf: Any) -> Guarded:
            if isinstance(leaf, Object) and leaf.declared is None:
                name = TYPES.get(ref.name, ref.name) if known is None else known.simple
                found = self.is_instance(run, leaf, ref, frame)
                if isinstance(found, bool):
                    return leaf if found else None
                return None if kinds.is_a(leaf, name) < 0 else leaf
            plain = isinstance(leaf, Text | int | float) or (
                isinstance(leaf, Object) and leaf.declared is not None
            )
            return None if plain and self.is_instance(run, leaf, ref, frame) is False else leaf

        return apply(one, value)

    def shown(self, run: Interpreter, leaf: Any) -> Text:
        if leaf is UNIT:
            return text("kotlin.Unit")
        if isinstance(leaf, TypeValue) and leaf.declared is None and leaf.simple[:1].islower():
            return Text((Gap(Why.DYNAMIC, leaf.name),))  # a name that nothing in sight declares
        declared = leaf.declared if isinstance(leaf, Object) else None
        if declared is not None and declared.decl.data and not declared.methods.get("toString"):
            if declared.kind == "object":
                return text(declared.simple)
            parts = [text(f"{declared.simple}(")]
            for index, each in enumerate(declared.decl.components or ()):
                value = leaf.fields.get(each.name)
                parts += [text(f"{', ' if index else ''}{each.name}="), _one_text(self, run, value)]
            return join([*parts, text(")")])
        if isinstance(leaf, Object) and leaf.type == "Pair":
            held = [leaf.fields[name] for name in ("key", "value", "third") if name in leaf.fields]
            parts = [text("(")]
            for index, value in enumerate(held):
                parts += [text(", " if index else ""), _one_text(self, run, value)]
            return join([*parts, text(")")])
        is_range = isinstance(leaf, Object) and kinds.SHOWN in leaf.fields
        if isinstance(leaf, Object) and leaf.declared is None and leaf.open is None and not is_range:
            found = self._shown_contents(run, leaf)
            if found is not None:
                return found
        return super().shown(run, leaf)

    def _shown_contents(self, run: Interpreter, leaf: Object) -> Text | None:
        """`[a, b]` of a list or set, `{a=1}` of a map; None where what it holds is not certain."""
        if leaf.items is not None and leaf.type != "[]" and is_settled(run, leaf):
            values = [[one] for _, one in leaf.items]
            opening, closing = "[", "]"
        elif leaf.entries is not None and is_settled(run, leaf):
            values = [[each.key, each.value] for each in leaf.entries]
            opening, closing = "{", "}"
        else:
            return None
        run.work(len(values))
        parts = [text(opening)]
        for index, held in enumerate(values):
            parts += [text(", " if index else ""), _one_text(self, run, held[0])]
            if len(held) > 1:
                parts += [text("="), _one_text(self, run, held[1])]
        return join([*parts, text(closing)])


def _one_text(kotlin: Operators, run: Interpreter, value: Guarded) -> Text:
    """The text of a part of a text; a part that is one of several is not known."""
    found = [leaf for _, leaf in leaves(value, run.guard)]
    if len(found) == 1:
        return kotlin.shown(run, found[0])
    return Text((Gap(Why.DYNAMIC, phrase("one-of-several")),))


_OF_RANGES = frozenset(
    {"IntRange", "LongRange", "CharRange", "IntProgression", "LongProgression", "CharProgression"}
)


def _is_same_number(left: Any, right: Any, *, found: bool) -> bool | Test:
    """Whether two values are equal; of two that are no number nobody knows that."""
    if type(left) is float and type(right) is float and left != left and right != right:
        return Test("true", (Unknown(Why.DYNAMIC, "=="),))
    return found


def _of_library(leaf: Object, name: str) -> Any:
    """Whether an object is of a type that Kotlin has otherwise than Java, None where nobody knows, NotImplemented for any
    other type."""
    if values.SEQUENCE in leaf.fields:
        return name == "Sequence"
    if kinds.SHOWN in leaf.fields:
        if name in _OF_RANGES or name in ("ClosedRange", "OpenEndRange"):
            return None
        return name == "Iterable"
    if name == "Sequence":
        return None  # a list stands for one, too
    if name == "Pair" or name == "Triple":
        return leaf.type == "Pair" and ("third" in leaf.fields) == (name == "Triple")
    if leaf.type == "[]" and name.endswith("Array"):
        return None
    if leaf.type == "ArrayDeque" or (name.startswith("Mutable") and leaf.type in values.READ_ONLY):
        return NotImplemented if name in ("Iterable", "Collection") else None
    return NotImplemented
