"""`new T(…)` of the library: collections, texts, and objects that keep what they were made with."""

from __future__ import annotations

from collections.abc import Sequence

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import apply
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Entry,
    Frame,
    Guarded,
    Object,
    Text,
    Unknown,
    is_whole,
    text,
)
from subdrift.linter.resolve.semantics.jvm import order, readers, views
from subdrift.linter.resolve.semantics.jvm.calls import Call
from subdrift.linter.resolve.semantics.jvm.collections import LISTS, MAPS, copy_items, new_list, new_map, once
from subdrift.linter.resolve.semantics.jvm.equality import copied
from subdrift.linter.resolve.semantics.jvm.natives.collections import characters_of
from subdrift.linter.resolve.semantics.jvm.order import ARRANGED, arranged, comparator_of

_THROWN = ("Exception", "Error", "Throwable")
"""How what is thrown is called: to make one throws nothing."""


def order_by_use(made: Object, values: Sequence[Guarded]) -> None:
    """`new LinkedHashMap<>(size, load, true)`: its entries stand in the order of their last use."""
    if made.entries is not None and len(values) == 3 and values[2] is not False:
        made.fields[views.BY_USE if values[2] is True else views.UNORDERED] = True


def extended(
    run: Interpreter, made: Object, values: Sequence[Guarded], frame: Frame, place: Location
) -> None:
    """What an object of the program gets of the constructor of the collection that its class extends."""
    order_by_use(made, values)
    _sorted_by(run, made, values, frame, place)


def _sorted_by(
    run: Interpreter, made: Object, values: Sequence[Guarded], frame: Frame, place: Location
) -> Object:
    """A new collection in its own order; a comparator given to it decides that."""
    if views.kind_of(made) not in ARRANGED:
        return made
    given = next((each for each in values if comparator_of(each)), None)
    java = run.semantics(frame) if frame.owner is not None else None
    call = Call(java, run, made, "<init>", [], frame, place)  # type: ignore[arg-type]
    if given is not None or (java is not None and views.kind_of(made) in order.TREE_MAPS):
        order.sort_by(call, made, given)
    if java is not None and (made.items or made.entries):
        arranged(call, made)
    return made


def _filled_map(run: Interpreter, kind: str, values: Sequence[Guarded], place: Location) -> Object:
    made = new_map(run, kind, place)
    first = values[0] if values else None
    if is_whole(first) and order.is_table(made):
        order.allocate(made, first)
    elif kind == "LinkedHashMap":
        order_by_use(made, values)
    if kind in ("Hashtable", "IdentityHashMap"):
        made.fields[views.UNORDERED] = True
    if (
        kind == "EnumMap"
        and isinstance(first, Object)
        and first.entries == []
        and views.kind_of(first) != kind
    ):
        made.open = first.open or Unknown(
            Why.DYNAMIC, phrase("new", kind)
        )  # refused: of which enumeration is it?
    elif isinstance(first, Object) and first.entries is not None:
        views.refresh(first)
        order.prepare(made, len(first.entries))
        made.entries = [Entry(e.guard, e.key, e.value) for e in first.entries]
        made.open = first.open
    elif isinstance(first, Unknown):
        made.open = first
    return made


def _filled_list(
    run: Interpreter, kind: str, values: Sequence[Guarded], place: Location, frame: Frame
) -> Object:
    made = new_list(run, kind, place)
    first = values[0] if values else None
    if isinstance(first, int):
        if order.is_table(made):
            order.allocate(made, first)
        return made
    if not values or (kind in ARRANGED and comparator_of(first)):
        return made
    found = copy_items(run, first, frame)
    made.items = found or []
    if found is None:
        made.open = first if isinstance(first, Unknown) else Unknown(Why.DYNAMIC, phrase("collection"))
    elif views.shape_of(made) == "set":
        if order.is_table(made):
            order.allocate(made, max(int(len(made.items) / 0.75) + 1, 16))
        once(run, made)
    return made


def _made_text(values: Sequence[Guarded]) -> Guarded:
    """`new String(…)`: of characters, of bytes in an encoding, of a part of them."""
    if not values:
        return text("")
    whole = characters_of(values[0])
    bounds = [each for each in values[1:3] if is_whole(each)]
    if len(bounds) < 2:
        return whole
    start, count = bounds
    if not isinstance(whole, Text) or whole.known is None or start + count > len(whole.known):
        return Unknown(Why.DYNAMIC, "String")
    return text(whole.known[start : start + count], whole.steps, frame=whole.frame)


def construct(
    run: Interpreter, name: str, ref: ir.TypeRef, arguments: Arguments, place: Location, frame: Frame
) -> Guarded:
    """`new T(…)` of a class whose source is not here."""
    simple = name.rpartition(".")[2]
    values = arguments.values
    if simple in MAPS:
        return _sorted_by(run, _filled_map(run, simple, values, place), values, frame, place)
    if simple in LISTS:
        return _sorted_by(run, _filled_list(run, simple, values, place, frame), values, frame, place)
    made = run.make(None, name, place)
    made.fields["<arguments>"] = tuple(values)
    if simple == "String":
        return apply(lambda one: copied(one, place) if isinstance(one, Text) else one, _made_text(values))
    if simple in ("StringBuilder", "StringBuffer"):
        _builder(made, values)
    elif simple == "CountDownLatch" and values:
        made.fields["count"] = values[0]
    elif simple in ("Thread",):
        made.fields["task"] = next((v for v in values if not _is_name(v)), None)
        made.fields["<super>"] = tuple(values)
    elif simple == "FilterExpression":
        made.fields["expression"] = values[0] if values else None
        made.fields["type"] = values[1] if len(values) > 1 else text("TAG")
    elif simple == "MessageQueue" and values:
        made.fields["topic"] = values[0]
    elif simple in (
        "SimpleEntry",
        "SimpleImmutableEntry",
        "Pair",
        "ImmutablePair",
        "AbstractMap.SimpleEntry",
    ):
        made.fields["key"], made.fields["value"] = (*values, None, None)[:2]
    elif simple in readers.SOURCES and values and readers.open_source(made, values[0]):
        pass
    elif simple in ("ClassPathResource", "File", "FileInputStream", "InputStreamReader", "BufferedReader",
                    "FileReader", "FileSystemResource", "BufferedInputStream"):  # fmt: skip
        made.fields["path"] = _path_of(values[0]) if values else None
        if simple == "File" and len(values) > 1:
            made.fields["path"] = Unknown(Why.DYNAMIC, phrase("new", simple))
    elif simple in ("AnnotationConfigApplicationContext", "SpringApplication"):
        pass
    else:
        unknown = Unknown(Why.DYNAMIC, phrase("new", simple))
        run.havoc("<init>", unknown, None, arguments, throws=not simple.endswith(_THROWN))
    return made


def _is_name(value: Guarded) -> bool:
    return isinstance(value, Text)


def _path_of(value: Guarded) -> Guarded:
    return value.fields.get("path") if isinstance(value, Object) else value


def _builder(made: Object, values: list[Guarded]) -> None:
    first = values[0] if values else text("")
    made.fields["text"] = first if not isinstance(first, int) else text("")
