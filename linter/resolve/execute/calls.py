"""Calls: of what is declared, of library models, within a bound of their own; and what nobody sees of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import exceptions, given_up
from subdrift.linter.resolve.execute.declarations import Method
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    Diagram,
    Overgrown,
    both,
    choose,
    either,
    ite,
    leaves,
    negate,
    pick,
    some,
    under,
)
from subdrift.linter.resolve.execute.handed import leaves_around
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.identity import PRESENT
from subdrift.linter.resolve.execute.peers import Effect, Peer, is_known
from subdrift.linter.resolve.execute.protocol import Arguments, Overdrawn, Test
from subdrift.linter.resolve.execute.state import _MAY_NEED, DEPTH_MAX, NEEDS_LEAVES_MAX, UNSURE_RECURSION_MAX
from subdrift.linter.resolve.execute.statements import handed_over
from subdrift.linter.resolve.execute.values import (
    Bound,
    Frame,
    Function,
    Guarded,
    Key,
    Object,
    Text,
    TypeValue,
    Unknown,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter

FREE_STEPS = 24
"""Statements and calls inside a library's model that one call of it has free; what it runs beyond them is charged."""

_MAY_BE_UNREAD = frozenset({Diagram, Object, TypeValue, Unknown})

CALLED = frozenset({Function, Bound})

_UNSURE = frozenset({Unknown, Text, Diagram})

_OF_ANNOTATIONS = frozenset(
    {
        "getAnnotation",
        "getBeansWithAnnotation",
        "getAnnotationsByType",
        "findAnnotation",
        "isAnnotationPresent",
    }
)
"""Methods that say which annotation a program of its own reads."""


def call(run: Interpreter, node: ir.Call, frame: Frame) -> Guarded:
    run.step()
    semantics = run.semantics(frame)
    wanted, run.wanted = run.wanted, None
    if node.target is None:
        of = getattr(semantics, "parameters", None)
        arguments = run.arguments(node.args, frame, None if of is None else of(run, node, frame))
        arguments.types = node.types
        arguments.wanted = wanted[1] if wanted is not None and wanted[0] is node else None
        run.called = node.name_at
        run.discards = node is run._statement
        if run.guard is False:
            return UNSET
        if type(frame.this) is Object:
            run.loses_own(frame.this, node.name)
        return came_of(run, semantics.call_name(run, node, arguments, frame), None, arguments, frame)
    if isinstance(node.target, ir.Super) or node.name == "<init>":
        return semantics.expression(run, node, frame)
    run.qualifies = node.target
    target = run.value(node.target, frame)
    arguments = run.arguments(node.args, frame)
    arguments.types, arguments.on = node.types, node.target
    arguments.wanted = wanted[1] if wanted is not None and wanted[0] is node else None
    if run.guard is False:
        return UNSET
    if target is None and is_prepared(run, frame) and type(node.target) is not ir.Const:
        target = filled_before(run, node.target, frame)
    run.called = node.name_at
    run.discards = node is run._statement
    for leaf in some(target, NEEDS_LEAVES_MAX) if type(target) in _MAY_BE_UNREAD else ():
        run.loses_own(leaf, node.name)
    if arguments.values:
        _hands_over(run, node.name, target, arguments)
    if not node.name:
        place = run.place(frame, node.at)
        return run.over(target, lambda leaf: run.call(leaf, arguments, frame, place))
    if node.safe:
        return _safely(run, node, target, arguments, frame)
    if type(target) is not Diagram:
        made = semantics.call_method(run, target, node.name, arguments, frame, node.at)
    else:
        made = run.over(
            target, lambda leaf: semantics.call_method(run, leaf, node.name, arguments, frame, node.at)
        )
    return came_of(run, made, target, arguments, frame)


def _hands_over(run: Interpreter, name: str, target: Guarded, arguments: Arguments) -> None:
    """A method gets arguments whose code may be unread."""
    for leaf in some(target, NEEDS_LEAVES_MAX):
        unread = unread_type(run, leaf, name)
        if unread:
            run.hands_over(unread, arguments)
        elif type(leaf) is Unknown and leaf.type is None:
            # what gives an object of a type that nobody knows; in a test it is an assertion or a mock, for which
            # `havoc` keeps collections too
            for each in leaf.needs:
                run.hands_over(each, arguments, collections=not run.brief)
    if name in _OF_ANNOTATIONS:
        run.needed |= run.gathered(arguments.values)


def _safely(run: Interpreter, node: ir.Call, target: Guarded, arguments: Arguments, frame: Frame) -> Guarded:
    """`target?.name(…)`: null where the target is."""
    semantics = run.semantics(frame)
    present: Guarded = False
    for guard, leaf in leaves(target, run.guard):
        if type(leaf) is Unknown:
            there = handed_over(Test("present", (leaf,)))
            present = either(present, both(guard, run.guard_of(there, frame, node.at)))
        elif leaf is not None:
            present = either(present, guard)
        if may_be_absent(leaf):
            run.doubted[id(node)] = leaf
    before = run.guard
    run.guard = both(before, present)
    found: Guarded = None
    if run.guard is not False:
        found = run.over(
            under(target, run.guard),
            lambda leaf: semantics.call_method(run, leaf, node.name, arguments, frame, node.at),
        )
        found = came_of(run, found, target, arguments, frame)
    missing = both(before, negate(present))
    run.guard = either(run.guard, missing)
    return found if missing is False else pick(present, found, None)


def may_be_absent(leaf: Any) -> bool:
    """Whether something that nobody knows may be null: a variable of the environment may be one."""
    if isinstance(leaf, Unknown):
        return not (type(leaf.symbol) is tuple and leaf.symbol[0] is PRESENT)
    only = leaf.parts[0] if isinstance(leaf, Text) and len(leaf.parts) == 1 else None
    return isinstance(only, Key) and bool(only.variable) and only.default is None


def is_prepared(run: Interpreter, frame: Frame) -> bool:
    """Whether code that nobody sees may have filled what is null here."""
    return run.stand_in or (isinstance(frame.this, Object) and frame.this.handed)


def filled_before(run: Interpreter, node: ir.Expr, frame: Frame) -> Guarded:
    """What is surely null in code that nothing in sight calls, or prepares, and used all the same: who calls the code has
    prepared the ground, so it is a value nobody knows."""
    shown = node.name if isinstance(node, ir.Name | ir.Attribute | ir.Call) else ""
    unknown = run.unknown(Why.DYNAMIC, f"{shown}()" if type(node) is ir.Call else shown, frame, node.at)
    if type(node) is not ir.Name or frame.owner is None:
        return unknown
    if node.name in frame.declared:
        return run.with_type(unknown, frame.declared[node.name], frame)
    for owner in frame.owner.lexical():
        found = run.scope.field(owner, node.name)
        if found is not None and found[1].type is not None:
            symbol = ("static", found[0].name, node.name) if found[1].static else None
            return run.with_type(replace(unknown, symbol=symbol), found[1].type, frame)
    return unknown


def came_of(run: Interpreter, value: Guarded, target: Guarded, arguments: Arguments, frame: Frame) -> Guarded:
    """The value of a call with what it needs to be known."""
    kind = type(value)
    if kind in _UNSURE and (arguments.values or arguments.names):
        hand_over_unanswered(run, value, arguments)
    if kind is Unknown:
        if value.needs:
            return value
    elif kind not in _MAY_NEED and kind is not Diagram:
        return value
    receiver = run.around(frame) if target is None else (target,)
    return run.due(value, *receiver, *arguments.values, *arguments.names.values())


def unread_type(run: Interpreter, leaf: Any, called: str) -> str:
    """The name of the type a call goes to where nobody has read its source."""
    kind = type(leaf)
    name = ""
    if kind is TypeValue and leaf.declared is None:
        name = leaf.name
    elif kind is Object and leaf.declared is None and leaf.client is None:
        name = leaf.type
    elif kind is Unknown and leaf.type is not None and leaf.type.declared is None:
        name = leaf.type.name
    elif kind is Object and leaf.declared is not None and leaf.declared.file.language != "python":
        above = run.scope.library_supers(leaf.declared)
        name = next((each for each in above if run.scope.is_absent(each)), "")
        if name and run.scope.has_method(leaf.declared, called):
            name = ""
    return name if name and run.scope.is_absent(name) else ""


def new(run: Interpreter, node: ir.New, frame: Frame) -> Guarded:
    run.step()
    arguments = run.arguments(node.args, frame)
    if run.guard is False:
        return UNSET
    named = run.type_named(node.type.name, frame)
    if type(named) is str and run.scope.is_absent(named):
        if run.scope.surely_lacks(named):
            run.unread.add(named)
        if arguments.values:
            run.hands_over(named, arguments)
    made = run.semantics(frame).construct(run, node, arguments, frame)
    return came_of(run, made, TypeValue(None, node.type.name), arguments, frame)


def run_model(
    run: Interpreter,
    method: Method,
    this: Guarded,
    arguments: Arguments,
    caller: Frame | None,
    at: Location | None,
    captured: Frame | None,
) -> Guarded:
    """A call of a library's model: the program pays for what it runs beyond `FREE_STEPS`."""
    if run.depth >= DEPTH_MAX:
        return run.endless(method.name, method.decl.params, at)
    if run.active(method) > UNSURE_RECURSION_MAX and run.guard != run.begun[method]:
        # how often it calls itself hangs on what nobody knows
        return run.havoc(method.name, Unknown(Why.DYNAMIC, phrase("calls-of", method.name)), this, arguments)
    name = method.owner.name
    if run.scope.is_absent(name) and not run.brief:
        run.needed.add(name)  # a class of the project may have that name
    before = run.steps
    held = _Standing.of(run)
    try:
        return enter(run, method, this, arguments, caller, at, captured)
    except Overgrown:
        held.restore(run)
        return run.havoc(method.name, Unknown(Why.TOO_MANY, f"{method.name}()"), this, arguments)
    finally:
        run.steps = max(before, run.steps - FREE_STEPS)


class _Standing(NamedTuple):
    """Where a run is before a call, to go on from there if that is not followed to its end."""

    guard: Guarded
    raised: list[tuple[Guarded, Guarded]]
    thrown: int
    depth: int
    nesting: int
    active: dict[Method, int]

    @staticmethod
    def of(run: Interpreter) -> _Standing:
        return _Standing(run.guard, run.raised, len(run.raised), run.depth, run.nesting, dict(run._active))

    def restore(self, run: Interpreter) -> None:
        run.guard, run.raised, run.depth, run.nesting = self.guard, self.raised, self.depth, self.nesting
        run._active = self.active
        del run.raised[self.thrown :]


def enter(
    run: Interpreter,
    method: Method,
    this: Guarded,
    arguments: Arguments,
    caller: Frame | None,
    at: Location | None,
    captured: Frame | None,
) -> Guarded:
    """Runs the body of a method in a frame of its own."""
    assert method.decl.body is not None
    frame = run.frame(method.owner, this, method=method, caller=caller, called_at=at, parent=captured)
    run.bind(method.decl.params, arguments, frame)
    return run.activate(method, frame, method.decl.body)


def run_for_value(
    run: Interpreter,
    method: Method,
    this: Guarded,
    arguments: Arguments,
    caller: Frame | None,
    at: Location | None,
    captured: Frame | None,
) -> Guarded:
    """A call that cannot reach a client library, within a bound of its own; one beyond it is not tried again."""
    if any(isinstance(leaf, Function | Bound) for one in arguments.values for _, leaf in leaves(one)):
        return enter(run, method, this, arguments, caller, at, captured)
    unknown = Unknown(Why.TOO_MANY, f"{method.name}()", ("call", method.symbol, run.unique()))
    if method in run._costly:
        return _given_up(run, method, this, arguments, unknown)
    held = _Standing.of(run)
    run.limit = min(run.total - 1, run.steps + run.value_steps)
    try:
        return enter(run, method, this, arguments, caller, at, captured)
    except (Overdrawn, Overgrown) as ended:
        run._costly.add(method)
        held.restore(run)
        grown = phrase("more-alternatives-than-can-be-told-apart")
        drawn = phrase("more-than-steps-for-a-value", run.value_steps)
        run.note(grown if isinstance(ended, Overgrown) else drawn, at)
    finally:
        run.limit = run.total
    return _given_up(run, method, this, arguments, unknown)


def _given_up(
    run: Interpreter, method: Method, this: Guarded, arguments: Arguments, unknown: Unknown
) -> Unknown:
    """What is left of a call that is not followed to its end: it may have written something, and may have thrown."""
    run.gave_up = True
    given_up.give_up(run, method, (this, *arguments.values), unknown)
    if not run.brief:  # a handler that tries again would take up all that is followed of a test
        exceptions.may_throw(run, unknown)
    return unknown


def rest_of(
    run: Interpreter, values: list[Guarded], arguments: Arguments, frame: Frame, param: ir.Param
) -> Guarded:
    """The argument of a variable parameter: an array handed over as it is, or the rest of the arguments."""
    semantics = run.semantics(frame)
    if frame.owner is not None and frame.owner.file.language == "java" and len(values) == 1:
        only = values[0]
        if type(only) is Diagram and any(
            type(leaf) is Object and leaf.type == "[]" for leaf in some(only, NEEDS_LEAVES_MAX)
        ):
            return run.over(only, lambda leaf: rest_of(run, [leaf], arguments, frame, param))
        alone = getattr(semantics, "hands_alone", None)
        if isinstance(only, Object) and only.type == "[]" and not (alone and alone(run, arguments, param)):
            return only
        if isinstance(only, Unknown) and only.type is not None and only.type.name == "[]":
            return only
        if isinstance(only, Unknown) and isinstance(only.symbol, tuple) and only.symbol[:1] == ("parameter",):
            return only  # what code that nobody sees hands over: as many as it likes
    made = semantics.sequence(
        run,
        "array" if frame.owner and frame.owner.file.language != "python" else "tuple",
        [(True, one) for one in values],
        run.place(frame, param.at),
    )
    if arguments.open is not None and isinstance(made, Object):
        made.open = arguments.open
    return made


def one_of(run: Interpreter, kept: Sequence[Guarded], reason: Unknown) -> Guarded:
    """One of some objects of the program that lead to a consumer, or what nobody knows."""
    declared = reason.type.declared if reason.type is not None else None
    if declared is not None:
        kept = [
            one
            for one in kept
            if type(one) is Object and one.declared is not None and run.scope.is_a(one.declared, declared)
        ]
    if not kept:
        return reason
    ways = len(kept) + 1
    call = reason.symbol if reason.symbol is not None else run.unique()
    number = run.decide(("identity", call, *map(id, kept)), ways, "condition", None)
    run.heap.setdefault("identities", []).append(kept)  # an id is theirs as long as they are here
    found: Guarded = reason
    for way, one in enumerate(kept):
        given = _or_more(run, one) if type(one) in CALLED else one
        found = ite(choose(number, ways, way), given, found)
    return found


def _or_more(run: Interpreter, function: Function | Bound) -> Function:
    """A function that a call nobody sees gives for one that it got: it does what that does, or something around it."""

    def native(run: Interpreter, arguments: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        for value in (*arguments.values, *arguments.names.values()):
            for leaf in some(value, NEEDS_LEAVES_MAX):
                if type(leaf) is Object and leaf.client is not None:
                    leaf.client.escaped = True
        return run.call(function, arguments, caller, at)

    return Function(getattr(function, "params", ()), (), None, function.name, native=native)


def hand_over_unanswered(run: Interpreter, value: Guarded, arguments: Arguments) -> None:
    """A call of what nobody knows enough of to have run the functions it was given: somebody may."""
    given = [
        each
        for each in (*arguments.values, *arguments.names.values())
        if type(each) in CALLED and not getattr(each, "ran", False) and not each.handed
    ]
    if not given or run.brief or run.guard is False:
        return
    if all(map(is_known, some(value, NEEDS_LEAVES_MAX))):
        return
    before = run.guard
    if any(isinstance(each, Function) and leaves_around(each) for each in given):
        run.guard = both(before, run.runs_it("", given))
    here = run.guard
    reason = Unknown(Why.DYNAMIC, phrase("call"))
    run.hand_over(given, reason, before)
    run.guard = before if run.guard is here else both(before, either(run.guard, negate(here)))
    exceptions.may_throw(run, reason)


def on_each(
    run: Interpreter, values: Sequence[Guarded], function: Callable[..., Guarded], *done: Any
) -> Guarded:
    """A function with effects, on each combination of the plain values of its operands."""
    if not values:
        return function(*done)
    return run.over(values[0], lambda leaf: on_each(run, values[1:], function, *done, leaf))


def run_charged(
    run: Interpreter,
    peer: Peer,
    function: Callable[[Guarded, list[Guarded]], Guarded],
    receiver: Guarded,
    values: list[Guarded],
) -> Guarded:
    cost, bound = peer.cost(receiver, values), peer.bound
    if cost.characters > bound.characters or cost.elements > bound.elements:
        return leave_unrun(run, peer, receiver, values, Why.TOO_MANY)
    run.charge(cost)
    return function(receiver, values)


def leave_unrun(
    run: Interpreter, peer: Peer, receiver: Guarded, values: Sequence[Guarded], why: Why
) -> Guarded:
    """The result of a peer that was not run; what it writes is forgotten, what it is given may be run."""
    result = run.result_of(peer, receiver, values, why)
    reason = result if isinstance(result, Unknown) else Unknown(why, f"{peer.name}()")
    if peer.effect & Effect.MUTATES_RECEIVER:
        forget_contents(run, reason, (receiver,))
    if peer.effect & (Effect.MUTATES_ARGUMENT | Effect.STORES_ARGUMENT):
        forget_contents(run, reason, values)
    if peer.effect & (Effect.CALLS_ARGUMENT | Effect.STARTS_ARGUMENT):
        for value in values:
            run.defer(value)
    return result
