"""Messages and channels of Spring where sends are looked for: a message holds its headers as a map, a channel the name of its
binding.

Interceptors, which may set further headers, are not followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from subdrift.linter.clients.sends import (
    CHANNEL,
    CHANNELS,
    LEVEL,
    SPRING_BUILDERS,
    SPRING_MESSAGE,
    TAG_HEADERS,
)
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.clients import Carrying
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, leaves, pick
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Guarded, Object, Text, TypeValue, Unknown, text
from subdrift.linter.resolve.semantics.carried import UNSEEN, carrying, delayed
from subdrift.linter.resolve.semantics.jvm import elements, maps
from subdrift.linter.resolve.semantics.jvm.collections import new_map
from subdrift.linter.resolve.semantics.jvm.managed import annotated

_HEADERS, _BINDING = "<headers>", "<binding>"
"""Fields of messages and channels, which no field of a program is named like."""

_COPIES = frozenset({"copyHeaders", "copyHeadersIfAbsent"})
_SETS = frozenset({"setHeader", "setHeaderIfAbsent"})
_MESSAGES = frozenset({"Message", "GenericMessage", "ErrorMessage", "MutableMessage"})
_BATCHES = ("List", "Collection", "Set", "Iterable")
_OPEN_TYPES = frozenset({"Object", "Any", "T", "Serializable"})


# -- messages -------------------------------------------------------------------------------------------------------


def made(run: Interpreter, name: str, arguments: Arguments, at: Location) -> Object | None:
    """The message that a constructor of the library makes; None for another class."""
    if name != SPRING_MESSAGE:
        return None
    return _message(run, SPRING_MESSAGE, at, arguments.values[1:2])


def called(run: Interpreter, leaf: Any, name: str, arguments: Arguments, at: Location) -> Guarded:
    """A call on a message, its builder or the builder's class; UNSET for anything else."""
    if isinstance(leaf, TypeValue):
        if leaf.declared is not None or leaf.name not in SPRING_BUILDERS:
            return UNSET
        if name == "withPayload":
            return _message(run, leaf.name, at)
        if name == "createMessage":
            return _message(run, SPRING_MESSAGE, at, arguments.values[1:2])
        return _message(run, leaf.name, at, arguments.values[:1]) if name == "fromMessage" else UNSET
    if not isinstance(leaf, Object) or _HEADERS not in leaf.fields:
        return UNSET
    headers = leaf.fields[_HEADERS]
    assert isinstance(headers, Object)
    if name == "getHeaders":
        return headers
    if leaf.type not in SPRING_BUILDERS:
        return UNSET
    if name in _SETS and len(arguments.values) == 2:
        _set(run, headers, *arguments.values, replaces=name == "setHeader")
    elif name in _COPIES and arguments.values:
        copy(run, headers, arguments.values[0], replaces=name == "copyHeaders")
    elif name == "removeHeader" and arguments.values:
        maps.remove(run, headers, arguments.values[0])
    elif name == "removeHeaders":
        elements.forget(run, headers, Unknown(Why.DYNAMIC, "removeHeaders()"))
    elif name == "build":
        built = _message(run, SPRING_MESSAGE, at)
        copy(run, built.fields[_HEADERS], headers, replaces=True)
        return built
    return leaf


def _message(run: Interpreter, kind: str, at: Location, sources: list[Guarded] | tuple[()] = ()) -> Object:
    message = run.make(None, kind, at)
    message.fields[_HEADERS] = new_map(run, "java.util.HashMap", at)
    for source in sources:
        copy(run, message.fields[_HEADERS], source, replaces=True)
    return message


def _set(run: Interpreter, headers: Object, key: Guarded, value: Guarded, *, replaces: bool) -> None:
    before = run.guard
    if not replaces:
        there, _ = maps.find(run, headers, key)
        run.guard = both(before, apply(lambda one: one is not True, there))
    if run.guard is not False:
        maps.put(run, headers, key, value)
    run.guard = before


def copy(run: Interpreter, headers: Any, source: Guarded, *, replaces: bool) -> None:
    """Takes over the headers of a map or message."""
    before = run.guard
    for guard, leaf in leaves(source, before):
        held = leaf.fields.get(_HEADERS, leaf) if isinstance(leaf, Object) else leaf
        run.guard = guard
        if not isinstance(held, Object) or held.entries is None:
            reason = held if isinstance(held, Unknown) else Unknown(Why.DYNAMIC, phrase("map"))
            elements.forget(run, headers, reason)
            continue
        for entry in list(held.entries):
            run.guard = both(guard, entry.guard)
            if run.guard is not False:
                _set(run, headers, entry.key, entry.value, replaces=replaces)
        run.guard = guard
        if held.open is not None:
            elements.forget(run, headers, held.open)
    run.guard = before


def carried(
    run: Interpreter, sources: Sequence[Guarded], delay: Guarded = None, *, stream: bool = False
) -> Carrying:
    """What is sent with a message, or with a payload and headers: the headers become properties. `stream`: one of them says
    how long the message waits."""
    first = sources[0] if sources else Unknown(Why.DYNAMIC, UNSEEN)
    if any(isinstance(leaf, Object) and leaf.items is not None for _, leaf in leaves(first)):
        return Carrying((), UNSEEN, delay)  # a batch: each has its own
    found = carrying(first, run.guard, _held, delay)
    for each in sources[1:]:
        more = carrying(
            each,
            run.guard,
            lambda leaf: leaf if isinstance(leaf, Object) and leaf.entries is not None else UNSEEN,
        )
        found = Carrying((*found.names, *more.names), found.more or more.more, delay)
    if not stream:
        return found

    def of(leaf: Any) -> Any:
        headers = leaf.fields.get(_HEADERS) if isinstance(leaf, Object) else None
        if isinstance(headers, Object):
            there, value = maps.find(run, headers, text("DELAY"))
            return pick(there, delayed(LEVEL, value), None)
        return Unknown(Why.DYNAMIC, UNSEEN) if isinstance(_held(leaf), str) else None

    return replace(found, delay=apply(of, first))


def _held(leaf: Any) -> Object | str | None:
    """The headers of a message; None for a payload, else why they are not known."""
    if isinstance(leaf, Object):
        headers = leaf.fields.get(_HEADERS)
        return headers if isinstance(headers, Object) else None
    if not isinstance(leaf, Unknown):
        return None
    is_batch = leaf.type is not None and leaf.type.simple.endswith(_BATCHES)
    return UNSEEN if is_batch or not is_payload(leaf) else None


def is_payload(leaf: Unknown) -> bool:
    """Whether what is not known is no message, by its type."""
    simple = leaf.type.simple if leaf.type is not None else ""
    declared = leaf.type is not None and leaf.type.declared is not None
    return bool(simple) and simple not in _MESSAGES | _OPEN_TYPES and (declared or not simple.isupper())


def tag_of(run: Interpreter, given: Guarded) -> Guarded:
    """The tag that the binder gives what is sent: that of the headers of a message, None of a payload."""

    def of(leaf: Any) -> Any:
        if isinstance(leaf, Object) and _HEADERS in leaf.fields:
            headers = leaf.fields[_HEADERS]
            assert isinstance(headers, Object)
            found: Guarded = None
            for name in reversed(TAG_HEADERS):
                there, value = maps.find(run, headers, text(name))
                found = pick(there, value, found)
            return found
        if isinstance(leaf, Unknown):
            if is_payload(leaf):
                return None
            return Unknown(
                leaf.why, leaf.detail or phrase("argument", "message"), needs=leaf.needs, steps=leaf.steps
            )
        return None

    return apply(of, given)


def is_message(leaf: Any) -> bool:
    """Whether a plain value is, or may be, a message rather than a name."""
    if isinstance(leaf, Object):
        return _HEADERS in leaf.fields
    return isinstance(leaf, Unknown) and leaf.type is not None and leaf.type.simple in _MESSAGES


# -- channels -------------------------------------------------------------------------------------------------------


def channel(
    run: Interpreter, leaf: Any, name: str, arguments: Arguments, given: Guarded, at: Location
) -> Guarded:
    """The channel that a method of a program's interface gives by `@Output`, or one of the library's; UNSET for what gives
    none. `given` is what the call gives otherwise."""
    kind = leaf.type if isinstance(leaf, Unknown) else None
    if kind is not None and kind.declared is None:
        if name in CHANNELS and kind.name in CHANNELS[name] and not arguments.values:
            return _channel(run, text(name), at)
        if kind.simple == "BinderAwareChannelResolver" and name == "resolveDestination" and arguments.values:
            return _channel(run, arguments.values[0], at)
        return UNSET
    if kind is None or kind.declared is None or arguments.values:
        return UNSET
    if not isinstance(given, Unknown) or given.type is None or not given.type.name.startswith(_OF_MESSAGING):
        return UNSET
    for method in run.scope.methods(kind.declared, name, 0):
        use = annotated(method.decl.annotations, ("Output",))
        if use is not None:
            frame = run.frame(method.owner, None)
            binding = run.value(use.args[0].value, frame) if use.args else text(name)
            return _channel(run, binding, at)
    return UNSET


def injected(run: Interpreter, named: str, name: str, near: Class) -> Guarded:
    """The channel that is injected under the name of a binding that a method with `@Output` declares; UNSET for others."""
    if not named.startswith(_OF_MESSAGING) or not named.endswith("Channel"):
        return UNSET
    declared = run.heap.get("output channels")
    if declared is None:
        declared = run.heap["output channels"] = frozenset(_declared(run))
    return _channel(run, text(name), near.at(near.decl.name_at)) if name in declared else UNSET


def _declared(run: Interpreter) -> Iterator[str]:
    """The bindings that methods with `@Output` declare."""
    for origin in run.scope.program.origins():
        file = run.scope.program.file(origin)
        for one in file.all_classes() if file is not None else ():
            for methods in one.methods.values():
                for method in methods:
                    use = annotated(method.decl.annotations, ("Output",))
                    if use is None:
                        continue
                    named = (
                        run.value(use.args[0].value, run.frame(one, None)) if use.args else text(method.name)
                    )
                    if isinstance(named, Text) and named.known:
                        yield named.known


_OF_MESSAGING = "org.springframework.messaging."


def _channel(run: Interpreter, binding: Guarded, at: Location) -> Object:
    found = run.make(None, CHANNEL, at)
    found.fields[_BINDING] = binding
    return found


def binding_of(leaf: Any) -> Guarded:
    """The name of the binding whose channel an object is."""
    if isinstance(leaf, Object) and _BINDING in leaf.fields:
        return leaf.fields[_BINDING]
    return Unknown(Why.DYNAMIC, phrase("channel-is-not-seen"))
