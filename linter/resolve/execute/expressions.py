"""Expressions but for calls: names, attributes, operators, conditionals, collections."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute import calls, statements
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    Diagram,
    apply,
    both,
    either,
    leaves,
    negate,
    pick,
    under,
)
from subdrift.linter.resolve.execute.handed import beyond
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    BY_ZERO,
    OF_A_BOX,
    OF_A_WIDTH,
    STEPS_KEPT_MAX,
    Entry,
    Frame,
    Function,
    Guarded,
    Key,
    LibraryConstant,
    Loop,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    is_whole,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter


_CONFIGURED = frozenset({Text, Diagram, Object, type(None)})
"""The types of what may be a number of configuration, or none."""


class _Hidden(Struct, eq=False):
    """Keeps a guarded value a leaf of another diagram for a moment."""

    value: Guarded

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hidden) and (self.value is other.value or self.value == other.value)

    def __hash__(self) -> int:
        return id(self)


def switch_value(run: Interpreter, node: ir.SwitchValue, frame: Frame) -> Guarded:
    outer = frame.value
    frame.value = UNSET
    statements.run_cases(run, node.subject, node.cases, frame, node.at, "<value>")
    found, frame.value = frame.value, outer
    return None if found is UNSET else found


def block_value(run: Interpreter, node: ir.BlockValue, frame: Frame) -> Guarded:
    outer = frame.value
    frame.value = UNSET
    loop = Loop("<value>", turns=False)
    frame.loops.append(loop)
    run.run(node.body, frame)
    frame.loops.pop()
    run.guard = either(run.guard, loop.broken)
    found, frame.value = frame.value, outer
    return None if found is UNSET else found


def name(run: Interpreter, node: ir.Name, frame: Frame) -> Guarded:
    found = run.semantics(frame).name(run, node, frame)
    if frame.owner is not None and frame.owner.file.language == "python":
        return found
    if type(found) is Unknown and found.why is Why.UNDEFINED and not found.needs:
        return run.due(found, *run.around(frame), TypeValue(None, node.name))
    if type(found) is TypeValue and found.declared is None and node.name[:1].islower():
        note_inherited(run, node.name, frame)
    return found


def note_inherited(run: Interpreter, name: str, frame: Frame) -> None:
    """Notes what a name that nothing in sight declares may be inherited from."""
    if frame.owner is None:
        return
    lexical = frame.owner.lexical()
    above = {each for one in lexical for each in run.absent_above(one)}
    if above:
        run.heap.setdefault("inherited", {}).setdefault(name, set()).update(above)


def this(run: Interpreter, node: ir.This, frame: Frame) -> Guarded:
    if not node.type:
        return frame.this
    written = enclosing(frame, node.type)
    if written is not UNSET:
        return written
    current: Guarded = frame.this
    for _ in range(16):
        if not isinstance(current, Object) or current.declared is None:
            break
        if any(each.simple == node.type for each in run.scope.supers(current.declared)):
            return current
        current = current.outer or (current.captured.this if current.captured else None)
    return frame.this


def enclosing(frame: Frame, name: str) -> Guarded:
    """The object of the class of a name that a frame's code stands in, which may be of the type of an object inside of it,
    too; UNSET where it is not in such a class."""
    current: Guarded = frame.this
    if type(current) is Object and frame.owner is not None and current.declared is frame.owner:
        for each in frame.owner.lexical():
            if each.simple == name:
                return current
            if not isinstance(current, Object):
                break
            current = current.outer or (current.captured.this if current.captured else None)
    return UNSET


def attribute(run: Interpreter, node: ir.Attribute, frame: Frame) -> Guarded:
    semantics = run.semantics(frame)
    if isinstance(node.target, ir.Super):
        return run.over(
            frame.this, lambda leaf: semantics.super_attribute(run, leaf, node.name, frame, node.at)
        )
    run.qualifies = node.target
    target = run.value(node.target, frame)
    if target is None and calls.is_prepared(run, frame) and run.guard is not False:
        target = calls.filled_before(run, node.target, frame)
    return run.due(attribute_of(run, target, node, frame), target)


def attribute_of(run: Interpreter, target: Guarded, node: ir.Attribute, frame: Frame) -> Guarded:
    semantics = run.semantics(frame)
    if node.safe:
        return run.over(
            target,
            lambda leaf: None if leaf is None else semantics.attribute(run, leaf, node.name, frame, node.at),
        )
    seen_as: ir.TypeRef | None = None
    if isinstance(node.target, ir.Cast):
        seen_as = node.target.type
    elif isinstance(node.target, ir.Name):
        seen_as = frame.declared.get(node.target.name)
    if seen_as is not None:
        view = run.type_named(seen_as.name, frame)
        if isinstance(view, str) and run.scope.is_absent(view):
            run.needed.add(view)
        if isinstance(view, Class):
            return run.over(
                target, lambda leaf: semantics.attribute_as(run, leaf, view, node.name, frame, node.at)
            )
    if run.guard is not False and type(target) is not Diagram:
        return semantics.attribute(run, target, node.name, frame, node.at)
    return run.over(target, lambda leaf: semantics.attribute(run, leaf, node.name, frame, node.at))


def index(run: Interpreter, node: ir.Index, frame: Frame) -> Guarded:
    target = run.value(node.target, frame)
    key = run.value(node.index, frame)
    semantics = run.semantics(frame)
    found = run.over(target, lambda leaf: semantics.index(run, leaf, key, frame, node.at))
    return run.due(found, target, key)


def assign(run: Interpreter, node: ir.Assign, frame: Frame) -> Guarded:
    if type(node.target) is ir.Index and _place_comes_first(node, node.target, frame):
        return _assign_at(run, node, node.target, frame)
    before: Guarded = run.value(node.target, frame) if node.operator else None
    value = run.value(node.value, frame)
    if node.operator:
        value, is_done = _augmented(run, node, before, value, frame)
        if is_done:
            return before
    value = run.bounded(value)
    if run.guard is not False:
        run.assign(node.target, value, frame, node.at)
    return before if node.old else value


_STILL = frozenset({ir.Const, ir.Name, ir.Attribute, ir.This})
"""Expressions that do nothing."""


def _place_comes_first(node: ir.Assign, target: ir.Index, frame: Frame) -> bool:
    """Whether it makes a difference that the place is worked out once, before the value: Python does so for `+=` alone."""
    if type(target.index) is ir.Assign or (node.operator and type(target.index) not in _STILL):
        return True
    of_python = frame.owner is not None and frame.owner.file.language == "python"
    return not of_python and type(node.value) not in _STILL and type(target.index) is not ir.Const


def _assign_at(run: Interpreter, node: ir.Assign, target: ir.Index, frame: Frame) -> Guarded:
    """`held[at++] = value`: where it goes is worked out once, before the value."""
    semantics = run.semantics(frame)
    held, key = run.value(target.target, frame), run.value(target.index, frame)
    before: Guarded = None
    if node.operator:
        before = run.due(
            run.over(held, lambda leaf: semantics.index(run, leaf, key, frame, target.at)), held, key
        )
    value = run.value(node.value, frame)
    if node.operator:
        value, is_done = _augmented(run, node, before, value, frame)
        if is_done:
            return before
    value = run.bounded(value)
    if run.guard is not False:
        run.over(held, lambda leaf: semantics.set_index(run, leaf, key, value, frame, node.at))
    return before if node.old else value


def _augmented(
    run: Interpreter, node: ir.Assign, before: Guarded, added: Guarded, frame: Frame
) -> tuple[Guarded, bool]:
    """What `+=` and the like make of a value, and whether it has taken the other in itself."""
    semantics = run.semantics(frame)
    augment = getattr(semantics, "augment", None)
    steps = node.value.at == node.at  # `i++` is `i = i.inc()`, and not `i += 1`
    if not steps and operated(run, f"{node.operator}=", before, added, frame, node.at) is not UNSET:
        return before, True
    if augment is not None and augment(run, before, node.operator, added, frame, node.at):
        return before, True
    in_place = getattr(semantics, "in_place", None)
    value = UNSET if in_place is None else in_place(run, node.operator, before, added, frame, node.at)
    if value is UNSET:
        value = operated(run, node.operator, before, added, frame, node.at)
    if value is UNSET:
        before, added = _calculable(run, node, before, added, frame)
        value = apply(lambda a, b: semantics.binary(run, node.operator, a, b), before, added)
    return run.due(semantics.narrowed(run, node, before, added, value, frame), before, added), False


def declare(run: Interpreter, target: ir.Expr, frame: Frame) -> None:
    """In Java and Kotlin the names of a loop or pattern are variables of their own, whatever they hide."""
    if frame.owner is None or frame.owner.file.language == "python":
        return
    for each in target.items if isinstance(target, ir.Sequence) else (target,):
        if isinstance(each, ir.Name):
            frame.variables.setdefault(each.name, UNSET)


def unpack(run: Interpreter, target: ir.Sequence, value: Guarded, frame: Frame, at: ir.At) -> None:
    """Each part of the target gets its element; a starred one the rest."""
    semantics = run.semantics(frame)
    count = len(target.items)
    star = next((i for i, one in enumerate(target.items) if isinstance(one, ir.Spread)), None)
    miscounted: Any = getattr(semantics, "miscounted", None)
    for guard, leaf in leaves(value, run.guard) if miscounted is not None else ():
        before, run.guard = run.guard, both(run.guard, guard)
        error = miscounted(run, leaf, count, star is not None, run.place(frame, at))
        if error is not None:
            run.throw(error)
        run.guard = either(both(before, negate(guard)), run.guard)
    if run.guard is False:
        return
    # the diagram of tuples, taken apart part by part
    tuples = apply(_parting(run, count, star, frame, at), value)
    for index, one in enumerate(target.items):
        inner = one.value if isinstance(one, ir.Spread) else one
        one_part = apply(lambda each, i=index: _Hidden(each[i]), tuples)
        flat: Guarded = UNSET
        for guard, hidden in leaves(one_part, run.guard):
            flat = pick(guard, hidden.value, flat)
        run.assign(inner, flat, frame, at)


def _parting(
    run: Interpreter, count: int, star: int | None, frame: Frame, at: ir.At
) -> Callable[[Any], tuple[Guarded, ...]]:
    """What takes a value apart into so many elements, of which the starred one is the list of the rest."""
    semantics = run.semantics(frame)

    def part(unknown: Unknown, index: int) -> Guarded:
        if index != star:
            return unknown
        rest = semantics.sequence(run, "list", [], run.place(frame, at))
        rest.open = unknown
        return rest

    def parts(leaf: Any) -> tuple[Guarded, ...]:
        apart = getattr(semantics, "components", None)
        found = semantics.items(run, leaf, frame) if apart is None else apart(run, leaf, count, frame)
        if (
            found is None
            or (type(leaf) is Object and leaf.open is not None)
            or any(guard is not True for guard, _ in found)
        ):
            symbol = symbol_of(leaf)
            why = leaf.why if isinstance(leaf, Unknown) else Why.DYNAMIC
            detail = leaf.detail if isinstance(leaf, Unknown) else "unpacked"
            return tuple(
                part(Unknown(why, detail, None if symbol is None else ("part", symbol, i)), i)
                for i in range(count)
            )
        items = [item for _, item in found]
        if len(items) < count - 1 if star is not None else len(items) != count:
            return tuple(part(Unknown(Why.DYNAMIC, "unpacked"), i) for i in range(count))
        if star is None:
            return tuple(items)
        tail = count - star - 1
        middle = items[star : len(items) - tail]
        rest = semantics.sequence(run, "list", [(True, one) for one in middle], run.place(frame, at))
        return (*items[:star], rest, *items[len(items) - tail :]) if tail else (*items[:star], rest)

    return parts


def binary(run: Interpreter, node: ir.Binary, frame: Frame) -> Guarded:
    semantics = run.semantics(frame)
    if node.operator in ("&&", "||"):
        return logic(run, node, frame)
    left = run.value(node.left, frame)
    right = run.value(node.right, frame)
    if run.guard is False:
        return UNSET
    found = operated(run, node.operator, left, right, frame, node.at)
    if found is UNSET:
        left, right = _calculable(run, node, left, right, frame)
        if run.guard is False:
            return UNSET
        found = apply(lambda a, b: semantics.binary(run, node.operator, a, b), left, right)
        if found is OF_A_WIDTH or found is BY_ZERO or found is OF_A_BOX:
            found = semantics.of_width(run, node, left, right, frame)
    if type(found) is Text and node.operator == "+":
        found = numbered(run, found, ((left, node.left), (right, node.right)), frame)
    return run.due(found, left, right)


def operated(
    run: Interpreter, operator: str, left: Guarded, right: Guarded, frame: Frame, at: ir.At
) -> Guarded:
    """What an operator gives that is a function of the program, as far as the language has such; UNSET for another."""
    operate = getattr(run.semantics(frame), "operate", None)
    return UNSET if operate is None else operate(run, operator, left, right, frame, at)


def _calculable(
    run: Interpreter, node: ir.Binary | ir.Assign, left: Guarded, right: Guarded, frame: Frame
) -> tuple[Guarded, Guarded]:
    """Operands that may be null, numbers of configuration, or objects whose text is meant, as far as a language has such."""
    calculable = getattr(run.semantics(frame), "calculable", None)
    if calculable is None or _CONFIGURED.isdisjoint((type(left), type(right))):
        return left, right
    found: tuple[Guarded, Guarded] = calculable(run, node, left, right, frame)
    return found


def numbered(run: Interpreter, found: Text, parts: Iterable[tuple[Guarded, ir.Expr]], frame: Frame) -> Text:
    """A text that numbers were joined into: where each stands joins its way."""
    steps = tuple(
        Step(run.place(frame, node.at), f'"{run.semantics(frame).shown(run, value).known}"')
        for value, node in parts
        if is_whole(value) or type(value) is float
    )
    if not steps:
        return found
    return Text(found.parts, (*found.steps, *steps)[:STEPS_KEPT_MAX], found.char, found.frame)


def logic(run: Interpreter, node: ir.Binary, frame: Frame) -> Guarded:
    """`&&` and `||`: the right side runs only where the left does not decide. Python's give a value."""
    left = run.value(node.left, frame)
    if run.guard is False:
        return UNSET
    if node.operator == "||":
        found = run.semantics(frame).fallback(run, left, node.right, frame)
        if found is not UNSET:
            return found
    holds = run.guard_of(left, frame, node.at)
    before = run.guard
    more = both(before, holds if node.operator == "&&" else negate(holds))
    if more is False:
        return left
    run.guard = more
    right = run.value(node.right, frame)
    run.guard = either(run.guard, both(before, negate(more)))
    decided = under(left, both(before, negate(more)))
    return pick(more, right, as_known(decided, node.operator == "||"))


def as_known(value: Guarded, truth: bool) -> Guarded:
    """A test on the path that has decided it is a known truth value."""
    return apply(lambda leaf: truth if isinstance(leaf, Test) else leaf, value)


def unary(run: Interpreter, node: ir.Unary, frame: Frame) -> Guarded:
    operand = run.value(node.operand, frame)
    semantics = run.semantics(frame)
    if node.operator == "!" and any(
        leaf is None or type(semantics.truth(leaf)) is Diagram for _, leaf in leaves(operand, run.guard)
    ):
        return negate(run.guard_of(operand, frame, node.at))
    found = operated(run, node.operator, operand, UNSET, frame, node.at)
    if found is UNSET:
        found = apply(lambda leaf: semantics.unary(run, node.operator, leaf), operand)
    return run.due(found, operand)


def conditional(run: Interpreter, node: ir.Conditional, frame: Frame) -> Guarded:
    holds = run.guard_of(run.value(node.test, frame), frame, node.at)
    before = run.guard
    run.guard = both(before, holds)
    then = run.value(node.then, frame) if run.guard is not False else UNSET
    after, run.guard = run.guard, both(before, negate(holds))
    otherwise = run.value(node.otherwise, frame) if run.guard is not False else UNSET
    run.guard = either(after, run.guard)
    found = otherwise if then is UNSET else then if otherwise is UNSET else pick(holds, then, otherwise)
    return run.semantics(frame).promoted(run, node, found, frame)


def elvis(run: Interpreter, node: ir.Elvis, frame: Frame) -> Guarded:
    if type(node.value) is ir.Call and (run.wanted is None or run.wanted[0] is not node.value):
        wants_as = getattr(run.semantics(frame), "wants_as", None)
        if wants_as is not None:
            wants_as(run, node.value, node.otherwise, frame)
    left = run.value(node.value, frame)
    absent: Guarded = False
    right: Guarded = UNSET
    for guard, leaf in leaves(left, run.guard):
        if leaf is None:
            absent = either(absent, guard)
        elif calls.may_be_absent(leaf):
            if isinstance(leaf, Text) and not isinstance(node.otherwise, ir.BlockValue):
                right = run.value(node.otherwise, frame) if right is UNSET else right
                if isinstance(right, Text) and not any(isinstance(part, Key) for part in right.parts):
                    left = with_default(left, leaf, right)
                    continue
            absent = either(absent, both(guard, run._tested(Test("present", (leaf,), True), frame, node.at)))
    absent = either(absent, skipped(run, node.value, frame, node.at))
    if absent is False:
        return left
    before = run.guard
    run.guard = both(before, absent)
    if right is UNSET and run.guard is not False:
        right = run.value(node.otherwise, frame)
    run.guard = either(run.guard, both(before, negate(absent)))
    return left if right is UNSET else pick(absent, right, left)


def skipped(run: Interpreter, node: ir.Expr, frame: Frame, at: ir.At) -> Guarded:
    """The guard under which calls of `a?.b()?.c()` are not made since nobody knows whether what they are called on is there."""
    found: Guarded = False
    while isinstance(node, ir.Call | ir.Attribute) and node.target is not None:
        leaf = run.doubted.pop(id(node), None)
        if leaf is not None:
            found = either(found, both(run.guard, run._tested(Test("present", (leaf,), True), frame, at)))
        node = node.target
    return found


def with_default(left: Guarded, leaf: Text, fallback: Text) -> Guarded:
    """An environment variable with what a program takes where it is not set."""
    key = leaf.parts[0]
    assert isinstance(key, Key)
    made = Text((replace(key, default=fallback),), leaf.steps)
    return apply(lambda each: made if each is leaf else each, left)


def lambda_(run: Interpreter, node: ir.Lambda, frame: Frame) -> Guarded:
    captured = run.semantics(frame).captured(frame)
    made = Function(node.params, node.body, captured, node.label, implicit=node.implicit)
    run.functions.append((run.guard, made))
    for param in node.params:
        if param.default is not None:
            made.defaults[param.name] = run.value(param.default, frame)
    return made


def sequence(run: Interpreter, node: ir.Sequence, frame: Frame) -> Guarded:
    semantics = run.semantics(frame)
    items: list[tuple[Guarded, Guarded]] = []
    open_: Unknown | None = None
    for one in node.items:
        if isinstance(one, ir.Spread):
            source = run.value(one.value, frame)
            for guard, leaf in leaves(source, run.guard):
                unseen = beyond(leaf) if isinstance(leaf, Object) else leaf
                open_ = open_ or (unseen if isinstance(unseen, Unknown) else None)
                for inner, item in run.elements(leaf, frame, node.at):
                    items.append((both(guard, inner) if guard is not run.guard else inner, item))
        else:
            items.append((True, run.value(one, frame)))
    made = semantics.sequence(run, node.kind, items, run.place(frame, node.at))
    if open_ is not None and isinstance(made, Object):
        made.open = made.open or open_
    return made


def mapping(run: Interpreter, node: ir.Mapping, frame: Frame) -> Guarded:
    entries: list[Entry] = []
    open_: Unknown | None = None
    for key, value in node.entries:
        if key is None:
            source = run.semantics(frame).unpacked(run, run.value(value, frame), frame)
            for guard, leaf in leaves(source, run.guard):
                unseen = beyond(leaf) if isinstance(leaf, Object) else leaf
                if isinstance(unseen, Unknown):
                    open_ = open_ or unseen
                    if entries:  # any of them may be another now
                        entries.append(Entry(guard, Unknown(unseen.why, unseen.detail), unseen))
                for entry in (leaf.entries or ()) if isinstance(leaf, Object) else ():
                    inner = entry.guard if guard is run.guard else both(guard, entry.guard)
                    entries.append(Entry(inner, entry.key, entry.value, entry.at))
        else:
            place = run.place(frame, key.at)
            entries.append(Entry(True, run.value(key, frame), run.value(value, frame), place))
    made = run.semantics(frame).mapping(run, entries, run.place(frame, node.at))
    if open_ is not None and isinstance(made, Object):
        made.open = made.open or open_
    return made


def cast(run: Interpreter, node: ir.Cast, frame: Frame) -> Guarded:
    value = run.value(node.value, frame)
    semantics = run.semantics(frame)
    refuses, safely_cast, converted = (
        getattr(semantics, name, None) for name in ("refuses", "safely_cast", "converted")
    )
    if refuses is not None and not node.safe and refuses(run, value, node.type, frame):
        return UNSET
    if safely_cast is not None and node.safe:
        value = safely_cast(run, value, node.type, frame)
    if type(value) is Function:
        return run.typed(value, node.type, frame)
    if type(value) is Unknown:
        return run.with_type(value, node.type, frame)
    if type(value) is Diagram:
        value = apply(
            lambda leaf: run.with_type(leaf, node.type, frame) if type(leaf) is Unknown else leaf, value
        )
    return value if converted is None else converted(value, node.type)


def instance_of(run: Interpreter, node: ir.InstanceOf, frame: Frame) -> Guarded:
    value = run.value(node.value, frame)
    semantics = run.semantics(frame)
    if node.pattern is not None:
        return statements.matched(run, value, node.pattern, frame, node.at)
    if node.name:
        frame.variables[node.name] = value
        frame.declared[node.name] = node.type
    holds = apply(lambda leaf: semantics.is_instance(run, leaf, node.type, frame), value)
    if node.negated:
        return apply(lambda leaf: leaf.negate() if isinstance(leaf, Test) else not leaf, holds)
    return holds


def join_(run: Interpreter, node: ir.Join, frame: Frame) -> Guarded:
    semantics = run.semantics(frame)
    values = [run.value(part, frame) for part in node.parts]
    if run.guard is False:
        return UNSET
    from subdrift.linter.resolve.execute.values import join

    inserted = getattr(semantics, "inserted", semantics.shown)
    found = apply(lambda *parts: join([inserted(run, part) for part in parts]), *values)
    return numbered(run, found, zip(values, node.parts, strict=True), frame) if type(found) is Text else found


ELLIPSIS = LibraryConstant("builtins", "Ellipsis")
"""Python's `...`."""


def opaque(run: Interpreter, node: ir.Opaque, frame: Frame) -> Guarded:
    if node.what == "ellipsis":
        return ELLIPSIS
    for part in node.parts:
        run.value(part, frame)
    why = Why.TOO_MANY if node.what == Why.TOO_MANY.value else Why.UNSUPPORTED
    return run.unknown(why, node.what, frame, node.at)
