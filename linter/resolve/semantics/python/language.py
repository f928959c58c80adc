"""Python's names, objects, calls and operators (`interpreter.Semantics`)."""

from __future__ import annotations

from typing import Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.drawing import BUILT_MAX, coming, pull_all
from subdrift.linter.resolve.execute.guards import UNSET, apply, leaves
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    OF_A_WIDTH,
    Bound,
    Entry,
    Frame,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import containers, lazies, library
from subdrift.linter.resolve.semantics.python.forms import (
    attributes,
    calls,
    definitions,
    elements,
    importing,
    managers,
    names,
    operations,
    patterns,
)
from subdrift.linter.resolve.semantics.python.forms.common import method_frame
from subdrift.linter.resolve.semantics.python.functions import awaited, waiting, yields
from subdrift.linter.resolve.semantics.python.names import ModuleIndex
from subdrift.linter.resolve.semantics.python.natives import Call
from subdrift.linter.resolve.semantics.python.steps import came_to

_KEPT = (Object, Function, Bound, TypeValue)
"""What is the same thing after any number of turns of a loop."""


class Python:
    """The semantics of Python sources: what most of its forms mean is in `forms`."""

    def __init__(self) -> None:
        self._index: ModuleIndex | None = None
        self._indexed: object = None

    module = importing.module
    modules = importing.modules
    module_value = importing.module_value
    import_ = importing.import_
    is_known = importing.is_known
    member = importing.member
    absolute = importing.absolute
    import_any = importing.import_any
    _submodule = importing.submodule

    name = names.name
    variable = names.variable
    _seen = names.seen
    assign_name = names.assign_name
    type_of = names.type_of
    typed = names.typed
    family = names.family
    namespace = names.namespace
    shared = names.shared

    attribute = attributes.attribute
    super_attribute = attributes.super_attribute
    attribute_as = attributes.attribute_as
    find = attributes.find
    of_library = attributes.of_library
    of_metaclass = attributes.of_metaclass
    set_attribute = attributes.set_attribute
    read_field = attributes.read_field
    delete_attribute = attributes.delete_attribute

    index = elements.index
    element = elements.element
    of_collection = elements.of_collection
    set_index = elements.set_index
    delete = elements.delete
    items = elements.items
    stepped = elements.stepped
    sequence = elements.sequence
    miscounted = elements.miscounted
    mapping = elements.mapping

    operate = operations.operate
    binary = operations.binary
    _own_equality = operations.own_equality
    unary = operations.unary
    _own_method = operations.own_method
    truth_in = operations.truth_in
    fallback = operations.fallback
    truth = operations.truth
    truth_of = operations.truth_of
    augment = operations.augment
    in_place = operations.in_place
    shown = operations.shown
    inserted = operations.inserted
    formatted = operations.formatted
    watch = staticmethod(containers.watch)
    represented = operations.represented
    literal = operations.literal

    call_name = calls.call_name
    call_method = calls.call_method
    method = calls.method
    unseen = calls.unseen
    call = calls.call
    call_value = calls.call_value
    construct = calls.construct
    instantiate = calls.instantiate
    make = calls.make
    raw = calls.raw
    filled = calls.filled
    initialise = calls.initialise

    match = patterns.match

    define = definitions.define
    function = definitions.function
    decorated = definitions.decorated

    enter = managers.enter
    leave = managers.leave
    exit = managers.end
    swallows = managers.swallows
    suppressing = managers.suppressing
    perhaps_swallowed = staticmethod(managers.perhaps_swallowed)
    kind_of = staticmethod(managers.kind_of)
    awaited = awaited
    waiting = waiting
    catches = managers.catches
    parted = managers.parted

    iterated = lazies.iterated
    let_go = lazies.let_go

    def unpacked(self, run: Interpreter, value: Guarded, frame: Frame) -> Guarded:
        return apply(Call(self, run, Arguments([]), frame, None).as_mapping, value)

    def of_text(self, run: Interpreter, value: Text, ref: ir.TypeRef, frame: Frame) -> Guarded:
        return value

    def on_null(self, run: Interpreter, guard: Guarded, frame: Frame) -> None:
        """None is false."""

    def captured(self, frame: Frame) -> Frame:
        return frame

    def narrowed(
        self, run: Interpreter, node: ir.Assign, before: Guarded, added: Guarded, value: Guarded, frame: Frame
    ) -> Guarded:
        return value

    def promoted(self, run: Interpreter, node: ir.Conditional, value: Guarded, frame: Frame) -> Guarded:
        return value

    def of_width(
        self, run: Interpreter, node: ir.Binary, left: Guarded, right: Guarded, frame: Frame
    ) -> Guarded:
        return OF_A_WIDTH

    def is_instance(self, run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool | Test:
        found = self.type_of(run, type_, frame)
        if found is None:
            return Test("true", (Unknown(Why.DYNAMIC, phrase("isinstance", type_.name)),))
        return library.is_instance(run, leaf, found)

    def expression(self, run: Interpreter, node: ir.Expr, frame: Frame) -> Guarded:
        match node:
            case ir.Call(target=ir.Super()):
                return calls.super_call(self, run, node, frame)
            case ir.Super():
                return method_frame(frame).this
            case ir.Comprehension() if node.clauses:
                return self._comprehension(run, node, frame)
            case ir.Slice(lower=lower, upper=upper, step=step):
                made = run.make(None, "slice", None)
                for name, part in (("lower", lower), ("upper", upper), ("step", step)):
                    made.fields[name] = None if part is None else run.value(part, frame)
                return made
            case ir.Format(value=value, conversion=conversion, spec=spec):
                shown = run.value(value, frame)
                given = text("") if spec is None else run.value(spec, frame)
                return apply(lambda leaf, how: self.formatted(run, leaf, conversion, how), shown, given)
            case ir.Await(value=inner):
                found = came_to(frame, node)
                if found is not UNSET:
                    return found
                return self.awaited(run, run.value(inner, frame), frame, run.place(frame, node.at))
            case ir.YieldPoint():
                return yields(run, node, frame, self)
            case ir.Spread(value=inner):
                return run.value(inner, frame)
            case _:
                return run.unknown(Why.UNSUPPORTED, type(node).__name__.lower(), frame, node.at)

    def _comprehension(self, run: Interpreter, node: ir.Comprehension, frame: Frame) -> Guarded:
        inner = run.frame(
            frame.owner,
            frame.this,
            method=frame.method,
            parent=frame,
            caller=frame.caller,
            called_at=frame.called_at,
        )
        inner.yielded = frame.yielded
        named = lazies.named_outside(node)
        inner.shared = frozenset(f"outer {name}" for name in named)
        place = run.place(frame, node.at)
        first = run.value(node.clauses[0].source, frame)
        if run.guard is False:
            return UNSET
        made: Any = run.make(None, "generator", place)
        made.open = lazies.unsure(run, first)
        coming(run, made, lazies.comprehended(run, node, inner, first, made))
        if made.open is not None and named:
            inner.shared = frozenset()  # of which elements they are is not known
            self.forget(run, named, frame, node.at)
        if node.kind == "generator":
            return made
        pull_all(made, most=BUILT_MAX)
        found, open_ = made.items or [], made.open
        if open_ is not None and named:
            self.forget(run, named, frame, node.at)
        if node.kind == "dict":
            made = self.mapping(run, [Entry(guard, item[0], item[1], place) for guard, item in found], place)
        else:
            made = containers.made_of(run, node.kind, found, place)
        made.open = made.open or open_
        return made

    def forget(self, run: Interpreter, names: frozenset[str], frame: Frame, at: ir.At) -> None:
        """Variables that a loop writes, after as many turns as nobody knows: nobody knows them either."""
        for name in sorted(names):
            value = self.variable(frame, name)
            if value is UNSET:
                continue
            unknown = run.unknown(Why.DYNAMIC, name, frame, at, symbol=("loop", name, frame.number, at))
            for _, leaf in leaves(value, run.guard):
                plain = isinstance(leaf, Object) and leaf.declared is None
                if plain and (leaf.items is not None or leaf.entries is not None):
                    leaf.open = leaf.open or unknown
            kept = apply(lambda leaf: leaf if isinstance(leaf, _KEPT) else unknown, value)  # noqa: B023
            self.assign_name(run, name, kept, frame, at)
