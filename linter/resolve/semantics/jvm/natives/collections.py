"""Collections, arrays and streams: static methods of `List`, `Map`, `Arrays`, `Collections`, `Stream`, `EnumSet`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    apply,
    instead,
    leaves,
    under,
)
from subdrift.linter.resolve.execute.peers import (
    Cost,
    Effect,
    Unknowns,
    elements,
    number,
)
from subdrift.linter.resolve.execute.program import Class
from subdrift.linter.resolve.execute.values import (
    Entry,
    Function,
    Gap,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    join,
    text,
)
from subdrift.linter.resolve.semantics.jvm import consumers, views
from subdrift.linter.resolve.semantics.jvm.collections import (
    ARRAY_MAX,
    array,
    at,
    collection_method,
    items,
    new_list,
    new_map,
    set_at,
    sort_in_place,
    stream_of,
    unsettle,
)
from subdrift.linter.resolve.semantics.jvm.operators import equal
from subdrift.linter.resolve.semantics.jvm.order import ordered

if TYPE_CHECKING:
    pass
from subdrift.linter.resolve.semantics.jvm.calls import Call, call_of, static


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


@static("List|Set|Arrays|Collections|Lists|Sets|ImmutableList|ImmutableSet|CollUtil|ListUtil",
         "of", "asList", "newArrayList", "newHashSet", "toList", "newLinkedList")  # fmt: skip
def _list_of(call: Call) -> Guarded:
    values: list[Guarded] = call.args
    kind = "Stream" if _owner_is_stream(call) else "List"
    made = new_list(call.run, kind, call.place)
    if (
        len(values) == 1
        and isinstance(values[0], Object)
        and values[0].items is not None
        and (values[0].type == "[]" or call.name.startswith("new"))
    ):
        views.refresh(values[0])
        made.items = list(values[0].items)
        made.open = values[0].open
        if call.name == "asList":
            made.fields[views.VIEW] = views.View(values[0], None)
            views.refresh(made)
    elif (
        len(values) == 1
        and isinstance(values[0], Unknown)
        and values[0].type is not None
        and values[0].type.name == "[]"
    ):
        made.open = values[0]
        made.items = []
    else:
        made.items = [(True, value) for value in values]
    return made


def _owner_is_stream(call: Call) -> bool:
    return call.name == "of" and call.target is None and getattr(call, "owner", "") == "Stream"


@static("Stream|IntStream|LongStream|DoubleStream", "of")
def _stream_factory(call: Call) -> Guarded:
    made = _list_of(call)
    if isinstance(made, Object):
        made.type = "Stream"
    return made


@static("List|Set|Lists|ImmutableList", "copyOf")
@static(
    "Collections",
    "unmodifiableList",
    "unmodifiableSet",
    "synchronizedList",
    "unmodifiableMap",
    "unmodifiableCollection",
    "synchronizedMap",
)
@static("Map|ImmutableMap", "copyOf")
@static("Preconditions", "checkNotNull", effect=Effect.MAY_RAISE, unknowns=Unknowns.KEEPS_IDENTITY)
@static(
    "Arrays",
    "copyOf",
    "clone",
    cost=lambda _, values: Cost(
        elements=max(elements(values[0]), number(values[1]) if len(values) > 1 else 0)
    ),
)
@static("Function|UnaryOperator", "identity", unknowns=Unknowns.KEEPS_IDENTITY)
def _itself(call: Call) -> Guarded:
    if call.name == "identity":
        return Function(
            (), (), None, "identity", native=lambda run, arguments, frame, place: arguments.get(0)
        )
    if call.name in ("requireNonNull", "checkNotNull"):
        if call.args[0] is None:
            said = [one for one in call.args[1:2] if isinstance(one, Text)]
            call.run.throw(
                call.run.make(None, "NullPointerException", call.place, fields={"<arguments>": tuple(said)})
            )
            return UNSET
        return call.args[0]
    if call.name == "copyOf" and isinstance(call.args[0], Object):
        views.refresh(call.args[0])
        made = consumers.snapshot(call.args[0])
        made.fields.pop(views.VIEW, None)
        size = call.args[1] if len(call.args) > 1 else None
        if type(size) is int and made.items is not None:
            numbers = all(type(value) is int for _, value in made.items)
            filling = 0 if made.items and numbers else None
            size = min(size, ARRAY_MAX)
            made.items = [*made.items[:size], *((True, filling) for _ in range(size - len(made.items)))]
        elif size is not None and made.items is not None:
            unsettle(call.run, made, "copyOf()", size)
        return made
    return call.args[0]


@static("Map|ImmutableMap|Maps", "of", "newHashMap", "newLinkedHashMap", "newConcurrentMap")
def _map_of(call: Call) -> Guarded:
    made = new_map(call.run, "Map", call.place)
    assert made.entries is not None
    for index in range(0, len(call.args) - 1, 2):
        key = call.args[index]
        made.entries.append(Entry(True, key, call.args[index + 1], written_at(key, call.place)))
    return made


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
    made = new_map(call.run, "Map", call.place)
    assert made.entries is not None
    found = [one for one in call.args if isinstance(one, Object)]
    if len(found) == 1 and found[0].items is not None:
        found = [item for _, item in found[0].items if isinstance(item, Object)]
    for one in found:
        made.entries.append(Entry(True, one.fields.get("key"), one.fields.get("value")))
    return made


@static("Map", "entry", effect=Effect.STORES_ARGUMENT)
@static("Pair|ImmutablePair|Tuples", "of")
def _entry(call: Call) -> Guarded:
    made = call.run.make(None, "Entry", call.place)
    made.fields["key"], made.fields["value"] = call.args.first(2)
    return made


@static("Collections", "emptyList", "emptySet", "emptyMap", "singletonList", "singleton", "singletonMap")
def _collections(call: Call) -> Guarded:
    if call.name.endswith("Map"):
        return _map_of(call)
    made = new_list(call.run, "List", call.place)
    made.items = [(True, value) for value in call.args]
    return made


@static("Collections", "addAll", effect=Effect.MUTATES_ARGUMENT | Effect.STORES_ARGUMENT)
def _add_all(call: Call) -> Guarded:
    target = call.args[0]
    if isinstance(target, Object) and target.items is not None:
        rest = call.args[1:]
        if (
            len(rest) == 1
            and isinstance(rest[0], Object)
            and rest[0].type == "[]"
            and rest[0].items is not None
        ):
            rest = [value for guard, value in rest[0].items if guard is not False]
        for value in rest:
            collection_method(
                Call(call.java, call.run, target, "add", [value], call.frame, call.place), target
            )
    return True


@static("Collections", "sort", "reverse", "shuffle", effect=Effect.MUTATES_ARGUMENT | Effect.CALLS_ARGUMENT)
def _in_place(call: Call) -> Guarded:
    target = call.args[0]
    if isinstance(target, Object) and target.items is not None:
        if call.name == "reverse":
            target.items = instead(call.run.guard, target.items[::-1], target.items)
        elif call.name == "sort":
            sort_in_place(call, target, call.args[1] if len(call.args) > 1 else None)
    return None


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


@static("Collections", "rotate", effect=Effect.MUTATES_ARGUMENT)
def _rotate(call: Call) -> Guarded:
    target, by = call.args.first(2)
    if isinstance(target, Object) and target.items:
        if type(by) is int and all(under(guard, call.run.guard) is True for guard, _ in target.items):
            by %= len(target.items)
            target.items = instead(
                call.run.guard,
                [*target.items[-by:], *target.items[:-by]] if by else target.items,
                target.items,
            )
        else:
            unsettle(call.run, target, "rotate()", by)
    return None


@static(
    "Collections",
    "nCopies",
    effect=Effect.STORES_ARGUMENT,
    cost=lambda _, values: Cost(elements=number(values[0])),
)
def _copies(call: Call) -> Guarded:
    count, value = call.args.first(2)
    made = new_list(call.run, "List", call.place)
    if type(count) is int:
        made.items = [(True, value)] * min(max(count, 0), ARRAY_MAX)
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
    "setAll",
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
            leaf.open = Unknown(Why.DYNAMIC, f"{call.name}()")
            if leaf.items is not None:
                leaf.items = []
    return NotImplemented


@static("Collections", "swap", effect=Effect.MUTATES_ARGUMENT)
def _swap(call: Call) -> Guarded:
    target, one, other = call.args.first(3)
    if isinstance(target, Object) and target.items is not None:
        places = range(len(target.items))
        if isinstance(one, int) and isinstance(other, int) and one in places and other in places:
            swapped = list(target.items)
            swapped[one], swapped[other] = swapped[other], swapped[one]
            target.items = instead(call.run.guard, swapped, target.items)
        else:
            unsettle(call.run, target, "swap()", one, other)
    return None


@static("Collections", "max", "min", effect=Effect.CALLS_ARGUMENT)
def _extreme(call: Call) -> Guarded:
    target = call.args[0]
    if not isinstance(target, Object) or target.items is None or target.open is not None:
        return Unknown(Why.DYNAMIC, f"{call.name}()")
    found = ordered(call, target.items, call.args[1] if len(call.args) > 1 else None)
    if not found or any(guard is not True for guard, _ in found):
        return Unknown(Why.DYNAMIC, f"{call.name}()")
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
    made = new_list(call.run, "EnumSet", call.place)
    first = call.args[0] if call.args else None
    kind = first.declared if isinstance(first, TypeValue) else None
    given = [(True, value) for value in call.args]
    if isinstance(first, Object) and first.items is not None:
        held = first.fields.get("<enum>")
        given = list(first.items)
        kind = held if isinstance(held, Class) else None
        first = given[0][1] if given else None
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
    if call.name == "allOf":
        made.items = every
    elif call.name == "range" and len(there) == 2 and all(isinstance(one, Object) for one in there):
        low, high = (one.fields.get("<ordinal>") for one in there)
        made.items = every[low : high + 1] if isinstance(low, int) and isinstance(high, int) else []
    elif call.name == "complementOf":
        made.items = [pair for pair in every if pair[1] not in there]
    elif call.name in ("of", "copyOf"):
        made.items = [pair for pair in every if pair[1] in there]
    return made


@static("Arrays", "stream")
@static("StreamSupport", "stream")
def _arrays_stream(call: Call) -> Guarded:
    return stream_of(call.java, call.run, call.args[0], call.frame, call.place)


@static("Arrays", "fill", "sort", effect=Effect.MUTATES_ARGUMENT | Effect.CALLS_ARGUMENT)
def _arrays_fill(call: Call) -> Guarded:
    target = call.args[0]
    if isinstance(target, Object) and target.items is not None:
        if call.name != "fill":
            sort_in_place(call, target, call.args[1] if len(call.args) == 2 else None)
        elif len(call.args) == 2:
            target.items = instead(call.run.guard, [(True, call.args[1]) for _ in target.items], target.items)
        else:
            start, end, value = call.args.first(4)[1:]
            if isinstance(start, int) and isinstance(end, int):
                filled = list(target.items)
                filled[start:end] = [(True, value) for _ in target.items[start:end]]
                target.items = instead(call.run.guard, filled, target.items)
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
        return array(call.run, [value for _, value in source.items[start:end]], call.place)
    return Unknown(Why.DYNAMIC, phrase("array"))


def _span(receiver: Guarded, values: Sequence[Guarded]) -> Cost:
    known = len(values) > 1 and type(values[0]) is int and type(values[1]) is int
    return Cost(elements=max(0, values[1] - values[0]) if known else 0)


@static("IntStream|Stream|LongStream", "range", "rangeClosed", cost=_span)
def _range(call: Call) -> Guarded:
    low, high = call.args.first(2)
    made = new_list(call.run, "Stream", call.place)
    if isinstance(low, int) and isinstance(high, int):
        last = high + (call.name == "rangeClosed")
        made.items = [(True, number) for number in range(low, min(last, low + ARRAY_MAX))]
    else:
        made.open = Unknown(Why.DYNAMIC, phrase("range"))
    return made


@static("Stream", "concat")
def _concat(call: Call) -> Guarded:
    made = new_list(call.run, "Stream", call.place)
    made.items = [
        pair for value in call.args for pair in (items(call.java, call.run, value, call.frame) or [])
    ]
    call.run.bound(made)
    return made


@static("Stream", "iterate", "generate", effect=Effect.CALLS_ARGUMENT)
def _iterate(call: Call) -> Guarded:
    made = new_list(call.run, "Stream", call.place)
    made.fields["generator"] = tuple(call.args)
    made.fields["how"] = text(call.name)
    return made


@static("Stream", "empty")
def _empty_stream(call: Call) -> Guarded:
    return new_list(call.run, "Stream", call.place)


@static("Collections", "enumeration")
def _enumeration(call: Call) -> Guarded:
    held = call.args[0]
    if not isinstance(held, Object) or held.items is None:
        return NotImplemented
    return collection_method(call_of(call.java, call.run, held, "iterator", [], call.frame, call.place), held)
