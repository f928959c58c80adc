"""What has to be read to know more about a consumer: the types its unknown values and conditions came of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from subdrift.linter.clients.apis import Action
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Attribute
from subdrift.linter.resolve.execute import guards
from subdrift.linter.resolve.execute.clients import Client, Event
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    Gap,
    Guarded,
    Key,
    LibraryConstant,
    Object,
    Text,
    TypeValue,
    Unknown,
)

COMPARED = frozenset(
    {
        Attribute.GROUP,
        Attribute.NAMESPACE,
        Attribute.NAMESPACE_V2,
        Attribute.MESSAGE_MODEL,
        Attribute.CONSUME_MODE,
    }
)
"""What of a consumer's settings is compared; the others are told and no more."""

SOUGHT_MAX = 4
"""Types that a program without a consumer may ask for on account of a method's name, or a constant, alone; one that knows
less of itself than that is large, and its names say little."""

BLIND_STEPS_MAX = 4_000
"""Statements and calls of a run that may ask for all that it has met, because nobody can tell what an unknown value came of: it
is done again for each file that comes then, and meets more."""

LEFT = "functions left"
"""In the heap of a run: the types that tell more of what it left functions with that lead to a client."""

LEAVES_MAX = 1_000
"""Alternatives of one value that are looked at."""

_GIVEN = frozenset({"parameter", "injected", "stand-in", "object"})
"""Roots of symbols that stand for what an entry is given: no source says more, but its callers may."""

_OUTSIDE = frozenset({Why.EXTERNAL_CONFIG, Why.SET_AT_DEPLOY, Why.UNSUPPORTED, Why.TOO_MANY, Why.CYCLE})
"""Reasons that no further source takes away."""

SUBSCRIBES = frozenset(
    {Action.SUBSCRIBE, Action.TABLE, Action.TABLE_ALL, Action.TOPICS, Action.TOPIC, Action.PART_TOPIC}
)
"""What makes a consumer one that subscribes, or asks for its queues."""


def subscribes(client: Client) -> bool:
    """Whether anything that was followed subscribes a consumer, or makes it ask for its queues."""
    return any(event.action in SUBSCRIBES for event in client.events)


def _is_idle(client: Client) -> bool:
    """Whether a consumer was started and, as far as was followed, has nothing to consume."""
    started = any(event.action is Action.START for event in client.events)
    return started and client.api != "pull" and not subscribes(client)


def is_told(client: Client) -> bool:
    """Whether anything is known of the group or a topic of a consumer: without either nothing of it is compared."""
    named = [event for event in client.events if event.attribute is Attribute.GROUP]
    subscribed = [event for event in client.events if event.action in SUBSCRIBES]
    return any(
        type(leaf) is Text and not any(type(part) is Gap for part in leaf.parts)
        for event in (*named[-1:], *subscribed)  # the last name holds
        for value in event.values[:1]
        for leaf in guards.some(value, LEAVES_MAX)
    )


def is_compared(event: Event) -> bool:
    """Whether an event is about what is compared between the members of a group."""
    return event.action is not Action.SET or event.attribute in COMPARED


def asked_by(run: Interpreter) -> frozenset[str]:
    """The names of the types that have to be read to know more about the consumers of a run."""
    unseen = {name for _, leaf, _ in run.heap.get("elsewhere", ()) for name in leaf.needs}
    unseen |= run.heap.get(LEFT, set())
    if run.grown:  # what its choices hang on, of which there may be fewer then
        needed = run.gathered(one.test for one in run.decisions)
        unseen |= needed if len(needed) <= 2 * SOUGHT_MAX else set()
    if not run.clients:
        kinds: tuple[set[str], ...] = ()
        if run.heap.get("program"):
            kinds = (run.sought, run.needed)
        elif run.heap.get("container"):
            kinds = (run.needed,)
        return frozenset(unseen.union(*(names for names in kinds if len(names) <= SOUGHT_MAX)))
    return frozenset(unseen.union(run.needed, *(needs_of(client, run) for client in run.clients)))


def needs_of(client: Client, run: Interpreter) -> frozenset[str]:
    """The names of the types a consumer's unknown values and conditions came of; where one cannot tell, all that the
    run has met."""
    shown = {run.decisions[number].shown for number in _dispatched(client, run)}
    known = [
        one for (above, _), below in run.scope.trace.below.items() if above.simple in shown for one in below
    ]
    found = {f"<{name}" for name in shown.union(one.simple for one in known)}
    if not run.budget.brief and _is_idle(client):
        return run.met  # that nothing subscribes it is no more certain than what was not read
    for _, key in client.carries.names if client.carries is not None else ():
        found.update(_needs_of_name(key, run))
    for leaf in _unknowns(client, run):
        if leaf.needs:
            found |= leaf.needs
        elif leaf.why not in _OUTSIDE and not _is_given(leaf) and _may_ask_for_all(run):
            return run.met | found
    return frozenset(found)


def _may_ask_for_all(run: Interpreter) -> bool:
    """Whether a run asks for all that it has met; what sends is looked for in fewer runs."""
    return run.steps <= BLIND_STEPS_MAX or bool(run.scope.program.marks.telling)


def may_be_worked_out(client: Client, run: Interpreter) -> bool:
    """Whether something of a consumer, or what it hangs on, is unknown for another reason than what the run was not given."""
    return any(
        leaf.why is Why.TOO_MANY or (leaf.why not in _OUTSIDE and not _is_given(leaf))
        for leaf in _unknowns(client, run)
    )


def _needs_of_name(key: Guarded, run: Interpreter) -> Iterator[str]:
    """The types that the name of a message's property came of, where they are known."""
    for leaf in guards.some(key, LEAVES_MAX):
        if isinstance(leaf, LibraryConstant) and run.scope.is_absent(leaf.owner):
            yield leaf.owner
        for part in leaf.parts if isinstance(leaf, Text) else (leaf,):
            if isinstance(part, Unknown | Gap):
                yield from part.needs


def _dispatched(client: Client, run: Interpreter) -> Iterator[int]:
    """The choices of a subtype that a compared value hangs on: a subtype nobody has read may give another."""
    for event in client.events:
        if is_compared(event):
            for value in event.values:
                yield from (n for n in guards.choices(value) if run.decisions[n].kind == "subtype")


def _is_given(leaf: Unknown | Gap) -> bool:
    """Whether something that an entry is given takes part in what is unknown."""
    stack: list[Any] = [leaf.symbol]
    while stack:
        symbol = stack.pop()
        if isinstance(symbol, tuple) and symbol:
            if isinstance(symbol[0], str) and symbol[0] in _GIVEN:
                return True
            stack += symbol
    return False


def _unknowns(client: Client, run: Interpreter) -> Iterator[Unknown | Gap]:
    """The unknown values and stretches of text in what is compared, and in the conditions it hangs on."""
    inherited: dict[str, set[str]] = run.heap.get("inherited", {})
    stack: list[Any] = [client.born]
    for event in client.events:
        if is_compared(event):
            stack += (event.guard, *event.values)
    seen: set[int] = set()
    held: set[int] = set()
    while stack:
        value = stack.pop()
        for number in guards.choices(value):
            if number not in seen:
                seen.add(number)
                test = run.decisions[number].test
                if test is not None:
                    stack.extend(test.operands)
        for leaf in guards.some(value, LEAVES_MAX):
            match leaf:
                case Unknown():
                    yield leaf
                case TypeValue(declared=None, name=name) if name in inherited:
                    yield Unknown(Why.UNDEFINED, name, needs=frozenset(inherited[name]))
                case LibraryConstant(owner=owner) if run.scope.is_absent(owner):
                    yield Unknown(Why.DYNAMIC, owner, needs=frozenset({owner}))
                case Text(parts=parts):
                    for part in parts:
                        if isinstance(part, Gap):
                            yield part
                        elif isinstance(part, Key):
                            stack.append(part.key)
                case Test(operands=operands):
                    stack.extend(operands)
                case Object(declared=None) if leaf.number not in held:  # a list, a map, a filter
                    held.add(leaf.number)
                    if run.scope.is_absent(leaf.type):
                        yield Unknown(Why.DYNAMIC, leaf.type, needs=frozenset({leaf.type}))
                    stack += [item for _, item in leaf.items or ()]
                    stack += [each for entry in leaf.entries or () for each in (entry.key, entry.value)]
                    stack += leaf.fields.values()
                    if leaf.open is not None:
                        yield leaf.open
