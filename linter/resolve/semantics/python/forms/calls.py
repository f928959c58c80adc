"""Calls: methods, classes, `super()`, what nobody sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from subdrift.linter.clients import python as tables
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.exceptions import may_refuse, may_throw
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    Diagram,
    apply,
    both,
    is_partial,
    is_written,
    leaves,
    or_else,
    pick,
    some,
)
from subdrift.linter.resolve.execute.handed import whole_of
from subdrift.linter.resolve.execute.havoc import forget_called, forget_contents
from subdrift.linter.resolve.execute.identity import as_it_is, lasting, symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.reach import body_of
from subdrift.linter.resolve.execute.state import NEEDS_LEAVES_MAX, READERS
from subdrift.linter.resolve.execute.unseen import RUN_AGAIN
from subdrift.linter.resolve.execute.values import (
    Bound,
    Frame,
    Function,
    Guarded,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
)
from subdrift.linter.resolve.semantics.python import (
    class_definitions,
    classes,
    constructors,
    consumers,
    containers,
    enumerations,
    equality,
    escaped,
    library,
    modelled,
    paths,
    types,
)
from subdrift.linter.resolve.semantics.python.classes import info_of
from subdrift.linter.resolve.semantics.python.forms import importing, operations
from subdrift.linter.resolve.semantics.python.forms.common import GIVEN, escape, inside, method_frame
from subdrift.linter.resolve.semantics.python.natives import Call, function_key

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


_READING = frozenset(
    {
        "get",
        "keys",
        "values",
        "items",
        "copy",
        "index",
        "count",
        "union",
        "intersection",
        "difference",
        *READERS,
    }
)
"""Methods that change nothing in what they are called on."""


def call_name(python: Python, run: Interpreter, node: ir.Call, arguments: Arguments, frame: Frame) -> Guarded:
    value = python.name(run, ir.Name(node.name, node.name_at), frame)
    place = run.place(frame, node.at)
    return run.over(value, lambda leaf: _called_by(python, run, leaf, node.name, arguments, frame, place))


def _called_by(
    python: Python,
    run: Interpreter,
    leaf: Any,
    name: str,
    arguments: Arguments,
    frame: Frame,
    at: Location | None,
) -> Guarded:
    """What code calls by a name; where nobody knows what that is it may be the function that is called so elsewhere."""
    if type(leaf) is Unknown:
        run.loses_call(name)
    return python.call(run, leaf, arguments, frame, at)


def call_method(
    python: Python, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
) -> Guarded:
    onto_client = isinstance(leaf, Object) and leaf.client is not None
    return python.method(
        run, leaf, name, arguments, frame, run.place(frame, run.called if onto_client else at)
    )


def method(
    python: Python,
    run: Interpreter,
    leaf: Any,
    name: str,
    arguments: Arguments,
    frame: Frame,
    at: Location | None,
) -> Guarded:
    """`leaf.name(…)`."""
    if isinstance(leaf, Text):
        return text_method(python, run, leaf, name, arguments, frame, at)
    found = python.find(run, leaf, name, frame)
    if run.guard is False:
        return UNSET
    if is_partial(found):
        found = or_else(found, Unknown(Why.UNDEFINED, name))
    if found is not UNSET and not (isinstance(found, Bound) and found.target is leaf):
        of_class = isinstance(leaf, Object) and name not in leaf.fields
        with_self = Arguments([leaf, *arguments.values], arguments.names, arguments.open)

        def one(each: Any) -> Guarded:
            given = with_self if of_class and type(each) is Unknown else arguments
            return _called_by(python, run, each, name, given, frame, at)

        return run.over(found, one)
    plain = equality.plain(leaf)
    if plain is not leaf and isinstance(plain, Text):
        return text_method(python, run, plain, name, arguments, frame, at)
    result = library.method(python, run, leaf, name, arguments, frame, at)
    if result is not UNSET or run.guard is False:
        return result
    if leaf is None:
        run.throw(run.make(None, "builtins.AttributeError", at))
        return UNSET
    modelled.demand(run, leaf, frame)
    return python.unseen(run, leaf, name, arguments, at)


def unseen(
    python: Python, run: Interpreter, leaf: Any, name: str, arguments: Arguments, at: Location | None
) -> Guarded:
    """A call nobody can see into: functions it is given may run later, and its result is not known."""
    why = leaf.why if isinstance(leaf, Unknown) else Why.DYNAMIC
    detail = leaf.detail if isinstance(leaf, Unknown) else ""
    is_path = type(leaf) is Unknown and paths.is_path(leaf)
    whole = symbol_of(leaf) if is_path else as_it_is(run, leaf)
    symbols = [whole, *map(lasting, arguments.values), *((run.turns,) if run.turns else ())]
    symbol = None if None in symbols or library.changes(name) else ("call", name, *symbols)
    steps = () if at is None else (Step(at, f"{name}()"),)
    unknown = Unknown(why, f"{detail}.{name}()".lstrip("."), symbol, steps=steps)
    escape(run, (*arguments.values, *arguments.names.values(), arguments.open))
    if isinstance(leaf, Object) and leaf.declared is None:
        escaped.note_held(run, leaf)
    if name == "start" and isinstance(leaf, Object) and leaf.declared is not None:  # as one of a thread does
        run.hand_over((python._own_method(run, leaf, "run"),), unknown)
    if isinstance(leaf, Unknown):
        run.misses_call(name, leaf, arguments)
        importing.lose_called(run, name, leaf, unknown)
        if leaf.type is not None and tables.maker(leaf.type.name) is not None:
            run.missed.add(name)  # it may be any consumer of the run
        if not name:
            _may_be_held(run, leaf, unknown)
            consumers.may_set(Call(python, run, arguments, run.frame(None, None), at))
    elif not name:
        run.loses_call(name)
    elif isinstance(leaf, TypeValue) and leaf.declared is None:  # `library.state.held.method()`
        escaped.lose(run, unknown, name)
    makers = [] if run.brief or name in READERS else list(_makers(run, arguments))
    if makers:
        unknown = replace(unknown, symbol=unknown.symbol or ("given", run.unique()))
        run.hand_over(makers, unknown, run.guard)
    found = run.havoc(name, unknown, leaf, arguments)
    if name not in READERS and not run.brief:
        _may_be_entered(run, (*arguments.values, *arguments.names.values()), unknown)
    if makers:
        run.heap[RUN_AGAIN, unknown.symbol] = [*run.heap.get((RUN_AGAIN, unknown.symbol), ()), *makers]
    if name not in READERS:
        given = next((one for one in some(found, NEEDS_LEAVES_MAX) if type(one) is Unknown), unknown)
        touches(python, run, arguments, given)
        if isinstance(leaf, Unknown) and run.heap.get((RUN_AGAIN, whole_of(leaf.symbol))):
            _changes(run, (*arguments.values, *arguments.names.values()), given)
    for value in (leaf, *arguments.values, *arguments.names.values()):
        if value is not leaf or name not in _READING:
            containers.forget_aliases(run, value, unknown)
    return found


_PROTOCOL: Final = ("__enter__", "__exit__", "__aenter__", "__aexit__", "__call__", "__iter__", "__next__")
"""What code that nobody sees does with an object that it has without naming a method."""


def _may_be_entered(run: Interpreter, values: Sequence[Guarded], reason: Unknown) -> None:
    """Objects of the program that code which nobody sees gets may be entered and left, called, gone through: what these
    methods write is not known."""
    for leaf in (each for value in values for each in some(value, NEEDS_LEAVES_MAX)):
        if type(leaf) is Object and leaf.declared is not None and not leaf.declared.file.model:
            for name in _PROTOCOL:
                if run.scope.has_method(leaf.declared, name):
                    forget_called(run, leaf.declared, name, reason)
                    importing.lose_called(run, name, replace(reason, type=None), reason)


def _changes(run: Interpreter, values: Sequence[Guarded], reason: Unknown) -> None:
    """A function of the program that code nobody sees has may change what the objects hold that it gets."""
    held = {
        id(one): one
        for value in values
        for leaf in some(value, NEEDS_LEAVES_MAX)
        if isinstance(leaf, Object) and leaf.declared is not None
        for one in leaf.fields.values()
    }
    forget_contents(run, reason, held.values())


def _may_be_held(run: Interpreter, leaf: Unknown, reason: Unknown) -> None:
    """What nobody knows is called: it may be one of the functions and classes of the collection that it comes from."""
    held = run.heap.get((containers.HELD, leaf.symbol), ())
    classes_ = Arguments([one for one in held if isinstance(one, TypeValue)])
    functions = [*(one for one in held if isinstance(one, Function)), *_makers(run, classes_)]
    if functions and not run.brief:
        before = run.guard
        run.guard = both(before, run.runs_it("", functions))
        run.hand_over(functions, reason, before)
        run.guard = before
    for one in classes_.values:
        _may_be_counted(run, one, reason)


def _may_be_counted(run: Interpreter, kind: Any, reason: Unknown) -> None:
    """An instance of a class may be made: what the constructor writes to the class (`type(self).made += 1`) nobody knows."""
    info = info_of(run, kind.declared) if kind.declared is not None else None
    made = UNSET if info is None else classes.class_attribute(run, info.declared, "__init__")
    if info is None or not isinstance(made, Function):
        return
    written = {
        each.target.name
        for each in nodes(body_of(made))
        if type(each) is ir.Assign and type(each.target) is ir.Attribute
    }
    for above in info.order:
        held = info_of(run, above) if not isinstance(above, str) else None
        if held is not None:
            for name in written & held.attributes.keys():
                classes.set_class_attribute(run, held.declared, name, replace(reason, detail=name))


def _makers(run: Interpreter, arguments: Arguments) -> Iterator[Function]:
    """What runs where an instance is made of a class that a call gets, as far as it reaches no client library: what it writes
    elsewhere is not known any more."""
    for value in (*arguments.values, *arguments.names.values()):
        for leaf in some(value, NEEDS_LEAVES_MAX):
            if type(leaf) is not TypeValue or leaf.declared is None or leaf.declared.file.model:
                continue
            for name in ("__new__", "__init__"):
                one = classes.function_of(classes.class_attribute(run, leaf.declared, name))
                if type(one) is Function and not run.matters(one.method, one.body):
                    yield one


def touches(python: Python, run: Interpreter, arguments: Arguments, unknown: Unknown) -> None:
    """A function of Python's own that is not modelled may write what it gets, as `setattr` does, or give its class."""
    for value in (*arguments.values, *arguments.names.values()):
        for _, leaf in leaves(value, run.guard):
            if isinstance(leaf, Object) and leaf.declared is not None:
                classes.forget_fields(leaf, unknown)
                leaf.open = leaf.open or unknown
                run.heap.setdefault((GIVEN, unknown.symbol), []).append(leaf.declared)
            elif isinstance(leaf, Function):
                kept = run.heap.setdefault(function_key(leaf), {})
                for name in {*kept, "__name__", "__qualname__"}:
                    kept[name] = pick(run.guard, Unknown(Why.DYNAMIC, name), kept.get(name, UNSET))


def text_method(
    python: Python,
    run: Interpreter,
    leaf: Text,
    name: str,
    arguments: Arguments,
    frame: Frame,
    at: Location | None,
) -> Guarded:
    values = [*arguments.values, *arguments.names.values()]
    names = list(arguments.names)
    count = len(arguments.values)
    if name == "join" and len(values) == 1:
        pairs = python.items(run, values[0], frame) if not isinstance(values[0], Diagram) else None
        if pairs is not None:
            made = run.make(None, "list", at)
            made.items = pairs
            values = [made]

    known = library.METHODS.get(f"builtins.str.{name}")
    if known is None:
        modelled.demand(run, leaf, frame)
        return python.unseen(run, leaf, name, arguments, at)

    def one(*given: Any) -> Guarded:
        named = dict(zip(names, given[count:], strict=True))
        inner = Arguments(list(given[:count]), named, arguments.open)
        return known(Call(python, run, inner, frame, at), leaf)

    return apply(one, *values)


def call(
    python: Python,
    run: Interpreter,
    leaf: Any,
    arguments: Arguments,
    frame: Frame | None,
    at: Location | None,
) -> Guarded:
    """Calls any plain value."""
    if isinstance(leaf, Function):
        if leaf.native is None and leaf.method is None and _misses(leaf, arguments):
            may_refuse(run, "builtins.TypeError", Unknown(Why.DYNAMIC, "lambda"), at, surely=True)
            if run.guard is False:
                return UNSET
        return run.call(leaf, arguments, frame, at)
    return python.call_value(run, leaf, arguments, frame, at)


def _misses(leaf: Function, arguments: Arguments) -> bool:
    """Whether a lambda is called with too few arguments, or with too many."""
    kinds = [param.kind for param in leaf.params]
    plain = [param for param in leaf.params if param.kind in ("", "/")]
    if arguments.open is not None or any(is_written(each) is not True for each in arguments.names.values()):
        return False
    given = (
        {param.name for param in plain[: len(arguments.values)]}
        | arguments.names.keys()
        | leaf.defaults.keys()
    )
    lacking = any(param.kind in ("", "/", "*") and param.name not in given for param in leaf.params)
    return lacking or (len(arguments.values) > len(plain) and "..." not in kinds)


def call_value(
    python: Python,
    run: Interpreter,
    leaf: Any,
    arguments: Arguments,
    frame: Frame | None,
    at: Location | None,
) -> Guarded:
    if frame is None:
        frame = leaf.frame if isinstance(leaf, Bound) and leaf.frame is not None else run.frame(None, None)
    if isinstance(leaf, TypeValue):
        if leaf.declared is not None and classes.is_abstract(run, leaf.declared):
            run.throw(run.make(None, "builtins.TypeError", at))
            return UNSET
        if leaf.declared is not None:
            return python.instantiate(run, leaf.declared, arguments, frame, at)
        found = library.call(python, run, leaf.name, arguments, frame, at)
        if found is not UNSET or run.guard is False:
            return found
        modelled.demand(run, leaf, frame)
        found = python.unseen(run, leaf, leaf.simple, arguments, at)
        if not leaf.simple[:1].isupper() or type(found) is not Unknown:
            return found
        return replace(found, detail=f"{leaf.name.removeprefix('builtins.')}()", symbol=None, type=leaf)
    if isinstance(leaf, Bound):
        own = leaf.frame or frame
        return run.over(leaf.target, lambda each: python.method(run, each, leaf.name, arguments, own, at))
    if isinstance(leaf, Object):
        if leaf.declared is not None:
            hook = classes.method_of(python, run, leaf, "__call__", frame)
            if hook is not UNSET:
                return run.over(hook, lambda each: run.call(each, arguments, frame, at))
        found = library.call_object(python, run, leaf, arguments, frame, at)
        if found is not UNSET:
            return found
    return python.unseen(run, leaf, "", arguments, at)


def construct(python: Python, run: Interpreter, node: ir.New, arguments: Arguments, frame: Frame) -> Guarded:
    return run.unknown(Why.UNSUPPORTED, "new", frame, node.at)


def instantiate(
    python: Python, run: Interpreter, declared: Class, arguments: Arguments, frame: Frame, at: Location | None
) -> Guarded:
    """`Class(…)`."""
    info = info_of(run, declared)
    if info is None:
        return Unknown(Why.UNDEFINED, declared.simple)
    if any(each.endswith(".TypedDict") for each in info.library):
        return library.FUNCTIONS["builtins.dict"](Call(python, run, arguments, frame, at))
    leaf = TypeValue(declared, declared.name)
    if info.is_enum and enumerations.members(run, declared):
        value = arguments.values[0] if arguments.values else None
        return run.over(value, lambda each: enumerations.member_of(python, run, declared, each, at))
    if "builtins.type" in info.library and len(arguments.values) == 3:
        return types.made_by_metaclass(Call(python, run, arguments, frame, at), leaf)
    hook = python.of_metaclass(run, info, "__call__", leaf, frame)
    if hook is not UNSET and not inside(frame, "__call__"):
        return run.over(hook, lambda each: run.call(each, arguments, frame, at))
    made = python.make(run, declared, arguments, frame, at)
    unread = next((each for each in info.library if each.partition(".")[0] not in _OF_PYTHON), None)
    if unread is not None:  # its constructor may refuse what it gets
        may_throw(run, Unknown(Why.DYNAMIC, f"{unread}()"))
    return made


_OF_PYTHON = library.STANDARD | {"builtins"}


def make(
    python: Python, run: Interpreter, declared: Class, arguments: Arguments, frame: Frame, at: Location | None
) -> Guarded:
    """`type.__call__`: `__new__`, then `__init__`."""
    maker = classes.class_attribute(run, declared, "__new__")
    if maker is UNSET:
        made: Guarded = python.raw(run, declared, at)
        filled(python, run, made, arguments.values, at)
    else:
        given = Arguments(
            [TypeValue(declared, declared.name), *arguments.values], arguments.names, arguments.open
        )
        made = run.over(maker, lambda each: python.call(run, classes.function_of(each), given, frame, at))
    if run.guard is False:
        return UNSET

    def initialise(each: Any) -> Guarded:
        if (
            isinstance(each, Object)
            and each.declared is not None
            and classes.is_subclass(run, each.declared, declared)
        ):
            python.initialise(run, each, declared, arguments, frame, at)
        return each

    return run.over(made, initialise)


def raw(python: Python, run: Interpreter, declared: Class, at: Location | None) -> Object:
    """`object.__new__`: an instance nothing has been done to."""
    made = run.make(declared, declared.name, at)
    info = info_of(run, declared)
    unseen = classes.unseen(run, declared)
    if unseen is not None:
        made.open = unseen
        for each in info.annotated if info is not None else ():
            made.fields[each.name] = replace(unseen, symbol=("field", ("object", made.number), each.name))
    if unseen is not None or classes.class_attribute(run, declared, "__eq__") is not UNSET:
        made.fields[equality.OWN_EQUALITY] = partial(python._own_equality, run)
    for above in info.library if info is not None else ():
        library.become(run, made, above)
    return made


def filled(
    python: Python, run: Interpreter, made: Any, values: Sequence[Guarded], at: Location | None
) -> None:
    """What `str.__new__`, `int.__new__` and `tuple.__new__` make of their argument."""
    info = info_of(run, made.declared) if isinstance(made, Object) and made.declared is not None else None
    if info is None or info.is_enum or info.is_tuple:
        return
    for above in info.library:
        if above in ("builtins.str", "builtins.int", "builtins.float") and len(values) < 2:
            frame = info.frame
            plain = library.FUNCTIONS[above](Call(python, run, Arguments(list(values)), frame, at))
            if not isinstance(plain, Diagram):
                made.fields["<plain>"] = plain
        elif above == "builtins.tuple" and values:
            made.items = python.items(run, values[0], info.frame) or []
            if all(guard is True for guard, _ in made.items):
                made.fields["<plain>"] = tuple(item for _, item in made.items)


def initialise(
    python: Python,
    run: Interpreter,
    made: Object,
    declared: Class,
    arguments: Arguments,
    frame: Frame,
    at: Location | None,
) -> None:
    info = info_of(run, declared)
    filling = None if info is None else constructors.filling(run, info)
    hook = UNSET if filling is not None else classes.class_attribute(run, declared, "__init__")
    if hook is not UNSET:
        bound = classes.bind_to(python, run, hook, made, TypeValue(declared, declared.name), frame)
        run.over(bound, lambda each: python.call(run, each, arguments, frame, at))
    elif filling is not None:
        place = at or declared.at(declared.decl.at)
        constructors.fill(python, run, filling, made, arguments, frame, place)
    elif info is not None:
        for above in info.library:
            library.initialise(python, run, made, above, arguments, frame, at)
        unseen = classes.unseen(run, declared)
        if len(arguments) and all(each.partition(".")[0] not in _OF_PYTHON for each in info.library):
            _filled_unseen(
                made, info
            )  # by a constructor that a decorator, or a class nobody knows, has given it
        after = classes.method_of(python, run, made, "__post_init__", frame) if unseen is not None else UNSET
        if unseen is not None and after is not UNSET:
            run.hand_over((after,), unseen)


def _filled_unseen(made: Object, info: classes.ClassInfo) -> None:
    """What a constructor that nobody sees gets may be the values of the annotated names."""
    for each in info.annotated:
        reason = Unknown(Why.DYNAMIC, f"{info.declared.simple}.{each.name}")
        made.fields[each.name] = replace(reason, symbol=("field", ("object", made.number), each.name))


def super_call(python: Python, run: Interpreter, node: ir.Call, frame: Frame) -> Guarded:
    """`super().name(…)`: the next class in the order of the receiver's."""
    arguments = run.arguments(node.args, frame)
    if run.guard is False:
        return UNSET
    at = run.place(frame, node.at)
    holder = method_frame(frame)
    owner = holder.owner
    assert owner is not None
    receiver = holder.this
    if node.name == "__new__" and arguments.values:
        receiver = arguments.values[0]

    def one(leaf: Any) -> Guarded:
        declared = leaf.declared if isinstance(leaf, Object | TypeValue) else None
        if isinstance(leaf, Unknown) and leaf.type is not None:
            declared = leaf.type.declared
        if declared is None:
            return python.unseen(run, leaf, node.name, arguments, at)
        if node.name == "__new__":
            return _new_above(python, run, declared, owner, leaf, arguments, frame, at)
        found = classes.class_attribute(run, declared, node.name, owner)
        kind = leaf if isinstance(leaf, TypeValue) else TypeValue(declared, declared.name)
        if found is not UNSET:
            bound = classes.bind_to(python, run, found, leaf, kind, frame)
            return run.over(bound, lambda each: python.call(run, each, arguments, frame, at))
        result = _of_library_above(python, run, declared, owner, leaf, node.name, arguments, frame, at)
        return python.unseen(run, leaf, node.name, arguments, at) if result is UNSET else result

    return run.over(receiver, one)


def _new_above(
    python: Python,
    run: Interpreter,
    declared: Class,
    owner: Class,
    leaf: Any,
    arguments: Arguments,
    frame: Frame,
    at: Location,
) -> Guarded:
    """`super().__new__(…)`."""
    given = arguments.values[0] if arguments.values else leaf
    found = classes.class_attribute(run, declared, "__new__", owner)
    if found is not UNSET:
        return run.over(found, lambda each: python.call(run, classes.function_of(each), arguments, frame, at))
    begun = class_definitions.made_by_type(run, given, arguments)
    if begun is not UNSET:
        return begun
    target = given.declared if isinstance(given, TypeValue) else None
    made = python.raw(run, target or declared, at)
    filled(python, run, made, arguments.values[1:], at)
    return made


_DOES_NOTHING = frozenset(
    {"__init_subclass__", "__post_init__", "__enter__", "__exit__", "__del__", "__set_name__"}
)


def _of_library_above(
    python: Python,
    run: Interpreter,
    declared: Class,
    owner: Class,
    leaf: Any,
    name: str,
    arguments: Arguments,
    frame: Frame,
    at: Location,
) -> Guarded:
    """What a class of the library above a declared one has of a name; UNSET where nobody knows."""
    if name == "__call__" and isinstance(leaf, TypeValue):
        return python.make(run, declared, arguments, frame, at)
    info = info_of(run, declared)
    if name == "__init__" and isinstance(leaf, TypeValue):  # of `type`
        return None
    if name == "__init__" and isinstance(leaf, Object) and info is not None:
        filling = constructors.filling(run, info, owner)
        if filling is not None:
            constructors.fill(python, run, filling, leaf, arguments, frame, at)
        for above in info.library:
            library.initialise(python, run, leaf, above, arguments, frame, at)
        return None
    key = arguments.values[0] if arguments.values else None
    known = key.known if isinstance(key, Text) else None
    if isinstance(leaf, Object):
        if name == "__str__" and "<message>" in leaf.fields:
            return operations.shown_above(python, run, leaf)
        if name == "__setattr__" and len(arguments.values) == 2:
            if known is not None:
                classes.write(python, run, leaf, known, arguments.values[1], frame, at)
            return None
        if name == "__delattr__" and known is not None:
            classes.delete(run, leaf, known)
            return None
        if name == "__getattribute__" and known is not None:
            return classes.read(python, run, leaf, known, frame)
        if leaf.items is not None or leaf.entries is not None:
            result = python.of_collection(run, leaf, name, arguments.values, frame, at)
            if result is not UNSET or run.guard is False:
                return result
        result = library.method(python, run, leaf, name, arguments, frame, at)
        if result is not UNSET:
            return result
    given = any(is_written(each) is True for each in arguments.names.values())
    if name == "__init_subclass__" and given and info is not None and not info.library:
        run.throw(run.make(None, "builtins.TypeError", at))
    return None if name in _DOES_NOTHING else UNSET
