"""What code beside the making of a consumer would do to it, where no run came through: a claim that nothing does is not
proven by runs that end early, or that take an empty list for a full one.

Looked at are the classes whose code led to the consumer, and of them the calls on what is declared as a consumer. Any
code may ask a container for its beans: for one, calls on what is declared as a consumer leave a doubt wherever they stand.
A call that some run came through is no news: it was done to the consumer it was done to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from subdrift.linter.clients.apis import Action
from subdrift.linter.model import ir
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.clients import READS_QUEUES, Client, frames_of, java_row
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.entries import Executed, is_root
from subdrift.linter.resolve.execute.needs import SUBSCRIBES, subscribes
from subdrift.linter.resolve.execute.scope import Scope
from subdrift.linter.resolve.execute.slice_names import ANY, received
from subdrift.linter.resolve.execute.values import Object


class _Call(Struct, frozen=True):
    """A call that may be one on a consumer: `receiver` is the simple name of its declared type, `local`: a variable of the
    method."""

    node: ir.Call
    receiver: str
    local: bool
    method: Method
    at: Location


class Unfollowed(Struct, frozen=True):
    """What would be done to a consumer: `subscribed` are the calls with their places, `doubt`: there is one of which it is
    not sure that it is on a consumer, `reads`: it asks for its queues, `starts`: it is started."""

    subscribed: tuple[tuple[ir.Call, Location], ...] = ()
    doubt: bool = False
    reads: bool = False
    starts: bool = False


class Beside(Struct):
    """Asked consumer by consumer; a class is looked through once."""

    executed: Executed
    scope: Scope
    classes: Sequence[Class]
    _calls: dict[Class, tuple[_Call, ...]] = field(default_factory=dict)
    _done: frozenset[Location] | None = None
    _found: dict[int, Unfollowed] = field(default_factory=dict)
    _taken: frozenset[tuple[Location, Location]] | None = None

    def of(self, client: Client) -> Unfollowed:
        """What no run has come through and would be done to a consumer of Java or Kotlin."""
        found = self._found.get(id(client))
        if found is None:
            found = self._found[id(client)] = self._of(client)
        return found

    def stands_for(self, entry: str, client: Client) -> bool:
        """Whether a consumer was made to follow code that nothing in sight calls, and all that is done to it was taken as
        done to those of programs that are made at its place."""
        if not is_root(entry):
            return False
        subscribed = [event.at for event in client.events if event.action in SUBSCRIBES]
        return bool(subscribed) and all((client.at, at) in self.taken for at in subscribed)

    @property
    def taken(self) -> frozenset[tuple[Location, Location]]:
        """Where consumers of programs are made, with the calls no program came through that would subscribe them."""
        if self._taken is None:
            self._taken = frozenset(
                (client.at, at)
                for entry, _, client, _ in self.executed.clients()
                if not is_root(entry) and not client.api.startswith("py") and not subscribes(client)
                for _, at in self.of(client).subscribed
            )
        return self._taken

    def _of(self, client: Client) -> Unfollowed:
        row = java_row(client.api)
        types = {name.rpartition(".")[2] for name in (*row.types, *row.interfaces)}
        operations = {name: operation.action for name, operation in client.operations.items()}
        inside = {frame.method for frame in frames_of(client.frame)}
        done = self.done | {event.at for event in client.events}
        subscribed: dict[Location, ir.Call] = {}
        doubt = reads = starts = False
        for one in self._classes(client):
            for call in self._calls_of(one):
                if call.at in done or (call.local and call.method not in inside):
                    continue
                sure = call.receiver in types
                if not sure and call.receiver is not ANY:
                    continue
                if call.node.name in READS_QUEUES:
                    reads = True
                elif operations.get(call.node.name) in SUBSCRIBES:
                    if sure:
                        subscribed[call.at] = call.node
                    doubt = True
                elif operations.get(call.node.name) is Action.START:
                    starts = starts or sure
        if any(method is not None and method.annotation("Bean") is not None for method in inside):
            for one in self.classes:
                for call in self._calls_of(one):
                    if call.receiver in types and call.at not in done and one.file.language != "python":
                        doubt = doubt or operations.get(call.node.name) in SUBSCRIBES
                        starts = starts or operations.get(call.node.name) is Action.START
        return Unfollowed(tuple((node, at) for at, node in subscribed.items()), doubt, reads, starts)

    @property
    def done(self) -> frozenset[Location]:
        """The places at which a program does something to a consumer. Code that nothing in sight calls is none."""
        if self._done is None:
            self._done = frozenset(
                event.at
                for entry, _, client, _ in self.executed.clients()
                if not is_root(entry)
                for event in client.events
            )
        return self._done

    def _classes(self, client: Client) -> Iterator[Class]:
        seen: set[Class] = set()
        for frame in frames_of(client.frame):
            this = frame.this.declared if isinstance(frame.this, Object) else None
            for start in (frame.owner, this):
                for around in start.lexical() if start is not None else ():
                    for one in self.scope.supers(around):
                        if one not in seen and one.file.language != "python":
                            seen.add(one)
                            yield one

    def _calls_of(self, one: Class) -> tuple[_Call, ...]:
        found = self._calls.get(one)
        if found is None:
            found = self._calls[one] = tuple(
                _Call(node, receiver, local, method, one.at(node.name_at))
                for methods in one.methods.values()
                for method in methods
                for node, receiver, local in received(one, method)
            )
        return found
