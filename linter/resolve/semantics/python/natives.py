"""The table of library functions that execution knows, by full name (`builtins.len`, `os.path.join`)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.drawing import Coming
from subdrift.linter.resolve.execute.exceptions import may_refuse
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, either, leaves, negate, pick, some
from subdrift.linter.resolve.execute.handed import beyond
from subdrift.linter.resolve.execute.havoc import is_alike
from subdrift.linter.resolve.execute.identity import as_seen
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.loops import ENDLESS
from subdrift.linter.resolve.execute.peers import (
    LEAVES_MAX,
    LIMIT,
    REGISTRY,
    Declare,
    Effect,
    Peer,
    Unknowns,
    linear,
)
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    Entry,
    Frame,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
)
from subdrift.linter.resolve.semantics.python import equality, lazies, modelled
from subdrift.linter.resolve.semantics.python.concrete import computed, unknown_from
from subdrift.linter.resolve.semantics.python.costs import COSTS

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


def function_key(function: Function) -> object:
    """Under which the attributes of a function are kept: each turn of a `def` makes a function of its own."""
    frame = function.frame or getattr(function.native, "frame", None)
    outer = 0 if frame is None else frame.number
    return ("python function", function.method or function, outer)


class Call(Struct, frozen=True):
    """A call of a library function: on which run, with what, from where."""

    python: Python
    run: Interpreter
    arguments: Arguments
    frame: Frame
    at: Location | None

    @property
    def program_frame(self) -> Frame:
        """The code of the program that calls: not that of a library's model."""
        found: Frame | None = self.frame
        while found is not None and found.owner is not None and found.owner.file.model:
            found = found.caller
        return found or self.frame

    @property
    def code_at(self) -> ir.At:
        """Where the code is that calls."""
        return self.frame.owner.decl.name_at if self.frame.owner is not None else (1, 1, 1, 1)

    @property
    def place(self) -> ir.At:
        """Where the call stands, as far as that is known."""
        if self.at is None:
            return self.code_at
        span = self.at.span
        return (span.line, span.column, span.end_line, span.end_column)

    @property
    def values(self) -> list[Guarded]:
        return self.arguments.values

    def get(self, index: int, name: str = "", default: Guarded = UNSET) -> Guarded:
        return self.arguments.get(index, name, default)

    def each(self, value: Guarded, function: Callable[[Any], Guarded]) -> Guarded:
        """A function with effects, on each possible value."""
        return self.run.over(value, function)

    def items(self, value: Guarded) -> list[tuple[Guarded, Guarded]] | None:
        """What iterating over a value gives; None where nobody knows."""
        return self.python.items(self.run, value, self.frame)

    def each_of(self, value: Guarded) -> Iterator[tuple[Guarded, Guarded]]:
        """What going through a value gives, one after the other."""
        return lazies.each(self.run, value, self.frame, self.code_at)

    def goes_through(self, value: Guarded) -> bool:
        """Whether it is known what going through a value gives."""
        return all(
            lazies.is_iterable(self.python, self.run, leaf, self.frame)
            for _, leaf in leaves(value, self.run.guard)
        )

    def coming(self, rest: Coming, *sources: Guarded) -> Object:
        """An iterator of what is still to come, which is drawn from others."""
        made = self.run.make(None, "generator", self.at)
        return lazies.following(self.run, made, rest, sources)

    def as_mapping(self, leaf: Any) -> Any:
        """A value as a dict, where its class makes it a mapping by `keys` and `[]`; itself elsewhere."""
        if not isinstance(leaf, Object) or leaf.declared is None or leaf.entries is not None:
            return leaf
        if self.python.find(self.run, leaf, "keys", self.frame) is UNSET:
            return leaf
        keys = self.python.method(self.run, leaf, "keys", Arguments([]), self.frame, self.at)
        made = self.run.make(None, "dict", self.at)
        made.entries = []
        for guard, key in self.elements(keys):
            value = self.python.element(self.run, leaf, key, self.frame, self.at)
            if value is not UNSET:
                made.entries.append(Entry(guard, key, value))
        return made

    def elements(self, value: Guarded) -> list[tuple[Guarded, Guarded]]:
        """What iterating gives; one unknown element where nobody knows."""
        found: list[tuple[Guarded, Guarded]] = []
        for guard, leaf in leaves(value, self.run.guard):
            found += [
                (both(guard, inner), item)
                for inner, item in self.run.elements(leaf, self.frame, self.code_at)
            ]
        if self.run.guard is not True:
            found = [(True if guard == self.run.guard else guard, item) for guard, item in found]
        return found

    def given(self, *values: Guarded) -> Call:
        """A call of the same place with other values."""
        return Call(self.python, self.run, Arguments(list(values)), self.frame, self.at)

    def apply(self, function: Guarded, *values: Guarded, names: dict[str, Guarded] | None = None) -> Guarded:
        """Calls a function value."""
        given = Arguments(list(values), names or {})
        return self.run.over(
            function, lambda leaf: self.python.call(self.run, leaf, given, self.frame, self.at)
        )

    def make(self, kind: str, **fields: Guarded) -> Object:
        made = self.run.make(None, kind, self.at)
        made.fields.update(fields)
        return made

    def function(self, name: str, body: Callable[[Call], Guarded]) -> Function:
        """A function value with native behaviour."""

        def native(
            run: Interpreter, arguments: Arguments, caller: Frame | None, at: Location | None
        ) -> Guarded:
            return body(Call(self.python, run, arguments, caller or self.frame, at))

        return Function((), (), None, name, native=native)

    def throw(self, error: str, *values: Guarded) -> Guarded:
        made = self.run.make(None, f"builtins.{error}", self.at)
        if values:
            made.fields["args"] = values
            made.fields["<message>"] = values[0] if len(values) == 1 else values
        if error == "SystemExit":
            made.fields["code"] = values[0] if values else None
        self.run.throw(made)
        return UNSET

    def unknown(self, detail: str, why: Why = Why.DYNAMIC, symbol: object = None) -> Unknown:
        return Unknown(why, detail, symbol)

    def under(self, guard: Guarded, function: Callable[[], Guarded], otherwise: Guarded) -> Guarded:
        """The value of a function run where a guard holds, else another value."""
        before = self.run.guard
        self.run.guard = both(before, guard)
        value = UNSET if self.run.guard is False else function()
        self.run.guard = either(self.run.guard, both(before, negate(guard)))
        return otherwise if value is UNSET else pick(guard, value, otherwise)


Native = Callable[[Call], Guarded]
Method = Callable[[Call, Object], Guarded]
PEERS: Final = Declare("python")

_FRESH: Final = frozenset(
    {
        "time.time", "time.time_ns", "time.monotonic", "random.random", "random.randint", "random.choice", "uuid.uuid1",
        "uuid.uuid4", "secrets.token_hex", "datetime.datetime.now", "datetime.now", "datetime.datetime.utcnow",
        "builtins.next", "builtins.anext", "builtins.object", "builtins.input",
    }
)  # fmt: skip
"""Functions that give another value each time."""

_STARTING: Final = frozenset(
    {"submit", "start", "apply_async", "map_async", "add_done_callback", "call_soon"}
)


class Table:
    """Peers by full name, as what runs them: `table[name] = function` declares one, `table[name](call, …)` runs it by
    `Interpreter.native`, which charges what it costs first.

    What a peer costs is `costs.COSTS`, else linear in its operands. Functions are pure but for what they call; a method
    may change its receiver.
    """

    def __init__(self, effect: Effect) -> None:
        self._effect = effect
        self._names: set[str] = set()

    def __setitem__(self, name: str, function: Callable[..., Guarded]) -> None:
        owner, _, simple = name.rpartition(".")
        key = (PEERS.language, owner, simple)
        started = Effect.STARTS_ARGUMENT if simple in _STARTING else Effect.PURE
        REGISTRY[key] = Peer(
            PEERS.language,
            owner,
            simple,
            function,
            self._effect | Effect.CALLS_ARGUMENT | Effect.MAY_RAISE | started,
            Unknowns.FRESH if name in _FRESH else Unknowns.PURE,
            COSTS.get(name, linear),
            LIMIT,
            sees_unknowns=True,
        )
        self._names.add(name)

    def __getitem__(self, name: str) -> Callable[..., Guarded]:
        if name not in self._names:
            raise KeyError(name)
        owner, _, simple = name.rpartition(".")
        peer = REGISTRY.get((PEERS.language, owner, simple))
        return partial(_unseen, name) if peer is None else partial(run_peer, peer)

    def __contains__(self, name: object) -> bool:
        owner, _, simple = str(name).rpartition(".")
        return name in self._names and (PEERS.language, owner, simple) in REGISTRY

    def get(self, name: str, default: Any = None) -> Any:
        if name not in self:
            return default
        return self[name]


def _unseen(name: str, call: Call, *receiver: Object) -> Guarded:
    """A call of what is not declared."""
    leaf = receiver[0] if receiver else TypeValue(None, name)
    modelled.demand(call.run, leaf, call.frame)
    return call.python.unseen(call.run, leaf, name.rpartition(".")[2], call.arguments, call.at)


def run_peer(peer: Peer, call: Call, *receiver: Object) -> Guarded:
    """A call of a peer, its cost first."""
    given = Arguments([*call.values, *call.arguments.names.values()])
    leaf = receiver[0] if receiver else None
    begun = call.run.unique()
    for value in call.values if peer.name not in _DRAWING else ():
        equality.live(value)
    filled = (one for one in receiver if is_alike(beyond(one)))
    more = next(filter(None, map(_more_than_known, (*call.values, *filled))), None)
    found = call.run.native(peer, lambda _, values: peer.function(call, *receiver), leaf, given)
    if isinstance(found, Object) and found.number > begun:
        _as_long_as(found, more)
    elif call.run.unseen and _may_change(peer, call.values):
        found = apply(partial(_of_now, call.run), found)
    if type(found) is Unknown and call.run.handlers and not _refuses_nothing(peer, leaf):
        for error in ("TypeError", "ValueError"):
            may_refuse(call.run, f"builtins.{error}", found, call.at)
    return found


_STAYS: Final = frozenset({"isinstance", "type", "callable", "id"})
"""What these functions say of an object stays so."""


def _may_change(peer: Peer, values: Sequence[Guarded]) -> bool:
    """Whether a function says how something is that nobody knows, and that may change."""
    asks = peer.owner in ("builtins", "json") and peer.name not in _STAYS
    return asks and any(type(one) is Unknown for one in values)


def _of_now(run: Interpreter, leaf: Any) -> Any:
    """What a function said of something that nobody knows: it may say something else later."""
    if type(leaf) is Test:
        return Test(leaf.kind, tuple(as_seen(run, one) for one in leaf.operands), leaf.negated)
    return as_seen(run, leaf)


def _refuses_nothing(peer: Peer, receiver: Object | Text | None) -> bool:
    """Whether a method takes any text: what it gives is not known because the text is not."""
    return isinstance(receiver, Text) and receiver.known is None and peer.name not in _REFUSING


def _as_long_as(made: Object, more: Unknown | None) -> None:
    """What is made of a collection of which nobody knows how much it holds: of that neither."""
    if made.declared is None and (made.items is not None or made.entries is not None):
        made.open = made.open or more


def _more_than_known(value: Guarded) -> Unknown | None:
    for leaf in some(value, LEAVES_MAX):
        if isinstance(leaf, Object) and leaf.open is not None and ENDLESS not in leaf.fields:
            return leaf.open
    return None


_REFUSING: Final = frozenset({"index", "rindex", "encode", "format", "format_map"})
"""Methods that throw for some texts."""

_DRAWING: Final = frozenset(
    """
    enumerate zip map filter filterfalse iter aiter next anext any all reversed islice takewhile cycle isinstance type id
    callable hasattr getattr setattr repr print partial closing aclosing nullcontext kind is_known same hints parameters
    """.split()  # noqa: SIM905
)
"""Functions that draw from an iterator as far as they are asked, or do not."""

SET_UNSEEN: Final = "<set unseen>"
"""The variable of a frame whose names code may have set that nobody sees."""

FUNCTIONS: Final = Table(Effect.PURE)
"""Functions and classes of modules."""

METHODS: Final = Table(Effect.MUTATES_RECEIVER)
"""Methods of the library's objects, by the type of the object and their name."""

CALLABLES: Final = Table(Effect.MUTATES_RECEIVER)
"""What calling an object of the library does: `TYPE.__call__`."""


def native(*names: str) -> Callable[[Native], Native]:
    """Declares what some library functions do."""

    def register(function: Native) -> Native:
        for name in names:
            FUNCTIONS[name] = function
        return function

    return register


def method(kind: str, *names: str) -> Callable[[Method], Method]:
    """Declares what some methods of the objects of a kind do."""

    def register(function: Method) -> Method:
        for name in names:
            METHODS[f"{kind}.{name}"] = function
        return function

    return register


def called(*kinds: str) -> Callable[[Method], Method]:
    """Declares what calling objects of some kinds does."""

    def register(function: Method) -> Method:
        for kind in kinds:
            CALLABLES[f"{kind}.__call__"] = function
        return function

    return register


def pure(name: str, function: Callable[..., Any], detail: str = "", names: Container[str] = ()) -> None:
    """Declares one of Python's own functions, which is asked for what it gives where its arguments are known; `names`: those
    that it takes by name."""
    shown = detail or f"{name.rpartition('.')[2]}()"

    def run(call: Call) -> Guarded:
        given = call.arguments.names
        if any(each not in names for each in given):
            return unknown_from(call.values, shown)
        count = len(call.values)

        def asked(*values: Any) -> Any:
            return function(*values[:count], **dict(zip(given, values[count:], strict=True)))

        return apply(
            lambda *values: computed(call.run, asked, call.at, *values, detail=shown),
            *call.values,
            *given.values(),
        )

    FUNCTIONS[name] = run
