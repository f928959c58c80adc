"""What a method of the program that is given up at a bound may have written: its code tells, and that of what it leads to."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute.guards import UNSET, leaves, pick, some
from subdrift.linter.resolve.execute.handed import functions_in
from subdrift.linter.resolve.execute.havoc import (
    REACHED_MAX,
    chain,
    forget_contents,
    forget_fields,
    mentioned_in,
    unless_object,
)
from subdrift.linter.resolve.execute.slice_names import ANY, OWN
from subdrift.linter.resolve.execute.state import NEEDS_LEAVES_MAX
from subdrift.linter.resolve.execute.values import Function, Guarded, Object, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.declarations import Class, File, Method
    from subdrift.linter.resolve.execute.interpreter import Interpreter

_CHANGES: Final = re.compile(
    r"(?:and|or|xor|flip|add|append|put|offer|push|pop|poll|remove|clear|retain|replace|set|compute|merge|insert|delete"
    r"|update|discard|extend|sort|reverse|rotate|shuffle|swap|fill|load|drain|increment|decrement|accumulate|getAnd"
    r"|compareAnd|take|next|copy|arraycopy|subscribe|unsubscribe|write|plusAssign|minusAssign)(?![a-z])"
    r"|\w+And(?:Get|Set|Add|Put)(?![a-z])|setdefault|difference_|intersection_|symmetric_"
)
"""Names of library methods that change what they are called on, or what they are given."""


_STARTS: Final = frozenset(
    """
    submit execute schedule scheduleAtFixedRate scheduleWithFixedDelay invokeAll invokeAny runAsync supplyAsync start launch
    async create_task run_in_executor apply_async map_async
    """.split()  # noqa: SIM905
)
"""What a library runs objects by that it is handed."""


class Changes(Struct, frozen=True):
    """What methods change: the `fields` they give a value, each with the class of which it is one (None: of any), the names
    of the variables and fields whose `contents` they change; the classes whose methods they are, and whether they hand
    objects to a library that runs them."""

    fields: frozenset[tuple[Class | None, str]]
    contents: frozenset[str]
    owners: frozenset[Class]
    starts: bool


def give_up(run: Interpreter, method: Method, handed: Sequence[Guarded], reason: Unknown) -> None:
    """What a method that was given up may have written, or run of what its objects hold, is not known."""
    lose_written(run, method, handed, reason)
    if run.brief:
        return
    kinds = (Function, Object) if _changes_of(run, method).starts else (Function,)
    held = [
        part
        for one in handed
        for leaf in some(one, NEEDS_LEAVES_MAX)
        if type(leaf) is Object
        for part in leaf.fields.values()
    ]
    run.hand_over([leaf for _, leaf in functions_in(run, held) if type(leaf) in kinds], reason)


def lose_written(run: Interpreter, method: Method, handed: Iterable[Guarded], reason: Unknown) -> None:
    """Forgets what a method that was given up may have written, in what it runs on, in what it got and in what these hold.

    Not in a test: it prepares whole servers, and to go on behind what was given up of them costs more than all else.
    """
    if not run.brief:
        _lose(run, _changes_of(run, method), handed, reason)


def lose_used(run: Interpreter, made: Object, methods: Iterable[Method], reason: Unknown) -> None:
    """Forgets what an object holds that some of its methods write: code that nobody sees has called them before. Other objects
    that it has stay, and consumers as they are."""
    parts = [_written_by(one) for one in methods]
    fields = {name for assigned, _ in parts for _, name in assigned}
    contents = frozenset[str]().union(*(changed for _, changed in parts))
    forget_fields(run, made, fields & made.fields.keys(), unless_object)
    held = [leaf for name in sorted(contents & made.fields.keys()) for leaf in some(made.fields[name], 8)]
    forget_contents(
        run,
        reason,
        [one for one in held if type(one) is Object and one.declared is None and one.client is None],
    )


_ADDING: Final = frozenset({"add", "append", "extend", "insert"})


def lose_filled(run: Interpreter, file: File, held: Mapping[str, Guarded], reason: Unknown) -> None:
    """Forgets the contents of what a module holds that its functions change: code that nobody sees may have called them. A
    list to which they only add keeps what it has."""
    functions = [
        one for one in nodes(file.unit.types) if isinstance(one, ir.MethodDecl) and one.name != "<module>"
    ]
    bodies = [(one.params, one.body or ()) for one in functions]
    contents = frozenset[str]().union(*map(_contents_in, bodies))
    changed = frozenset[str]().union(*(_contents_in(body, _ADDING) for body in bodies))
    lost: list[Guarded] = []
    for name, value in held.items():
        for guard, leaf in leaves(value, run.guard):
            if type(leaf) is Object and leaf.items is not None and name in contents - changed:
                leaf.open = leaf.open or replace(reason, symbol=None)
            elif type(leaf) is Object and (name in contents or leaf.declared is not None):
                lost.append(pick(guard, leaf, None))
    changes = Changes(frozenset(), contents, frozenset(file.all_classes()), starts=False)
    _lose(run, changes, lost, reason)


def _lose(run: Interpreter, changes: Changes, handed: Iterable[Guarded], reason: Unknown) -> None:
    stack = [pair for value in handed for pair in leaves(value, run.guard)]
    if changes.contents:
        forget_contents(
            run, reason, [leaf for _, leaf in stack if type(leaf) is Object and leaf.declared is None]
        )
    for (holder, name), held in list(run.statics.items()):
        if holder in changes.owners:
            declared = holder.fields.get(name)
            if (holder, name) in changes.fields and declared is not None and not declared.final:
                run.statics[holder, name] = pick(
                    run.guard, Unknown(reason.why, name, ("lost", name, run.steps)), held
                )
            if name in changes.contents:
                forget_contents(run, reason, [held])
            stack += leaves(held, run.guard)
    seen: set[int] = set()
    while stack and len(seen) < REACHED_MAX:
        guard, leaf = stack.pop()
        if type(leaf) is not Object or id(leaf) in seen:
            continue
        seen.add(id(leaf))
        values = [value for _, value in leaf.items or ()] + [entry.value for entry in leaf.entries or ()]
        if leaf.declared is not None and not leaf.declared.file.model:
            values += leaf.fields.values()
            _lose_of(run, leaf, guard, changes, reason)
        stack += [pair for value in values for pair in leaves(value, guard)]


def _lose_of(run: Interpreter, leaf: Object, guard: Guarded, changes: Changes, reason: Unknown) -> None:
    """Forgets what one object of the program may have got, on the path of a guard."""
    assert leaf.declared is not None
    family = {None, *run.scope.supers(leaf.declared)}
    before, run.guard = run.guard, guard
    around = [frame.variables for frame in chain(leaf.captured)]
    changed = [held[name] for held in (leaf.fields, *around) for name in changes.contents & held.keys()]
    forget_contents(run, reason, [value for value in changed if value is not UNSET])
    forget_fields(run, leaf, {name for owner, name in changes.fields if owner in family})
    run.guard = before


def _changes_of(run: Interpreter, method: Method) -> Changes:
    known = run.scope.program.slice
    found = known.changes.get(method)
    if found is None:
        methods = list(_led_to(run, method))
        owners = frozenset(around for one in methods for around in one.owner.lexical())
        fields: set[tuple[Class | None, str]] = set()
        contents: set[str] = set()
        for one in methods:
            assigned, changed = _written_by(one)
            own = {owner for around in one.owner.lexical() for owner in run.scope.supers(around)}
            for of_this, name in assigned:
                fields |= {(owner, name) for owner in own} if of_this else {(None, name)}
            contents |= changed
        starts = any(
            not _STARTS.isdisjoint(known.methods[one].called) for one in methods if one in known.methods
        )
        found = known.changes[method] = Changes(frozenset(fields), frozenset(contents), owners, starts)
    return found


def _written_by(method: Method) -> tuple[frozenset[tuple[bool, str]], frozenset[str]]:
    """The fields that a method itself gives a value, and the names of what it changes the contents of."""
    if method.changes is None:
        body = (method.decl.params, method.decl.body or ())
        method.changes = frozenset(_assigned_in(body)), frozenset(_contents_in(body))
    return method.changes


def _led_to(run: Interpreter, method: Method) -> Iterator[Method]:
    """A method, and those that its calls may mean, by name and the receiver's declared type."""
    known = run.scope.program.slice
    stack, seen = [method], {method}
    while stack:
        current = stack.pop()
        yield current
        names = known.methods.get(current)
        for name, receiver in names.calls if names is not None else ():
            for one in known.by_name.get(name, ()):
                own = receiver is OWN and any(
                    each.simple in known.families.get(one.owner.simple, ())
                    for each in current.owner.lexical()
                )
                if one not in seen and (
                    own or receiver is ANY or one.owner.simple in known.families.get(receiver, (receiver,))
                ):
                    seen.add(one)
                    stack.append(one)


def _assigned_in(body: Any) -> Iterator[tuple[bool, str]]:
    """The fields that code gives a value, and whether they are those of its own object, or of one around."""
    local = {node.name for node in nodes(body) if isinstance(node, ir.Let | ir.Param)}
    for node in nodes(body):
        target = node.target if isinstance(node, ir.Assign) else None
        if isinstance(target, ir.Name) and target.name not in local:
            yield True, target.name
        elif isinstance(target, ir.Attribute):
            yield isinstance(target.target, ir.This), target.name


def _contents_in(body: Any, but: Container[str] = ()) -> set[str]:
    """The names of variables and fields whose contents code changes, by these or by other names that it has for them; not
    by the methods `but`."""
    changed: set[str] = set()
    other: dict[str, set[str]] = {}
    for node in nodes(body):
        name, of = "", None
        if isinstance(node, ir.Let):
            name, of = node.name, node.value
        elif isinstance(node, ir.ForEach) and isinstance(node.target, ir.Name):
            name, of = node.target.name, node.source
        elif isinstance(node, ir.InstanceOf):
            name, of = node.name, node.value
        elif isinstance(node, ir.Assign):
            if isinstance(node.target, ir.Index):
                changed |= mentioned_in(node.target)
            elif isinstance(node.target, ir.Name):
                name, of = node.target.name, node.value
        elif isinstance(node, ir.Call):
            given = [each.value for each in node.args]
            for each in given:
                for param in each.params if isinstance(each, ir.Lambda) else ():
                    other.setdefault(param.name, set()).update(mentioned_in((node.target, *given)))
            if _CHANGES.match(node.name) and node.name not in but:
                is_static = isinstance(node.target, ir.Name) and node.target.name[:1].isupper()
                changed |= mentioned_in((node.target, *(given if is_static else ())))
        if name and of is not None:
            other.setdefault(name, set()).update(mentioned_in(of))
    stack = list(changed)
    while stack:
        for alias in other.get(stack.pop(), set()) - changed:
            changed.add(alias)
            stack.append(alias)
    return changed
