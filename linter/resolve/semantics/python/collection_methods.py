"""Methods of Python's lists, sets, deques and dicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.drawing import DRAWN_MAX, pull
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    apply,
    both,
    instead,
    is_written,
    leaves,
    negate,
    pick,
    under,
)
from subdrift.linter.resolve.execute.handed import beyond
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.loops import ending, fail
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Entry, Guarded, Object, Unknown, text
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.containers import (
    SETS,
    UNORDERED,
    fails,
    forget_entries,
    has_key,
    instead_of,
    lookup,
    made_of,
    may_lack,
    pairs,
    put_somewhere,
    remove,
    set_index,
    shortened,
    update,
)
from subdrift.linter.resolve.semantics.python.equality import (
    OF,
    distinct,
    equal,
    is_told,
    live,
    may_replace,
    put,
)
from subdrift.linter.resolve.semantics.python.operators import collections, contains

if TYPE_CHECKING:
    pass


def method(
    run: Interpreter, leaf: Object, name: str, arguments: Arguments, at: Location | None, items_of: Any
) -> Guarded:
    """A method of a collection; `UNSET` where it has none of that name."""
    live(leaf)
    if name in _REMOVES:  # there may be others like it
        leaf.open = beyond(leaf)
    asked = _Asked(run, leaf, name, arguments, at, items_of)
    if leaf.entries is not None:
        found = _answered(_MAPPING, asked)
    else:
        found = _reading(run, leaf, name, arguments, at)
        if found is UNSET:
            found = _answered(_CHANGING, asked)
    if found is UNSET and leaf.declared is None and name in _CHANGES:
        leaf.open = leaf.open or unknown_from(arguments.values, f"{name}()")
    run.bound(leaf)
    return found


_REMOVES = frozenset({"pop", "popleft", "popitem", "remove", "discard"})

_CHANGES = frozenset({"subtract", "new_child"})
"""Methods that change a collection in ways that are not followed."""


def _reading(run: Interpreter, leaf: Object, name: str, arguments: Arguments, at: Location | None) -> Guarded:
    values = arguments.values
    items = leaf.items or []
    match name:
        case "copy":
            made = made_of(run, leaf.type, items, at)
            made.open = beyond(leaf)
            return made
        case "index" | "count" if values:
            if any(guard is not True for guard, _ in items) or beyond(leaf) is not None:
                return unknown_from(values, f"{name}()")
            same = [apply(equal, item, values[0]) for _, item in items]
            if any(not isinstance(each, bool) for each in same):
                return unknown_from(values, f"{name}()")
            if name == "count":
                return sum(same)
            if True not in same:
                run.throw(run.make(None, "builtins.ValueError", at))
                return Unknown(Why.DYNAMIC, "index()")
            return same.index(True)
        case (
            "union"
            | "intersection"
            | "difference"
            | "symmetric_difference"
            | "issubset"
            | "issuperset"
            | "isdisjoint"
        ) if leaf.type in SETS:
            return _set_algebra(run, leaf, name, values, at)
    return UNSET


_SIGNS = {"union": "|", "intersection": "&", "difference": "-", "symmetric_difference": "^"}


def _set_algebra(
    run: Interpreter, leaf: Object, name: str, values: list[Guarded], at: Location | None
) -> Guarded:
    others = [pairs(value) for value in values]
    if any(each is None for each in others):
        return unknown_from(values, f"{name}()")
    found: Any = leaf
    for each in others:
        other = made_of(run, "set", each or [], at)
        if name in ("issubset", "issuperset", "isdisjoint"):
            small, large = (other, found) if name == "issuperset" else (found, other)
            inside = [contains(run, large, item) for _, item in small.items or ()]
            counted = all(guard is True for guard, _ in small.items or ())
            if not counted or any(not isinstance(one, bool) for one in inside):
                return unknown_from(values, f"{name}()")
            return not any(inside) if name == "isdisjoint" else all(inside)
        found = collections(run, _SIGNS[name], found, other)
        if found is None:
            return unknown_from(values, f"{name}()")
    return found


class _Asked(Struct, frozen=True):
    """A method asked of a collection."""

    run: Interpreter
    leaf: Object
    name: str
    arguments: Arguments
    at: Location | None
    items_of: Any

    @property
    def values(self) -> list[Guarded]:
        return self.arguments.values

    def throw(self, error: str) -> None:
        self.run.throw(self.run.make(None, f"builtins.{error}", self.at))


def _added(asked: _Asked) -> None:
    """`append`, `add`, `appendleft`."""
    leaf, left = asked.leaf, asked.name == "appendleft"
    assert leaf.items is not None
    leaf.items.insert(0 if left else len(leaf.items), (asked.run.here(leaf), asked.values[0]))
    if leaf.type in SETS and not left:
        leaf.items = distinct(leaf.items)
    shortened(leaf, -1 if left else 0)


def _inserted(asked: _Asked) -> Guarded:
    leaf, run = asked.leaf, asked.run
    if len(asked.values) != 2:
        return UNSET
    assert leaf.items is not None
    place, value = asked.values
    if _is_full(leaf):
        return asked.throw("IndexError")
    if isinstance(place, int):
        leaf.items.insert(place, (run.here(leaf), value))
    else:
        leaf.items.append((run.here(leaf), value))
        leaf.open = leaf.open or unknown_from((place,), "insert()")
    return None


def _extended(asked: _Asked) -> None:
    leaf, run = asked.leaf, asked.run
    left = asked.name == "extendleft"
    late: list[tuple[Guarded, Guarded]] = []  # what an iterator gave before it failed comes in
    for guard, each in [pair for value in asked.values for pair in leaves(value, run.guard)]:
        if isinstance(each, Object) and asked.name == "extend" and leaf.type == "list":
            _grown(run, leaf, each, guard)
        late += ending(each)
        more = asked.items_of(each)
        if more is None:
            leaf.open = unknown_from((each,), f"{asked.name}()")
            continue
        if isinstance(each, Object):
            leaf.open = leaf.open or each.open
        added = [(both(under(guard, leaf.born), inner), item) for inner, item in more]
        held = leaf.items or ()
        leaf.items = [*added[::-1], *held] if left else [*held, *added]
    if leaf.type in SETS:
        leaf.items = distinct(leaf.items or [])
    shortened(leaf, -1 if left else 0)
    fail(run, late)


def _grown(run: Interpreter, leaf: Object, source: Object, guard: Guarded) -> None:
    """A list takes what an iterator gives, one after the other: that may look at the list meanwhile."""
    for _ in range(DRAWN_MAX):
        if not pull(source):
            return
        more, source.items = source.items or [], []
        leaf.items = [
            *(leaf.items or ()),
            *((both(under(guard, leaf.born), inner), item) for inner, item in more),
        ]


def _popped(asked: _Asked) -> Guarded:
    place = 0 if asked.name == "popleft" else asked.values[0] if asked.values else -1
    return _pop(asked.run, asked.leaf, place, asked.at)


def _removed(asked: _Asked) -> None:
    leaf, run, at = asked.leaf, asked.run, asked.at
    items = leaf.items or []
    raised = "ValueError" if asked.name == "remove" else ""
    for position, (guard, item) in enumerate(items):
        same = apply(equal, item, asked.values[0])
        if same is True:
            items[position] = (both(guard, negate(run.here(leaf))), item)
            leaf.items = [pair for pair in items if pair[0] is not False]
            return
        if not isinstance(same, bool):
            leaf.open = unknown_from(asked.values, f"{asked.name}()")
            fails(run, raised, leaf.open, at)
            return
    if leaf.open is not None:
        fails(run, raised, leaf.open, at)
    elif raised:
        asked.throw("KeyError" if leaf.type in SETS else "ValueError")


def _combined(asked: _Asked) -> Guarded:
    """`difference_update` and its like."""
    leaf, run = asked.leaf, asked.run
    if leaf.type not in SETS:
        return UNSET
    found = _set_algebra(run, leaf, asked.name.removesuffix("_update"), asked.values, asked.at)
    if isinstance(found, Object):
        leaf.items = instead(run.here(leaf), found.items or [], leaf.items or [])
    leaf.open = leaf.open or (
        found.open if isinstance(found, Object) else unknown_from(asked.values, asked.name)
    )
    return None


def _cleared(asked: _Asked) -> None:
    leaf = asked.leaf
    kept = [(both(guard, negate(asked.run.here(leaf))), item) for guard, item in leaf.items or ()]
    leaf.items = [pair for pair in kept if pair[0] is not False]


def _reversed(asked: _Asked) -> None:
    items = asked.leaf.items or []
    asked.leaf.items = instead(asked.run.here(asked.leaf), items[::-1], items)


def _rotated(asked: _Asked) -> None:
    leaf, run, items = asked.leaf, asked.run, asked.leaf.items or []
    step = asked.values[0] if asked.values else 1
    if isinstance(step, int) and items and all(under(g, run.guard) is True for g, _ in items):
        step %= len(items)
        turned = [*items[-step:], *items[:-step]] if step else items
        leaf.items = instead(run.here(leaf), turned, items)
    else:
        leaf.open = unknown_from(asked.values, "rotate()")


_Answer = Callable[[_Asked], Guarded]

_CHANGING: dict[str, _Answer] = {
    **dict.fromkeys(("append", "add", "appendleft"), _added),
    **dict.fromkeys(("extend", "update", "extendleft"), _extended),
    **dict.fromkeys(("pop", "popleft"), _popped),
    **dict.fromkeys(("remove", "discard"), _removed),
    **dict.fromkeys(("difference_update", "intersection_update", "symmetric_difference_update"), _combined),
    "insert": _inserted, "clear": _cleared, "reverse": _reversed, "rotate": _rotated,
}  # fmt: skip

_WITH_VALUE = frozenset(
    {"append", "add", "appendleft", "remove", "discard", "get", "setdefault", "move_to_end"}
)
"""Methods that are called with something."""


def _answered(table: dict[str, _Answer], asked: _Asked) -> Guarded:
    answer = table.get(asked.name)
    return UNSET if answer is None or (asked.name in _WITH_VALUE and not asked.values) else answer(asked)


def _is_full(leaf: Object) -> bool:
    """Whether a `deque` of bounded length certainly has as many elements as it takes."""
    most, items = leaf.fields.get("maxlen"), leaf.items or []
    return isinstance(most, int) and len(items) >= most and all(guard is True for guard, _ in items)


def _pop(run: Interpreter, leaf: Object, place: Guarded, at: Location | None) -> Guarded:
    items = leaf.items or []
    if leaf.type in SETS and len(items) != 1 and (items or leaf.open is not None):  # any of them
        unknown = unknown_from((leaf,), "pop()")
        forget_contents(run, unknown, (leaf,))
        return unknown
    if not isinstance(place, int) or leaf.open is not None or any(guard is not True for guard, _ in items):
        leaf.open = leaf.open or unknown_from((place,), "pop()")
        fails(run, "IndexError", leaf.open, at)
        return unknown_from((place,), "pop()")
    if not -len(items) <= place < len(items):
        run.throw(run.make(None, "builtins.IndexError", at))
        return Unknown(Why.DYNAMIC, "pop()")
    run.taken += 1
    guard, item = items[place]
    if run.here(leaf) is True:
        del items[place]
    else:
        items[place] = (both(guard, negate(run.here(leaf))), item)
    return item


def _got(asked: _Asked) -> Guarded:
    value, there = lookup(asked.run, asked.leaf, asked.values[0])
    default = asked.arguments.get(1, "default", None)
    return default if there is False else pick(there, value, default)


def _view(asked: _Asked) -> Guarded:
    made = asked.run.make(None, asked.name, asked.at, fields={OF: asked.leaf})
    asked.run.bound(live(made))
    return made


def _copied(asked: _Asked) -> Guarded:
    leaf = asked.leaf
    made = asked.run.make(None, leaf.type, asked.at, fields=dict(leaf.fields))
    made.entries = [Entry(e.guard, e.key, e.value, e.at) for e in leaf.entries or ()]
    made.open = leaf.open
    return made


def _with_default(asked: _Asked) -> Guarded:
    run, leaf, key = asked.run, asked.leaf, asked.values[0]
    value, there = lookup(run, leaf, key)
    default = asked.values[1] if len(asked.values) > 1 else None
    if isinstance(value, Unknown) and not has_key(leaf, key):
        put_somewhere(run, leaf, key, value)  # there, or with the default from now on
        return value
    if there is True or there == run.guard:
        return value
    before = run.guard
    run.guard = both(before, negate(there))
    set_index(run, leaf, key, default)
    run.guard = before
    return default if there is False else pick(there, value, default)


def _popped_key(asked: _Asked) -> Guarded:
    run, leaf, values = asked.run, asked.leaf, asked.values
    if not values:
        return UNSET
    value, there = lookup(run, leaf, values[0])
    if isinstance(value, Unknown) and len(values) < 2 and not has_key(leaf, values[0]):
        fails(run, "KeyError", value, asked.at)
    remove(run, leaf, values[0])
    if there is False:
        if len(values) > 1:
            return values[1]
        asked.throw("KeyError")
        return UNSET if run.guard is False else Unknown(Why.DYNAMIC, "pop()")
    return value if len(values) < 2 else pick(there, value, values[1])


def _popped_item(asked: _Asked) -> Guarded:
    run, leaf = asked.run, asked.leaf
    present = [entry for entry in leaf.entries or () if entry.guard is not False]
    end = asked.arguments.get(0, "last", True)
    place = 0 if end is False else -1
    if not present and leaf.open is None:
        asked.throw("KeyError")
        return UNSET
    unsure = leaf.open is not None or not isinstance(end, bool)
    if unsure or present[place].guard is not True:
        forget_entries(run, leaf, unknown_from((), "popitem()"))
        return unknown_from((), "popitem()")
    taken = present[place]
    if run.here(leaf) is True:
        leaf.entries = [entry for entry in leaf.entries or () if entry is not taken]
    else:
        taken.guard = both(taken.guard, negate(run.here(leaf)))
    return (taken.key, taken.value)


def _emptied(asked: _Asked) -> None:
    leaf, here = asked.leaf, asked.run.here(asked.leaf)
    leaf.entries = instead_of(here, [], leaf.entries or [])
    if here is True:
        leaf.open = None


def _updated(asked: _Asked) -> None:
    run, leaf, arguments = asked.run, asked.leaf, asked.arguments
    for value in asked.values:
        update(run, leaf, value, asked.items_of)
    for key, value in arguments.names.items():
        put(leaf, text(key), value, both(run.guard, is_written(value)))
    if arguments.open is not None:
        may_replace(leaf, run.guard, arguments.open)


def _moved(asked: _Asked) -> None:
    run, leaf, key = asked.run, asked.leaf, asked.values[0]
    entries = leaf.entries or []
    moved = [entry for entry in entries if apply(equal, entry.key, key) is True]
    rest = [entry for entry in entries if not any(entry is one for one in moved)]
    end = asked.arguments.get(1, "last", True)
    if not moved and not may_lack(leaf, key):
        asked.throw("KeyError")
    elif not is_told(key) or not isinstance(end, bool) or run.here(leaf) is not True:
        leaf.fields[UNORDERED] = unknown_from((key, end), "move_to_end()")
    else:
        leaf.entries = [*rest, *moved] if end else [*moved, *rest]


def _told_by_nobody(asked: _Asked) -> Guarded:
    return unknown_from((), f"{asked.name}()")


_MAPPING: dict[str, _Answer] = {
    **dict.fromkeys(("keys", "values", "items"), _view),
    **dict.fromkeys(("most_common", "elements", "total"), _told_by_nobody),
    "get": _got, "copy": _copied, "setdefault": _with_default, "pop": _popped_key, "popitem": _popped_item,
    "clear": _emptied, "update": _updated, "move_to_end": _moved,
}  # fmt: skip
