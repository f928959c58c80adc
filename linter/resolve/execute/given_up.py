"""What a method of the program that is given up at a bound may have written: its code tells, and that of what it leads to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute.changes import (
    CHANGES,
    assigned_fields,
    assigned_on_types,
    called_in,
    changed_in,
    parts_changed,
)
from subdrift.linter.resolve.execute.guards import UNSET, apply, leaves, pick, some
from subdrift.linter.resolve.execute.handed import functions_in, held_around
from subdrift.linter.resolve.execute.havoc import (
    REACHED_MAX,
    chain,
    forget_contents,
    forget_elements,
    forget_fields,
    unless_object,
    written,
)
from subdrift.linter.resolve.execute.reach import Reach, body_of
from subdrift.linter.resolve.execute.slice_names import ANY
from subdrift.linter.resolve.execute.state import NEEDS_LEAVES_MAX
from subdrift.linter.resolve.execute.values import Bound, Frame, Function, Guarded, Object, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.declarations import Class, File, Method
    from subdrift.linter.resolve.execute.interpreter import Interpreter

_STARTS: Final = frozenset(
    """
    submit execute schedule scheduleAtFixedRate scheduleWithFixedDelay invokeAll invokeAny runAsync supplyAsync start launch
    async create_task run_in_executor apply_async map_async
    """.split()  # noqa: SIM905
)
"""What a library runs objects by that it is handed."""


FOLLOWED_MAX = 2_000
"""Methods that calls may lead to, by name; of more than so many what they change is looked at for all of the program at once:
in a program of twenty thousand most lead to most."""


class Changes(Struct, frozen=True):
    """What methods change: the `fields` they give a value, each with the class of which it is one (None: of any), those of
    them that are static, the names of the variables and fields whose `contents` they change, and not by adding alone
    (`moved`); the classes whose methods they are, and whether they hand objects to a library that runs them."""

    fields: frozenset[tuple[Class | None, str]]
    contents: frozenset[str]
    moved: frozenset[str]
    owners: frozenset[Class]
    starts: bool
    statics: Sequence[tuple[Class, str]] = ()
    by_class: dict[Class | None, set[str]] = {}

    def of(self, family: Iterable[Class]) -> set[str]:
        """The names of the fields of an object of some classes."""
        return self.by_class.get(None, set()).union(
            *(self.by_class[one] for one in family if one in self.by_class)
        )


def give_up(run: Interpreter, method: Method, handed: Sequence[Guarded], reason: Unknown) -> None:
    """What a method that was given up may have written, or run of what its objects hold, is not known."""
    lose_written(run, method, handed, reason)
    if run.brief:
        return
    run.missed.add("")  # of functions of the program it may have called any
    kinds = (Function, Object) if changes_of(run, method).starts else (Function,)
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
        _lose(run, changes_of(run, method), handed, reason)


def lose_used(run: Interpreter, made: Object, methods: Iterable[Method], reason: Unknown) -> None:
    """Forgets what an object holds that some of its methods write: code that nobody sees has called them before. Other objects
    that it has stay, and consumers as they are."""
    parts = [_written_by(one) for one in methods]
    fields = {name for assigned, *_ in parts for _, name in assigned}
    contents = frozenset[str]().union(*(changed for _, changed, _ in parts))
    forget_fields(run, made, fields & made.fields.keys(), unless_object)
    held = [leaf for name in sorted(contents & made.fields.keys()) for leaf in some(made.fields[name], 8)]
    forget_contents(
        run,
        reason,
        [one for one in held if type(one) is Object and one.declared is None and one.client is None],
    )


CALLED: Final = "called on what nobody knows"
"""In the heap of a run: the names of methods that were, each with a reason."""


def lose_called(run: Interpreter, name: str, reason: Unknown) -> None:
    """A method is called on what nobody knows: it may be any of the program's of that name, and what these write to statics,
    and to objects of which there is one, is not known."""
    run.heap.setdefault(CALLED, {}).setdefault(name, reason)
    for owner, names in _shared_by(run, name):
        _lose_shared(run, owner, names, reason)


def lose_earlier(run: Interpreter, owner: Class) -> None:
    """What a class begins with may have been written by such calls before the run came to it."""
    for changes, reason in run.heap.get(LATER, ()):
        _lose_shared_of(run, owner, changes, reason)
    for name, reason in run.heap.get(CALLED, {}).items():
        for of, names in _shared_by(run, name):
            if of is owner:
                _lose_shared(run, owner, names, reason)


def _lose_shared(run: Interpreter, owner: Class, names: Sequence[str], reason: Unknown) -> None:
    for field in names:
        if (owner, field) in run.statics and not owner.fields[field].final:
            lost = Unknown(reason.why, field, ("lost", field, run.steps))
            held = run.statics[owner, field]
            run.statics[owner, field] = pick(run.guard, apply(partial(unless_object, lost), held), held)
    only = run.heap.get(("object", owner))
    if isinstance(only, Object):
        forget_fields(run, only, names, unless_object)


def _shared_by(run: Interpreter, name: str) -> list[tuple[Class, list[str]]]:
    """The classes of which methods of a name write fields, with these."""
    known: dict[str, list[tuple[Class, list[str]]]] = run.heap.setdefault("written by name", {})
    if name not in known:
        found: dict[Class, set[str]] = {}
        for owner, field in _changed_by(run, _followed(run, None, ((name, ANY),))).fields:
            if owner is not None and field in owner.fields:
                found.setdefault(owner, set()).add(field)
        known[name] = [(owner, sorted(fields)) for owner, fields in found.items()]
    return known[name]


_ADDING: Final = frozenset({"add", "append", "extend", "insert"})


def lose_filled(run: Interpreter, file: File, held: Mapping[str, Guarded], reason: Unknown) -> None:
    """Forgets the contents of what a module holds that its functions change: code that nobody sees may have called them. A
    list to which they only add keeps what it has."""
    functions = [
        one for one in nodes(file.unit.types) if isinstance(one, ir.MethodDecl) and one.name != "<module>"
    ]
    bodies = [(one.params, one.body or ()) for one in functions]
    contents = frozenset[str]().union(*map(changed_in, bodies))
    changed = frozenset[str]().union(*(changed_in(body, _ADDING) for body in bodies))
    lost: list[Guarded] = []
    for name, value in held.items():
        for guard, leaf in leaves(value, run.guard):
            if type(leaf) is Object and leaf.items is not None and name in contents - changed:
                leaf.open = leaf.open or replace(reason, symbol=None)
            elif type(leaf) is Object and (name in contents or leaf.declared is not None):
                lost.append(pick(guard, leaf, None))
    changes = Changes(frozenset(), contents, changed, frozenset(file.all_classes()), starts=False)
    _lose(run, changes, lost, reason)


def lose_global(
    run: Interpreter, name: str, held: Mapping[File, dict[str, Guarded]], reason: Unknown
) -> None:
    """A method or property of a name is asked for on what nobody knows: what the program's own ones of that name, and what
    they call, change of what modules hold is not known, whether they put something into it or give a name another value."""
    found = {file: _functions_in(file.unit.types) for file in held}
    if not any(name in methods for methods, _ in found.values()):
        return
    stack, seen = [name], {name}
    while stack:
        asked = stack.pop()
        for file, variables in held.items():
            for contents, assigned, called in map(_effects_of, found[file][1].get(asked, ())):
                stack += called - seen
                seen |= called
                for each in contents & variables.keys():
                    leaves_of = some(variables[each], NEEDS_LEAVES_MAX)
                    lost = [one for one in leaves_of if type(one) is Object and one.declared is None]
                    forget_contents(run, reason, [one for one in lost if one.client is None])
                for each in assigned & variables.keys():
                    variables[each] = pick(run.guard, replace(reason, symbol=None), variables[each])


@remembered
def _functions_in(types: Any) -> tuple[Set[str], Mapping[str, list[ir.MethodDecl]]]:
    """The names of the methods of classes in a file, and its functions by name."""
    methods: set[str] = set()
    functions: dict[str, list[ir.MethodDecl]] = {}
    for one in nodes(types):
        if type(one) is ir.ClassDecl and one.kind != "module":
            methods.update(each.name for each in one.methods)
        elif type(one) is ir.MethodDecl and one.name not in ("<module>", "<init>"):
            functions.setdefault(one.name, []).append(one)
    return methods, functions


@remembered
def _effects_of(function: ir.MethodDecl) -> tuple[Set[str], Set[str], Set[str]]:
    """The names of what a function changes the contents of, of globals that it assigns, and of what it calls."""
    inner = list(nodes(function.body or ()))
    scopes = [each for each in inner if type(each) is ir.Scope and each.kind == "global"]
    assigned = {name for each in scopes for name in each.names}
    called = {each.name for each in inner if type(each) is ir.Call}
    return changed_in((function.params, function.body or ())), assigned, called


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
    before, run.guard = run.guard, guard
    around = [frame.variables for frame in chain(leaf.captured)]
    changed = [held[name] for held in (leaf.fields, *around) for name in changes.contents & held.keys()]
    forget_contents(run, reason, [value for value in changed if value is not UNSET])
    forget_fields(run, leaf, changes.of(run.scope.supers(leaf.declared)))
    run.guard = before


def lose_in_turns(run: Interpreter, frame: Frame, body: Sequence[ir.Stmt], reached: Iterable[Object]) -> None:
    """Some turn of a loop is run, nobody knows which: the texts and numbers of objects and classes that there are, and that
    what its body calls may have written in a turn before, are not known."""
    changes = _changed_by_calls(run, frame, body)
    lose_statics(run, changes)
    lose_plainly(run, changes, reached)


def _changed_by_calls(run: Interpreter, frame: Frame, body: Sequence[ir.Stmt]) -> Changes:
    """What the calls in some code change."""
    known = run.scope.program.slice
    key = (id(body), frame.method)
    if key not in known.changes:
        found = known.methods.get(frame.method) if frame.method is not None else None
        said = {getattr(getattr(node, "type", node), "name", "") for node in nodes(tuple(body))}
        called = [pair for pair in found.calls if pair[0] in said] if found is not None else ()
        known.changes[key] = _changed_on_the_way(run, frame.owner, called)
    return known.changes[key]


def lose_before(run: Interpreter, function: Function | Bound, reached: Iterable[Object]) -> None:
    """A function is run that may have run before: what it calls may have written something then."""
    changes = changed_by_calls_of(run, function)
    if changes is not None:
        lose_statics(run, changes)
        lose_plainly(run, changes, reached)


def changed_by_calls_of(run: Interpreter, function: Function | Bound) -> Changes | None:
    """What a function changes by what it calls."""
    if isinstance(function, Bound):
        return _changed_by_name(run, function.name)
    return None if function.frame is None else _changed_by_calls(run, function.frame, body_of(function))


def lose_by_name(run: Interpreter, name: str, values: Sequence[Guarded]) -> None:
    """A call goes to something of which nobody knows the type: what the methods of the program of that name may write in what
    it gets is not known."""
    if run.brief or name not in run.scope.program.slice.by_name or Object not in map(type, values):
        return
    reached = [one for one, *_ in Reach.reached(run, [], values).objects]
    lose_plainly(run, _changed_by_name(run, name), reached)


def lose_held(run: Interpreter, name: str, receiver: Guarded) -> None:
    """A method that changes collections is called on what nobody knows but that a collection holds it, or leads to it: it may
    be any collection that this leads to."""
    for leaf in some(receiver, NEEDS_LEAVES_MAX) if CHANGES.match(name) else ():
        for one in held_around(run, leaf) if type(leaf) is Unknown else ():
            _lose_held(run, one, run.guard, adds=name in _ADDING)


def _changed_by_name(run: Interpreter, name: str) -> Changes:
    known = run.scope.program.slice
    if name not in known.changes:
        known.changes[name] = _changed_on_the_way(run, None, ((name, ANY),))
    return known.changes[name]


def _changed_on_the_way(run: Interpreter, owner: Class | None, calls: Iterable[tuple[str, str]]) -> Changes:
    """What calls in the code of a class change of what there is before them: a constructor begins with an object of its own."""
    followed = _followed(run, owner, calls)
    return _changed_by(run, None if followed is None else [one for one in followed if one.name != "<init>"])


def lose_statics(run: Interpreter, changes: Changes) -> None:
    for holder, name in changes.statics:
        lose_static(run, holder, name)


def lose_static(run: Interpreter, holder: Class, name: str) -> None:
    if holder in run.prepared:
        lost = Unknown(Why.DYNAMIC, f"{holder.simple}.{name}", ("lost", name, run.unique()))
        semantics: Any = run.semantics_of(holder.file.language)
        held = semantics.static_field(run, holder, holder.fields[name])
        run.statics[holder, name] = pick(run.guard, apply(partial(unless_object, lost), held), held)


LATER: Final = "changed by what is run later"
"""In the heap of a run: what functions change that something may have run since."""


def lose_shared(run: Interpreter, changes: Changes, reason: Unknown) -> None:
    """What classes, and objects of which there is one, hold that may have been changed, and what those that the run comes to
    later begin with."""
    known: list[tuple[Changes, Unknown]] = run.heap.setdefault(LATER, [])
    if not any(one is changes for one, _ in known):
        known.append((changes, reason))
    for owner in changes.owners.union(owner for owner, _ in changes.statics):
        _lose_shared_of(run, owner, changes, reason)


def _lose_shared_of(run: Interpreter, owner: Class, changes: Changes, reason: Unknown) -> None:
    names = sorted(changes.by_class.get(owner, set()) & owner.fields.keys())
    for name in names:
        if is_variable(owner.fields[name]):
            lose_static(run, owner, name)
    only = run.heap.get(("object", owner))
    if isinstance(only, Object):
        forget_fields(run, only, names, unless_object)
    held = [run.statics.get((owner, name)) for name in sorted(changes.contents & owner.fields.keys())]
    if isinstance(only, Object):
        held += [only.fields.get(name) for name in sorted(changes.contents & only.fields.keys())]
    for leaf in (each for value in held for each in some(value, NEEDS_LEAVES_MAX)):
        if type(leaf) is Object:
            _lose_held(run, leaf, run.guard, adds=False)


def lose_plainly(run: Interpreter, changes: Changes, reached: Iterable[Object]) -> None:
    """The texts, numbers and contents of some objects that may have been written are not known; what else they hold stays."""
    for one in reached:
        if one.declared is None or one.declared.file.model:
            continue
        _lose_plain(run, one, changes.of(run.scope.supers(one.declared)))
        for name in sorted(changes.contents & one.fields.keys()):
            for guard, leaf in leaves(one.fields[name], run.guard):
                if type(leaf) is Object:
                    _lose_held(run, leaf, guard, adds=name not in changes.moved)


def _lose_held(run: Interpreter, leaf: Object, guard: Guarded, *, adds: bool) -> None:
    """What an object of a library held may be other than it was; `adds`: it has got more, and nothing went."""
    if leaf.declared is not None and leaf.declared.file.model:
        _lose_plain(run, leaf, leaf.declared.fields.keys())
    elif leaf.declared is None and (leaf.items is not None or leaf.entries is not None):
        if not (adds and leaf.type.rpartition(".")[2].endswith(_IN_ORDER)):
            forget_elements(run, leaf, guard)
        leaf.open = leaf.open or Unknown(Why.DYNAMIC, phrase("element"))


_IN_ORDER: Final = ("List", "list", "Deque", "LinkedQueue")
"""How the names of collections end that put what they get behind what they have."""


_PLAIN: Final = frozenset({"int", "long", "short", "byte", "char", "boolean", "float", "double"})
"""Types of fields that hold something before anything is written to them."""


def _lose_plain(run: Interpreter, one: Object, names: Set[str]) -> None:
    """Forgets the texts and numbers of some fields of an object."""
    assert one.declared is not None
    found = ((name, run.scope.field(one.declared, name)) for name in names if name not in one.fields)
    new = {
        name for name, at in found if at is not None and at[1].type is not None and at[1].type.name in _PLAIN
    }
    forget_fields(run, one, new.union(names & one.fields.keys()), unless_object)


def changes_of(run: Interpreter, method: Method) -> Changes:
    known = run.scope.program.slice
    found = known.changes.get(method)
    if found is None:
        names = known.methods.get(method)
        methods = _followed(run, method.owner, names.calls if names is not None else ())
        found = known.changes[method] = _changed_by(
            run, None if methods is None else [method, *(one for one in methods if one is not method)]
        )
    return found


def _changed_by(run: Interpreter, methods: Iterable[Method] | None) -> Changes:
    """What methods change; None: whatever the program has."""
    known = run.scope.program.slice
    if methods is None:
        if None not in known.changes:
            known.changes[None] = _changed_by(run, known.methods)
        return known.changes[None]
    owners = frozenset(around for owner in {one.owner for one in methods} for around in owner.lexical())
    fields: set[tuple[Class | None, str]] = set()
    contents: set[str] = set()
    moved: set[str] = set()
    families: dict[Class, set[Class]] = {}
    for one in methods:
        assigned, changed, taken = _written_by(one)
        own = families.get(one.owner)
        if own is None:
            own = {owner for around in one.owner.lexical() for owner in run.scope.supers(around)}
            own |= {inner for each in own for inner in each.nested.values() if inner.kind == "companion"}
            families[one.owner] = own
        if one.name == "<init>":
            assigned = assigned.union(*(assigned_fields(each.decl.initialisers) for each in own))
        for of_type, name in assigned_on_types(one.decl.body or ()):
            held = run.scope.named(of_type, one.owner)
            if not isinstance(held, str) and name in held.fields:
                fields.add((held, name))
        for of_this, name in assigned:
            fields.update(((owner, name) for owner in own) if of_this else ((None, name),))
        contents |= changed
        moved |= taken
    starts = any(not _STARTS.isdisjoint(known.methods[one].called) for one in methods if one in known.methods)
    of_classes = [(of, of.fields[name], name) for of, name in fields if of is not None and name in of.fields]
    statics = [(of, name) for of, decl, name in of_classes if is_variable(decl)]
    statics.sort(key=lambda at: (at[0].name, at[1]))
    by_class: dict[Class | None, set[str]] = {}
    for of, name in fields:
        by_class.setdefault(of, set()).add(name)
    return Changes(
        frozenset(fields), frozenset(contents), frozenset(moved), owners, starts, statics, by_class
    )


def is_variable(decl: ir.FieldDecl) -> bool:
    """Whether a field is one of a class, which holds what was last written to it."""
    return decl.static and not decl.final and decl.delegate is None and decl.getter is None


def _written_by(method: Method) -> tuple[frozenset[tuple[bool, str]], frozenset[str], frozenset[str]]:
    """The fields that a method itself gives a value, and the names of what it changes the contents of, and of what not by
    adding alone."""
    if method.changes is None:
        body = (method.decl.params, method.decl.body or ())
        contents = frozenset(changed_in(body))
        moved = frozenset(changed_in(body, _ADDING)) if contents else contents
        method.changes = assigned_fields(body), contents, moved
    return method.changes


def _followed(
    run: Interpreter, owner: Class | None, calls: Iterable[tuple[str, str]]
) -> Iterable[Method] | None:
    """The methods that calls in the code of a class may mean, by name and the receiver's declared type, and those that
    these lead to; None for more than are looked at."""
    known = run.scope.program.slice
    seen = dict.fromkeys(known.meant(owner, calls))
    stack = list(seen)
    while stack:
        if len(seen) > FOLLOWED_MAX:
            return None
        fresh = [one for one in known.followers(stack.pop()) if one not in seen]
        seen.update(dict.fromkeys(fresh))
        stack += fresh
    return seen


def lose_given(run: Interpreter, values: Sequence[Guarded], reason: Unknown) -> None:
    """Code that nobody sees has functions and objects of the program, and may hand these to those: what a function changes in
    what it gets, by the names of its parts and of its methods, is not known in the objects."""
    found = [leaf for _, leaf in functions_in(run, values)]
    objects = [one for one in found if type(one) is Object and one.declared is not None]
    parts: set[str] = set()
    called: set[str] = set()
    targets: list[Any] = list(objects)
    for function in found if objects else ():
        if type(function) is Function and function.params:
            parts |= parts_changed(body_of(function))
            called |= called_in(body_of(function))
            targets.append(function.this)
        elif type(function) is Bound:
            called.add(function.name)
            targets.append(function.target)
    classes = {one.declared for one in targets if type(one) is Object and one.declared is not None}
    for _ in range(NESTED_CALLS) if called else ():
        called = called.union(*(written(run, one, None, called, _calls_of) for one in classes))
    parts = parts.union(*(written(run, one, None, called, _parts_of) for one in classes if called))
    for one in objects if parts else ():
        names = parts & one.fields.keys()
        forget_fields(run, one, names, unless_object)
        forget_contents(run, reason, [one.fields[name] for name in sorted(names)])


NESTED_CALLS: Final = 3
"""Calls inside calls that are looked at for what a function changes in what it gets."""


def _parts_of(method: Method) -> frozenset[str]:
    return parts_changed(method.decl.body or ())


def _calls_of(method: Method) -> frozenset[str]:
    return called_in(method.decl.body or ())
