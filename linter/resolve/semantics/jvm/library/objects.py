"""Small objects of the library: comparators, collectors, entries, selectors and clients' configuration."""

from __future__ import annotations

from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.guards import pick, under
from subdrift.linter.resolve.execute.peers import Effect, Unknowns
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Bound, Entry, Guarded, Object, TypeValue, Unknown, text
from subdrift.linter.resolve.semantics.jvm import consumers, elements, readers, views
from subdrift.linter.resolve.semantics.jvm.calls import Call, of_type, static
from subdrift.linter.resolve.semantics.jvm.views import ENTRY, entry_part


@static("MessageSelector", "byTag", "bySql")
def _selector(call: Call) -> Guarded:
    kind = text("SQL92" if call.name == "bySql" else "TAG")
    return call.made("MessageSelector", expression=call.args[0], type=kind)


@static("ClientConfiguration", "newBuilder")
def _client_configuration(call: Call) -> Guarded:
    return call.made("ClientConfiguration")


@static("Entry|Map.Entry", "comparingByKey", "comparingByValue")
def _comparing_by(call: Call) -> Guarded:
    part = call.name.removeprefix("comparingBy")
    key = Bound(TypeValue(None, "java.util.Map.Entry"), f"get{part}", call.frame)
    return _of_comparator(call.renamed("comparing", key, *call.args))


@static("BinaryOperator", "maxBy", "minBy", effect=Effect.CALLS_ARGUMENT)
def _of_comparator(call: Call) -> Guarded:
    return call.modelled("java.util.Comparator", call.name, *call.args)


_COLLECTORS = (
    "toList", "toSet", "joining", "toMap", "groupingBy", "toUnmodifiableList", "toCollection", "counting", "mapping",
    "partitioningBy", "toUnmodifiableSet", "toConcurrentMap", "toUnmodifiableMap", "filtering", "collectingAndThen",
    "reducing", "summingInt", "summingLong", "flatMapping", "maxBy", "minBy", "averagingInt",
    "averagingLong", "teeing", "summarizingInt", "summarizingLong",
)  # fmt: skip


@static("Collector", "of", effect=Effect.CALLS_ARGUMENT)
@static("Collectors", *_COLLECTORS, effect=Effect.CALLS_ARGUMENT)
def _collector(call: Call) -> Guarded:
    return call.made("Collector", kind=text(call.name), arguments=tuple(call.args))


@static("Instant|LocalDate|LocalDateTime|UUID|ZonedDateTime", "now", "randomUUID", unknowns=Unknowns.FRESH)
def _moment(call: Call) -> Guarded:
    return Unknown(Why.DYNAMIC, call.name, ("fresh", call.run.unique()))


@of_type(*readers.SOURCES)
def _reader(call: Call, leaf: Object) -> Guarded:
    return readers.reader_method(call, leaf)


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
            return call.made("ClientConfiguration", **leaf.fields)
    return leaf


@of_type("Annotation")
def _annotation_method(call: Call, leaf: Object) -> Guarded:
    return leaf.fields.get(call.name, NotImplemented) if not call.args else NotImplemented


@of_type("View")
def _view(call: Call, leaf: Object) -> Guarded:
    return consumers.view_call(call.run, leaf, call.name, Arguments(call.args), call.frame, call.place)


@of_type("Entry", "SimpleEntry", "SimpleImmutableEntry", "Pair", "ImmutablePair")
def _entry_method(call: Call, leaf: Object) -> Guarded:
    match call.name:
        case "getKey" | "getLeft" | "key" | "left":
            return under(entry_part(leaf, "key"), call.run.guard)
        case "getValue" | "getRight" | "value" | "right":
            return under(entry_part(leaf, "value"), call.run.guard)
        case "setValue":
            if views.FIXED in leaf.fields or leaf.type.endswith(("ImmutableEntry", "ImmutablePair")):
                return elements.fail(call, "UnsupportedOperationException")
            before = entry_part(leaf, "value")
            leaf.fields["value"] = pick(call.run.guard, call.args[0], before)
            entry = leaf.fields.get(ENTRY)
            if isinstance(entry, Entry):
                entry.value = pick(call.run.guard, call.args[0], entry.value)
            return before
    return NotImplemented
