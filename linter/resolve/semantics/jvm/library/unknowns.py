"""Calls on what nobody knows, and what is left of what was written an unknown number of times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import clients
from subdrift.linter.resolve.execute.guards import UNSET, apply, leaves
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.identity import as_it_is, symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Bound, Frame, Function, Gap, Guarded, Object, Text, Unknown
from subdrift.linter.resolve.semantics.jvm import consumers, defined, documents, events, modelled
from subdrift.linter.resolve.semantics.jvm.calls import Call, at_of
from subdrift.linter.resolve.semantics.jvm.collections import for_some
from subdrift.linter.resolve.semantics.jvm.equality import equal
from subdrift.linter.resolve.semantics.jvm.library.surroundings import (
    ENVIRONMENT_METHODS,
    ENVIRONMENTS,
    environment_property,
)
from subdrift.linter.resolve.semantics.jvm.library.tasks import RUN_NOW, executor_method, hand_over
from subdrift.linter.resolve.spring.beans import PUBLISHERS, PUBLISHING

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


def unknown_method(
    java: Java,
    run: Interpreter,
    leaf: Unknown,
    name: str,
    arguments: Arguments,
    frame: Frame,
    place: Location,
) -> Guarded:
    """What is known of a call although its receiver is not; UNSET where nothing is."""
    args = arguments.values
    full = leaf.type.name if leaf.type is not None else ""
    factory = clients.java_factory(name, full, len(args))
    if factory is None and leaf.symbol == ("provider",):
        factory = clients.java_factory(name, "ClientServiceProvider", len(args))
    if factory is not None:
        run.needed |= leaf.needs  # a class of the program may give a builder of its own
        return consumers.from_factory(run, factory, arguments, place, frame)
    if name in ("getResourceAsStream", "getResource") and args:
        return documents.resource(run, args[0], place)
    call = Call(java, run, leaf, name, args, frame, place)
    for answer in (_asked_of_unknown, _elements_of_unknown, _by_unknown_type):
        found = answer(call, leaf)
        if found is not UNSET:
            return found
    if name in RUN_NOW and args and any(isinstance(v, Function | Bound) for a in args for _, v in leaves(a)):
        for value in args:
            hand_over(run, value, name, frame, place)
        return Unknown(leaf.why, f"{leaf.detail}.{name}()")
    return UNSET


def _asked_of_unknown(call: Call, leaf: Unknown) -> Guarded:
    """Questions that one value answers alike each time: their answers have its identity."""
    name, args, symbol = call.name, call.args, as_it_is(call.run, leaf)
    if name in ("equals", "equalsIgnoreCase", "contentEquals") and len(args) == 1:
        return apply(lambda other: equal(leaf, other), args[0])
    if symbol is None:
        return UNSET
    if name in ("isEmpty", "isBlank") and not args:
        return Test("true", (Unknown(leaf.why, leaf.detail, (">=", ("size", symbol), 1)),), True)
    if name in ("size", "length") and not args:
        return Unknown(leaf.why, leaf.detail, ("size", symbol))
    if name in ("startsWith", "endsWith", "contains", "matches", "containsKey"):
        inner = symbol_of(args[0]) if args else None
        mark = None if inner is None else (name, symbol, inner)
        return Test("true", (Unknown(leaf.why, f"{leaf.detail}.{name}()", mark),))
    return UNSET


def _elements_of_unknown(call: Call, leaf: Unknown) -> Guarded:
    run, name, args = call.run, call.name, call.args
    if name == "forEach" and args:
        for _, item in run.elements(leaf, call.frame, at_of(call.place)):
            for_some(call, args[0], leaf, item)
        return None
    if name in ("stream", "parallelStream", "iterator", "entrySet", "keySet", "values") and not args:
        return call.listed("Stream" if name.endswith(("stream", "Stream")) else "List", open_=leaf)
    return UNSET


_RESOLVING = frozenset(
    {("StringValueResolver", "resolveStringValue"), ("ConfigurableBeanFactory", "resolveEmbeddedValue"),
     ("ConfigurableListableBeanFactory", "resolveEmbeddedValue")}
)  # fmt: skip
"""What resolves the placeholders of a text as `@Value` does."""


def _by_unknown_type(call: Call, leaf: Unknown) -> Guarded:
    """What the type of a value that nobody knows tells."""
    run, name, args = call.run, call.name, call.args
    found = defined.asked(call, leaf)
    if found is not UNSET:
        return found
    full = leaf.type.name if leaf.type is not None else ""
    simple = leaf.type.simple if leaf.type is not None else ""
    if simple in ENVIRONMENTS and name in ENVIRONMENT_METHODS:
        return environment_property(call)
    if name == PUBLISHING and simple in PUBLISHERS and len(args) == 1 and events.LISTENERS in run.heap:
        return events.publish(call)
    if (simple, name) in _RESOLVING and len(args) == 1:
        return environment_property(call.renamed("resolvePlaceholders", *args))
    if simple == "Config" and name in ("getValue", "getOptionalValue") and len(args) == 2:
        found = environment_property(call.renamed(name, args[0]))
        optional = name == "getOptionalValue"
        return modelled.optional_text(call.java, run, found, call.frame, call.place) if optional else found
    if simple == "Config" and name == "getProperty" and full.startswith("com.ctrip."):
        return environment_property(call)
    if simple in ("ExecutorService", "Executor", "ThreadPoolExecutor", "ThreadPoolTaskExecutor") and args:
        found = executor_method(call, call.made(simple))
        return call.unknown() if name == "awaitTermination" else found  # who shuts it down is not seen
    return UNSET


def forgotten(run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> Any:
    """What is left of a value that was written an unknown number of times."""
    unknown_ = run.unknown(Why.DYNAMIC, phrase("loop"), frame, at)
    if isinstance(leaf, Object):
        if leaf.type.rpartition(".")[2] in ("StringBuilder", "StringBuffer"):
            leaf.fields["text"] = Text((Gap(Why.DYNAMIC, phrase("loop")),), unknown_.steps)
        elif (
            leaf.items is not None
            or leaf.entries is not None
            or (leaf.declared is not None and leaf.declared.file.model)
        ):
            forget_contents(run, unknown_, [leaf])
        return leaf
    if isinstance(leaf, Text | int | float | Unknown) or leaf is None:
        return unknown_
    return leaf
