"""What runs may cost, in statements and calls."""

from __future__ import annotations

from msgspec import Struct

STEPS_MAX = 40_000
"""Statements and calls run for one entry."""

VALUE_STEPS_MAX = 1_500
"""Statements and calls run for one call that cannot reach a client library: what it gives, or does, is a value."""

DEAR_VALUE_STEPS_MAX = 10_000
"""The same in a second run of an entry that gave one up, and knows less of a consumer than it might."""


class Budget(Struct, frozen=True):
    """Statements and calls that are run for one entry, and for one that has made no consumer yet. `brief`: it is one of a
    test, of which less is followed."""

    steps: int
    barren: int
    brief: bool = False


PROGRAM = Budget(STEPS_MAX, STEPS_MAX)

CLIENTS_CHEAP = 256
"""Consumers of a run that cost no more than what makes them."""

CLIENT_STEPS = 250
"""What each consumer counts that a run makes beyond so many."""

WORK_PER_STEP = 32
"""Elements that a library copies, compares or prints at the cost of one statement."""

CHARACTERS_PER_STEP = 1_024
"""Characters of a long text that are made at the cost of one statement."""
