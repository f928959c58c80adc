"""Collections, arrays and streams: static methods of `List`, `Map`, `Arrays`, `Collections`, `Stream`, `EnumSet`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, either, instead, leaves, negate, some
from subdrift.linter.resolve.execute.peers import LEAVES_MAX, Cost, Effect, Unknowns, elements, number
from subdrift.linter.resolve.execute.values import (
    Entry,
    Function,
    Gap,
    Guarded,
    Long,
    Object,
    Single,
    Text,
    TypeValue,
    Unknown,
    is_whole,
    join,
    text,
)
from subdrift.linter.resolve.semantics.jvm import consumers, order, strictness, views
from subdrift.linter.resolve.semantics.jvm import elements as held
from subdrift.linter.resolve.semantics.jvm.calls import Call, on, static
from subdrift.linter.resolve.semantics.jvm.collections import (
    ARRAY_MAX,
    collection_method,
    items,
    new_list,
    new_map,
    once,
)
from subdrift.linter.resolve.semantics.jvm.elements import at, overwrite, set_at, unsettle
from subdrift.linter.resolve.semantics.jvm.equality import equal
from subdrift.linter.resolve.semantics.jvm.lists import sort_in_place
from subdrift.linter.resolve.semantics.jvm.maps import put
from subdrift.linter.resolve.semantics.jvm.order import ordered
from subdrift.linter.resolve.semantics.jvm.views import ALL, FIXED, HELD, SIZE, View, view


def characters_of(value: Guarded) -> Guarded:
    """The text of an array of characters; any other value as it is."""

    def spell(leaf: Any) -> Any:
        if isinstance(leaf, Object) and leaf.open is not None:
            return Text((Gap(leaf.open.why, "characters"),))
        if isinstance(leaf, Object) and leaf.items is not None:
            parts = [item for _, item in leaf.items]
            if all(isinstance(part, Text) for part in parts):
                joined = join(parts)
                return Text(joined.parts, joined.steps, False, joined.frame)
            return Text((Gap(Why.DYNAMIC, "characters"),))
        return leaf

    return apply(spell, value)


@static("System", "arraycopy", effect=Effect.MUTATES_ARGUMENT)
def _array_copy(call: Call) -> Guarded:
    source, start, target, to, count = call.args.first(5)
    if (
        isinstance(source, Object)
        and isinstance(target, Object)
        and all(isinstance(x, int) for x in (start, to, count))
    ):
        taken = [at(call.run, source, start + offset) for offset in range(min(count, ARRAY_MAX))]
        for offset, value in enumerate(taken):
            set_at(call.run, target, to + offset, value)
    elif isinstance(target, Object) and target.items is not None:
        unsettle(call.run, target, "arraycopy()", start, to, count)
    return None


@static("Arrays|Collections|Lists|ImmutableList|CollUtil|ListUtil",
         "of", "asList", "newArrayList", "toList", "newLinkedList")  # fmt: skip
def list_of(call: Call) -> Object:
    values: list[Guarded] = call.args
    made = call.listed(_MADE.get(call.name, "List"))
    if call.name == "asList":
        made.fields[FIXED] = SIZE
    elif call.name == "of":
        made.fields[FIXED] = ALL
    one = values[0] if len(values) == 1 else None
    if (
        isinstance(one, Object)
        and one.items is not None
        and (one.type == "[]" or call.name.startswith("new"))
        and not _is_one_value(call, one)
    ):
        views.refresh(one)
        if call.name == "asList":
            return view(made, View(one))
        made.items, made.open = list(one.items), one.open
    elif isinstance(one, Unknown) and (one.type is None or one.type.name == "[]"):
        made.open = one  # it may be the array itself
    else:
        made.items = [(True, value) for value in values]
    return made


def _is_one_value(call: Call, array: Object) -> bool:
    """Whether `Arrays.asList` of a program has one element, an array of numbers; models go through those too."""
    of_model = call.frame.owner is not None and call.frame.owner.file.model
    return call.name == "asList" and views.PRIMITIVE in array.fields and not of_model


_MADE = {"newArrayList": "ArrayList", "newLinkedList": "LinkedList"}


@static("List", "of")
def _list_of(call: Call) -> Guarded:
    return strictness.filled(call, list_of(call))


@static("Sets|ImmutableSet", "of", "newHashSet", "newLinkedHashSet")
def _set_of(call: Call) -> Object:
    made: Object = list_of(call)
    made.type = {"newHashSet": "HashSet", "newLinkedHashSet": "LinkedHashSet"}.get(call.name, "Set")
    once(call.run, made)
    order.arranged(call, made)
    return made


@static("Set", "of", "copyOf")
def _some_set_of(call: Call) -> Guarded:
    if call.name == "of":
        given: list[Guarded] = call.args
        one = given[0] if len(given) == 1 else None
        if isinstance(one, Object) and one.type == "[]":
            given = [value for guard, value in one.items or () if guard is True]
        return strictness.filled(call, _in_no_order(_set_of(call)), given)
    made = _copied(call)
    if isinstance(made, Object):
        made.type = "Set"
        once(call.run, made)
    return strictness.filled(call, _in_no_order(made))


def _in_no_order(made: Guarded) -> Guarded:
    """`Set.of` and `Map.of` are walked in another order each time a program is started."""
    if isinstance(made, Object):
        made.fields[views.UNORDERED] = made.fields[FIXED] = ALL
    return made


@static("Preconditions", "checkNotNull", effect=Effect.MAY_RAISE, unknowns=Unknowns.KEEPS_IDENTITY)
def _checked(call: Call) -> Guarded:
    return call.modelled("java.util.Objects", "requireNonNull", *call.args[:2])


@static("Function|UnaryOperator", "identity", unknowns=Unknowns.KEEPS_IDENTITY)
def _identity(call: Call) -> Guarded:
    return Function((), (), None, "identity", native=lambda run, arguments, frame, place: arguments.get(0))


@static("Collections", "synchronizedList", "synchronizedMap", "synchronizedSet", "synchronizedCollection",
        "synchronizedSortedMap", unknowns=Unknowns.KEEPS_IDENTITY)  # fmt: skip
def _itself(call: Call) -> Guarded:
    return call.args[0]


@static("Collections", "unmodifiableList", "unmodifiableSet", "unmodifiableMap", "unmodifiableCollection",
        "unmodifiableSortedSet", "unmodifiableSortedMap", effect=Effect.VIEW)  # fmt: skip
def _unmodifiable(call: Call) -> Guarded:
    def one(leaf: Any) -> Any:
        if not isinstance(leaf, Object) or (leaf.items is None and leaf.entries is None):
            return leaf
        views.refresh(leaf)
        shape = {"set": "Set", "map": "Map", "list": "List"}.get(views.shape_of(leaf), "Collection")
        new = new_list if leaf.items is not None else new_map
        made = new(call.run, shape, call.place)
        made.fields[FIXED] = ALL
        return view(made, View(leaf))

    return apply(one, call.args[0])


@static("List|Map", "copyOf")
def _refusing_copy(call: Call) -> Guarded:
    return strictness.filled(call, _copied(call))


@static("ImmutableMap", "of")
def _pairs_of(call: Call) -> Guarded:
    return strictness.filled(call, _map_of(call), call.args[::2])


@static("ImmutableSet", "copyOf")
def _copied_set(call: Call) -> Guarded:
    made = _copied(call)
    if isinstance(made, Object):
        made.type = "Set"
        once(call.run, made)
    return made


@on("collection", "asList", effect=Effect.VIEW)
def _as_list(call: Call, leaf: Object) -> Object:
    """Of Guava's collections that nobody changes."""
    made = call.listed("List")
    made.fields[FIXED] = ALL
    return view(made, View(leaf))


@static("Lists|ImmutableList|ImmutableMap", "copyOf")
@static(
    "Arrays",
    "copyOf",
    "clone",
    cost=lambda _, values: Cost(
        elements=max(elements(values[0]), number(values[1]) if len(values) > 1 else 0)
    ),
)
def _copied(call: Call) -> Guarded:
    source = call.args[0]
    if not isinstance(source, Object):
        return source
    if source.type.endswith("Iterator"):
        return NotImplemented
    views.refresh(source)
    made = consumers.snapshot(source)
    made.fields = {name: value for name, value in source.fields.items() if name in order.KEPT}
    size = call.args[1] if len(call.args) > 1 else None
    if made.type != "[]":
        made.fields[FIXED] = ALL
    elif is_whole(size) and made.items is not None:
        kinds = {type(value) for _, value in made.items}
        filling: Any = _FILLING.get(kinds.pop()) if len(kinds) == 1 else Unknown(Why.DYNAMIC, phrase("array"))
        filling = (
            text("\0", char=True)
            if any(isinstance(each, Text) and each.char for _, each in made.items)
            else filling
        )
        size = min(size, ARRAY_MAX)
        made.items = [*made.items[:size], *((True, filling) for _ in range(size - len(made.items)))]
    elif size is not None and made.items is not None:
        unsettle(call.run, made, "copyOf()", size)
    return made


_FILLING: Final = {int: 0, Long: Long(0), float: 0.0, Single: Single(0.0), bool: False}
"""What a new place of an array holds, by what the others hold; null where they hold objects."""


@static("Maps", "of", "newHashMap", "newLinkedHashMap", "newConcurrentMap")
def _map_of(call: Call) -> Object:
    made = call.table(_MAPS.get(call.name, "Map"))
    for index in range(0, len(call.args) - 1, 2):
        key = call.args[index]
        put(call.run, made, key, call.args[index + 1], written_at(key, call.place))
    if len(call.args) == 1 and isinstance(call.args[0], Object) and call.args[0].entries is not None:
        for entry in call.args[0].entries:
            put(call.run, made, entry.key, entry.value, entry.at)
    if call.name in ("of", "singletonMap", "emptyMap"):
        made.fields[FIXED] = ALL
    return made


_MAPS = {
    "newHashMap": "HashMap",
    "newLinkedHashMap": "LinkedHashMap",
    "newConcurrentMap": "ConcurrentHashMap",
}


@static("Map", "of")
def _some_map_of(call: Call) -> Guarded:
    return strictness.filled(call, _in_no_order(_map_of(call)), call.args[::2])


def written_at(key: Guarded, place: Location) -> Location:
    """Where a key is written out inside a call, else the call."""
    for step in reversed(key.steps) if isinstance(key, Text) else ():
        span, whole = step.at.span, place.span
        if step.at.origin == place.origin and (whole.line, whole.column) <= (span.line, span.column) <= (
            whole.end_line,
            whole.end_column,
        ):
            return step.at
    return place


@static("Map", "ofEntries")
def _map_of_entries(call: Call) -> Guarded:
    made = call.table("Map")
    assert made.entries is not None
    _in_no_order(made)
    found = [one for one in call.args if isinstance(one, Object)]
    if len(found) == 1 and found[0].items is not None:
        found = [item for _, item in found[0].items if isinstance(item, Object)]
    for one in found:
        made.entries.append(Entry(True, one.fields.get("key"), one.fields.get("value")))
    made.open = next((one for one in call.args if isinstance(one, Unknown)), None)
    return strictness.filled(call, made, [entry.key for entry in made.entries])


@static("Map", "entry", effect=Effect.STORES_ARGUMENT)
def _fixed_entry(call: Call) -> Guarded:
    made = _entry(call)
    made.fields[FIXED] = ALL
    if None in call.args:
        return held.fail(call, "NullPointerException")
    return made


@static("Pair|ImmutablePair|Tuples", "of")
def _entry(call: Call) -> Object:
    made = call.made("Entry")
    made.fields["key"], made.fields["value"] = call.args.first(2)
    return made


@static("Collections", "emptyList", "emptySet", "emptyMap", "singletonList", "singleton", "singletonMap")
def _collections(call: Call) -> Guarded:
    if call.name.endswith("Map"):
        return _map_of(call)
    made = call.all_of("Set" if call.name in ("emptySet", "singleton") else "List", call.args)
    made.fields[FIXED] = HELD
    return made


@static("Collections", "addAll", effect=Effect.MUTATES_ARGUMENT | Effect.STORES_ARGUMENT)
def _add_all(call: Call) -> Guarded:
    target, *rest = call.args
    if not isinstance(target, Object) or target.items is None:
        return True
    one = rest[0] if len(rest) == 1 else None
    if not isinstance(one, Object) or one.type != "[]" or one.items is None:
        one = call.all_of("[]", rest)
    return collection_method(
        Call(call.java, call.run, target, "addAll", [one], call.frame, call.place), target
    )


@static(
    "Collections",
    "sort",
    "reverse",
    "rotate",
    "shuffle",
    "swap",
    effect=Effect.MUTATES_ARGUMENT | Effect.CALLS_ARGUMENT,
)
def _in_place(call: Call) -> Guarded:
    target = call.args[0]
    if not isinstance(target, Object) or target.items is None:
        return None
    views.refresh(target)
    if (stale := views.is_stale(target)) is not False:
        held.fail(call, "ConcurrentModificationException", stale)
        return None
    if target.fields.get(FIXED) in (HELD, ALL):
        return held.fail(call, "UnsupportedOperationException")
    if call.name == "sort":
        comparator = call.args[1] if len(call.args) > 1 else None
        return collection_method(call.renamed("sort", comparator), target)
    moved = _moved(call, target.items)
    if moved is None:
        return held.fail(call, "IndexOutOfBoundsException")
    if (
        isinstance(moved, Unknown)
        or target.open is not None
        or not (call.name in ("reverse", "shuffle") or held.is_settled(call.run, target))
    ):
        unsettle(call.run, target, f"{call.name}()", *call.args[1:])
    else:
        held.arrange(call.run, target, moved)
    return None


def _moved(call: Call, found: list[views.Pair]) -> list[views.Pair] | Unknown | None:
    """Elements in the order that a method of `Collections` gives them; None for a place that is not there."""
    numbers = call.args[1:]
    if call.name == "reverse":
        return found[::-1]
    if call.name == "shuffle":
        call.args[0].fields[views.UNORDERED] = True
        return found
    if any(not is_whole(one) for one in numbers):
        return call.unknown()
    if call.name == "rotate":
        by = numbers[0] % len(found) if found else 0
        return [*found[-by:], *found[:-by]] if by else found
    one, other = call.args.first(3)[1:]
    if not (0 <= one < len(found) and 0 <= other < len(found)):
        return None
    found = list(found)
    found[one], found[other] = found[other], found[one]
    return found


@static("Arrays", "toString", "deepToString", effect=Effect.CALLS_ARGUMENT)
def _array_text(call: Call) -> Guarded:
    def one(leaf: Any, depth: int = 0) -> Guarded:
        held = leaf.items if isinstance(leaf, Object) and leaf.open is None and depth < 8 else None
        if leaf is None:
            return text("null")
        if held is None or any(guard is not True for guard, _ in held):
            return Unknown(Why.DYNAMIC, "toString()")
        parts: list[Text] = []
        for _, item in held:
            nested = isinstance(item, Object) and item.type == "[]"
            shown = (
                (one(item) if call.name != "toString" else None)
                if nested
                else call.java.shown(call.run, item)
            )
            if not isinstance(shown, Text):
                return Unknown(Why.DYNAMIC, "toString()")
            parts += [text(", "), shown] if parts else [shown]
        return call.run.wrote(join([text("["), *parts, text("]")]))

    return apply(one, call.args[0])


@static(
    "Collections",
    "nCopies",
    effect=Effect.STORES_ARGUMENT,
    cost=lambda _, values: Cost(elements=number(values[0])),
)
def _copies(call: Call) -> Guarded:
    count, value = call.args.first(2)
    made = call.listed("List")
    if is_whole(count) and count >= 0:
        made.items = [(True, value)] * min(count, ARRAY_MAX)
    else:
        made.open = Unknown(Why.DYNAMIC, "nCopies()")
    return made


@static("Collections", "fill", "replaceAll", "copy", effect=Effect.MUTATES_ARGUMENT)
@static(
    "CollectionUtils|CollUtil|ListUtils|IterableUtils",
    "addAll",
    "addIgnoreNull",
    "transform",
    "filter",
    "filterInverse",
    "reverseArray",
)
@static(
    "Arrays",
    "parallelSetAll",
    "parallelPrefix",
    "parallelSort",
    effect=Effect.MUTATES_ARGUMENT | Effect.CALLS_ARGUMENT,
)
@static("ArrayUtils", "reverse", "shift", "shuffle", "swap", effect=Effect.MUTATES_ARGUMENT)
def _changed_somehow(call: Call) -> Guarded:
    """What a library does to a collection in a way that is not followed: nobody knows what it holds."""
    for _, leaf in leaves(call.args[0]):
        if isinstance(leaf, Object) and (leaf.items is not None or leaf.entries is not None):
            held.forget(call.run, leaf, call.unknown())
    return NotImplemented


@static("Collections", "max", "min", effect=Effect.CALLS_ARGUMENT)
def _extreme(call: Call) -> Guarded:
    target = call.args[0]
    given = items(call.java, call.run, target, call.frame)
    if call.run.guard is False:
        return UNSET
    if given is None or not held.is_settled(call.run, target):
        return call.unknown()
    found = ordered(call, given, call.args[1] if len(call.args) > 1 else None)
    if found is None:
        return call.unknown()
    if not found:
        return held.fail(call, "NoSuchElementException")
    return found[-1 if call.name == "max" else 0][1]


@static("Collections", "frequency")
def _frequency(call: Call) -> Guarded:
    target, wanted = call.args.first(2)
    found = items(call.java, call.run, target, call.frame)
    same = [apply(equal, item, wanted) for _, item in found or ()]
    if (
        found is None
        or any(guard is not True for guard, _ in found)
        or not all(isinstance(one, bool) for one in same)
    ):
        return Unknown(Why.DYNAMIC, "frequency()")
    return sum(same)


@static("EnumSet", "allOf", "noneOf", "range", "complementOf", "copyOf", "of")
def _enum_set(call: Call) -> Guarded:
    """A set in the order of the enumeration."""
    made = call.listed("EnumSet")
    first = call.args[0] if call.args else None
    kind = first.declared if isinstance(first, TypeValue) else None
    given: list[tuple[Guarded, Guarded]] = [(True, value) for value in call.args]
    more = call.args[1] if call.name == "of" and len(call.args) == 2 else None
    if isinstance(more, Object) and more.type == "[]" and more.items is not None:
        given[1:], made.open = more.items, more.open
    if isinstance(first, Object) and first.items is not None:
        held = first.fields.get("<enum>")
        given, made.open = list(first.items), first.open
        kind = held if isinstance(held, Class) else None
        first = some(given[0][1], 1)[0] if given else None
    if kind is None and not isinstance(first, Object):
        first = next((one for one in some(first, LEAVES_MAX) if isinstance(one, Object)), first)
    if kind is None and isinstance(first, Object) and first.constant:
        kind = next(
            (
                owner
                for owner, _ in call.run.constants
                if call.run.constants.get((owner, first.constant)) is first
            ),
            None,
        )
    if kind is None or kind.kind != "enum":
        made.open = Unknown(Why.DYNAMIC, phrase("collection"))
        return made
    every = [(True, call.java.constant(call.run, kind, name)) for name in kind.constants]
    there = [value for _, value in given]
    made.fields["<enum>"] = kind
    held = [leaf for _, value in given for leaf in some(value, LEAVES_MAX) if leaf is not None]
    if call.name != "allOf" and not all(isinstance(leaf, Object | TypeValue) for leaf in held):
        made.open = made.open or Unknown(Why.DYNAMIC, phrase("collection"))
    if call.name == "allOf":
        made.items = every
    elif call.name == "range" and len(there) == 2 and all(isinstance(one, Object) for one in there):
        low, high = (one.fields.get("<ordinal>") for one in there)
        if not isinstance(low, int) or not isinstance(high, int) or low > high:
            return call.unknown()
        made.items = every[low : high + 1]
    elif call.name in ("complementOf", "of", "copyOf"):
        among = [(_among(one, given), one) for _, one in every]
        among = [(negate(guard), one) for guard, one in among] if call.name == "complementOf" else among
        made.items = [pair for pair in among if pair[0] is not False]
    return made


def _among(one: Object, given: Sequence[tuple[Guarded, Guarded]]) -> Guarded:
    """The guard under which a constant is one of some values."""
    found: Guarded = False
    for guard, value in given:
        found = either(found, both(guard, apply(lambda leaf: leaf is one, value)))
    return found


@static("Arrays", "fill", "sort", effect=Effect.MUTATES_ARGUMENT | Effect.CALLS_ARGUMENT)
def _arrays_fill(call: Call) -> Guarded:
    target = call.args[0]
    if isinstance(target, Text):
        overwrite(call.frame, target)
    if isinstance(target, Object) and target.items is not None:
        if call.name != "fill":
            sort_in_place(call, target, call.args[1] if len(call.args) == 2 else None)
        elif len(call.args) == 2:
            target.items = instead(
                call.run.here(target), [(True, call.args[1]) for _ in target.items], target.items
            )
        else:
            start, end, value = call.args.first(4)[1:]
            if isinstance(start, int) and isinstance(end, int):
                filled = list(target.items)
                filled[start:end] = [(True, value) for _ in target.items[start:end]]
                target.items = instead(call.run.here(target), filled, target.items)
            else:
                unsettle(call.run, target, "fill()", start, end)
    return None


@static("Arrays", "copyOfRange")
def _copy_range(call: Call) -> Guarded:
    source, start, end = call.args.first(3)
    if (
        isinstance(source, Object)
        and source.items is not None
        and isinstance(start, int)
        and isinstance(end, int)
        and 0 <= start <= end <= len(source.items)
    ):
        return call.all_of("[]", [value for _, value in source.items[start:end]])
    return Unknown(Why.DYNAMIC, phrase("array"))


def span_of(receiver: Guarded, values: Sequence[Guarded]) -> Cost:
    known = len(values) > 1 and is_whole(values[0]) and is_whole(values[1])
    return Cost(elements=max(0, values[1] - values[0]) if known else 0)
