"""A call of the library as its native functions see it, and how these are declared (`execute.peers`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import Diagram, apply, some
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import Cost, Costs, Declare, Effect, Peer, Unknowns, linear
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.state import NEEDS_LEAVES_MAX
from subdrift.linter.resolve.execute.values import Entry, Frame, Function, Guarded, Object, Text, Unknown
from subdrift.linter.resolve.semantics.jvm import modelled
from subdrift.linter.resolve.semantics.jvm.kotlin_frames import RECEIVER_FUNCTION, own_parameters

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


Pair = tuple[Guarded, Guarded]
"""An element and the guard under which it is there."""


class Given(list[Guarded]):
    """Evaluated arguments of a call of the library. One that is not there is unknown: no compiler takes such a call,
    but sources need not compile."""

    def __getitem__(self, index: Any) -> Any:
        try:
            return list.__getitem__(self, index)
        except IndexError:
            return Unknown(Why.UNSUPPORTED, phrase("argument-that-is-not-there"))

    def first(self, count: int) -> tuple[Guarded, ...]:
        """So many of them."""
        return tuple(self[index] for index in range(count))


class Call:
    """One call of the library, as its handlers see it. `target` is the receiver, None for a static call."""

    __slots__ = ("args", "frame", "java", "name", "place", "run", "target")

    def __init__(
        self,
        java: Java,
        run: Interpreter,
        target: Any,
        name: str,
        args: list[Guarded],
        frame: Frame,
        place: Location,
    ) -> None:
        self.java = java
        self.run = run
        self.target = target
        self.name = name
        self.args = Given(args)
        self.frame = frame
        self.place = place

    def invoke(self, function: Guarded, *values: Guarded) -> Guarded:
        """Calls a function argument; one on a receiver of Kotlin runs on the first value."""

        def on(leaf: Any) -> Guarded:
            given = list(values)
            extends = isinstance(leaf, Function) and leaf.interface == RECEIVER_FUNCTION and leaf.this is None
            if extends and len(given) == len(own_parameters(leaf)) + 1:
                leaf.ran = True
                leaf, given = replace(leaf, this=given[0]), given[1:]
            return self.run.call(leaf, Arguments(given), self.frame, self.place)

        return self.run.over(function, on)

    def renamed(self, name: str, *args: Guarded) -> Call:
        """The same call of another method."""
        return Call(self.java, self.run, self.target, name, list(args), self.frame, self.place)

    def made(self, kind: str, /, **fields: Any) -> Object:
        """A new object of the library."""
        return self.run.make(None, kind, self.place, fields=fields)

    def listed(self, kind: str, items: Iterable[Pair] = (), open_: Unknown | None = None) -> Object:
        """A new list, set, array or stream."""
        made = self.made(kind)
        made.items, made.open = list(items), open_
        return made

    def all_of(self, kind: str, values: Iterable[Guarded]) -> Object:
        """A new list, set, array or stream of values that are all there."""
        return self.listed(kind, [(True, value) for value in values])

    def table(self, kind: str, entries: Iterable[Entry] = (), open_: Unknown | None = None) -> Object:
        """A new map."""
        made = self.made(kind)
        made.entries, made.open = list(entries), open_
        return made

    def modelled(self, owner: str, name: str, *values: Guarded) -> Guarded:
        """What a static method of a class of the models gives."""
        return modelled.static_call(self.java, self.run, owner, name, list(values), self.frame, self.place)

    def constructed(self, owner: str, *values: Guarded) -> Guarded:
        """A new object of a class of the models."""
        return modelled.construct(self.java, self.run, owner, self.frame, self.place, *values)

    def method(self, target: Guarded, name: str, *values: Guarded) -> Guarded:
        """What a method of some object gives."""
        given, at = Arguments(list(values)), at_of(self.place)
        return self.run.over(
            target, lambda leaf: self.java.call_method(self.run, leaf, name, given, self.frame, at)
        )

    def unknown(self, detail: str = "") -> Unknown:
        """What the call gives where nobody knows it."""
        return Unknown(Why.DYNAMIC, detail or f"{self.name}()")

    def holds(self, value: Guarded) -> Guarded:
        """The guard under which a value is true. What nobody knows of one element says nothing of another."""
        assert self.frame.owner is not None
        return self.run.guard_of(apply(self._answer, value), self.frame, at_of(self.place))

    def _answer(self, leaf: Any) -> Any:
        if isinstance(leaf, Test):
            return replace(leaf, operands=tuple(self._answer(each) for each in leaf.operands))
        if isinstance(leaf, Text | Unknown) and symbol_of(leaf) is None:
            symbol = ("answer", self.run.unique())
            return (
                replace(leaf, symbol=symbol)
                if isinstance(leaf, Unknown)
                else Unknown(Why.DYNAMIC, "", symbol)
            )
        return leaf


def at_of(place: Location) -> ir.At:
    span = place.span
    return (span.line, span.column, span.end_line, span.end_column)


Handler = Callable[[Call], Guarded]

PEERS = Declare("java")
"""Static methods of the library that are native: by owner's simple name."""
KINDS = Declare("jvm")
"""Methods of the objects of one kind (`collection`, `map`, `stream`, `stack`), which is not the name of a class."""


def static(
    owners: str,
    *names: str,
    effect: Effect = Effect.PURE,
    unknowns: Unknowns = Unknowns.PURE,
    cost: Costs = linear,
    known: bool = False,
) -> Callable[[Handler], Handler]:
    """Declares static methods of some classes (`A|B`), by default without effect and at the cost of their operands.

    A handler is given operands that are not known too, unless it wants them `known`.
    """

    def add(handler: Handler) -> Handler:
        for one in owners.split("|"):
            declare = PEERS(one, *names, effect=effect, unknowns=unknowns, cost=cost, sees_unknowns=not known)
            declare(handler)
        return handler

    return add


Of = Callable[[Call, Object], Guarded]
"""A peer that is called on an object."""


def on(owner: str, *names: str, effect: Effect = Effect.PURE) -> Callable[[Of], Of]:
    """Declares methods of the objects of one of `KINDS`, by default without effect. They are called with what is not known
    too; all they see of a collection counts as work."""

    def add(handler: Of) -> Of:
        declare = KINDS(
            owner, *names, effect=effect, unknowns=Unknowns.PURE, cost=_looked_at, sees_unknowns=True
        )
        declare(handler)
        return handler

    return add


OBJECTS: dict[str, Of] = {}
"""What answers the methods of objects of a type, by its simple name."""


def of_type(*names: str) -> Callable[[Of], Of]:
    """Declares what answers the methods of objects of some types; NotImplemented is its word for another method."""

    def add(handler: Of) -> Of:
        OBJECTS.update(dict.fromkeys(names, handler))
        return handler

    return add


def _looked_at(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    held = receiver.items if receiver.items is not None else receiver.entries
    return Cost(elements=len(held or ()))


def peer(owner: str, name: str) -> Handler:
    """The handler of a static method; one that is not there says nothing."""
    found = PEERS.find(owner, name)
    return found.function if found is not None else lambda call: NotImplemented


def _taken_apart(call: Call, peer: Peer) -> int | None:
    """The place of an argument of which a peer has to get one after the other of what it may be: arrays, and what it
    changes."""
    every = len(call.args) if peer.effect & Effect.MUTATES_ARGUMENT else 0
    for place, value in enumerate(call.args):
        if type(value) is Diagram and (place < every or place == len(call.args) - 1):
            held = some(value, NEEDS_LEAVES_MAX)
            if any(type(leaf) is Object and (leaf.type == "[]" or place < every) for leaf in held):
                return place
    return None


def call_peer(call: Call, peer: Peer) -> Guarded:
    """A call of a static peer."""
    apart = _taken_apart(call, peer)
    if apart is not None:
        found: list[Guarded] = []

        def one(leaf: Any) -> Guarded:
            args = [*call.args[:apart], leaf, *call.args[apart + 1 :]]
            found.append(call_peer(call.renamed(call.name, *args), peer))
            return found[-1]

        given = call.run.over(call.args[apart], one)
        return NotImplemented if any(each is NotImplemented for each in found) else given

    def run_it(receiver: Guarded, values: list[Guarded]) -> Guarded:
        return peer.function(Call(call.java, call.run, receiver, call.name, values, call.frame, call.place))

    return call.run.native(peer, run_it, None, Arguments(call.args))


def call_on(call: Call, peer: Peer, leaf: Object) -> Guarded:
    """A call of a peer on an object."""
    return call.run.native(
        peer, lambda receiver, _: peer.function(call, receiver), leaf, Arguments(call.args)
    )
