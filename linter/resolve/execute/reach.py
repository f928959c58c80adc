"""What a function, or the body of a loop, can reach, as it was before it ran."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute.guards import UNSET, apply, pick, some
from subdrift.linter.resolve.execute.havoc import alike, chain, forget_elements, unless_object
from subdrift.linter.resolve.execute.values import Bound, Frame, Function, Guarded, Object, TypeValue, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.declarations import Class
    from subdrift.linter.resolve.execute.interpreter import Interpreter

HELD_MAX = 128
"""Objects that one function can reach and that are compared before and after it ran; with more the rest is not."""

TURNED_MAX = 24
"""Objects that the body of a loop can reach and that are compared before and after turns of an unknown number."""

NESTED_MAX = 3
"""Functions that call functions they hold, followed to see whether one leads to a client library."""


def body_of(function: Function) -> tuple[ir.Stmt, ...]:
    """The statements of a function, whatever language it is of."""
    return function.body or getattr(getattr(function.native, "decl", None), "body", None) or ()


def held_by(function: Function, body: Any) -> dict[str, Guarded]:
    """The variables around a function that it names, the defaults of its parameters, and the fields of the objects that the
    code around it runs on, with what they hold."""
    names, is_named = _names_in(body)
    found: dict[str, Guarded] = dict(function.defaults) if function.defaults else {}
    for frame in around(function):
        if is_named and isinstance(frame.this, Function | Bound):
            found.setdefault("this", frame.this)  # of Kotlin, where functions are extended
        for name in names:
            if name in frame.variables:
                found.setdefault(name, frame.variables[name])
            elif type(frame.this) is Object and name in frame.this.fields:
                found.setdefault(name, frame.this.fields[name])
    return found


@remembered
def _names_in(body: Any) -> tuple[tuple[str, ...], bool]:
    """The names that code names, or calls what they hold, and whether it names `this`."""
    names: dict[str, None] = {}
    is_named = False
    for node in nodes(body):
        is_named = is_named or type(node) is ir.This
        if type(node) is ir.Name or (type(node) is ir.Call and node.target is None):
            names[node.name] = None
    return tuple(names), is_named


def around(function: Function) -> Iterator[Frame]:
    """The frames whose variables a function sees."""
    return chain(getattr(function.native, "frame", None) or function.frame)


def only_ones(run: Interpreter, function: Function) -> Iterator[tuple[str, Any]]:
    """The objects of which there is one that a function calls methods on by their names, with these."""
    owner = function.frame.owner if function.frame is not None else None
    for node in nodes(body_of(function)):
        if type(node) is ir.Call and type(node.target) is ir.Name and node.target.name[:1].isupper():
            named = None if owner is None else run.scope.named(node.target.name, owner)
            one = None if isinstance(named, str) else run.heap.get(("object", named))
            if one is not None:
                yield node.name, one


def _class_space(run: Interpreter, declared: Class) -> dict[int, dict[str, Guarded]]:
    """The attributes of a class where code may write these as it does those of an object, as it is in Python."""
    space = getattr(run.semantics_of(declared.file.language), "namespace", None)
    found = None if space is None else space(run, declared)
    return {} if found is None else {id(found): found}


def with_held(function: Function) -> list[Function]:
    """A function and those that it names, and that these name."""
    found = [function]
    for each in found:
        held = held_by(each, body_of(each)).values() if len(found) <= NESTED_MAX else ()
        found += [
            leaf
            for value in held
            for leaf in some(value, 4)
            if type(leaf) is Function and not any(leaf is one for one in found)
        ]
    return found


class Reach(Struct):
    """What a function can reach, as it was before it ran."""

    spaces: list[tuple[dict[str, Guarded], dict[str, Guarded]]]
    objects: list[tuple[Object, list[Any] | None, list[Guarded] | None, dict[str, Guarded]]]
    statics: dict[Any, Guarded]

    @staticmethod
    def of(run: Interpreter, function: Function | Bound, *, models: bool = True) -> Reach:
        """`models`: also what objects hold that models of libraries make."""
        if isinstance(function, Bound):
            return Reach.reached(run, [], [function.target])
        frames: list[Frame] = []
        roots: list[Guarded] = []
        for each in with_held(function):
            frames += [frame for frame in around(each) if frame not in frames]
            roots += [one for _, one in only_ones(run, each)]
            roots += [*held_by(each, body_of(each)).values(), each.this]
            given = getattr(each.native, "arguments", None)
            if given is not None:  # of a coroutine, which has them already
                shared = run.semantics_of("python").shared(run)  # type: ignore[attr-defined]
                roots = [*shared, *roots, *given.values, *given.names.values()]
        return Reach.reached(run, frames, [*roots, *(frame.this for frame in frames)], models=models)

    @staticmethod
    def of_loop(run: Interpreter, frame: Frame, named: Set[str]) -> Reach:
        """What the body of a loop can reach but for the variables of its own code; `named`: the variables that it names."""
        inner, *outer = chain(frame)
        roots = [value for one in (inner, *outer) for name, value in one.variables.items() if name in named]
        roots += [*(one.this for one in (inner, *outer)), *run.statics.values()]
        return Reach.reached(run, outer, reversed(roots), TURNED_MAX)

    @staticmethod
    def reached(
        run: Interpreter,
        frames: Sequence[Frame],
        roots: Iterable[Guarded],
        most: int = HELD_MAX,
        *,
        models: bool = True,
    ) -> Reach:
        spaces: dict[int, dict[str, Guarded]] = {}
        seen: dict[int, Object] = {}
        functions: set[int] = set()
        stack: list[Any] = [leaf for value in roots for leaf in some(value, 8)]
        while stack and len(seen) < most:
            leaf = stack.pop()
            if type(leaf) is tuple:
                stack += leaf
            elif type(leaf) is Bound:
                stack += some(leaf.target, 4)
            if (type(leaf) is TypeValue or type(leaf) is Object) and leaf.declared is not None:
                spaces.update(_class_space(run, leaf.declared))
            if type(leaf) is Function and id(leaf) not in functions and len(functions) < most:
                functions.add(id(leaf))
                spaces.update((id(each.variables), each.variables) for each in around(leaf))
                held = held_by(leaf, body_of(leaf)).values()
                stack += [one for value in held for one in some(value, 4) if type(one) in (Object, Function)]
            if type(leaf) is not Object or id(leaf) in seen or leaf.type == "module":
                continue
            if not models and leaf.declared is not None and leaf.declared.file.model:
                continue
            seen[id(leaf)] = leaf
            parts = [value for _, value in leaf.items or ()] + [entry.value for entry in leaf.entries or ()]
            for part in (*parts, *leaf.fields.values()):
                if type(part) is tuple or type(part) is Bound:
                    stack.append(part)
                else:
                    stack += [one for one in some(part, 4) if type(one) in (Object, Function)]
        return Reach(
            [(each, dict(each)) for each in (*(frame.variables for frame in frames), *spaces.values())],
            [
                (
                    one,
                    None if one.items is None else list(one.items),
                    None if one.entries is None else [entry.value for entry in one.entries],
                    dict(one.fields),
                )
                for one in seen.values()
            ],
            dict(run.statics),
        )

    def forget_changes(
        self, run: Interpreter, guard: Guarded, reason: Unknown, *, grows: bool = False
    ) -> None:
        """What is other than it was is not known, as nobody knows how often the function ran; `grows`: a collection keeps
        what it holds; to follow how many there may be of what a loop adds makes runs dear."""

        def lost(
            values: dict[Any, Guarded], old: dict[Any, Guarded], appears: Callable[[Any, Guarded], bool]
        ) -> None:
            for name, value in list(values.items()):
                if value is not old.get(name, UNSET) and (name in old or appears(name, value)):
                    symbol = ("handed", name if type(name) is str else name[1], run.unique())
                    unknown = replace(reason, symbol=symbol)
                    values[name] = pick(guard, apply(partial(unless_object, unknown), value), value)

        for now, before in self.spaces:
            lost(now, before, lambda name, value: False)
        lost(run.statics, self.statics, lambda at, value: _is_written(run, at[0], at[1], value))
        for one, items, entries, fields in self.objects:
            values = None if one.entries is None else [entry.value for entry in one.entries]
            if _differ(one.items, items) or _differ(values, entries):
                if grows:
                    _lose_replaced(one, items or (), entries or (), guard, reason)
                else:
                    forget_elements(run, one, guard)
                    one.open = one.open or replace(reason, symbol=None)
            declared = one.declared
            lost(one.fields, fields, lambda name, value: _is_written(run, declared, name, value))  # noqa: B023


def _is_written(run: Interpreter, declared: Class | None, name: str, value: Guarded) -> bool:
    """Whether a field of a class that had no value yet holds another than it begins with."""
    found = None if declared is None else run.scope.field(declared, name)
    if found is None or found[1].final:
        return False
    return any(leaf is not None and leaf is not False and leaf != 0 for leaf in some(value, 4))


def _lose_replaced(
    made: Object, items: Sequence[Any], values: Sequence[Guarded], guard: Guarded, reason: Unknown
) -> None:
    """The elements of a collection that are others than they were, at places where there were some, are not known."""

    def one(value: Guarded) -> Guarded:
        return pick(guard, apply(lambda leaf: unless_object(reason, leaf), value), value)

    if len(made.items or made.entries or ()) > len(items or values):
        made.open = made.open or alike(reason, made)
    if made.items is not None:
        made.items = [
            (pair[0], one(pair[1])) if place < len(items) and pair is not items[place] else pair
            for place, pair in enumerate(made.items)
        ]
    for entry, value in zip(made.entries or (), values, strict=False):
        if entry.value is not value:
            entry.value = one(entry.value)


def _differ(now: list[Any] | None, before: list[Any] | None) -> bool:
    if now is None or before is None:
        return now is not before
    return len(now) != len(before) or any(a is not b for a, b in zip(now, before, strict=True))
