"""Static calls of classes whose source is not here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import clients
from subdrift.linter.resolve.execute.guards import leaves
from subdrift.linter.resolve.execute.identity import lasting
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Frame, Guarded, Text, TypeValue, Unknown, text
from subdrift.linter.resolve.semantics.jvm import consumers, copying
from subdrift.linter.resolve.semantics.jvm.calls import PEERS, Call, call_peer, static
from subdrift.linter.resolve.semantics.jvm.library.kinds import changes, is_fresh
from subdrift.linter.resolve.semantics.jvm.library.tasks import hand_over

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


def is_static(owner: str, name: str, count: int) -> bool:
    """Whether a method reference `Owner::name` to a library means a static method."""
    return PEERS.find(owner.rpartition(".")[2], name) is not None or (
        owner.rpartition(".")[2] in ("Integer", "Boolean", "Long") and name.startswith(("parse", "valueOf"))
    )


_LANGUAGE = frozenset(
    {"String", "Integer", "Long", "Boolean", "Double", "Character", "Math", "System", "Objects"}
)
"""Classes whose names no project takes for its own."""


def static_call(
    java: Java, run: Interpreter, owner: str, name: str, arguments: Arguments, frame: Frame, place_at: ir.At
) -> Guarded:
    """`Owner.name(…)` of a class whose source is not here."""
    place = run.place(frame, place_at)
    factory = clients.java_factory(name, owner, len(arguments.values))
    if factory is not None:
        return consumers.from_factory(run, factory, arguments, place, frame)
    simple = owner.rpartition(".")[2]
    peer = PEERS.find(simple, name)
    if peer is not None:
        found = call_peer(Call(java, run, None, name, arguments.values, frame, place), peer)
        if found is not NotImplemented:
            own = frame.owner is None or not frame.owner.file.model
            if own and owner not in _LANGUAGE and run.scope.is_absent(owner):
                run.needed.add(owner)  # a class of the project may have the name of a library's
            return found
    if simple == "ClientServiceProvider" or (name == "loadService" and not arguments.values):
        return Unknown(Why.DYNAMIC, "provider", ("provider",), TypeValue(None, owner))
    if simple in ("LoggerFactory", "LogManager", "Logger"):
        return Unknown(Why.DYNAMIC, phrase("logger"), ("logger",))
    if simple == "System" and name.startswith(("set", "clear")):
        run.heap[PROPERTIES_LOST] = True
    for value in arguments.values:
        hand_over(run, value, name, frame, place)
    if copying.fill(java, run, owner, name, arguments.values):
        return None
    symbols = tuple(map(lasting, arguments.values))
    symbol: object = ("static", owner, name, symbols, run.unseen)
    if None in symbols or changes(name) or name.startswith("new"):
        symbol = None
    elif is_fresh(name):
        symbol = ("fresh", run.unique())
    unknown = run.unknown(Why.DYNAMIC, f"{simple}.{asked(name, arguments)}", frame, place_at, symbol=symbol)
    return run.havoc(name, by_class_literal(unknown, arguments), None, arguments)


PROPERTIES_LOST = "system properties that may be other ones"
"""In the heap of a run: that `System` was called in a way that nobody knows."""

ASKED_MAX = 80
"""Characters of an argument that a reason names."""


def asked(name: str, arguments: Arguments) -> str:
    """A call as a reason names it, with its first argument where that is a short text: the key of a setting, most often."""
    first = arguments.values[0] if arguments.values else None
    known = first.known if isinstance(first, Text) else None
    if known is None or not 0 < len(known) <= ASKED_MAX or not known.isprintable():
        return f"{name}()"
    return f'{name}("{known}")'


def by_class_literal(result: Unknown, arguments: Arguments) -> Unknown:
    """What a call gives that is told a class, `fromJson(text, Order.class)`: an object of that class, as far as what it is
    taken for allows."""
    named = [each for each in arguments.values if isinstance(each, TypeValue) and each.declared is not None]
    if len(named) != 1:
        return result
    only = named[0]
    return replace(result, type=TypeValue(only.declared, only.name, only.args, guessed=True))


@static("System", "exit", effect=Effect.MAY_RAISE)
def _exit(call: Call) -> Guarded:
    call.run.guard = False
    return None


MOCKED = "mocked"
"""In the heap of a run: the classes whose static methods a test has replaced."""


@static("Mockito|PowerMockito", "mockStatic", effect=Effect.MUTATES_ARGUMENT)
def _mock_static(call: Call) -> Guarded:
    for _, leaf in leaves(call.args[0]):
        if isinstance(leaf, TypeValue) and leaf.declared is not None:
            call.run.heap.setdefault(MOCKED, set()).add(leaf.declared)
    return NotImplemented


@static("System", "lineSeparator")
def _line_separator(call: Call) -> Guarded:
    return text("\n")
