"""What execution does to consumers: each is a log of guarded events, read when the run is over.

An object is a consumer by the tables in `linter.clients`; the calls on it that those tables know become events, with
their values as they were at that moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from subdrift.linter.clients.apis import (
    JAVA_CONSUMERS,
    JAVA_FACTORIES,
    Action,
    JavaConsumer,
    JavaFactory,
    Operation,
)
from subdrift.linter.model.facts import Attribute
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.guards import leaves
from subdrift.linter.resolve.execute.scope import KNOWN_TYPES
from subdrift.linter.resolve.execute.values import (
    Bound,
    Frame,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.protocol import Arguments

READS_QUEUES = frozenset(
    {"assign", "fetchSubscribeMessageQueues", "fetchMessageQueues", "pull", "pullBlockIfNotFound"}
)
"""Calls by which a consumer reads its queues directly, without a subscription."""


class Event(Struct, eq=False):
    """Something that was done to a consumer: `action` with its values, under a guard, at a place on a stack."""

    guard: Guarded
    action: Action
    values: tuple[Guarded, ...]
    at: Location
    frame: Frame
    attribute: Attribute | None = None
    type: str = ""  # of a listener: what decides the consume mode


class Carrying(Struct, eq=False):
    """What a message holds beside topic and tag when it is sent: the names of its properties, each under a guard, why there may
    be more ("" for none), and what it waits for (None: nothing)."""

    names: tuple[tuple[Guarded, Guarded], ...]
    more: str
    delay: Guarded


class Client(Struct, eq=False):
    """One consumer object (or builder of one): what it is by the tables, where it was made, and what was done to it.

    `escaped`: handed to code nobody can see into, which may start or subscribe it. `lost`: an exception left the code that
    made it. `unreached`: nothing calls the code that makes it, `perhaps`: on what else it hangs whether that runs. `of_any`:
    what holds it stands for any object of its class, and what is done to it may be done to the consumer of another one.
    """

    api: str
    operations: Mapping[str, Operation]
    object: Object
    born: Guarded
    at: Location
    frame: Frame
    mode: str = ""
    default_group: str = ""
    class_filter: bool = False
    ignores_type: bool = False
    shape: str = ""
    events: list[Event] = field(default_factory=list)
    escaped: bool = False
    lost: Guarded = False
    unreached: bool = False
    perhaps: str = ""
    of_any: bool = False
    crowded: str = ""
    """Why nothing of it is compared: the bound that was reached while it was made."""
    carries: Carrying | None = None
    """Of a send."""

    @property
    def stack(self) -> tuple[Location, ...]:
        """Places of the calls that led to its making, outermost first, its own last."""
        return (*stack_of(self.frame), self.at)


def stack_of(frame: Frame | None) -> tuple[Location, ...]:
    """The places of the calls that led to a frame, outermost first."""
    found: list[Location] = []
    current = frame
    while current is not None:
        if current.called_at is not None:
            found.append(current.called_at)
        current = current.caller
    return tuple(reversed(found))


def frames_of(frame: Frame | None) -> Iterator[Frame]:
    """A frame and those it was called from, innermost first."""
    current = frame
    while current is not None:
        yield current
        current = current.caller


# -- Java: the tables by name ---------------------------------------------------------------------------------------


@cache
def _classes() -> Mapping[str, JavaConsumer]:
    return {name: row for row in JAVA_CONSUMERS for name in row.types}


@cache
def _views() -> Mapping[str, JavaConsumer]:
    return {name: row for row in JAVA_CONSUMERS for name in (*row.types, *row.interfaces)}


KNOWN_TYPES.update(_views())


def java_class(name: str) -> JavaConsumer | None:
    """The row of a class whose objects are consumers, by its full name."""
    return _classes().get(name)


def java_view(name: str) -> JavaConsumer | None:
    """The row of a class or interface that may hold a consumer, by its full name."""
    return _views().get(name)


@cache
def _factories() -> Mapping[str, tuple[JavaFactory, ...]]:
    found: dict[str, tuple[JavaFactory, ...]] = {}
    for factory in JAVA_FACTORIES:
        found[factory.method] = (*found.get(factory.method, ()), factory)
    return found


def java_factory(name: str, owner: str, count: int) -> JavaFactory | None:
    """The factory method of a library: by its name, the full name of its class ("" unknown) and argument count. The name of
    one that gives a builder is that of no other library."""
    for factory in _factories().get(name, ()):
        if count in factory.roles and (
            owner in factory.owners
            or any(each.rpartition(".")[2] == owner for each in factory.owners)
            or (not owner and name.endswith("ConsumerBuilder"))
        ):
            return factory
    return None


def java_row(api: str) -> JavaConsumer:
    return next(row for row in JAVA_CONSUMERS if row.api == api)


def make_java(
    run: Any, row: JavaConsumer, made: Object, at: Location, frame: Frame, mode: str = ""
) -> Client:
    """The object becomes a consumer."""
    client = Client(
        row.api, row.operations, made, run.guard, at, frame, mode or row.mode, row.default_group,
        row.class_filter, row.ignores_type,
    )  # fmt: skip
    made.client = client
    run.makes(client)
    return client


def log(
    run: Any,
    client: Client,
    action: Action,
    values: tuple[Guarded, ...],
    at: Location,
    frame: Frame,
    attribute: Attribute | None = None,
    type_: str = "",
) -> None:
    """Notes an event on the path that is being run."""
    if run.guard is not False:
        client.events.append(Event(run.guard, action, values, at, frame, attribute, type_))


def kind_of(value: Guarded) -> str:
    """The letter of a constructor argument, as in `JavaConsumer.constructors`; `?` not known, `0` null."""
    kinds = {_kind(leaf) for _, leaf in leaves(value)}
    kinds = kinds - {"0"} or kinds
    return kinds.pop() if len(kinds) == 1 else "?"


def _kind(leaf: Any) -> str:
    if leaf is None:
        return "0"
    if isinstance(leaf, Text):
        return "S"
    if isinstance(leaf, bool):
        return "b"
    if isinstance(leaf, Object):
        name = leaf.type.rpartition(".")[2]
        if "Allocate" in name or "Strategy" in name:
            return "A"
        if name.endswith("Hook") or (leaf.declared is not None and _mentions(leaf, "Hook")):
            return "H"
        if leaf.declared is not None and (_mentions(leaf, "Allocate") or _mentions(leaf, "Strategy")):
            return "A"
        return "P" if leaf.entries is not None else "O"
    if isinstance(leaf, Unknown) and leaf.type is not None:
        return _kind_of_type(leaf.type)
    if isinstance(leaf, Function):
        return "H"
    return "?"


def _mentions(made: Object, word: str) -> bool:
    assert made.declared is not None
    return any(word in ref.name for ref in made.declared.decl.supers)


def _kind_of_type(type_: TypeValue) -> str:
    simple = type_.simple
    if simple == "String":
        return "S"
    if simple in ("boolean", "Boolean"):
        return "b"
    if simple.endswith("Hook"):
        return "H"
    if "Allocate" in simple or simple.endswith("Strategy"):
        return "A"
    return "?"


def roles_of(row: JavaConsumer, values: list[Guarded], types: Sequence[str] = ()) -> str | None:
    """The roles of the constructor that the arguments fit, None where none is known. `types`: the simple names of the
    types they are declared with, "" where that is not known; a null is of its declared type."""
    kinds = [kind_of(value) for value in values]
    for index, simple in enumerate(types[: len(kinds)]):
        declared = _kind_of_type(TypeValue(None, simple)) if simple else "?"
        if kinds[index] == "0" and declared != "?":
            kinds[index] = declared
    fitting = [
        roles
        for pattern, roles in row.constructors
        if len(pattern) == len(kinds)
        and all(k in (p, "?") or (k == "0" and p != "b") for k, p in zip(kinds, pattern, strict=True))
    ]
    if len(set(fitting)) > 1:
        if kinds[0] == "0":
            # a null before a string is a namespace left out, never a null group
            fitting = (
                [roles for roles in fitting if roles.startswith("n")]
                or [
                    roles
                    for roles in fitting
                    if "g" in roles  # a null group is not the default one
                ]
                or fitting
            )
        elif "?" in kinds:
            # an argument of unknown type does not pick an overload where that changes what another one means
            sure = {tuple(zip(roles, kinds, strict=True)) for roles in fitting}
            if len({tuple(r for r, k in pair if k == "S") for pair in sure}) > 1:
                return None
            fitting = [roles for roles in fitting if "g" in roles] or fitting
    return fitting[0] if fitting else None


def may_take(name: str, given: Arguments) -> bool:
    """Whether a consumer's method may take some arguments: `subscribe` begins with a topic, where that of a stream of events
    takes nothing, or what it calls."""
    if name != "subscribe" or given.open is not None or given.names:
        return True
    return bool(given.values) and not isinstance(given.values[0], Function | Bound)
