"""Functions in the hands of code that nobody sees: they may run, any number of times, with arguments that nobody knows.

Each is run once where it is handed over, as its effects come before what follows. What it wrote then may have been
written again, or with other values: that is not known any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute.drawing import DRAWN_MAX, draw_each
from subdrift.linter.resolve.execute.guards import apply, both, leaves, negate, pick, some, under
from subdrift.linter.resolve.execute.havoc import (
    IMMUTABLE,
    assigned_in,
    called_back,
    chain,
    distinct,
    forget_contents,
    forget_fields,
    unless_object,
    written_by,
    written_in,
)
from subdrift.linter.resolve.execute.reach import (
    HELD_MAX,
    NESTED_MAX,
    Reach,
    around,
    body_of,
    held_by,
    only_ones,
)
from subdrift.linter.resolve.execute.values import Bound, Function, Guarded, Object, TypeValue, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.declarations import Class
    from subdrift.linter.resolve.execute.interpreter import Interpreter
    from subdrift.linter.resolve.execute.protocol import Arguments

HOLDERS = "holders"
"""Where the run keeps the maps that were asked for a key which may be one or another of theirs, by number."""


HANDING = "handing"
"""Where the run keeps the functions that it runs because code that nobody sees has got them, outer before inner."""


def leads_to_client(run: Interpreter, function: Function, depth: int = 0) -> bool:
    """Whether a function can reach a client library: by the names it calls, or through functions that it holds."""
    body = body_of(function)
    if function.native is not None or run.matters(function.method, body):
        return True
    if depth >= NESTED_MAX or function.frame is None:
        return False
    held = held_by(function, body)
    return any(
        leaf.client is not None
        if type(leaf) is Object
        else type(leaf) is Function and leaf is not function and leads_to_client(run, leaf, depth + 1)
        for value in held.values()
        for leaf in some(value, 4)
    )


def functions_in(
    run: Interpreter, values: Iterable[Guarded]
) -> Iterator[tuple[Guarded, Function | Bound | Object]]:
    """The functions that some values are or hold, in collections, tuples and objects of libraries; bound methods; and
    objects of the program, which may have methods that a library calls."""
    seen: set[int] = set()
    stack: list[tuple[Guarded, Any]] = [pair for value in values for pair in leaves(value, run.guard)]
    while stack and len(seen) < HELD_MAX:
        guard, leaf = stack.pop()
        kind = type(leaf)
        if kind is Unknown:
            leaf = _holder(run, leaf)
            kind = type(leaf)
        if (kind is not Object and kind is not Function and kind is not Bound and kind is not tuple) or id(
            leaf
        ) in seen:
            continue
        seen.add(id(leaf))
        if kind is Function or kind is Bound or (kind is Object and not _is_of_library(leaf)):
            yield guard, leaf
        if (
            kind is Function
            and leaf.native is not None
            and type(leaf.this) is Object
            and _is_of_library(leaf.this)
        ):
            leaf, kind = leaf.this, Object  # a method of a model may call what its object holds
        if kind is Function or kind is Bound:
            continue
        for part in distinct(leaf if kind is tuple else _parts(leaf)):
            stack += leaves(part, guard)


def entry_of(run: Interpreter, held: Object, more: Iterable[Guarded] = ()) -> object:
    """The symbol of something unknown that a collection holds; `more`: what it may hold besides."""
    run.heap.setdefault(HOLDERS, {})[held.number] = held
    run.heap.setdefault((HOLDERS, held.number), []).extend(more)
    return "entry", held.number, ("once", run.unique())


_PARTS = (("call",), ("field",), ("element",), ("index",), ("as it is",))
"""What the symbols begin with of what came of something else, which stands behind it."""


def held_around(run: Interpreter, leaf: Unknown) -> list[Object]:
    """What a collection leads to of which something unknown is an entry, or came of one."""
    symbol = leaf.symbol
    while isinstance(symbol, tuple) and symbol[:1] in _PARTS:
        symbol = symbol[1]
    is_entry = isinstance(symbol, tuple) and symbol[:1] == ("entry",)
    holder = run.heap.get(HOLDERS, {}).get(symbol[1]) if is_entry else None  # type: ignore[index]
    if holder is None:
        return []
    more = run.heap.get((HOLDERS, holder.number), ())
    return [one for one, *_ in Reach.reached(run, [], [holder, *more]).objects]


def whole_of(symbol: object) -> object:
    """The symbol of what something unknown is an element of, or of an element of that."""
    while isinstance(symbol, tuple) and symbol[:1] in (("element",), ("as it is",)):
        symbol = symbol[1]
    return symbol


def _holder(run: Interpreter, leaf: Unknown) -> Object | None:
    """The map of which something unknown is an entry, or an element of one."""
    symbol = whole_of(leaf.symbol)
    is_entry = isinstance(symbol, tuple) and symbol[:1] == ("entry",)
    return run.heap.get(HOLDERS, {}).get(symbol[1]) if is_entry else None  # type: ignore[index]


def _parts(made: Object) -> list[Guarded]:
    found = [value for _, value in made.items or ()] + [entry.value for entry in made.entries or ()]
    if _is_of_library(made) and made.client is None and made.type != "module":
        found += made.fields.values()
    return found


def _is_of_library(made: Object) -> bool:
    """Whether a library makes what an object is, be it told by a model."""
    return made.declared is None or made.declared.file.model


def hand_over(
    run: Interpreter, function: Function | Bound, guard: Guarded, reason: Unknown, path: Guarded
) -> None:
    """Runs a function that code nobody sees got hold of, where that can make a difference; what it raises stays there.

    `path`: where that code has it, and what the function may change is not known, whether it runs or not.
    """
    arguments = any_arguments(run, function)
    leaves_more = isinstance(function, Function) and leaves_around(function)
    if function.handed or (type(function) is Function and _is_in_hands(run, function)):
        _lose_again(run, function, path, reason)
        return
    if isinstance(function, Function):
        if not (
            leaves_more or leads_to_client(run, function) or _calls_beyond(run, function) or _writes(function)
        ):
            return
    elif function.frame is None or not _may_write(run, function):
        return
    function.handed = True
    before, raised, handlers = run.guard, run.raised, run.handlers
    run.guard, run.raised, run.handlers = guard, [], []
    state = Reach.of(run, function)
    handing = run.heap.setdefault(HANDING, [])
    handing.append(function)
    try:
        if type(function) is Bound and run.last is not None:
            frame, statement = run.last
            at = run.place(frame, getattr(statement, "at", None) or run.called)
            value = run.call(function, arguments, function.frame, at)
        else:
            value = run.call(function, arguments, None, None)
        if run.guard is not False:
            escape(run, value, reason)
    finally:
        run.handlers = handlers
        handing.pop()
    failed = bool(run.raised)
    left = both(guard, negate(run.guard)) if leaves_more and not failed else False
    run.guard, run.raised = both(before, negate(left)), raised
    state.forget_changes(run, path, reason)
    for one, *_ in state.objects:
        if one.client is not None:
            one.client.escaped = True  # another run of it may come another way
    if type(function) is Function and _is_generator(function):
        # who holds its generator is between two of its steps, where what it sets back in the end is other than it was
        body = body_of(function)
        held = held_by(function, body)
        written = {one.target.target.name for one in nodes(body) if _is_put(one)} | written_in(body)
        forget_contents(
            run, reason, tuple(under(held[name], guard) for name in sorted(written & held.keys()))
        )
    if type(function) is Bound:  # how often, and with what, its method is called nobody knows
        forget_contents(run, reason, (under(function.target, guard),))
    if failed and type(function) is Function:
        function.ran = False
        run.put_off(guard, function, arguments)  # later, when what it needs may be there


def _is_in_hands(run: Interpreter, function: Function) -> bool:
    """Whether the run of a function by code that nobody sees gave that code the function: a trace function gives itself (a
    method is another function each time that it is named), others give ever new ones of the same code."""
    body = body_of(function)
    under_way = [one for one in run.heap.get(HANDING, ()) if type(one) is Function and body_of(one) is body]
    same = type(function.this) is Object and any(one.this is function.this for one in under_way)
    return bool(body) and (same or len(under_way) >= NESTED_MAX)


def _lose_again(run: Interpreter, function: Function | Bound, path: Guarded, reason: Unknown) -> None:
    """A function that was handed over before may run again: forgets what it, and the functions in what it calls methods on,
    may change; those that it did not see then are run."""
    seen: list[Function | Bound] = []
    stack = [(path, function)]
    while stack:
        guard, one = stack.pop()
        if any(one is each for each in seen):
            continue
        seen.append(one)
        changed = [one.target] if isinstance(one, Bound) else lose_assigned(run, one, guard, reason)
        changed = [under(each, guard) for each in changed]
        forget_contents(run, reason, changed)
        for inner, leaf in list(functions_in(run, changed)):
            if isinstance(leaf, Object):
                continue
            if leaf.handed:
                stack.append((inner, leaf))
            else:
                hand_over(run, leaf, inner, reason, inner)


def forget_started(run: Interpreter, reason: Unknown) -> None:
    """A call of what nobody sees may wait for the threads that were started before it: what these write is not known."""
    run.work(len(run.later))
    for guard, value, _ in run.later.values():
        if type(value) is not Bound or value.name != "run":
            continue
        for within, leaf in list(functions_in(run, (value.target,))):
            inner = both(guard, within)
            match leaf:
                case Function():
                    held = lose_assigned(run, leaf, inner, reason)
                case Bound(target=target):
                    held = [target]
                case _:
                    held = called_back(run, leaf, inner, reason)
            forget_contents(run, reason, [under(each, inner) for each in held])


def lose_assigned(run: Interpreter, function: Function, guard: Guarded, reason: Unknown) -> list[Guarded]:
    """Forgets what a function assigns around it; gives what it calls methods on."""
    body = body_of(function)
    assigns = assigned_in(body, {param.name for param in function.params})
    touches = written_in(body)
    found: list[Guarded] = []
    for frame in around(function):
        fields = frame.this.fields if type(frame.this) is Object else {}
        for held in (frame.variables, fields):
            for name in assigns & held.keys():
                unknown = replace(reason, symbol=("started", name, run.unique()))
                held[name] = pick(guard, apply(partial(unless_object, unknown), held[name]), held[name])
            found += [held[name] for name in touches & held.keys()]
    for name, one in only_ones(run, function):
        assigned, touched = written_by(run, one.declared, name)
        forget_fields(run, one, assigned, unless_object)
        found += [one.fields[each] for each in sorted(touched & one.fields.keys())]
    return found


def _is_generator(function: Function) -> bool:
    return bool(getattr(getattr(function.native, "decl", None), "generator", False))


def _is_put(node: Any) -> bool:
    """Whether code assigns an element of what a variable holds."""
    return type(node) is ir.Assign and type(node.target) is ir.Index and type(node.target.target) is ir.Name


def leaves_around(function: Function) -> bool:
    """Whether a lambda of Kotlin may leave a function around it by a `return`."""
    if function.name == "fun" or not _is_of_kotlin(function):
        return False
    return any(
        type(node) is ir.Return and (node.label or node.value is None or node.value.at != node.at)
        for node in nodes(body_of(function))
    )


def _calls_beyond(run: Interpreter, function: Function) -> bool:
    """Whether a function calls what consumers are set up by, or in Kotlin by a plain name what a receiver may have that it is
    given; or a method of an object of which there is one."""
    known = run.scope.program.slice
    given = known.by_name if _is_of_kotlin(function) else ()
    return any(only_ones(run, function)) or any(
        node.name in known.marks.settings or (node.target is None and node.name in given)
        for node in nodes(body_of(function))
        if type(node) is ir.Call
    )


def _is_of_kotlin(function: Function) -> bool:
    owner = function.frame.owner if function.frame is not None else None
    return owner is not None and owner.file.language == "kotlin"


def _writes(function: Function, depth: int = 0) -> bool:
    """Whether a function may change what it did not make: it assigns, or names something that can change."""
    body = body_of(function)
    params = {param.name for param in function.params}
    if assigned_in(body, params) or _calls_own(function, body):
        return True
    if any(type(node) is ir.Assign and type(node.target) is not ir.Name for node in nodes(body)):
        return True  # what it gets may be anything of the program's
    if any(type(node) is ir.New and node.body is not None for node in nodes(body)):
        return True  # what nobody knows may be the object of a class without a name
    if type(function.this) is Object and function.this.declared is not None:
        return True  # an operator may be a method of what it runs on
    this = function.frame.this if function.frame is not None else None
    if type(this) is Object and this.declared is not None and this.fields.keys() & written_in(body):
        return True
    held = [leaf for value in held_by(function, body).values() for leaf in some(value, 4)]
    if depth < NESTED_MAX and any(
        type(leaf) is Function and leaf is not function and _writes(leaf, depth + 1) for leaf in held
    ):
        return True
    return any(
        type(leaf) is Object and leaf.client is None and (leaf.declared is not None or is_mutable(leaf))
        for leaf in held
    )


_SIGNS = frozenset({"unaryPlus", "unaryMinus", "not"})
"""Methods of Kotlin that a sign calls."""


def _calls_own(function: Function, body: Any) -> bool:
    """Whether a function calls a method of the classes around it, or reads one of their properties with a getter: these may
    write something."""
    if function.frame is None or function.frame.owner is None:
        return False
    around: tuple[Class, ...] = tuple(function.frame.owner.lexical())
    receivers = (one.this for one in chain(function.frame) if type(one.this) is Object)
    around += tuple(one.declared for one in receivers if one.declared is not None)
    own = {name for each in around for name in each.methods}
    own |= {name for each in around for name, one in each.fields.items() if one.getter is not None}
    if "invoke" in own:
        own |= {param.name for param in function.params}
    signs = not own.isdisjoint(_SIGNS)
    return any(
        node.name in own if isinstance(node, ir.Call | ir.Name) else signs and isinstance(node, ir.Unary)
        for node in nodes(body)
    )


def _may_write(run: Interpreter, function: Bound) -> bool:
    """Whether a method that was picked on a value can change something of the program."""
    if function.target is None:
        return function.name in run.hot_names
    for leaf in some(function.target, 4):
        if type(leaf) is Object and (
            leaf.client is not None or leaf.declared is not None or is_mutable(leaf)
        ):
            return True
        if type(leaf) is TypeValue and (
            function.name in run.hot_names if leaf.declared is not None else function.name == "<init>"
        ):
            return True
    return False


def is_mutable(made: Object) -> bool:
    """Whether an object of a library can change."""
    if made.type.rpartition(".")[2] in IMMUTABLE:
        return False
    return made.items is not None or made.entries is not None or "text" in made.fields


def any_arguments(run: Interpreter, function: Function | Bound) -> Arguments:
    """Arguments that nobody knows, so many as a function takes."""

    defaults = function.defaults if isinstance(function, Function) else {}

    def any_of(params: Iterable[ir.Param]) -> list[Guarded]:
        return [
            held  # what a lambda keeps so nobody hands to it
            if type(held := defaults.get(param.name)) in (Function, Object)
            else Unknown(Why.DYNAMIC, phrase("argument", param.name), ("parameter", param.name, run.unique()))
            for param in params
        ]

    unknown = Unknown(Why.DYNAMIC, phrase("argument", ""), ("handed", run.unique()))
    if isinstance(function, Function):
        if function.native is None or (function.params and not hasattr(function.native, "decl")):
            return run.given(any_of(function.params))
        return run.given([], unknown)
    for leaf in some(function.target, 4):
        declared = leaf.declared if type(leaf) is Object or type(leaf) is TypeValue else None
        for each in run.scope.supers(declared) if declared is not None else ():
            for method in each.methods.get(function.name, ()):
                if each.file.language == "python":  # by position or name, nobody knows
                    return run.given([], unknown)
                made = any_of(method.decl.params)
                bare = type(leaf) is TypeValue and not method.decl.static and function.name != "<init>"
                return run.given([Unknown(Why.DYNAMIC, phrase("argument", "")), *made] if bare else made)
    of = next((leaf for leaf in some(function.target, 4) if type(leaf) is TypeValue), None)
    if of is None:
        return run.given([], unknown)
    known = None if of.declared is None else of  # of the program's own it is an extension
    return run.given([Unknown(Why.DYNAMIC, phrase("argument", ""), ("handed", run.unique()), known)])


def escape(run: Interpreter, value: Guarded, reason: Unknown) -> None:
    """What a function gives to code nobody sees may be subscribed and started there, or run."""
    for leaf in some(value, 16):
        if type(leaf) is Object and leaf.client is not None:
            leaf.client.escaped = True
        elif type(leaf) is Object and leaf.type == "generator":
            _take_all(run, leaf, reason)
        elif type(leaf) is Function:
            hand_over(run, leaf, run.guard, reason, run.guard)


def _take_all(run: Interpreter, leaf: Object, reason: Unknown) -> None:
    """Code that nobody sees goes through an iterator, and has each element before the next one is made."""

    def taken(item: Guarded) -> None:
        escape(run, item, reason)
        forget_contents(run, reason, (item,))

    for _, item in list(leaf.items or ()):
        taken(item)
    draw_each(leaf, DRAWN_MAX, taken)


def beyond(leaf: Any) -> Unknown | None:
    """Why nobody knows how many elements a collection has; None where that is known."""
    return leaf.open if type(leaf) is Object else None
