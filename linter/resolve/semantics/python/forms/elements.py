"""Items: indices, slices, iteration, unpacking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.exceptions import may_fail, may_refuse, may_throw
from subdrift.linter.resolve.execute.guards import UNSET, Diagram, apply, both, leaves, negate
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.loops import LOOP_MAX, ending, fail
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Entry,
    Frame,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import (
    classes,
    containers,
    enumerations,
    equality,
    hints,
    lazies,
    library,
    operators,
    texts,
)
from subdrift.linter.resolve.semantics.python.classes import info_of
from subdrift.linter.resolve.semantics.python.concrete import computed, unknown_from
from subdrift.linter.resolve.semantics.python.equality import put
from subdrift.linter.resolve.semantics.python.forms.common import escape
from subdrift.linter.resolve.semantics.python.functions import awaited, module_frame
from subdrift.linter.resolve.semantics.python.natives import Call
from subdrift.linter.resolve.semantics.python.standard import system

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


_STOPS = ("builtins.StopIteration", "builtins.StopAsyncIteration")


def index(python: Python, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> Guarded:
    place = run.place(frame, at)
    return texts.of_key(run, key, place, lambda each: python.element(run, leaf, each, frame, place))


def element(
    python: Python, run: Interpreter, leaf: Any, key: Any, frame: Frame, at: Location | None
) -> Guarded:
    """`leaf[key]`."""
    if isinstance(leaf, TypeValue):
        return element_of_type(python, run, leaf, key, frame, at)
    if isinstance(leaf, Object) and leaf.declared is not None:
        hook = classes.method_of(python, run, leaf, "__getitem__", frame)
        if hook is not UNSET:
            return run.over(hook, lambda each: run.call(each, Arguments([key]), frame, at))
    return own_element(python, run, leaf, key, frame, at)


def of_collection(
    python: Python,
    run: Interpreter,
    leaf: Object,
    name: str,
    values: Sequence[Guarded],
    frame: Frame,
    at: Location | None,
) -> Guarded:
    """A special method as the collection has it that a class of the program extends; UNSET for others."""
    match name, values:
        case "__getitem__", [key]:
            return run.over(key, lambda each: own_element(python, run, leaf, each, frame, at))
        case "__setitem__", [key, value]:
            containers.set_index(run, leaf, key, value, at)
        case "__delitem__", [key]:
            containers.delete(run, leaf, key, at)
        case "__contains__", [key]:
            return apply(lambda each: operators.contains(run, leaf, each), key)
        case "__len__", []:
            return containers.size(leaf)
        case "__iter__", []:
            return containers.made_of(run, "generator", containers.pairs(leaf) or [], at)
        case _:
            return UNSET
    return None


def own_element(
    python: Python, run: Interpreter, leaf: Any, key: Any, frame: Frame, at: Location | None
) -> Guarded:
    """`leaf[key]` where no class of the program says what it is."""
    if isinstance(leaf, Object):
        own = library.item(python, run, leaf, key, frame, at)
        if own is not UNSET:
            return own
    if isinstance(key, Object) and key.type == "slice":
        if isinstance(leaf, Object) and leaf.type == "deque":
            run.throw(run.make(None, "builtins.TypeError", at))
            return UNSET
        bounds = containers.bounds_of(key)
        if isinstance(leaf, Object) and "<compare>" in leaf.fields and leaf.open is None:
            leaf = tuple(item for _, item in leaf.items or ())  # of a named tuple
        if bounds is not None:
            return containers.sliced(run, leaf, bounds, at)
        return unknown_from((leaf,), phrase("slice"))
    if isinstance(leaf, Text):
        if isinstance(key, int):
            return computed(run, lambda own, place: own[place], at, leaf, key, detail=phrase("character"))
        return unknown_from((leaf, key), phrase("character"))
    plain = equality.plain(key) if isinstance(key, Object | TypeValue) else key
    found = containers.index(run, leaf, plain, at)
    if found is not UNSET:
        if isinstance(found, Unknown) and isinstance(leaf, Object) and containers.may_lack(leaf, plain):
            containers.fails(run, "IndexError" if leaf.entries is None else "KeyError", found, at)
        elif isinstance(found, Unknown) and isinstance(leaf, Unknown):
            for refused in ("KeyError", "IndexError"):
                may_refuse(run, f"builtins.{refused}", found, at)
            may_fail(run, found)
        return found
    if isinstance(leaf, Object):
        factory = leaf.fields.get("<default>", UNSET)
        if factory is not UNSET:
            value = (
                factory if isinstance(factory, int) else python.call(run, factory, Arguments([]), frame, at)
            )
            if not isinstance(factory, int):  # a Counter does not keep what it is asked for
                containers.set_index(run, leaf, key, value)
            return value
        missing = classes.method_of(python, run, leaf, "__missing__", frame)
        if missing is not UNSET:
            return run.over(missing, lambda each: run.call(each, Arguments([key]), frame, at))
    missed = isinstance(leaf, Object) and leaf.entries is not None
    error = run.make(None, "builtins.KeyError" if missed else "builtins.IndexError", at)
    error.fields["args"] = (key,) if missed else (text("list index out of range"),)
    error.fields["<message>"] = error.fields["args"][0]
    run.throw(error)
    return UNSET


def element_of_type(
    python: Python, run: Interpreter, leaf: TypeValue, key: Any, frame: Frame, at: Location | None
) -> Guarded:
    if leaf.declared is not None:
        known = key.known if isinstance(key, Text) else None
        every = enumerations.members(run, leaf.declared)
        if every is not None:
            found = next((each for each in every if each.constant == known), None)
            if found is None and known is not None:
                alias = classes.class_attribute(run, leaf.declared, known)
                found = alias if isinstance(alias, Object) and alias.constant else None
            if found is not None:
                return found
            if known is not None:
                fields: dict[str, Any] = {"args": (key,), "<message>": python.represented(run, key)}
                run.throw(run.make(None, "builtins.KeyError", at, fields=fields))
                return UNSET
            made = unknown_from((key,), f"{leaf.declared.simple}[…]")
            return replace(made, type=leaf)
        info = info_of(run, leaf.declared)
        if info is not None:
            hook = python.of_metaclass(run, info, "__getitem__", leaf, frame)
            if hook is UNSET:
                hook = classes.class_attribute(run, leaf.declared, "__class_getitem__")
                hook = UNSET if hook is UNSET else classes.bind_to(python, run, hook, leaf, leaf, frame)
            if hook is not UNSET:
                return run.over(hook, lambda each: run.call(each, Arguments([key]), frame, at))
        return hints.with_arguments(leaf, key)
    if leaf.name in ("typing.Literal", "typing_extensions.Literal"):
        return hints.alias(run, leaf, key if isinstance(key, tuple) else (key,), at)
    if leaf.name == "sys.modules":
        return loaded(python, run, key, frame)
    if leaf.name == "os.environ":
        may_lack_variable(run, key, frame, at)
    found = library.element(run, leaf.name, key, at)
    return hints.with_arguments(leaf, key) if found is UNSET else found


def may_lack_variable(run: Interpreter, key: Any, frame: Frame, at: Location | None) -> None:
    """`os.environ[key]` where code handles that there is no such variable: as if it asked for that first."""
    error = run.make(None, "builtins.KeyError", at)
    error.fields["args"], error.fields["<message>"] = (key,), key
    if all(handles(error) is None for handles in run.handlers):
        return
    before = run.guard
    there = run.guard_of(library.contains(run, "os.environ", key), frame, _code_at(frame))
    missing = both(before, negate(there))
    if missing is not False:
        run.raised.append((missing, error))
    run.guard = both(before, there)


def _code_at(frame: Frame) -> ir.At:
    return frame.owner.decl.name_at if frame.owner is not None else (1, 1, 1, 1)


def loaded(python: Python, run: Interpreter, key: Any, frame: Frame) -> Guarded:
    """`sys.modules[name]`: most often the module of the code itself."""
    known = key.known if isinstance(key, Text) else None
    module = module_frame(frame)
    if known is None or module.owner is None:
        return unknown_from((key,), "sys.modules")
    origin = module.owner.file.origin
    own = module.variables.get("__name__", UNSET)
    if isinstance(own, Text) and own.known == known:
        return run.heap.get(("python module value", origin), unknown_from((key,), "sys.modules"))
    return python.absolute(run, origin, known)


def set_index(
    python: Python, run: Interpreter, leaf: Any, key: Guarded, value: Guarded, frame: Frame, at: ir.At
) -> None:
    if isinstance(leaf, Object) and leaf.declared is not None:
        hook = classes.method_of(python, run, leaf, "__setitem__", frame)
        if hook is not UNSET:
            place = run.place(frame, at)
            run.over(hook, lambda each: run.call(each, Arguments([key, value]), frame, place))
            return
    if not isinstance(leaf, Object):
        escape(run, (value,))
        run.unseen += 1
    if isinstance(leaf, Unknown):
        _changed(run, leaf, key)
    if isinstance(leaf, Object) and (leaf.entries is not None or leaf.items is not None):
        containers.set_index(run, leaf, key, value, run.place(frame, at))
        classes.put_back(leaf)
    elif isinstance(leaf, tuple | Text):
        run.throw(run.make(None, "builtins.TypeError", run.place(frame, at)))
    elif isinstance(leaf, TypeValue) and leaf.name == "os.environ":
        for guard, name in leaves(key, run.guard):
            if guard is not False:
                system.set_variable(run, name, value)


def _changed(run: Interpreter, leaf: Unknown, key: Guarded) -> None:
    """An element of what nobody knows is set, or taken out of it, if it has it and lets that be done."""
    unknown = unknown_from((leaf, key), phrase("element"))
    containers.forget_aliases(run, leaf, unknown)
    may_throw(run, unknown)


def delete(python: Python, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> None:
    """`del leaf[key]`."""
    if isinstance(leaf, TypeValue) and leaf.name == "os.environ":
        apply(lambda name: system.set_variable(run, name, system.GONE), key)
    if isinstance(leaf, Unknown):
        run.unseen += 1
        _changed(run, leaf, key)
    if not isinstance(leaf, Object):
        return
    if leaf.declared is not None:
        hook = classes.method_of(python, run, leaf, "__delitem__", frame)
        if hook is not UNSET:
            place = run.place(frame, at)
            run.over(hook, lambda each: run.call(each, Arguments([key]), frame, place))
            return
    containers.delete(run, leaf, key, run.place(frame, at))
    classes.put_back(leaf)


def items(python: Python, run: Interpreter, leaf: Any, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
    if isinstance(leaf, Diagram):
        found: list[tuple[Guarded, Guarded]] = []
        for guard, each in leaves(leaf, run.guard):
            inner = python.items(run, each, frame)
            if inner is None:
                return None
            found += [(both(guard, more), item) for more, item in inner]
        return found
    if isinstance(leaf, TypeValue) and leaf.declared is not None:
        every = enumerations.members(run, leaf.declared)
        if every is not None:
            return [(True, each) for each in every if enumerations.is_canonical(each)]
        info = info_of(run, leaf.declared)
        hook = python.of_metaclass(run, info, "__iter__", leaf, frame) if info is not None else UNSET
        if hook is not UNSET:
            return python.items(
                run, run.over(hook, lambda each: run.call(each, Arguments([]), frame, None)), frame
            )
        return None
    if isinstance(leaf, Object) and leaf.declared is not None and not leaf.constant:
        hook = classes.method_of(python, run, leaf, ("__iter__", "__aiter__"), frame)
        if hook is not UNSET:
            made = run.over(hook, lambda each: run.call(each, Arguments([]), frame, leaf.at))
            if isinstance(made, Object) and (made is leaf or made.declared is not None):
                return drawn(python, run, made, frame)
            return python.items(run, made, frame)
        hook = classes.method_of(python, run, leaf, lazies.NEXT, frame)
        if hook is not UNSET:
            return drawn(python, run, leaf, frame)
        hook = classes.method_of(python, run, leaf, "__getitem__", frame)
        if hook is not UNSET and leaf.items is None and leaf.entries is None:
            return counted(python, run, hook, leaf, frame)
    if isinstance(leaf, Object) and f"{leaf.type}.__iter__" in library.METHODS:
        lines = library.METHODS[f"{leaf.type}.__iter__"](
            Call(python, run, Arguments([]), frame, leaf.at), leaf
        )
        return containers.pairs(lines)
    found_items = containers.pairs(leaf)
    if isinstance(leaf, Object) and leaf.type == "generator" and leaf.open is None:
        containers.drain(run, leaf)
        fail(run, ending(leaf))
    return found_items


def drawn(
    python: Python, run: Interpreter, leaf: Object, frame: Frame
) -> list[tuple[Guarded, Guarded]] | None:
    """What an iterator of the program gives until it stops."""

    def turn(_: int) -> Guarded:
        return python.stepped(run, leaf, frame)

    return until_stopped(python, run, leaf, turn, _STOPS)


def stepped(python: Python, run: Interpreter, leaf: Object, frame: Frame) -> Guarded:
    """What an iterator of the program gives next."""
    hook = classes.method_of(python, run, leaf, lazies.NEXT, frame)
    found = run.over(hook, lambda each: run.call(each, Arguments([]), frame, leaf.at))
    return awaited(python, run, found, frame, leaf.at)


def counted(
    python: Python, run: Interpreter, hook: Guarded, leaf: Object, frame: Frame
) -> list[tuple[Guarded, Guarded]]:
    """What an object of the program has under 0, 1, 2 and so on."""

    def turn(number: int) -> Guarded:
        return run.over(hook, lambda each: run.call(each, Arguments([number]), frame, leaf.at))

    return until_stopped(python, run, leaf, turn, ("builtins.IndexError",))


def until_stopped(
    python: Python, run: Interpreter, leaf: Object, turn: Callable[[int], Guarded], stops: tuple[str, ...]
) -> list[tuple[Guarded, Guarded]]:
    found: list[tuple[Guarded, Guarded]] = []
    before, outer = run.guard, run.raised
    run.raised = []
    for number in range(LOOP_MAX):
        value = turn(number)
        if run.guard is False:
            break
        found.append((run.guard if run.guard != before else True, value))
    else:
        run.note(phrase("more-than-turns-of-a-loop", LOOP_MAX), leaf.at)
    kept = [pair for pair in run.raised if not _is_of(pair[1], stops)]
    run.guard, run.raised = before, [*outer, *kept]
    return found


def miscounted(
    python: Python, run: Interpreter, leaf: Any, count: int, starred: bool, at: Location
) -> Object | None:
    """What unpacking a value into so many names throws, one of which may take what is left; None where it throws nothing."""
    if leaf is None or isinstance(leaf, int | float):
        kind = type(leaf).__name__
        return _thrown(run, "TypeError", f"cannot unpack non-iterable {kind} object", at)
    if not isinstance(leaf, tuple | Text) and (
        not isinstance(leaf, Object)
        or leaf.declared is not None
        or leaf.type == "generator"
        or leaf.open is not None
    ):
        reason = leaf if isinstance(leaf, Unknown) else unknown_from((leaf,), phrase("element"))
        may_refuse(run, "builtins.ValueError", reason, at)
        return None
    held, least = containers.size(leaf), count - starred
    if type(held) is not int:
        may_refuse(run, "builtins.ValueError", unknown_from((leaf,), phrase("element")), at)
        return None
    if held < least:
        atleast = "at least " if starred else ""
        return _thrown(
            run, "ValueError", f"not enough values to unpack (expected {atleast}{least}, got {held})", at
        )
    if held > count and not starred:
        return _thrown(run, "ValueError", f"too many values to unpack (expected {count})", at)
    return None


def _thrown(run: Interpreter, kind: str, message: str, at: Location) -> Object:
    error = run.make(None, f"builtins.{kind}", at)
    error.fields["args"] = (text(message),)
    error.fields["<message>"] = text(message)
    return error


def sequence(
    python: Python, run: Interpreter, kind: str, items: list[tuple[Guarded, Guarded]], at: Location
) -> Any:
    if kind == "tuple" and all(guard is True for guard, _ in items):
        return tuple(item for _, item in items)
    return containers.made_of(run, kind, items, at)


def mapping(python: Python, run: Interpreter, entries: list[Entry], at: Location | None) -> Any:
    made = run.make(None, "dict", at)
    made.entries = []
    for one in entries:
        put(made, one.key, one.value, one.guard, one.at)
    return made


def _is_of(value: Any, names: tuple[str, ...]) -> bool:
    """Whether what was thrown is an exception of one of some names."""
    name = value.type if isinstance(value, Object) else value.name if isinstance(value, TypeValue) else ""
    return name in names
