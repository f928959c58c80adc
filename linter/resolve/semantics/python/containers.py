"""Python's collections: items and entries under guards, and the methods that read and change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

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
    leaves,
    negate,
    pick,
    under,
)
from subdrift.linter.resolve.execute.handed import beyond
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.identity import as_it_is, symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.loops import ENDLESS
from subdrift.linter.resolve.execute.protocol import Test, Watch
from subdrift.linter.resolve.execute.values import (
    Entry,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python.concrete import as_range, computed, unknown_from
from subdrift.linter.resolve.semantics.python.equality import (
    OF,
    OWN_EQUALITY,
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


RANGE_MAX = 512
"""Elements of a `range` that are told apart."""

LISTS = frozenset({"list", "range", "deque", "tuple", "generator", "values", "items"})


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


def watch(run: Interpreter, source: Guarded) -> Watch | None:
    """A dictionary, a set or a `deque` that gets or loses elements while a loop goes through it throws."""
    sized = type(source) is Object and (source.entries is not None or source.type in _SIZED)
    before = _count(run, source) if sized else None
    if before is None:
        return None

    def ends(_: int) -> Guarded:
        now = _count(run, source)
        if now is not None and now != before:
            run.throw(run.make(None, "builtins.RuntimeError", None))
        return False

    return ends


_SIZED = frozenset({"set", "keys", "values", "items", "deque"})


def _count(run: Interpreter, source: Object) -> int | None:
    """How many elements a collection has on the path that is being run; None where that is not known."""
    guards = [under(guard, run.guard) for guard, _ in pairs(source) or ()]
    known = source.open is None and all(type(guard) is bool for guard in guards)
    return sum(guards) if known else None


def made_of(run: Interpreter, kind: str, items: list[tuple[Guarded, Guarded]], at: Location | None) -> Object:
    """A collection of a kind from items under guards."""
    made = run.make(None, kind, at)
    made.items = distinct(items) if kind in SETS else list(items)
    run.bound(made)
    return made


def numbers_of(run: Interpreter, numbers: range, at: Location | None) -> Object:
    """A `range`, of as many elements as are told apart."""
    made = made_of(run, "range", [(True, number) for number in numbers[:RANGE_MAX]], at)
    made.fields |= {name: getattr(numbers, name) for name in ("start", "stop", "step")}
    if numbers[RANGE_MAX:]:  # `len` is not for numbers beyond the machine's
        run.note(phrase("more-than-numbers-of-a-range", RANGE_MAX), at)
        made.open = Unknown(Why.TOO_MANY, phrase("long-range"))
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
    called = [each for one in held for _, each in leaves(one) if isinstance(each, Function | TypeValue)]
    if not objects and not called:
        return replace(unknown, symbol=("element", unknown.symbol, ("once", run.unique())))
    symbol = ("held", holder.number, unknown.symbol or run.unique())
    run.heap[ALIASES, symbol] = tuple(objects)
    run.heap[HELD, symbol] = tuple(called)
    return replace(unknown, symbol=symbol)


HELD = "python functions held"
"""With the symbol of an unknown in the heap: the functions and classes of which it may be one."""

ALIASES = "python aliases"
"""With the symbol of an unknown in the heap: the objects of which it may be one."""


def forget_aliases(run: Interpreter, leaf: Any, reason: Unknown) -> None:
    """What is done to one of some objects, nobody knows which, may have been done to each."""
    if isinstance(leaf, Unknown) and leaf.symbol is not None:
        found = run.heap.get((ALIASES, leaf.symbol))
        if found is not None:
            forget_contents(run, reason, found)


_PLACELESS: Final = frozenset({*SETS, "values", "items", "generator"})
"""Collections that an index is not for."""


def index(run: Interpreter, leaf: Any, key: Any, at: Location | None) -> Guarded:
    """`leaf[key]` for a plain key; `UNSET` where the key or place does not exist."""
    if isinstance(leaf, Object) and leaf.entries is not None:
        value, there = lookup(run, leaf, key)
        return UNSET if there is False else value
    if isinstance(leaf, Object) and leaf.type in _PLACELESS:
        return unknown_from((leaf, key), phrase("element"))
    items = pairs(leaf)
    more = beyond(leaf)
    if isinstance(leaf, Object) and items is not None and (more is not None or not isinstance(key, int)):
        return _one_of(run, leaf, more or key)
    if items is None:
        seen = replace(leaf, symbol=as_it_is(run, leaf)) if isinstance(leaf, Unknown) else leaf
        return unknown_from((seen, key), phrase("element"))
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
    if items is None or any(guard is not True for guard, _ in items) or beyond(leaf) is not None:
        return unknown_from((leaf,), phrase("slice"))
    if leaf.type == "range":
        return numbers_of(run, as_range(leaf)[bounds], at)
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
        if isinstance(value, Unknown) and not has_key(leaf, key):
            fails(run, "KeyError", value, at)
        remove(run, leaf, key)
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


def update(run: Interpreter, leaf: Object, value: Guarded, items_of: Any) -> bool:
    """`leaf.update(value)`: another mapping, or pairs; whether it is refused, of rows that are no pairs."""
    refused = False
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
                sure = parts is not None and beyond(item) is None and all(one is True for one, _ in parts)
                refused = refused or (sure and inner is True and guard == run.guard)
                may_replace(leaf, guard, unknown_from((), "update()"))
        if more is None:
            may_replace(leaf, guard, unknown_from((each,), "update()"))
    return refused


def remove(run: Interpreter, leaf: Object, key: Guarded) -> None:
    if any(not isinstance(apply(equal, entry.key, key), bool) for entry in leaf.entries or ()):
        forget_entries(run, leaf, unknown_from((key,), "del"))
        return
    for entry in leaf.entries or ():
        if apply(equal, entry.key, key) is True:
            entry.guard = both(entry.guard, negate(run.here(leaf)))
    leaf.entries = [entry for entry in leaf.entries or () if entry.guard is not False]


UNORDERED = "<unordered>"
"""The field of a collection whose elements stand in an order that nobody knows: why."""


def forget_entries(run: Interpreter, leaf: Object, reason: Unknown) -> None:
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


def has_key(leaf: Object, key: Guarded) -> bool:
    """Whether a key certainly is among those of a map."""
    return any(apply(equal, entry.key, key) is True for entry in leaf.entries or ())


def put_somewhere(run: Interpreter, leaf: Object, key: Guarded, value: Guarded) -> None:
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
    if items is None or beyond(leaf) is not None:
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
