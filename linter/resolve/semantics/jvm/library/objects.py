"""Small objects of the library: comparators, collectors, entries, selectors and clients' configuration."""

from __future__ import annotations

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.guards import pick, under
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import Effect, Unknowns
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Bound,
    Entry,
    Frame,
    Function,
    Guarded,
    Object,
    TypeValue,
    Unknown,
    is_whole,
    text,
)
from subdrift.linter.resolve.semantics.jvm import consumers, elements, order, readers, views
from subdrift.linter.resolve.semantics.jvm.calls import Call, Given, of_type, static
from subdrift.linter.resolve.semantics.jvm.views import ENTRY, entry_part


@static("MessageSelector", "byTag", "bySql")
def _selector(call: Call) -> Guarded:
    made = call.run.make(None, "MessageSelector", call.place)
    made.fields["expression"] = call.args[0]
    made.fields["type"] = text("SQL92" if call.name == "bySql" else "TAG")
    return made


@static("ClientConfiguration", "newBuilder")
def _client_configuration(call: Call) -> Guarded:
    return call.run.make(None, "ClientConfiguration", call.place)


@static("Comparator", "comparing", "naturalOrder", "reverseOrder", "comparingInt", "comparingLong", "comparingDouble",
         "nullsFirst", "nullsLast")  # fmt: skip
@static("Collections", "reverseOrder")
@static("Entry|Map.Entry", "comparingByKey", "comparingByValue")
def _comparator(call: Call) -> Guarded:
    made = call.run.make(None, "Comparator", call.place)
    first = call.args[0] if call.args else None
    if (
        isinstance(first, Object)
        and first.type == "Comparator"
        and call.name in ("nullsFirst", "nullsLast", "reverseOrder")
    ):
        made.fields.update(first.fields)
        made.fields["nulls last"] = call.name == "nullsLast"
        if call.name == "reverseOrder":
            return _comparator_method(
                Call(call.java, call.run, first, "reversed", [], call.frame, call.place), first
            )
        return made
    if call.name.startswith("comparingBy"):
        part = call.name.removeprefix("comparingBy").lower()
        made.fields["key"] = Bound(TypeValue(None, "java.util.Map.Entry"), f"get{part.title()}", call.frame)
        inner = first
    else:
        made.fields["key"] = first
        inner = call.args[1] if len(call.args) > 1 else None
    made.fields["reverse"] = call.name == "reverseOrder"
    if inner is None:
        return made
    plain_one = isinstance(inner, Object) and inner.type == "Comparator" and inner.fields.get("key") is None
    if not plain_one or inner.fields.get("then") is not None:
        return Unknown(Why.DYNAMIC, f"{call.name}()")
    made.fields["reverse"] = inner.fields.get("reverse")
    return made


_COLLECTORS = (
    "toList", "toSet", "joining", "toMap", "groupingBy", "toUnmodifiableList", "toCollection", "counting", "mapping",
    "partitioningBy", "toUnmodifiableSet", "toConcurrentMap", "toUnmodifiableMap", "filtering", "collectingAndThen",
    "reducing", "summingInt", "summingLong", "flatMapping", "maxBy", "minBy", "averagingInt",
    "averagingLong", "teeing", "summarizingInt", "summarizingLong",
)  # fmt: skip


@static("Collectors", *_COLLECTORS, effect=Effect.CALLS_ARGUMENT)
def _collector(call: Call) -> Guarded:
    made = call.run.make(None, "Collector", call.place)
    made.fields["kind"] = text(call.name)
    made.fields["arguments"] = tuple(call.args)
    return made


@static("BinaryOperator", "maxBy", "minBy", effect=Effect.CALLS_ARGUMENT)
def _extreme_by(call: Call) -> Guarded:
    comparator, of_max = call.args[0], call.name == "maxBy"

    def native(run: Interpreter, inner: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        one, other = Given(inner.values).first(2)
        told = run.over(
            comparator,
            lambda leaf: call.java.call_method(
                run, leaf, "compare", Arguments([one, other]), call.frame, (1, 1, 1, 1)
            ),
        )
        if not is_whole(told):
            return Unknown(Why.DYNAMIC, f"{call.name}()")
        return one if (told >= 0 if of_max else told <= 0) else other

    return Function((), (), None, call.name, native=native)


@static("Instant|LocalDate|LocalDateTime|UUID|ZonedDateTime", "now", "randomUUID", unknowns=Unknowns.FRESH)
def _moment(call: Call) -> Guarded:
    return Unknown(Why.DYNAMIC, call.name, ("fresh", call.run.unique()))


@of_type(*readers.SOURCES)
def _reader(call: Call, leaf: Object) -> Guarded:
    return readers.reader_method(call, leaf)


@of_type("MessageSelector", "FilterExpression")
def _selector_method(call: Call, leaf: Object) -> Guarded:
    match call.name:
        case "getExpression":
            return leaf.fields.get("expression")
        case "getExpressionType" | "getFilterExpressionType":
            return leaf.fields.get("type")
    return NotImplemented


@of_type("ClientConfiguration", "ClientConfigurationBuilder")
def _client_configuration_method(call: Call, leaf: Object) -> Guarded:
    """The builder keeps what a consumer is compared by; `build` gives the configuration as it is then."""
    match call.name:
        case "setNamespace" | "setEndpoints" if call.args:
            name = call.name.removeprefix("set").lower()
            leaf.fields[name] = pick(call.run.guard, call.args[0], leaf.fields.get(name))
        case "getNamespace" | "getEndpoints":
            return leaf.fields.get(call.name.removeprefix("get").lower())
        case "build":
            made = call.run.make(None, "ClientConfiguration", call.place)
            made.fields.update(leaf.fields)
            return made
    return leaf


@of_type("Annotation")
def _annotation_method(call: Call, leaf: Object) -> Guarded:
    return leaf.fields.get(call.name, NotImplemented) if not call.args else NotImplemented


@of_type("View")
def _view(call: Call, leaf: Object) -> Guarded:
    return consumers.view_call(call.run, leaf, call.name, Arguments(call.args), call.frame, call.place)


@of_type("Comparator")
def _comparator_method(call: Call, leaf: Object) -> Guarded:
    if call.name == "compare" and len(call.args) == 2:
        return order.compared(call, leaf, *call.args)
    made = call.run.make(None, "Comparator", call.place)
    made.fields.update(leaf.fields)
    if call.name == "reversed":
        made.fields["reverse"] = not leaf.fields.get("reverse")
        inner = leaf.fields.get("then")
        if isinstance(inner, Object):
            made.fields["then"] = _comparator_method(call, inner)
        return made
    if call.name.startswith("thenComparing") and len(call.args) in (1, 2):
        following = call.args[0]
        if len(call.args) == 2:
            following = _comparator(
                Call(call.java, call.run, None, "comparing", call.args, call.frame, call.place)
            )
        if not isinstance(following, Object):
            key, following = following, call.run.make(None, "Comparator", call.place)
            following.fields["key"] = key
        inner = leaf.fields.get("then")
        if isinstance(inner, Object):
            made.fields["then"] = _comparator_method(call, inner)
        else:
            made.fields["then"] = following
        return made
    return NotImplemented


@of_type("Entry", "SimpleEntry", "SimpleImmutableEntry", "Pair", "ImmutablePair")
def _entry_method(call: Call, leaf: Object) -> Guarded:
    match call.name:
        case "getKey" | "getLeft" | "key" | "left":
            return under(entry_part(leaf, "key"), call.run.guard)
        case "getValue" | "getRight" | "value" | "right":
            return under(entry_part(leaf, "value"), call.run.guard)
        case "setValue":
            if views.FIXED in leaf.fields:
                return elements.fail(call, "UnsupportedOperationException")
            before = entry_part(leaf, "value")
            leaf.fields["value"] = pick(call.run.guard, call.args[0], before)
            entry = leaf.fields.get(ENTRY)
            if isinstance(entry, Entry):
                entry.value = pick(call.run.guard, call.args[0], entry.value)
            return before
    return NotImplemented
