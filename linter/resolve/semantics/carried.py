"""What messages hold beside topic and tag where sends are looked for: a map of properties, and what they wait for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from subdrift.linter.clients.sends import LEVEL
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.clients import Carrying
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, leaves
from subdrift.linter.resolve.execute.values import Guarded, Object, Unknown, text

PROPERTIES: Final = "<properties>"
"""The field of a message with the map of its properties, which no field of a program is named like."""
DELAY: Final = "<delay>"

KEYS: Final = "KEYS"
"""The property that holds a message's keys."""

UNSEEN: Final = phrase("argument", "message")


def carrying(
    message: Guarded, within: Guarded, held: Callable[[Any], Object | str | None], delay: Guarded = UNSET
) -> Carrying:
    """What is sent with a message under a guard. `held` gives the map of a plain value's properties, None where it has none,
    else why they are not known. `delay`: what the call says of it, where that counts."""
    names: list[tuple[Guarded, Guarded]] = []
    more = ""
    for guard, leaf in leaves(message, within):
        found = held(leaf)
        if isinstance(found, str):
            more = more or found
        elif found is not None:
            there = [entry for entry in found.entries or () if entry.value is not None]
            names += [(both(guard, entry.guard), entry.key) for entry in there]
            if found.open is not None:
                more = more or found.open.detail or UNSEEN
    return Carrying(tuple(names), more, apply(_delay, message) if delay is UNSET else delay)


def _delay(leaf: Any) -> Any:
    if isinstance(leaf, Object):
        return leaf.fields.get(DELAY)
    return Unknown(Why.DYNAMIC, UNSEEN) if isinstance(leaf, Unknown) else None


def lost(properties: Any) -> Unknown | None:
    """What a message has of that which nobody was seen to set: nothing; not known where others may have written to it."""
    return properties.open if isinstance(properties, Object) else None


def delayed(how: str, value: Guarded) -> Guarded:
    """What a message waits for that is told so (`clients.sends`); None for nothing."""
    return apply(partial(_told, how), value)


def _told(how: str, leaf: Any) -> Any:
    if isinstance(leaf, int) and not isinstance(leaf, bool):
        return text(how.format(leaf)) if leaf > 0 or how != LEVEL else None
    return leaf if isinstance(leaf, Unknown) else Unknown(Why.DYNAMIC, UNSEEN)
