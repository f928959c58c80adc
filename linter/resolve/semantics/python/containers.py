"""Python's collections: items and entries under guards, and the methods that read and change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import (
    CROWDED,
    UNSET,
    Diagram,
    apply,
    both,
    crowded,
    either,
    instead,
    is_written,
    leaves,
    negate,
    pick,
    under,
)
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.loops import ENDLESS, ending, fail
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Entry, Guarded, Object, Text, Unknown, text
from subdrift.linter.resolve.semantics.python.concrete import computed, sequence, unknown_from
from subdrift.linter.resolve.semantics.python.operators import (
    OF,
    OWN_EQUALITY,
    SOURCE,
    collections,
    contains,
    distinct,
    equal,
    is_told,
    keyed,
    live,
    may_replace,
    put,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.natives import Call

LISTS = frozenset({"list", "deque", "tuple", "generator", "values", "items"})
SETS = frozenset({"set", "frozenset", "keys"})


def pairs(leaf: Any) -> list[tuple[Guarded, Guarded]] | None:
    """What iterating over a collection gives, with guards; None for what is not a collection."""
    if isinstance(leaf, tuple):
        return [(True, item) for item in leaf]
    if isinstance(leaf, Text) and leaf.known is not None:
        return [(True, text(character, leaf.steps)) for character in leaf.known]
    if not isinstance(live(leaf), Object):
        return None
    found: list[tuple[Guarded, Guarded]] | None = None
    if leaf.entries is not None:
        found = [(entry.guard, entry.key) for entry in leaf.entries if entry.guard is not False]
    elif leaf.items is not None:
        found = [pair for pair in leaf.items if pair[0] is not False]
    if found is not None and leaf.open is not None:
        found.append((True, leaf.open))
    return found


def made_of(run: Interpreter, kind: str, items: list[tuple[Guarded, Guarded]], at: Location | None) -> Object:
    """A collection of a kind from items under guards."""
    made = run.make(None, kind, at)
    made.items = distinct(items) if kind in SETS else list(items)
    run.bound(made)
    return made


def open_list(run: Interpreter, reason: Unknown, at: Location | None) -> Object:
    """A list of which nothing is known."""
    made = made_of(run, "list", [], at)
    made.open = reason
    return made


def lookup(run: Interpreter, holder: Object, key: Guarded) -> tuple[Guarded, Guarded]:
    """The value under a key, and the guard under which there certainly is one; an `Unknown` value where nobody knows."""
    assert holder.entries is not None
    found: Guarded = UNSET
    there: Guarded = False
    for guard, leaf in leaves(key, run.guard):
        here: Guarded = UNSET
        present: Guarded = False
        for entry in keyed(holder, leaf):
            same = equal(entry.key, leaf) if not isinstance(entry.key, Diagram) else Test("true", ())
            if same is True:
                here = entry.value if here is UNSET else pick(entry.guard, entry.value, here)
                present = either(present, entry.guard)
            elif isinstance(same, Test) and entry.guard is not False:
                return _one_of(run, holder, leaf), True
        if present is not True and holder.open is not None:
            return Unknown(holder.open.why, holder.open.detail), True
        if here is not UNSET:
            found = pick(guard, here, found)
            there = either(there, both(guard, present))
    return found, there


def _one_of(run: Interpreter, holder: Object, key: Any) -> Unknown:
    """What stands under a key or at a place that nobody knows: it may be any object that the collection holds."""
    unknown = unknown_from((key,), phrase("value-under-a-key"))
    held = [value for _, value in holder.items or ()] + [entry.value for entry in holder.entries or ()]
    objects = [one for one in held if any(isinstance(each, Object) for _, each in leaves(one))]
    if not objects:
        return unknown
    symbol = ("held", holder.number, unknown.symbol or run.unique())
    run.heap[ALIASES, symbol] = tuple(objects)
    return replace(unknown, symbol=symbol)


ALIASES = "python aliases"
"""With the symbol of an unknown in the heap: the objects of which it may be one."""


def forget_aliases(run: Interpreter, leaf: Any, reason: Unknown) -> None:
    """What is done to one of some objects, nobody knows which, may have been done to each."""
    if isinstance(leaf, Unknown) and leaf.symbol is not None:
        found = run.heap.get((ALIASES, leaf.symbol))
        if found is not None:
            forget_contents(run, reason, found)


def index(run: Interpreter, leaf: Any, key: Any, at: Location | None) -> Guarded:
    """`leaf[key]` for a plain key; `UNSET` where the key or place does not exist."""
    if isinstance(leaf, Object) and leaf.entries is not None:
        value, there = lookup(run, leaf, key)
        return UNSET if there is False else value
    items = pairs(leaf)
    if isinstance(leaf, Object) and items is not None and (leaf.open is not None or not isinstance(key, int)):
        return _one_of(run, leaf, leaf.open or key)
    if items is None:
        return unknown_from((leaf, key), phrase("element"))
    if not isinstance(key, int):
        return unknown_from((key,), phrase("element"))
    if all(guard is True for guard, _ in items):
        return items[key][1] if -len(items) <= key < len(items) else UNSET
    return _nth(items if key >= 0 else items[::-1], key if key >= 0 else -key - 1)


def _nth(items: list[tuple[Guarded, Guarded]], number: int) -> Guarded:
    """The element at a place among items of which some are there under a guard only."""
    counts: Guarded = 0
    found: Guarded = UNSET
    for guard, item in items:
        here = both(guard, apply(lambda count: count == number, counts))
        if here is not False:
            found = pick(here, item, found)
        counts = pick(guard, apply(lambda n: n + 1, counts), counts)
        if crowded(counts):  # what comes after can no longer be told apart
            return apply(lambda n, item: item if n > number else CROWDED, counts, found)
    return found


def sliced(run: Interpreter, leaf: Any, bounds: slice, at: Location | None) -> Guarded:
    """`leaf[a:b:c]`."""
    if isinstance(leaf, Text):
        return computed(run, lambda own: own[bounds], at, leaf, detail=phrase("slice"))
    if isinstance(leaf, tuple):
        return leaf[bounds]
    items = pairs(leaf)
    if items is None or any(guard is not True for guard, _ in items) or leaf.open is not None:
        return unknown_from((leaf,), phrase("slice"))
    return made_of(run, "list", items[bounds], at)


def set_index(
    run: Interpreter, leaf: Object, key: Guarded, value: Guarded, at: Location | None = None
) -> None:
    """`leaf[key] = value` on the path that is being run; `at` is its place."""
    if leaf.entries is not None:
        for guard, each in leaves(key, run.guard):
            put(leaf, each, value, guard, at)
    elif leaf.items is not None and isinstance(key, int) and -len(leaf.items) <= key < len(leaf.items):
        guard, old = leaf.items[key]
        leaf.items[key] = (guard, pick(run.here(leaf), value, old))
    elif leaf.items is not None:
        bounds, more = bounds_of(key), pairs(value)
        if bounds is not None and more is not None and run.here(leaf) is True and bounds.step in (None, 1):
            leaf.items[bounds] = more
            run.bound(leaf)
            return
        leaf.open = unknown_from((key,), phrase("element-set-somewhere"))


def delete(run: Interpreter, leaf: Object, key: Guarded, at: Location | None = None) -> None:
    """`del leaf[key]`, a slice too, on the path that is being run."""
    if leaf.entries is not None:
        value, there = lookup(run, leaf, key)
        if there is False and leaf.type == "Counter":
            return  # it has zero of everything
        if there is False:
            run.throw(run.make(None, "builtins.KeyError", at))
            return
        if isinstance(value, Unknown) and not _has_key(leaf, key):
            fails(run, "KeyError", value, at)
        _remove(run, leaf, key)
        return
    bounds = bounds_of(key)
    items = leaf.items
    if items is None:
        return
    sure = run.here(leaf) is True and all(guard is True for guard, _ in items)
    if sure and bounds is not None:
        del items[bounds]
    elif sure and isinstance(key, int) and -len(items) <= key < len(items):
        del items[key]
    elif sure and isinstance(key, int) and leaf.open is None:
        run.throw(run.make(None, "builtins.IndexError", at))
    else:
        leaf.open = leaf.open or unknown_from((key,), "del")
        fails(run, "IndexError", leaf.open, at)


def bounds_of(key: Any) -> slice | None:
    """A slice whose bounds are known; None for any other index."""
    if not isinstance(key, Object) or key.type != "slice":
        return None
    bounds = [key.fields[each] for each in ("lower", "upper", "step")]
    return slice(*bounds) if all(each is None or isinstance(each, int) for each in bounds) else None


def method(
    run: Interpreter, leaf: Object, name: str, arguments: Arguments, at: Location | None, items_of: Any
) -> Guarded:
    """A method of a collection; `UNSET` where it has none of that name."""
    live(leaf)
    if leaf.entries is not None:
        found = _mapping(run, leaf, name, arguments, at, items_of)
    else:
        found = _reading(run, leaf, name, arguments, at)
        if found is UNSET:
            found = _changing(run, leaf, name, arguments, at, items_of)
    if found is UNSET and leaf.declared is None and name in _CHANGES:
        leaf.open = leaf.open or unknown_from(arguments.values, f"{name}()")
    run.bound(leaf)
    return found


_CHANGES = frozenset(
    {"subtract", "symmetric_difference_update", "intersection_update", "difference_update", "new_child"}
)
"""Methods that change a collection in ways that are not followed."""


def _reading(run: Interpreter, leaf: Object, name: str, arguments: Arguments, at: Location | None) -> Guarded:
    values = arguments.values
    items = leaf.items or []
    match name:
        case "copy":
            made = made_of(run, leaf.type, items, at)
            made.open = leaf.open
            return made
        case "index" | "count" if values:
            if any(guard is not True for guard, _ in items) or leaf.open is not None:
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
        case "union" | "intersection" | "difference" | "issubset" | "issuperset" | "isdisjoint" if (
            leaf.type in SETS
        ):
            return _set_algebra(run, leaf, name, values, at)
    return UNSET


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
            if any(not isinstance(one, bool) for one in inside):
                return unknown_from(values, f"{name}()")
            return not any(inside) if name == "isdisjoint" else all(inside)
        found = collections(run, {"union": "|", "intersection": "&", "difference": "-"}[name], found, other)
        if found is None:
            return unknown_from(values, f"{name}()")
    return found


def _changing(
    run: Interpreter, leaf: Object, name: str, arguments: Arguments, at: Location | None, items_of: Any
) -> Guarded:
    values = arguments.values
    items = leaf.items
    assert items is not None
    match name:
        case "append" | "add" if values:
            items.append((run.here(leaf), values[0]))
            if leaf.type in SETS:
                leaf.items = distinct(items)
            shortened(leaf, 0)
            return None
        case "appendleft" if values:
            items.insert(0, (run.here(leaf), values[0]))
            shortened(leaf, -1)
            return None
        case "insert" if len(values) == 2 and _is_full(leaf):
            run.throw(run.make(None, "builtins.IndexError", at))
            return None
        case "insert" if len(values) == 2 and isinstance(values[0], int):
            items.insert(values[0], (run.here(leaf), values[1]))
            return None
        case "insert" if len(values) == 2:
            items.append((run.here(leaf), values[1]))
            leaf.open = leaf.open or unknown_from((values[0],), "insert()")
            return None
        case "extend" | "update" | "extendleft":
            late: list[tuple[Guarded, Guarded]] = []  # what an iterator gave before it failed comes in
            for value in values:
                for guard, each in leaves(value, run.guard):
                    late += ending(each)
                    more = items_of(each)
                    if more is None:
                        leaf.open = unknown_from((each,), f"{name}()")
                    else:
                        added = [(both(under(guard, leaf.born), inner), item) for inner, item in more]
                        leaf.items = (
                            [*added[::-1], *(leaf.items or ())]
                            if name == "extendleft"
                            else [*(leaf.items or ()), *added]
                        )
            if leaf.type in SETS:
                leaf.items = distinct(leaf.items or [])
            shortened(leaf, -1 if name == "extendleft" else 0)
            fail(run, late)
            return None
        case "pop" | "popleft":
            return _pop(run, leaf, 0 if name == "popleft" else values[0] if values else -1, at)
        case "remove" | "discard" if values:
            for position, (guard, item) in enumerate(items):
                same = apply(equal, item, values[0])
                if same is True:
                    items[position] = (both(guard, negate(run.here(leaf))), item)
                    leaf.items = [pair for pair in items if pair[0] is not False]
                    return None
                if not isinstance(same, bool):
                    leaf.open = unknown_from(values, f"{name}()")
                    fails(run, "ValueError" if name == "remove" else "", leaf.open, at)
                    return None
            if leaf.open is not None:
                fails(run, "ValueError" if name == "remove" else "", leaf.open, at)
            elif name == "remove":
                run.throw(run.make(None, f"builtins.{'KeyError' if leaf.type in SETS else 'ValueError'}", at))
            return None
        case "clear":
            kept = [(both(guard, negate(run.here(leaf))), item) for guard, item in items]
            leaf.items = [pair for pair in kept if pair[0] is not False]
            return None
        case "reverse":
            leaf.items = instead(run.here(leaf), items[::-1], items)
            return None
        case "rotate":
            step = values[0] if values else 1
            if isinstance(step, int) and items and all(under(g, run.guard) is True for g, _ in items):
                step %= len(items)
                turned = [*items[-step:], *items[:-step]] if step else items
                leaf.items = instead(run.here(leaf), turned, items)
            else:
                leaf.open = unknown_from(values, "rotate()")
            return None
    return UNSET


def _is_full(leaf: Object) -> bool:
    """Whether a `deque` of bounded length certainly has as many elements as it takes."""
    most, items = leaf.fields.get("maxlen"), leaf.items or []
    return isinstance(most, int) and len(items) >= most and all(guard is True for guard, _ in items)


def shortened(leaf: Object, end: int) -> None:
    """A `deque` of bounded length loses what is too much at one end."""
    most = leaf.fields.get("maxlen")
    items = leaf.items or []
    if most is not None and not isinstance(most, int):
        leaf.open = leaf.open or unknown_from((most,), "deque")
    if not isinstance(most, int) or len(items) <= most:
        return
    if all(guard is True for guard, _ in items):
        leaf.items = items[len(items) - most :] if end == 0 else items[:most]
    else:
        leaf.open = unknown_from((), "deque")


def fails(run: Interpreter, error: str, reason: Unknown, at: Location | None) -> None:
    """What an operation may raise that hangs on what nobody knows: no raise where there is no name of one."""
    if error:
        run.perhaps(run.make(None, f"builtins.{error}", at), reason)


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


def _mapping(
    run: Interpreter, leaf: Object, name: str, arguments: Arguments, at: Location | None, items_of: Any
) -> Guarded:
    values = arguments.values
    entries = leaf.entries
    assert entries is not None
    match name:
        case "get" if values:
            value, there = lookup(run, leaf, values[0])
            default = arguments.get(1, "default", None)
            return default if there is False else pick(there, value, default)
        case "keys" | "values" | "items":
            made = run.make(None, name, at, fields={OF: leaf})
            run.bound(live(made))
            return made
        case "copy":
            made = run.make(None, leaf.type, at, fields=dict(leaf.fields))
            made.entries = [Entry(e.guard, e.key, e.value, e.at) for e in entries]
        case "setdefault" if values:
            value, there = lookup(run, leaf, values[0])
            default = values[1] if len(values) > 1 else None
            if isinstance(value, Unknown) and not _has_key(leaf, values[0]):
                _put_somewhere(run, leaf, values[0], value)  # there, or with the default from now on
                return value
            if there is True or there == run.guard:
                return value
            before = run.guard
            run.guard = both(before, negate(there))
            set_index(run, leaf, values[0], default)
            run.guard = before
            return default if there is False else pick(there, value, default)
        case "pop" if values:
            value, there = lookup(run, leaf, values[0])
            if isinstance(value, Unknown) and len(values) < 2 and not _has_key(leaf, values[0]):
                fails(run, "KeyError", value, at)
            _remove(run, leaf, values[0])
            if there is False:
                if len(values) > 1:
                    return values[1]
                run.throw(run.make(None, "builtins.KeyError", at))
                return UNSET if run.guard is False else Unknown(Why.DYNAMIC, "pop()")
            return value if len(values) < 2 else pick(there, value, values[1])
        case "popitem":
            present = [entry for entry in entries if entry.guard is not False]
            end = arguments.get(0, "last", True)
            last = end if isinstance(end, bool) else None
            place = 0 if last is False else -1
            if not present and leaf.open is None:
                run.throw(run.make(None, "builtins.KeyError", at))
                return UNSET
            if not present or present[place].guard is not True or leaf.open is not None or last is None:
                _forget_entries(run, leaf, unknown_from((), "popitem()"))
                return unknown_from((), "popitem()")
            taken = present[place]
            if run.here(leaf) is True:
                leaf.entries = [entry for entry in entries if entry is not taken]
            else:
                taken.guard = both(taken.guard, negate(run.here(leaf)))
            return (taken.key, taken.value)
        case "clear":
            leaf.entries = instead_of(run.here(leaf), [], entries)
            if run.here(leaf) is True:
                leaf.open = None
            return None
        case "update":
            for value in values:
                update(run, leaf, value, items_of)
            for key, value in arguments.names.items():
                put(leaf, text(key), value, both(run.guard, is_written(value)))
            if arguments.open is not None:
                may_replace(leaf, run.guard, arguments.open)
            return None
        case "move_to_end" if values:
            moved = [entry for entry in entries if apply(equal, entry.key, values[0]) is True]
            rest = [entry for entry in entries if not any(entry is one for one in moved)]
            end = arguments.get(1, "last", True)
            if not moved and not may_lack(leaf, values[0]):
                run.throw(run.make(None, "builtins.KeyError", at))
                return None
            if not is_told(values[0]) or not isinstance(end, bool) or run.here(leaf) is not True:
                leaf.fields[UNORDERED] = unknown_from((values[0], end), "move_to_end()")
                return None
            leaf.entries = [*rest, *moved] if end else [*moved, *rest]
            return None
        case "most_common" | "elements" | "total":
            return unknown_from((), f"{name}()")
        case _:
            return UNSET
    made.open = leaf.open
    return made


def update(run: Interpreter, leaf: Object, value: Guarded, items_of: Any) -> None:
    """`leaf.update(value)`: another mapping, or pairs."""
    for guard, each in leaves(value, run.guard):
        if isinstance(each, Object) and each.entries is not None:
            if each.open is not None:
                may_replace(leaf, guard, each.open)
            for entry in list(each.entries):
                put(leaf, entry.key, entry.value, both(guard, entry.guard), entry.at)
            continue
        more = items_of(each)
        for inner, item in more or ():
            parts = pairs(item) if not isinstance(item, Diagram) else None
            if parts is not None and len(parts) == 2:
                put(leaf, parts[0][1], parts[1][1], both(guard, inner))
            else:
                may_replace(leaf, guard, unknown_from((), "update()"))
        if more is None:
            may_replace(leaf, guard, unknown_from((each,), "update()"))


def _remove(run: Interpreter, leaf: Object, key: Guarded) -> None:
    if any(not isinstance(apply(equal, entry.key, key), bool) for entry in leaf.entries or ()):
        _forget_entries(run, leaf, unknown_from((key,), "del"))
        return
    for entry in leaf.entries or ():
        if apply(equal, entry.key, key) is True:
            entry.guard = both(entry.guard, negate(run.here(leaf)))
    leaf.entries = [entry for entry in leaf.entries or () if entry.guard is not False]


UNORDERED = "<unordered>"
"""The field of a collection whose elements stand in an order that nobody knows: why."""


def _forget_entries(run: Interpreter, leaf: Object, reason: Unknown) -> None:
    """One entry of a map, nobody knows which, may be gone: objects stay, under a key that nobody knows."""
    held = [e for e in leaf.entries or () if any(isinstance(each, Object) for _, each in leaves(e.value))]
    kept = [Entry(entry.guard, reason, entry.value, entry.at) for entry in held]
    leaf.entries = instead_of(run.here(leaf), kept, leaf.entries or [])
    leaf.open = leaf.open or reason


def instead_of(guard: Guarded, entries: list[Entry], before: list[Entry]) -> list[Entry]:
    """Entries where a guard holds, others elsewhere."""
    if guard is True:
        return entries
    others = [Entry(both(e.guard, negate(guard)), e.key, e.value, e.at) for e in before]
    found = [*others, *(Entry(both(e.guard, guard), e.key, e.value, e.at) for e in entries)]
    return [entry for entry in found if entry.guard is not False]


def _has_key(leaf: Object, key: Guarded) -> bool:
    """Whether a key certainly is among those of a map."""
    return any(apply(equal, entry.key, key) is True for entry in leaf.entries or ())


def _put_somewhere(run: Interpreter, leaf: Object, key: Guarded, value: Guarded) -> None:
    """An entry under a key that nobody knows."""
    assert leaf.entries is not None
    unknown = key if isinstance(key, Unknown | Text) and not is_told(key) else unknown_from((key,), "{}")
    leaf.entries.append(Entry(run.here(leaf), unknown, value))


def may_lack(leaf: Object, key: Any) -> bool:
    """Whether a collection may hold nothing under a key, or at a place, as far as anybody knows."""
    return leaf.open is not None or not is_told(key) or not all(is_told(e.key) for e in leaf.entries or ())


def drain(run: Interpreter, leaf: Object) -> None:
    """An iterator gives what it has once."""
    kept = [(both(guard, negate(run.here(leaf))), item) for guard, item in leaf.items or ()]
    leaf.items = [pair for pair in kept if pair[0] is not False]
    if run.here(leaf) is True:
        leaf.fields.pop(SOURCE, None)  # what has come to its end gives no more


def unordered(leaf: Any) -> Unknown | None:
    """Why nobody knows which element of a collection comes first; None where that is known."""
    if not isinstance(leaf, Object) or leaf.type == "generator":
        return None
    found = leaf.fields.get(UNORDERED, leaf.fields[OF].fields.get(UNORDERED) if OF in leaf.fields else None)
    return found if isinstance(found, Unknown) else leaf.open


def unsure_length(call: Call, *sources: Guarded) -> Unknown | None:
    """Why nobody knows how many elements come of some sources; None where that is known."""
    for source in sources:
        for _, leaf in leaves(source, call.run.guard):
            if isinstance(leaf, Object) and leaf.open is not None:
                return None if ENDLESS in leaf.fields else leaf.open
            if isinstance(leaf, Unknown) or (isinstance(leaf, Text) and leaf.known is None):
                return unknown_from((leaf,), phrase("element"))
    return None


def size(leaf: Any) -> Guarded:
    """`len(leaf)`."""
    items = pairs(leaf)
    distinguishes = isinstance(leaf, Object) and (
        leaf.entries is not None or leaf.type in SETS or OF in leaf.fields
    )
    differ = distinguishes and len(items or ()) > 1 and leaf.type not in ("values", "items")
    if differ and not all(is_told(item) for _, item in items or ()):
        return Unknown(Why.DYNAMIC, "len()")
    if distinguishes and any(
        OWN_EQUALITY in each.fields for _, each in items or () if isinstance(each, Object)
    ):
        told = [item for _, item in items or ()]
        if any(isinstance(equal(a, b), Test) for place, a in enumerate(told) for b in told[:place]):
            return Unknown(Why.DYNAMIC, "len()")
    elif distinguishes and not all(is_told(e.key) for e in leaf.fields.get(OF, leaf).entries or ()):
        return Unknown(Why.DYNAMIC, "len()")
    if items is None or (isinstance(leaf, Object) and leaf.open is not None):
        symbol = symbol_of(leaf)
        return Unknown(Why.DYNAMIC, "len()", None if symbol is None else ("size", symbol))
    count: Guarded = 0
    for guard, _ in items:
        count = (
            count + 1
            if guard is True and isinstance(count, int)
            else pick(guard, apply(lambda each: each + 1, count), count)
        )
    return count


__all__ = [
    "index",
    "lookup",
    "made_of",
    "method",
    "pairs",
    "put",
    "sequence",
    "set_index",
    "size",
    "sliced",
    "update",
]
